import { ensureBrowser } from '../../engine/ladder.ts';
import { readHostFacts } from '../../engine/host-facts.ts';
import type { CommandContext } from './context.ts';

/** Finds a browser, or installs one. */
export async function runSetup(context: CommandContext): Promise<number> {
  const { terminal, argv, loaded, env, signal } = context;
  const { config } = loaded;
  const found = await ensureBrowser({
    executablePath: config.browser.executablePath,
    headless: config.browser.headless,
    dataDir: config.dataDir,
    host: readHostFacts(env),
    progress: terminal.progress,
    signal,
  });
  terminal.out(argv.options.json ? `${JSON.stringify(found)}\n` : `${found.kind}: ${found.path}\n`);
  return 0;
}
