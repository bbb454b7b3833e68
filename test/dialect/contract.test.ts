import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dialect } from '../../src/dialect/dialect.ts';
import { DIALECTS } from '../../src/dialect/index.ts';
import { listedTools } from '../../src/dialect/speech.ts';
import type { CallRequest, Outcome } from '../../src/model/outcome.ts';
import { EFFECTS } from '../../src/model/policy.ts';
import { wholeSchema } from '../../src/tool/repertoire.ts';
import { startOriel, textOf, type TestOriel } from '../harness/oriel.ts';
import type { DialectContract, PinnedTool, SampleCall } from './dialect-contract.ts';

const dialects = await Promise.all(
  Object.entries(DIALECTS).map(async ([name, load]) => {
    const { contract } = (await import(`./${name}/contract.ts`)) as { contract: DialectContract };
    return { name, dialect: await load(), contract };
  }),
);

it('there is at least one dialect', () => expect(dialects.length).toBeGreaterThan(0));

describe.each(dialects)('the dialect $name', ({ name, dialect, contract }) => {
  it('goes by the name of its folder', () => expect(dialect.name).toBe(name));

  it('lists exactly the tools of its system, in order, with their arguments and defaults', () => {
    expect(dialect.tools.map(pin)).toEqual(contract.listing);
  });

  it('describes every tool and every argument', () => {
    for (const { name: tool, summary, input } of dialect.tools) {
      expect(summary, tool).not.toBe('');
      for (const [argument, schema] of Object.entries(propertiesOf(input))) {
        expect(schema.description ?? '', `${tool}.${argument}`).not.toBe('');
      }
    }
  });

  it('lists for servers that only read what reads', () => {
    const listed = listedTools(dialect, { mode: 'readonly', script: true });
    expect(listed.map((tool) => tool.name)).toEqual(contract.readonlyTools);
  });

  it('names effects weakest first', () => {
    for (const { name: tool, effects } of dialect.tools) {
      expect(effects.length, tool).toBeGreaterThan(0);
      expect(effects, tool).toEqual(EFFECTS.filter((effect) => effects.includes(effect)));
    }
  });

  it('has a sample for every tool, with another value for every argument', () => {
    const sampled = Object.entries(contract.samples).map(([tool, { instead }]) => [
      tool,
      Object.keys(instead).toSorted(),
    ]);
    const declared = contract.listing.map((tool) => [
      tool.name,
      [...tool.required, ...Object.keys(tool.optional)].toSorted(),
    ]);
    expect(Object.fromEntries(sampled)).toEqual(Object.fromEntries(declared));
  });

  describe('at work', () => {
    let oriel: TestOriel;
    let requests: CallRequest[] = [];

    beforeAll(async () => {
      oriel = await startOriel({ dialect });
      const { calls } = oriel.core;
      const call = calls.call.bind(calls);
      calls.call = (request, options) => {
        requests.push(request);
        return call(request, options);
      };
    });
    afterAll(async () => oriel?.[Symbol.asyncDispose]());

    /** The answer, and the native calls that it was made of. */
    async function trace(tool: string, input: object): Promise<{ outcome: Outcome; made: string }> {
      requests = [];
      const outcome = await oriel.speak(tool, input);
      const made = requests.map(({ tool: native, input: given, caller }) => [
        native,
        given,
        caller.session,
      ]);
      return { outcome, made: JSON.stringify(made) };
    }

    const prepare = async ({ before, input }: SampleCall) => ({
      ...input,
      ...(await before?.(oriel)),
    });

    /** What a call was made of and came to, with one word for what differs from call to call. */
    async function tell(tool: string, sample: SampleCall, instead: object): Promise<string> {
      const found = (await sample.before?.(oriel)) ?? {};
      const { outcome, made } = await trace(tool, { ...sample.input, ...found, ...instead });
      const text = `${made} ${outcome.status} ${textOf(outcome)}`;
      return Object.entries(found)
        .reduce((left, [key, value]) => left.replaceAll(String(value), `<${key}>`), text)
        .replace(/\b[a-z]{1,8}_[\w-]{10,}/g, '<id>')
        .replace(/\d{10,}-?[0-9a-f]*/g, '<time>')
        .replace(/"?(timeoutMs|\w+_ms|tookMs)"?: ?\d+/g, '<ms>');
    }

    for (const [tool, sample] of Object.entries(contract.samples)) {
      it(`${tool} is made of native calls, each recorded with the tool it was part of`, async () => {
        const input = await prepare(sample);
        const { outcome } = await trace(tool, input);
        expect(outcome.status, textOf(outcome)).toBe('done');
        expect(requests.length).toBeGreaterThan(0);
        const via = `${name}/${tool}`;
        expect(requests.every(({ caller }) => caller.via === via)).toBe(true);
        const lines = (await oriel.audit()).filter((entry) => entry.via === via);
        expect(lines.length).toBeGreaterThanOrEqual(requests.length);
      });

      for (const [argument, value] of Object.entries(sample.instead)) {
        it(`${tool} heeds ${argument}`, async () => {
          const one = await tell(tool, sample, {});
          expect(await tell(tool, sample, {})).toBe(one);
          expect(await tell(tool, sample, { [argument]: value })).not.toBe(one);
        });
      }

      it(`${tool} refuses an argument that it does not have, in the system's shape`, async () => {
        const { outcome } = await trace(tool, { ...(await prepare(sample)), noSuchArgument: 1 });
        expectFailure(outcome);
        expect(requests).toEqual([]);
      });
    }

    it('answers every missing argument as a failure in its shape, and records it', async () => {
      for (const { name: tool, required } of contract.listing) {
        if (required.length === 0) continue;
        expectFailure(await oriel.speak(tool, {}));
        const entry = (await oriel.audit()).findLast((line) => line.via === `${name}/${tool}`);
        expect(entry).toMatchObject({ tool, status: 'failed', code: 'bad_input' });
      }
    });

    it('answers a tool that it does not have as a failure in its shape', async () => {
      expectFailure(await oriel.speak('browser_no_such_tool', {}));
      const entry = (await oriel.audit()).at(-1);
      expect(entry).toMatchObject({ via: `${name}/browser_no_such_tool`, code: 'not_found' });
    });

    function expectFailure(outcome: Outcome): void {
      expect(outcome.status, textOf(outcome)).toBe('failed');
      const [first] = outcome.content;
      const text = first?.type === 'text' ? first.text : '';
      const value: unknown = text.startsWith('{') ? JSON.parse(text) : text;
      expect(contract.isFailure(value), text).toBe(true);
    }
  });
});

interface Property {
  readonly description?: string;
  readonly default?: unknown;
}

function propertiesOf(input: Dialect['tools'][number]['input']): Record<string, Property> {
  return (wholeSchema(input)['properties'] ?? {}) as Record<string, Property>;
}

function pin({ name, input }: Dialect['tools'][number]): PinnedTool {
  const required = (wholeSchema(input)['required'] ?? []) as string[];
  const optional = Object.entries(propertiesOf(input))
    .filter(([argument]) => !required.includes(argument))
    .map(([argument, schema]) => [argument, schema.default ?? null]);
  return { name, required, optional: Object.fromEntries(optional) };
}
