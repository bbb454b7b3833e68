import { readHostFacts } from '../../engine/host-facts.ts';
import { findBrowser } from '../../engine/ladder.ts';
import { toOrielError } from '../../kernel/errors.ts';
import { judgeEgress } from './egress.ts';
import type { DiagnoseOptions, Finding } from './finding.ts';
import { judgeFolder } from './folders.ts';
import { tryPage } from './try-page.ts';

const MINIMUM_NODE = [20, 19] as const;

/**
 * Looks at everything that Oriel needs, the cheap things first; ends with a real page. Leaves
 * nothing behind. Throws the signal's reason only.
 */
export async function* diagnose(options: DiagnoseOptions): AsyncGenerator<Finding> {
  const { config, env, signal } = options;
  yield judgeNode(process.versions.node);
  yield await judgeFolder('Data folder', config.dataDir, 'data-dir');
  yield await judgeFolder('Output folder', config.outputDir, 'output-dir');
  yield await judgeFolder('Workspace', config.workspace, 'workspace', readHostFacts(env).homeDir);
  signal.throwIfAborted();

  let found;
  try {
    const { executablePath, headless } = config.browser;
    found = findBrowser({
      executablePath,
      headless,
      dataDir: config.dataDir,
      host: readHostFacts(env),
    });
  } catch (thrown) {
    yield failed('Browser', thrown);
    return;
  }
  try {
    const seen = await tryPage(options);
    const { facts, sandbox } = seen;
    yield {
      name: 'Browser',
      verdict: found.warning ? 'warn' : 'ok',
      says: `${facts.kind} ${facts.version}, ${facts.isHeadless ? 'headless' : 'with a window'}: ${facts.executablePath}`,
      ...(found.warning ? { advice: found.warning } : {}),
    };
    yield judgeSandbox(sandbox, readHostFacts(env).isRoot);
    yield judgeEgress({ ...seen.egress, policy: config.network });
    yield { name: 'A real page', verdict: 'ok', says: seen.says };
  } catch (thrown) {
    signal.throwIfAborted();
    yield { name: 'Browser', verdict: 'ok', says: `${found.kind}: ${found.path}` };
    yield failed('A real page', thrown);
  }
}

function judgeNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needMajor, needMinor] = MINIMUM_NODE;
  const isEnough = major > needMajor || (major === needMajor && minor >= needMinor);
  return {
    name: 'Node',
    verdict: isEnough ? 'ok' : 'fail',
    says: `${version}: ${process.execPath}`,
    ...(isEnough ? {} : { advice: `Oriel needs Node ${MINIMUM_NODE.join('.')} or newer.` }),
  };
}

function judgeSandbox(
  { isOn, reason }: { readonly isOn: boolean; readonly reason?: string },
  isRoot: boolean,
): Finding {
  if (isOn) return { name: 'Sandbox', verdict: 'ok', says: "On: Chromium's own, for every page." };
  return {
    name: 'Sandbox',
    verdict: 'warn',
    says: `Off: ${reason ?? 'turned off'}. A page that breaks out of the browser has this user's rights.`,
    advice: isRoot
      ? 'Run Oriel as an ordinary user, or inside a container that holds nothing else.'
      : 'Set --browser-sandbox on, unless a container is the boundary.',
  };
}

function failed(name: string, thrown: unknown): Finding {
  const { message, hint, pageText } = toOrielError(thrown);
  const says = pageText ? `${message} ${pageText}` : message;
  return { name, verdict: 'fail', says, ...(hint ? { advice: hint } : {}) };
}
