import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startFixtureServer } from '../harness/fixture-server.ts';

const LIBRARY = new URL('../../src/app/library.ts', import.meta.url).href;

/** Prints after each step whether the browser library is in the process. */
const SCRIPT = `
import { createRequire } from 'node:module';
const { cache } = createRequire(import.meta.url);
const say = () => console.log(Object.keys(cache).some((file) => /node_modules.playwright-core/.test(file)));
const { createOriel } = await import(process.env.LIBRARY);
say();
const oriel = await createOriel({ network: { exemptHosts: ['127.0.0.1:*'] } });
oriel.tools.map((tool) => tool.inputSchema);
await oriel.session();
say();
await oriel.navigate({ url: process.env.PAGE });
say();
await oriel.close();
`;

it('loads no browser library before the first page', async () => {
  await using server = await startFixtureServer();
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', SCRIPT],
    { env: { ...process.env, LIBRARY, PAGE: server.url('/blank.html') } },
  );
  expect(stdout.trim().split('\n')).toEqual(['false', 'false', 'true']);
});
