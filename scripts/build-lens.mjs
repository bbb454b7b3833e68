// Bundles the in-page half of the lens into one string that the host half registers.
// `--check` fails when the committed file is not what the sources give.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const entry = fileURLToPath(new URL('../src/lens/page/engine.ts', import.meta.url));
const target = fileURLToPath(new URL('../src/lens/page-script.generated.ts', import.meta.url));

const { outputFiles } = await build({
  entryPoints: [entry],
  bundle: true,
  write: false,
  format: 'iife',
  globalName: 'lensPage',
  target: 'chrome120',
  minify: !process.env.LENS_READABLE,
  legalComments: 'none',
  charset: 'utf8',
});
const script = `(() => {${outputFiles[0].text.trim()}\nreturn lensPage.engine;})()`;
const source = `// Made by scripts/build-lens.mjs from src/lens/page; change those files, not this one.

/** The in-page half of the lens: an expression that gives a Playwright selector engine. */
export const PAGE_SCRIPT: string =
  ${JSON.stringify(script)};
`;

if (process.argv.includes('--check')) {
  const current = await readFile(target, 'utf8').catch(() => '');
  if (current !== source) {
    console.error(
      'src/lens/page-script.generated.ts is out of date: run node scripts/build-lens.mjs',
    );
    process.exit(1);
  }
} else {
  await writeFile(target, source);
}
