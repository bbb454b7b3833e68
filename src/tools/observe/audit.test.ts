import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AccessibilityFacts } from '../../model/accessibility.ts';
import { startFixtureServer, type FixtureServer } from '../../../test/harness/fixture-server.ts';
import { reply } from '../../../test/harness/route-handlers.ts';
import { type Bench, openBench } from '../../../test/observe/harness.ts';

let server: FixtureServer;
let bench: Bench;

beforeAll(async () => {
  server = await startFixtureServer();
  server.route(
    '/sound',
    reply(
      '<!doctype html><html lang=en><title>Sound</title><main><h1>Sound</h1><p>Fine.</p></main></html>',
    ),
  );
  server.route(
    '/outer',
    reply(
      `<!doctype html><html lang=en><title>Outer</title><main><h1>Outer</h1>
       <iframe title=inner src="${server.otherOrigin}/inner"></iframe></main></html>`,
    ),
  );
  server.route(
    '/inner',
    reply(
      '<!doctype html><html lang=en><title>In</title><main><h1>In</h1><img src=x id=far></main></html>',
    ),
  );
  server.route(
    '/shadow',
    reply(
      `<!doctype html><html lang=en><title>S</title><main><h1>S</h1><div id=host></div></main>
       <script>host.attachShadow({mode: "open"}).innerHTML = "<button id=deep></button>"</script></html>`,
    ),
  );
  bench = await openBench();
});
afterAll(async () => {
  await bench?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
});

async function audit(path: string, input: object = {}): Promise<AccessibilityFacts> {
  await bench.call('browser_navigate', { url: server.url(path), waitUntil: 'load' });
  return (await bench.call<AccessibilityFacts>('browser_audit', input)).output;
}

test('names the rules that a page breaks, gravest first, and who offends', async () => {
  const { violations, engine, frames } = await audit('/observe-bad-a11y.html');
  expect(engine).toBe('axe-core 4.14.1');
  expect(frames).toBe(2);
  const byRule = new Map(violations.map((violation) => [violation.rule, violation]));
  expect([...byRule.keys()]).toEqual(
    expect.arrayContaining(['button-name', 'image-alt', 'html-has-lang', 'color-contrast']),
  );
  expect(violations[0]?.impact).toBe('critical');
  expect(byRule.get('button-name')?.elements[0]).toMatchObject({ selector: '#nameless' });
  const images = byRule.get('image-alt');
  expect(images?.count).toBe(2);
  expect(images?.elements.map(({ selector, frame }) => [selector, frame])).toEqual([
    ['#picture', undefined],
    ['#inner', 'about:srcdoc'],
  ]);
});

test('finds nothing on a sound page', async () => {
  const { violations, passes } = await audit('/sound');
  expect(violations).toEqual([]);
  expect(passes).toBeGreaterThan(5);
});

test('goes by the rules or tags asked for, and refuses those that are none', async () => {
  const { violations } = await audit('/observe-bad-a11y.html', { only: ['image-alt'] });
  expect(violations.map((violation) => violation.rule)).toEqual(['image-alt']);
  const level = await audit('/observe-bad-a11y.html', { only: ['wcag2aa'], maxElements: 1 });
  expect(level.violations.map((violation) => violation.rule)).toEqual(['color-contrast']);
  expect((await bench.fail('browser_audit', { only: ['no-such-rule'] })).code).toBe('bad_input');
});

test('examines frames of other sites and open shadow roots', async () => {
  const outer = await audit('/outer');
  const image = outer.violations.find((violation) => violation.rule === 'image-alt');
  expect(image?.elements[0]).toMatchObject({
    selector: '#far',
    frame: `${server.otherOrigin}/inner`,
  });
  const shadow = await audit('/shadow');
  const button = shadow.violations.find((violation) => violation.rule === 'button-name');
  expect(button?.elements[0]?.selector).toBe('#host >> #deep');
});

test('leaves nothing in the page that the page could see', async () => {
  await bench.call('browser_navigate', { url: server.url('/sound'), waitUntil: 'load' });
  const state = async () =>
    (
      await bench.call('browser_evaluate', {
        function:
          '() => JSON.stringify([Object.getOwnPropertyNames(window).sort(), document.documentElement.outerHTML])',
      })
    ).output['value'];
  const before = await state();
  await bench.call('browser_audit');
  expect(await state()).toBe(before);
});
