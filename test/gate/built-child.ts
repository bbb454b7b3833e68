import { build } from 'esbuild';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The gate's child, bundled for this test file, for Node 20 cannot run TypeScript by itself. */
export interface BuiltChild extends Disposable {
  readonly path: string;
}

export async function buildChild(): Promise<BuiltChild> {
  const folder = mkdtempSync(join(tmpdir(), 'oriel-gate-'));
  // Tests also run it as another user.
  chmodSync(folder, 0o755);
  const path = join(folder, 'gate-child.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../src/gate/gate-child.ts', import.meta.url))],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return { path, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * A script of `test/gate`, bundled beside its source so that playwright-core is found from there.
 */
export async function buildScript(name: string): Promise<BuiltChild> {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const path = join(here, `.${name}-${process.pid}-${Date.now()}.mjs`);
  await build({
    entryPoints: [join(here, `${name}.ts`)],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  });
  return { path, [Symbol.dispose]: () => rmSync(path, { force: true }) };
}
