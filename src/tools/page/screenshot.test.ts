import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CoreFixture } from '../../../test/files/core-fixture.ts';
import { verifies } from '../../../test/harness/verifies.ts';
import type { Artifact } from '../../model/artifact.ts';
import type { Label } from '../../model/capture.ts';

interface Shot {
  file: Artifact;
  width: number;
  height: number;
  ratio: number;
  inline: { mimeType: string; base64: string; width: number; height: number } | null;
  labels: Label[];
}

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await CoreFixture.open();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const shoot = async (input: object = {}) =>
  (await fixture.done<Shot>('browser_screenshot', input)).output;

const TALL = (height: number) =>
  `() => { document.body.innerHTML = '<div style="height:${height}px;background:linear-gradient(red,blue)">'; document.body.style.margin = 0; }`;

test('a picture is stored under its hash, for its owner alone, and equal pictures are one file', async () => {
  verifies('A-072', 'A-081', 'A-078');
  await fixture.goto('/blank.html');
  const first = await shoot();
  const second = await shoot();
  expect(first).toMatchObject({ width: 1280, height: 720, ratio: 1 });
  expect(first.file.name).toBe(`shot-${first.file.sha256.slice(0, 16)}.png`);
  expect(second.file.path).toBe(first.file.path);
  expect(statSync(first.file.path).mode & 0o777).toBe(0o600);
});

test('png, jpeg and webp are what they say, with the size that they say', async () => {
  await fixture.goto('/blank.html');
  for (const [format, magic] of [
    ['png', '89504e47'],
    ['jpeg', 'ffd8ff'],
    ['webp', '52494646'],
  ] as const) {
    const { file, width, height, inline } = await shoot({ format, quality: 50, scale: 0.5 });
    expect([width, height]).toEqual([640, 360]);
    expect(readFileSync(file.path).toString('hex').slice(0, magic.length)).toBe(magic);
    expect(inline?.mimeType).toBe(`image/${format}`);
  }
});

test('the whole page is in the picture, what loads lazily too, and the viewport is as it was', async () => {
  verifies('C-024', 'C-025');
  await fixture.goto('/blank.html');
  await fixture.evaluate(TALL(4000));
  await fixture.evaluate(`() => {
    const mark = document.createElement('div');
    mark.style.cssText = 'position:absolute;top:3500px;width:10px;height:10px';
    document.body.append(mark);
    new IntersectionObserver((seen) => { if (seen[0].isIntersecting) document.title = 'seen' }).observe(mark);
    scrollTo(0, 300);
  }`);
  const { width, height } = await shoot({ fullPage: true });
  expect([width, height]).toEqual([1280, 4000]);
  expect(
    await fixture.evaluate(`() => [innerWidth, innerHeight, scrollY, document.title]`),
  ).toEqual([1280, 720, 300, 'seen']);
});

test('the viewport and the emulated device are put back also when the capture fails', async () => {
  verifies('C-025', 'C-026');
  await fixture.done('browser_emulate', { action: 'set', device: 'Pixel 7' });
  await fixture.goto('/form-50.html');
  const before = await fixture.evaluate(`() => [innerWidth, innerHeight, devicePixelRatio]`);
  const whole = await shoot({ fullPage: true });
  expect(whole.height).toBeGreaterThan(whole.width);
  expect(await fixture.evaluate(`() => [innerWidth, innerHeight, devicePixelRatio]`)).toEqual(
    before,
  );
  const clip = { x: 90_000, y: 0, width: 10, height: 10 };
  await fixture.failed('browser_screenshot', { fullPage: true, clip });
  expect(await fixture.evaluate(`() => [innerWidth, innerHeight, devicePixelRatio]`)).toEqual(
    before,
  );
  await fixture.done('browser_emulate', { action: 'clear' });
  expect(await fixture.evaluate(`() => [innerWidth, devicePixelRatio]`)).toEqual([1280, 1]);
});

test('an element and a part are captured alone', async () => {
  await fixture.goto('/blank.html');
  await fixture.evaluate(
    `() => { document.body.innerHTML = '<div id="far" style="margin-top:3000px;width:120px;height:40px;background:green">' }`,
  );
  expect(await shoot({ target: '#far' })).toMatchObject({ width: 120, height: 40 });
  const clip = { x: 10, y: 20, width: 30, height: 40 };
  expect(await shoot({ clip })).toMatchObject({ width: 30, height: 40 });
  expect(await shoot({ clip, scale: 2 })).toMatchObject({ width: 60, height: 80, ratio: 2 });
  const { error } = await fixture.failed('browser_screenshot', { target: '#far', clip });
  expect(error.code).toBe('bad_input');
});

test('a picture of up to 2,000 pixels a side is shown as it is, a larger one scaled', async () => {
  await fixture.goto('/blank.html');
  for (const [height, shown] of [
    [1_999, 1_999],
    [2_000, 2_000],
    [2_001, 2_000],
    [6_000, 2_000],
  ] as const) {
    await fixture.evaluate(TALL(height));
    const shot = await shoot({ fullPage: true });
    expect(shot.height).toBe(height);
    expect(shot.inline?.height).toBeLessThanOrEqual(shown);
    expect(shot.inline?.height).toBeGreaterThanOrEqual(shown - 3);
  }
});

test('a picture over 5 MiB is shown in fewer bytes and stored whole', async () => {
  await fixture.goto('/blank.html');
  await fixture.evaluate(`() => {
    document.body.style.margin = 0;
    const canvas = Object.assign(document.createElement('canvas'), { width: 1280, height: 1900 });
    const context = canvas.getContext('2d');
    const noise = context.createImageData(1280, 1900);
    for (let at = 0; at < noise.data.length; at++) noise.data[at] = at % 4 === 3 ? 255 : Math.random() * 256;
    context.putImageData(noise, 0, 0);
    document.body.replaceChildren(canvas);
  }`);
  const { file, inline } = await shoot({ fullPage: true });
  expect(file.bytes).toBeGreaterThan(5 * 1024 * 1024);
  expect(inline?.base64.length).toBeLessThanOrEqual(5 * 1024 * 1024);
  expect(inline?.mimeType).toBe('image/jpeg');
});

test('labels name what can be acted on, in boxes of the picture, and the page sees nothing of it', async () => {
  await fixture.goto('/form-50.html');
  await fixture.evaluate(`() => {
    window.changes = 0;
    new MutationObserver((seen) => { window.changes += seen.length })
      .observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  }`);
  const { labels, file } = await shoot({ labels: true });
  expect(labels.length).toBeGreaterThan(5);
  for (const { ref, box } of labels) {
    expect(ref).toMatch(/^(?:f\d+)?e\d+$/);
    expect(box.x >= 0 && box.y >= 0 && box.x + box.width <= 1281 && box.y + box.height <= 721).toBe(
      true,
    );
  }
  const plain = await shoot();
  expect(plain.file.sha256).not.toBe(file.sha256);
  expect(await fixture.evaluate('() => window.changes')).toBe(0);
  expect(fixture.session().pages).toHaveLength(1);
  const box = labels[0]?.box;
  await fixture.done('browser_click', { target: labels[0]?.ref });
  expect(box?.width).toBeGreaterThan(2);
});

test('labels in frames lie on their elements, three deep', async () => {
  await fixture.goto('/frames.html');
  const { labels } = await shoot({ labels: true });
  const { raw } = fixture.session().page(undefined);
  for (const depth of [1, 2, 3]) {
    const label = labels.find(({ text }) => text === `button "Press at depth ${depth}"`);
    const frame = raw.frames()[depth];
    const box = await frame?.getByRole('button', { name: 'Press' }).boundingBox();
    expect(label?.box, `depth ${depth}`).toBeDefined();
    expect(Math.abs((label?.box.x ?? 0) - (box?.x ?? 99))).toBeLessThanOrEqual(1);
    expect(Math.abs((label?.box.y ?? 0) - (box?.y ?? 99))).toBeLessThanOrEqual(1);
  }
});

test('a page that only reads leaves no file behind', async () => {
  await using readonly = await CoreFixture.open({ mode: 'readonly' });
  // Nothing that reads opens a page, so the session is given one.
  const { sessions } = readonly.core.deps;
  const session = sessions.resolve({ principal: 'local', connection: 'test' }, undefined);
  await session.newPage(AbortSignal.timeout(20_000));
  const { output } = await readonly.done<Shot>('browser_screenshot');
  expect(output.file).toBeNull();
  expect(output.inline).not.toBeNull();
  expect(() => statSync(readonly.outputDir)).toThrow('ENOENT');
});
