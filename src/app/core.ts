import path from 'node:path';
import { act } from '../act/act.ts';
import { Stages } from '../act/stages.ts';
import type { Config } from '../config/schema.ts';
import { loadDevices } from '../engine/devices.ts';
import { readHostFacts } from '../engine/host-facts.ts';
import { LocalEngine } from '../engine/local.ts';
import type { Log } from '../kernel/log.ts';
import { Scope } from '../kernel/scope.ts';
import { ThinLens } from '../lens/thin-lens.ts';
import { Downloads } from '../observe/downloads.ts';
import { FileChoosers } from '../observe/file-choosers.ts';
import { Journals } from '../observe/journals.ts';
import { Sessions } from '../session/sessions.ts';
import { FolderArtifacts } from '../store/artifacts.ts';
import { AuditFile } from '../store/audit-file.ts';
import { DownloadFolder } from '../store/download-folder.ts';
import { FileRoots } from '../store/file-roots.ts';
import { Calls } from '../tool/call.ts';
import type { Deps } from '../tool/deps.ts';
import { ToolSet } from '../tool/tool-set.ts';
import { TOOLS } from '../tools/index.ts';
import { toMarkdown } from '../web/markdown.ts';
import { LocalContexts } from './contexts.ts';
import { PlainUrlGuard } from './plain-url-guard.ts';

/** Everything behind the surfaces. Disposing ends sessions, then the browser, then the record. */
export interface Core extends AsyncDisposable {
  readonly calls: Calls;
  readonly deps: Deps;
}

/**
 * Builds the services; starts nothing, and loads no browser library before the first page.
 *
 * @throws `bad_input` when the configuration names what does not exist.
 */
export function createCore(config: Config, env: NodeJS.ProcessEnv, log: Log): Core {
  const scope = new Scope();
  const audit = scope.own(new AuditFile(path.join(config.dataDir, 'audit'), log));
  const artifacts = new FolderArtifacts(config.outputDir, config.artifacts);
  const sessionFolder = (key: string) => artifacts.folder(key);
  const downloads = new Downloads({
    shelf: new DownloadFolder({ folder: config.downloads.dir || null, sessionFolder }),
    // What only reads leaves nothing on the disk.
    save: config.downloads.save && config.mode !== 'readonly',
    maxBytes: config.downloads.maxBytes,
    maxCount: config.downloads.maxCount,
    log,
  });
  const choosers = new FileChoosers();
  const stages = new Stages();
  const engine = scope.own(
    new LocalEngine({
      executablePath: config.browser.executablePath,
      headless: config.browser.headless,
      sandbox: config.browser.sandbox === 'auto' ? 'auto' : config.browser.sandbox === 'on',
      args: config.browser.args,
      startTimeoutMs: config.browser.launchTimeoutMs,
      dataDir: config.dataDir,
      host: readHostFacts(env),
    }),
  );
  const journals = new Journals();
  const sessions = scope.own(
    new Sessions({
      contexts: new LocalContexts(engine, config),
      max: config.sessions.max,
      maxPages: config.sessions.maxPages,
      onPage: (session, page) => {
        journals.attach(page.raw, { dialogPolicy: () => config.dialogs.policy });
        downloads.attach(session, page.raw, page.id, page.cdp);
        choosers.attach(page.raw);
        stages.enter(page.raw, page.id, page.cdp);
      },
    }),
  );
  const deps: Deps = {
    config,
    log,
    engine,
    sessions,
    journals,
    lens: new ThinLens(),
    act,
    urls: new PlainUrlGuard(),
    toMarkdown,
    artifacts,
    files: new FileRoots({
      workspace: config.workspace,
      roots: config.uploads.roots,
      sessionFolder,
    }),
    downloads,
    choosers,
    stages,
    devices: loadDevices,
    audit,
  };
  const calls = new Calls(new ToolSet(TOOLS), deps);
  return { calls, deps, [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose]() };
}
