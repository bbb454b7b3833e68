import { describe, expect, it } from 'vitest';
import { verifies } from '../../harness/verifies.ts';
import { startSite } from './site.ts';
import { startOctopus } from './speaker.ts';
import { describeTools } from './suite.ts';

describe('over MCP', () => {
  it('lists exactly eight tools, each with a description and its parameters', async () => {
    verifies('D-056');
    verifies('D-004', 'D-006', 'D-007', 'D-008', 'D-018', 'D-020', 'D-021', 'D-022', 'D-024');
    const { mcp } = await startOctopus();
    await using _mcp = mcp;
    const { tools } = await mcp.client.listTools();
    expect(
      tools.map(({ name, inputSchema }) => [
        name,
        Object.keys(inputSchema.properties ?? {}),
        inputSchema.required ?? [],
      ]),
    ).toEqual([
      ['browser_navigate', ['url', 'session_id'], ['url']],
      ['browser_snapshot', ['session_id'], ['session_id']],
      ['browser_click', ['element_ref', 'session_id'], ['element_ref', 'session_id']],
      [
        'browser_type',
        ['element_ref', 'text', 'session_id'],
        ['element_ref', 'text', 'session_id'],
      ],
      ['browser_get_text', ['element_ref', 'session_id'], ['element_ref', 'session_id']],
      ['browser_execute_js', ['script', 'session_id'], ['script', 'session_id']],
      ['browser_screenshot', ['session_id', 'full_page'], ['session_id']],
      ['browser_close', ['session_id'], ['session_id']],
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description).toMatch(/\w{3}/);
      expect(inputSchema.type).toBe('object');
    }
    // It takes no browser to see what there is.
    expect(await mcp.browsers()).toEqual([]);
  });
});

describe('our own browser', () => {
  it('lists elements in frames and in shadow roots, and a click reaches them', async () => {
    verifies('D-040');
    await using site = await startSite();
    const { mcp, speaker } = await startOctopus();
    await using _mcp = mcp;
    const id = await speaker.open(site.url('/nested'));
    await expect
      .poll(async () => (await speaker.elements(id)).map(({ text }) => text))
      .toEqual(['in the shadow', 'in the frame']);
    for (const [ref, title] of [
      ['@e0', 'shadow'],
      ['@e1', 'frame'],
    ]) {
      await speaker.done('browser_click', { element_ref: ref, session_id: id });
      await expect.poll(() => speaker.js(id, 'document.title')).toBe(title);
    }
  });
});

describeTools('our own browser, by MCP', async () => {
  const { mcp, speaker } = await startOctopus();
  return { speaker, [Symbol.asyncDispose]: () => mcp[Symbol.asyncDispose]() };
});
