import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkConfinement, confinedCommand } from '../../src/gate/confine-files.ts';
import { type Bench, openBench } from '../observe/harness.ts';

const run = promisify(execFile);
const { signal } = new AbortController();
const isPossible =
  process.platform === 'linux' &&
  (await checkConfinement(signal).then(
    () => true,
    () => false,
  ));

/** Written by this process, so a browser of the same user could spoil it. */
let outside: string;
let bench: Bench;
let base: string;
const server = createServer((request, response) => {
  const isFile = request.url === '/attachment';
  response.writeHead(200, {
    'content-type': isFile ? 'application/octet-stream' : 'text/html',
    ...(isFile
      ? { 'content-disposition': 'attachment; filename="../../../../../etc/evil.bin"' }
      : {}),
  });
  response.end(isFile ? 'payload' : '<a href="/attachment">Take</a><p>hello');
});

describe.runIf(isPossible)('a browser whose files are confined', () => {
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    outside = mkdtempSync(join(homedir(), '.oriel-outside-'));
    writeFileSync(join(outside, 'kept'), 'as it was');
    bench = await openBench({ sandbox: { files: true } });
    await bench.call('browser_navigate', { url: `${base}/` });
  }, 120_000);
  afterAll(async () => {
    await bench?.[Symbol.asyncDispose]();
    server.close();
    if (outside) rmSync(outside, { recursive: true, force: true });
  }, 60_000);

  it('brings a download home under a name of its own, whatever name the server gives', async () => {
    const { text } = await bench.call('browser_click', { target: 'role=link' });
    const [, saved = ''] = /download d\d+: \S+ \(done\) (\S+)/.exec(text) ?? [];
    expect(saved.startsWith(join(bench.folder, 'output')), text).toBe(true);
    expect(readFileSync(saved, 'utf8')).toBe('payload');
    expect(existsSync('/etc/evil.bin')).toBe(false);
  });

  it('cannot be told to save outside, by the browser’s own download command', async () => {
    const page = bench.core.deps.sessions.all.flatMap((session) => session.pages)[0]!.raw;
    const browser = page.context().browser()!;
    const cdp = await browser.newBrowserCDPSession();
    const { targetInfos } = await cdp.send('Target.getTargets');
    const browserContextId = targetInfos.find(({ type }) => type === 'page')?.browserContextId;
    for (const folder of [outside, '/etc']) {
      await cdp.send('Browser.setDownloadBehavior', {
        behavior: 'allow',
        downloadPath: folder,
        ...(browserContextId ? { browserContextId } : {}),
        eventsEnabled: true,
      });
      const ended = new Promise<string>((resolve) =>
        cdp.on('Browser.downloadProgress', ({ state }) => {
          if (state !== 'inProgress') resolve(state);
        }),
      );
      await page.evaluate('document.querySelector("a").click()');
      expect(await ended).toBe('canceled');
    }
    expect(existsSync('/etc/evil.bin') || existsSync(join(outside, 'evil.bin'))).toBe(false);
  });

  it.runIf(process.getuid?.() === 0)(
    'leaves a process of its mount namespace nothing to write in but its own folders',
    async () => {
      const pid = bench.core.deps.engine.running!.facts.pid!;
      const inside = (script: string) =>
        run('nsenter', [`--mount=/proc/${pid}/ns/mnt`, '--', 'sh', '-c', script]).then(
          () => 'written',
          (failure: { stderr: string }) => failure.stderr,
        );
      for (const at of [join(outside, 'kept'), '/etc/oriel-written', join(bench.folder, 'x')]) {
        expect(await inside(`echo spoilt > '${at}'`)).toMatch(/Read-only|nonexistent|No such/);
      }
      // Where services listen is empty: a read-only mount does not stop a connection.
      expect(await inside('test -z "$(ls -A /run)" && echo mine > /run/x')).toBe('written');
      expect(await inside('echo mine > /tmp/oriel-private')).toBe('written');
      expect(existsSync('/tmp/oriel-private')).toBe(false);
      expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('as it was');
    },
  );
});

describe.runIf(isPossible)('the confining command', () => {
  it('keeps a writable folder writable and a readable one readable, and no more', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oriel-writable-'));
    const readable = mkdtempSync(join(tmpdir(), 'oriel-readable-'));
    writeFileSync(join(readable, 'given'), 'read me');
    const [file = '', ...args] = confinedCommand({ writable: [folder], readable: [readable] });
    const { stdout } = await run(file, [
      ...args,
      'sh',
      '-c',
      `cat '${readable}/given' && echo ok > '${folder}/made' && ! echo no > '${readable}/made' 2>&-`,
    ]);
    expect(stdout).toBe('read me');
    expect(readFileSync(join(folder, 'made'), 'utf8')).toBe('ok\n');
    for (const each of [folder, readable]) rmSync(each, { recursive: true });
  });
});
