import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFixtureServer, type FixtureServer } from '../harness/fixture-server.ts';
import { ERAS, startMcp, type McpOptions, type TestMcp } from '../harness/mcp-client.ts';

let site: FixtureServer;
let folder: string;
let config: string;
beforeAll(async () => {
  site = await startFixtureServer();
  folder = mkdtempSync(join(tmpdir(), 'oriel-approval-'));
  config = join(folder, 'config.json');
  const rules = [
    { tools: ['browser_evaluate'], decision: 'ask' },
    { effects: ['script'], decision: 'deny' },
  ];
  writeFileSync(config, JSON.stringify({ policy: { rules } }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await site[Symbol.asyncDispose]();
});

const SCRIPT = { function: '() => { document.title = "Changed"; return 1; }' };

describe.each(ERAS)('a rule that asks, in the protocol of %s', (era) => {
  const start = (onQuestion?: McpOptions['onQuestion']) =>
    startMcp({ era, args: [`--config=${config}`], ...(onQuestion ? { onQuestion } : {}) });

  it('lets the call go on when a person accepts, and asks again each time', async () => {
    const questions: string[] = [];
    await using mcp = await start((message) => {
      questions.push(message);
      return { action: 'accept', content: { approve: true } };
    });
    await open(mcp);
    const answer = await mcp.call('browser_evaluate', SCRIPT);
    expect(answer.isError, answer.text).toBe(false);
    expect((await mcp.call('browser_snapshot')).text).toContain('title: Changed');
    await mcp.call('browser_evaluate', SCRIPT);
    expect(questions).toHaveLength(2);
    expect(questions[0]).toContain('Allow browser_evaluate (run script in the page)');
    expect(questions[0]).toContain(site.origin);
    expect(questions[0]).toContain('document.title');
  });

  it.each<[string, ReturnType<NonNullable<McpOptions['onQuestion']>>]>([
    ['declines', { action: 'decline' }],
    ['closes the question', { action: 'cancel' }],
    ['accepts the form with a no', { action: 'accept', content: { approve: false } }],
  ])('changes nothing when a person %s', async (_what, reply) => {
    await using mcp = await start(() => reply);
    await open(mcp);
    const answer = await mcp.call('browser_evaluate', SCRIPT);
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain('denied');
    expect(answer.text).toContain('declined');
    expect((await mcp.call('browser_snapshot')).text).toContain('title: Blank');
  });

  it('is denied, with how to allow it, where the client cannot ask', async () => {
    await using mcp = await start();
    await open(mcp);
    const answer = await mcp.call('browser_evaluate', SCRIPT);
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/denied[^]*policy\.rules/);
    expect((await mcp.call('browser_snapshot')).text).toContain('title: Blank');
  });

  it('and one that denies goes by what the call does, not by the tool', async () => {
    await using mcp = await start();
    await open(mcp);
    expect((await mcp.call('browser_wait', { text: 'Blank' })).isError).toBe(false);
    const answer = await mcp.call('browser_wait', { function: '() => true' });
    expect(answer.text).toContain('denied');
  });
});

async function open(mcp: TestMcp): Promise<void> {
  const answer = await mcp.call('browser_navigate', { url: site.url('/blank.html') });
  expect(answer.isError, answer.text).toBe(false);
}
