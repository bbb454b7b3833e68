import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

interface Probes {
  readonly folder?: string;
  readonly refused: readonly string[];
  readonly taken: readonly string[];
}

/** What a rule refuses and takes; each is linted as a file of its own in `folder` (src/act). */
const PROBES: Readonly<Record<string, Probes>> = {
  'oriel(use-disposables)': {
    refused: [
      'async function f() { const limit = new Deadline(5); }',
      'async function f() { const guard = ok ? null : await page.mutex.acquire(s); }',
      'let watch = journal.onInterruption(listen);',
      'new Deadline(5);',
      'class A { #mutex; async f() { call(await this.#mutex.acquire(s)); } }',
    ],
    taken: [
      'async function f() { using limit = new Deadline(5); await work(limit); }',
      'async function f() { using guard = await page.mutex.acquire(signal); }',
      'function f() { return page.mutex.acquire(signal); }',
      'const f = () => journal.onInterruption(listen);',
      'scope.own(new Deadline(5));',
      'class A { #guard; #mutex; async f() { this.#guard = await this.#mutex.acquire(s); } }',
      'const lease = await engine.acquire(signal);',
      'const parts = { limit: new Deadline(5) };',
    ],
  },
  'oriel(no-way-past-the-gate)': {
    refused: [
      'await context.request.get(url);',
      'page.raw.request.post(url);',
      'const { status } = await page.context().request.get(url);',
      'const response = await route.fetch();',
    ],
    taken: [
      'response.request();',
      'const { request } = message;',
      'const { fetch } = gate; fetch(url);',
      'route.continue();',
      "page.on('request', listen);",
    ],
  },
  'oriel(no-fixed-sleep)': {
    refused: [
      'await page.waitForTimeout(500);',
      'await page.waitForTimeout(ms);',
      'await sleep(500, signal);',
      'await delay(1_000);',
      'for (const one of all) run(async () => { await delay(50); });',
      'await new Promise((resolve) => setTimeout(resolve, 500));',
      'await new Promise((r) => { setTimeout(r, 500); });',
    ],
    taken: [
      'await sleep(timeMs, signal);',
      'while (!isOver()) await delay(50);',
      'await sleep(Math.min(a, 2000), signal);',
      'const timer = setTimeout(() => controller.abort(), 500);',
      'await new Promise((resolve) => { socket.once("close", resolve); setTimeout(resolve, ms); });',
    ],
  },
  'eslint(no-restricted-properties)': {
    refused: ['export const first = Promise.race([]);'],
    taken: ['export const all = Promise.all([]);'],
  },
  'node(no-process-env)': {
    refused: ["export const home = process.env['HOME'];"],
    taken: ['export const { platform } = process;'],
  },
};

/** The same rules where they do not hold. */
const EXEMPT: Readonly<Record<string, Probes>> = {
  'node(no-process-env)': {
    folder: 'src/config',
    refused: [],
    taken: ["export const home = process.env['HOME'];"],
  },
  'oriel(no-fixed-sleep)': { folder: 'test/act', refused: [], taken: ['await delay(1_000);'] },
};

const probes = [...Object.entries(PROBES), ...Object.entries(EXEMPT)].flatMap(
  ([rule, { folder = 'src/act', refused, taken }]) => [
    ...refused.map((code) => ({ rule, folder, code, isRefused: true })),
    ...taken.map((code) => ({ rule, folder, code, isRefused: false })),
  ],
);

describe('our lint rules', () => {
  const copy = mkdtempSync(path.join(tmpdir(), 'oriel-test-rules-'));
  const found = new Map<string, string[]>();

  // One run over all of them: the configuration as it is, the probes in the folders that it names.
  beforeAll(() => {
    cpSync(path.join(ROOT, '.oxlintrc.json'), path.join(copy, '.oxlintrc.json'));
    cpSync(path.join(ROOT, 'rules'), path.join(copy, 'rules'), { recursive: true });
    for (const [index, { folder, code }] of probes.entries()) {
      mkdirSync(path.join(copy, folder), { recursive: true });
      writeFileSync(path.join(copy, folder, `probe-${index}.ts`), `${code}\nexport {};\n`);
    }
    const oxlint = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');
    const { stdout } = spawnSync(process.execPath, [oxlint, '--format=json', 'src', 'test'], {
      cwd: copy,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; filename: string }[];
    };
    for (const { code, filename } of diagnostics) {
      const name = path.basename(filename);
      found.set(name, [...(found.get(name) ?? []), code]);
    }
  });
  afterAll(() => rmSync(copy, { recursive: true }));

  const named = probes.map(({ rule, folder, code, isRefused }, index) => {
    const title = `${rule} ${isRefused ? 'refuses' : 'takes'} in ${folder}: ${code}`;
    return [title, rule, isRefused, index] as const;
  });
  it.each(named)('%s', (_, rule, isRefused, index) => {
    const codes = found.get(`probe-${index}.ts`) ?? [];
    if (isRefused) expect(codes).toContain(rule);
    else expect(codes).not.toContain(rule);
  });
});
