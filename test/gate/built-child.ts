import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The gate's child, bundled for this test file, for Node 20 cannot run TypeScript by itself. */
export interface BuiltChild extends Disposable {
  readonly path: string;
}

export async function buildChild(): Promise<BuiltChild> {
  const folder = mkdtempSync(join(tmpdir(), 'oriel-gate-'));
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
