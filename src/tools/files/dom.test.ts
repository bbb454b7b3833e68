import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';
import { reply } from '../../../test/harness/route-handlers.ts';
import type { Artifact } from '../../model/artifact.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
});
afterAll(() => fixture[Symbol.asyncDispose]());

type Dom = { html: string; bytes: number; isTruncated: boolean; file: Artifact | null };
const EMPTY = '<html><head></head><body></body></html>';

test('markup of 64 KiB is given whole, one byte more is cut and kept in a file', async () => {
  for (const [bytes, isCut] of [
    [65_535, false],
    [65_536, false],
    [65_537, true],
  ] as const) {
    // Ends on a character of two bytes, so that a cut could fall inside it.
    const fill = `${'x'.repeat(bytes - EMPTY.length - 2)}é`;
    fixture.server.route('/dom.html', reply(EMPTY.replace('</body>', `${fill}</body>`)));
    await fixture.goto('/dom.html');
    const { output } = await fixture.done<Dom>('browser_dom');
    expect(output.bytes).toBe(bytes);
    expect(output.isTruncated).toBe(isCut);
    expect(Buffer.byteLength(output.html)).toBeLessThanOrEqual(65_536);
    if (isCut) expect(readFileSync(output.file?.path ?? '').byteLength).toBe(bytes);
    else expect(output.file).toBeNull();
  }
});

test('one element is given alone', async () => {
  await fixture.goto('/form-50.html');
  const { output, text } = await fixture.done<Dom>('browser_dom', { target: 'h1' });
  expect(output.html).toBe('<h1>Fifty fields</h1>');
  expect(text).toContain('[page content');
});
