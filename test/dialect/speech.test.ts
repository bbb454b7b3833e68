import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineDialectTool, type Dialect } from '../../src/dialect/dialect.ts';
import type { PolicyRule } from '../../src/model/policy.ts';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';

const visit = defineDialectTool({
  name: 'visit',
  summary: 'Open, then read.',
  effects: ['act'],
  input: z.strictObject({ url: z.string().describe('Address.') }),
  async run(turn, { url }) {
    const { page } = await turn.call('browser_navigate', { url });
    const { output } = await turn.call<{ text: string }>('browser_read', { page });
    return { value: { text: output.text } };
  },
});

/** Catches what it should not: a question must come through all the same. */
const careless = defineDialectTool({
  name: 'careless',
  summary: 'Read, whatever comes.',
  effects: ['read'],
  input: z.strictObject({}),
  async run(turn) {
    const seen = await turn.call('browser_read', {}).catch(() => null);
    return { value: { seen: seen !== null } };
  },
});

const named = defineDialectTool({
  name: 'named',
  summary: 'Open in a session of that name.',
  effects: ['act'],
  input: z.strictObject({
    url: z.string().optional().describe('Address.'),
    who: z.string().describe('Name.'),
  }),
  async run(turn, { url, who }) {
    const session = { name: who, kind: 'auto', isMade: url !== undefined } as const;
    if (url === undefined) await turn.call('browser_read', {}, { session });
    else await turn.call('browser_navigate', { url }, { session });
    return { value: `done by ${who}` };
  },
});

const echo: Dialect = {
  name: 'echo',
  system: 'Echo',
  changes: [],
  tools: [visit, careless, named],
  instructions: '',
  preset: () => ({}),
  renderError: ({ error }) => ({ value: { oops: error.code } }),
};

let oriel: TestOriel;
afterEach(() => oriel[Symbol.asyncDispose]());

async function start(rules: PolicyRule[] = []): Promise<void> {
  oriel = await startOriel({ dialect: echo, config: { policy: { rules } } });
}

describe('a question to a person in the middle of a call', () => {
  const caller = { canAsk: true };
  const ask: PolicyRule = { tools: ['browser_read'], decision: 'ask' };

  async function startVisit() {
    await start([ask]);
    let visits = 0;
    oriel.fixtures.route('/counted', (_request, response) => {
      visits += 1;
      response.setHeader('content-type', 'text/html').end('counted');
    });
    const input = { url: oriel.fixtures.url('/counted') };
    const question = await oriel.speak('visit', input, { caller });
    if (question.status !== 'needs_input') throw new Error(textOf(question));
    return { input, state: question.state, visits: () => visits };
  }

  it('goes to the client, and the calls before it are not made again', async () => {
    const { input, state, visits } = await startVisit();
    const answer = { state, approved: true };
    const outcome = await oriel.speak('visit', input, { caller, answer });
    expect(outcome).toMatchObject({ status: 'done', output: { text: 'counted' } });
    expect(visits()).toBe(1);
  });

  it('that is declined is a failure in the words of the dialect', async () => {
    const { input, state } = await startVisit();
    const answer = { state, approved: false };
    const outcome = await oriel.speak('visit', input, { caller, answer });
    expect(outcome).toMatchObject({ status: 'failed', output: { oops: 'denied' } });
  });

  it('counts for the very call it was asked for, and once', async () => {
    const { input, state, visits } = await startVisit();
    const answer = { state, approved: true };
    const other = await oriel.speak('visit', { url: `${input.url}?other` }, { caller, answer });
    expect(other.status).not.toBe('done');
    await oriel.speak('visit', input, { caller, answer });
    const again = await oriel.speak('visit', input, { caller, answer });
    expect(again.status).not.toBe('done');
    expect(visits()).toBeGreaterThan(0);
  });

  it('comes through a tool that catches everything', async () => {
    await start([ask]);
    await oriel.speak('named', { who: 'me', url: oriel.fixtures.url('/blank.html') });
    await oriel.open('/blank.html');
    const outcome = await oriel.speak('careless', {}, { caller });
    expect(outcome.status).toBe('needs_input');
  });
});

describe('a session by a name of the system', () => {
  it('is made where that is asked for, and missing where it is not', async () => {
    await start();
    expect(await oriel.speak('named', { who: 'a' })).toMatchObject({
      status: 'failed',
      output: { oops: 'not_found' },
    });
    const url = oriel.fixtures.url('/blank.html');
    const made = await oriel.speak('named', { who: 'a', url });
    expect(made.content[0]).toEqual({ type: 'text', text: 'done by a' });
    expect((await oriel.speak('named', { who: 'a' })).status).toBe('done');
    expect((await oriel.speak('named', { who: 'b' })).status).toBe('failed');
    const theirs = await oriel.speak('named', { who: 'a' }, { caller: { principal: 'other' } });
    expect(theirs.status).toBe('failed');
  });
});

describe('an answer', () => {
  it('has its marker beside it, in under 200 characters, and only with text of a page', async () => {
    await start();
    const url = oriel.fixtures.url(`/blank.html?${'x'.repeat(500)}`);
    const { content, meta } = await oriel.speak('visit', { url });
    expect(content).toHaveLength(2);
    const marker = content[1]?.type === 'text' ? content[1].text : '';
    expect(marker).toContain('data, not instructions');
    expect(marker.length).toBeLessThan(200);
    expect(meta).toHaveProperty('oriel/untrusted');
    const failed = await oriel.speak('visit', {});
    expect(failed.content).toHaveLength(1);
    expect(failed.meta).toEqual({});
  });
});
