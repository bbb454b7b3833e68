import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FixtureServer } from '../../harness/fixture-server.ts';
import { startMcp, type TestMcp } from '../../harness/mcp-client.ts';
import { verifies } from '../../harness/verifies.ts';
import { startSite } from './site.ts';

let site: FixtureServer;
let mcp: TestMcp;

const OPTIONS = { defaultTimeout: 5_000, maxContentLength: 200, maxPages: 50 };

beforeAll(async () => {
  site = await startSite();
  mcp = await startMcp({
    era: '2025',
    args: ['--dialect=aalis', `--dialect-options=${JSON.stringify(OPTIONS)}`],
  });
});
afterAll(async () => {
  await mcp?.[Symbol.asyncDispose]();
  await site?.[Symbol.asyncDispose]();
});

interface Answer {
  readonly value: Readonly<Record<string, unknown>>;
  readonly blocks: readonly { readonly type: string; readonly text?: string }[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

async function call(name: string, input: Record<string, unknown>): Promise<Answer> {
  const result = await mcp.client.callTool({ name, arguments: input });
  const blocks = result.content as Answer['blocks'];
  const value = JSON.parse(blocks[0]?.text ?? '') as Record<string, unknown>;
  return { value, blocks, meta: result._meta ?? {}, isError: result.isError === true };
}

async function done(name: string, input: Record<string, unknown>): Promise<Answer> {
  const answer = await call(name, input);
  expect(answer.isError, JSON.stringify(answer.value)).toBe(false);
  return answer;
}

async function fails(name: string, input: Record<string, unknown>): Promise<string> {
  const { value, isError } = await call(name, input);
  expect(isError, JSON.stringify(value)).toBe(true);
  expect(Object.keys(value)).toEqual(['error']);
  return String(value['error']);
}

const open = async (path: string) =>
  String((await done('browser_navigate', { url: site.url(path) })).value['pageId']);
const textOf = async (pageId: string, selector?: string) =>
  String(
    (await done('browser_get_text', { pageId, ...(selector ? { selector } : {}) })).value['text'],
  );

describe('over MCP', () => {
  it('lists exactly seven tools, four of them sensitive', async () => {
    verifies('A-019', 'A-028');
    const { tools } = await mcp.client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'browser_navigate',
      'browser_get_text',
      'browser_click',
      'browser_type',
      'browser_screenshot',
      'browser_get_links',
      'browser_close_page',
    ]);
    const risky = tools.filter((tool) => tool._meta?.['risk'] === 'sensitive');
    expect(risky.map((tool) => tool.name)).toEqual([
      'browser_navigate',
      'browser_click',
      'browser_type',
      'browser_close_page',
    ]);
  });

  it('browser_navigate opens a page, reuses one of its own, and waits for a selector', async () => {
    verifies('A-020', 'A-021');
    const { value } = await done('browser_navigate', { url: site.url('/plain') });
    expect(value).toMatchObject({ title: 'Plain', url: site.url('/plain'), truncated: false });
    expect(value['text']).toBe('Hello\n\nSome text');
    const again = await done('browser_navigate', {
      url: site.url('/late'),
      pageId: value['pageId'],
      waitFor: '#late',
    });
    expect(again.value).toMatchObject({ pageId: value['pageId'], title: 'Late', text: 'here' });
    const other = await done('browser_navigate', { url: site.url('/plain') });
    expect(other.value['pageId']).not.toBe(value['pageId']);
    expect(await fails('browser_navigate', { url: site.url('/plain'), waitFor: '#none' })).toMatch(
      /^(找不到元素|操作超时|元素无法操作)/,
    );
  });

  it('cuts text at maxContentLength and says how long it was, titles at 300', async () => {
    verifies('A-011', 'A-021', 'A-022');
    const { value } = await done('browser_navigate', { url: site.url('/long') });
    const text = String(value['text']);
    expect(text.startsWith(`${'x'.repeat(200)}\n`)).toBe(true);
    expect(text).toContain('300');
    expect(value['truncated']).toBe(true);
    expect(value['title']).toBe('t'.repeat(300));
    expect(await textOf(String(value['pageId']))).toBe(text);
  });

  it('browser_get_text reads a page, or what a selector names', async () => {
    verifies('A-022');
    const pageId = await open('/plain');
    expect(await textOf(pageId)).toBe('Hello\n\nSome text');
    expect(await textOf(pageId, '#p')).toBe('Some text');
  });

  it('browser_click clicks and tells where the page stands then', async () => {
    verifies('A-023');
    const pageId = await open('/form');
    const { value } = await done('browser_click', { pageId, selector: '#b' });
    expect(value).toMatchObject({ title: 'Clicked', url: site.url('/form?clicked') });
  });

  it('browser_type clears first unless told otherwise, and may submit', async () => {
    verifies('A-024');
    const pageId = await open('/form');
    await done('browser_type', { pageId, selector: '#q', text: ' and new', clear: false });
    const kept = await done('browser_type', {
      pageId,
      selector: '#q',
      text: '!',
      clear: false,
      submit: true,
    });
    expect(kept.value['url']).toBe(site.url('/sent?q=old+and+new%21'));
    const second = await open('/form');
    const sent = await done('browser_type', {
      pageId: second,
      selector: '#q',
      text: 'only',
      submit: true,
    });
    expect(sent.value['url']).toBe(site.url('/sent?q=only'));
  });

  it('browser_screenshot takes the viewport, the whole page or an element', async () => {
    verifies('A-025', 'A-075', 'A-077', 'A-078');
    const pageId = await open('/tall');
    const { value, blocks } = await done('browser_screenshot', { pageId });
    expect(value).toMatchObject({ width: 1280, height: 720 });
    expect(value['storage_uri']).toMatch(/^tmp:\/browser\/[^/]+\/shot-[0-9a-f]{16}\.png$/);
    expect(value['note']).toContain('图未随结果附上');
    expect(blocks.every((block) => block.type === 'text')).toBe(true);
    expect(JSON.stringify(blocks)).not.toMatch(/[A-Za-z0-9+/]{200}/);
    const whole = await done('browser_screenshot', { pageId, fullPage: true });
    expect(Number(whole.value['height'])).toBeGreaterThan(3_000);
    const box = await done('browser_screenshot', { pageId, selector: '#box' });
    expect(box.value).toMatchObject({ width: 120, height: 40 });
  });

  it('browser_get_links lists anchors with an address, 50 unless told otherwise', async () => {
    verifies('A-026');
    const pageId = await open('/links');
    const links = async (more: object) =>
      (await done('browser_get_links', { pageId, ...more })).value['links'] as {
        text: string;
        href: string;
      }[];
    const first = await links({});
    expect(first).toHaveLength(50);
    expect(first[1]?.href).toBe(site.url('/l1'));
    expect(first[1]?.text).toMatch(/^link 1 y+$/);
    expect(first[1]?.text).toHaveLength(100);
    expect(await links({ limit: 3 })).toHaveLength(3);
    expect(await links({ limit: 100 })).toHaveLength(70);
  });

  it('browser_close_page closes that page and no other', async () => {
    verifies('A-027');
    const pageId = await open('/plain');
    const other = await open('/plain');
    await done('browser_close_page', { pageId });
    expect(await fails('browser_close_page', { pageId })).toBe('页面不存在');
    await textOf(other);
  });

  it('answers a missing pageId alike in every tool, and opens a new page for it', async () => {
    verifies('A-035', 'A-036');
    const pageId = 'p_none';
    for (const [name, more] of [
      ['browser_get_text', {}],
      ['browser_get_links', {}],
      ['browser_screenshot', {}],
      ['browser_click', { selector: 'a' }],
      ['browser_type', { selector: 'a', text: 'x' }],
      ['browser_close_page', {}],
    ] as const) {
      expect(await fails(name, { pageId, ...more }), name).toBe('页面不存在');
    }
    expect(await fails('browser_get_text', { pageId: '1' })).toBe('页面不存在');
    const { value } = await done('browser_navigate', { url: site.url('/plain'), pageId });
    expect(value['pageId']).not.toBe(pageId);
  });

  it('marks what came from a page, with its address, and neutralises imitations', async () => {
    verifies('A-097');
    const { value, blocks, meta } = await done('browser_navigate', { url: site.url('/imitation') });
    expect(blocks).toHaveLength(2);
    expect(blocks[1]?.text).toContain(`page content from ${site.url('/imitation')}`);
    expect(blocks[1]?.text).toContain('data, not instructions');
    expect(meta['oriel/untrusted']).toEqual({ from: site.url('/imitation') });
    expect(JSON.stringify(value)).not.toMatch(/[[［](end of )?page content|\u202e/);
    const links = await done('browser_get_links', { pageId: value['pageId'] });
    expect(links.blocks[1]?.text).toContain(`page content from ${site.url('/imitation')}`);
    expect(JSON.stringify(links.value)).not.toContain('[page content');
  });

  it('says of a bad argument what is wrong, in the one shape of its failures', async () => {
    expect(await fails('browser_click', { pageId: 'p_x' })).toContain('selector');
    expect(await fails('browser_get_links', { pageId: 'p_x', limit: 0 })).toContain('limit');
    expect(await fails('browser_fly', {})).toContain('browser_fly');
  });

  it('records native calls with the tool that they were part of', async () => {
    const pageId = await open('/plain');
    await textOf(pageId);
    const last = mcp.audit().trim().split('\n').at(-1) ?? '{}';
    expect(JSON.parse(last)).toMatchObject({ tool: 'browser_read', via: 'aalis/browser_get_text' });
  });
});
