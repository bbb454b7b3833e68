import path from 'node:path';
import { act } from '../act/act.ts';
import { Stages } from '../act/stages.ts';
import type { Config } from '../config/schema.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { Speech } from '../dialect/speech.ts';
import { loadDevices } from '../engine/devices.ts';
import { readHostFacts } from '../engine/host-facts.ts';
import { LocalEngine } from '../engine/local.ts';
import { loadSelectors } from '../engine/selectors.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Log } from '../kernel/log.ts';
import { Scope } from '../kernel/scope.ts';
import { delta } from '../lens/delta.ts';
import { Lens } from '../lens/lens.ts';
import { reader } from '../lens/reader.ts';
import { Downloads } from '../observe/downloads.ts';
import { FileChoosers } from '../observe/file-choosers.ts';
import { Journals } from '../observe/journals.ts';
import { Recoveries } from '../session/recovery.ts';
import { createObserve } from '../observe/observe.ts';
import { Sessions } from '../session/sessions.ts';
import { FolderArtifacts } from '../store/artifacts.ts';
import { DailyLines } from '../store/daily-lines.ts';
import { DownloadFolder } from '../store/download-folder.ts';
import { FileRoots } from '../store/file-roots.ts';
import { nativeRepertoire } from '../surface/mcp/listing.ts';
import { Calls } from '../tool/call.ts';
import type { Deps } from '../tool/deps.ts';
import type { Repertoire } from '../tool/repertoire.ts';
import { ToolSet } from '../tool/tool-set.ts';
import { TOOLS } from '../tools/index.ts';
import { toMarkdown } from '../web/markdown.ts';
import { LocalContexts } from './contexts.ts';
import { Egress } from './egress.ts';
import { PolicyUrlGuard } from './url-guard.ts';

/** Everything behind the surfaces. Disposing ends sessions, then the browser, then the record. */
export interface Core extends AsyncDisposable {
  readonly calls: Calls;
  /** What clients are shown: our own tools, or the dialect's. */
  readonly repertoire: Repertoire;
  readonly deps: Deps;
}

/** What a program that hosts Oriel may hand in. */
export interface Host {
  /** What clients are shown and call instead of our own tools. */
  readonly dialect?: Dialect | null;
  /** Root of a session of the host by its id; children share their root's pages and logins. */
  readonly rootOf?: (id: string) => string | undefined;
  /** Milliseconds, for idling; by default a clock that no change of the system's time moves. */
  readonly clock?: () => number;
}

/**
 * Builds the services; starts nothing, and loads no browser library before the first page.
 *
 * @throws `bad_input` when the configuration names what does not exist.
 */
export function createCore(
  config: Config,
  env: NodeJS.ProcessEnv,
  log: Log,
  { dialect = null, ...host }: Host = {},
): Core {
  const scope = new Scope();
  const audit = scope.own(new DailyLines(path.join(config.dataDir, 'audit'), log));
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
  const urls = new PolicyUrlGuard(config);
  const gateLog = scope.own(new DailyLines(path.join(config.dataDir, 'gate'), log));
  const egress = new Egress(config, env, log, (record) => gateLog.append(record));
  const engine = scope.own(
    new LocalEngine({
      executablePath: config.browser.executablePath,
      headless: config.browser.headless,
      sandbox: config.browser.sandbox === 'auto' ? 'auto' : config.browser.sandbox === 'on',
      args: config.browser.args,
      startTimeoutMs: config.browser.launchTimeoutMs,
      dataDir: config.dataDir,
      host: readHostFacts(env),
      amendLaunch: egress.amendLaunch,
    }),
  );
  scope.defer(() => dialect?.end?.());
  const lens = new LateLens();
  const journals = new Journals();
  const sessions = scope.own(
    new Sessions({
      contexts: new LocalContexts(engine, egress, config, () => lens.load()),
      max: config.sessions.max,
      maxPages: config.sessions.maxPages,
      maxPagesTotal: config.sessions.maxPagesTotal,
      pageIds: config.sessions.pageIds,
      idleMs: config.sessions.idleMs,
      sweepMs: config.sessions.sweepMs,
      ...host,
      onProblem: (problem) => log('warn', problem),
      onPage: (session, page) => {
        page.hasDialog = () => journals.of(page.raw).openDialog !== null;
        journals.attach(page.raw, {
          dialogPolicy: () => session.dialogPolicy ?? config.dialogs.policy,
        });
        downloads.attach(session, page.raw, page.id, page.cdp);
        choosers.attach(page.raw);
        stages.enter(page.raw, page.id, page.cdp);
      },
    }),
  );
  // Closed first of all: it cuts what is in flight and waits for no browser.
  scope.own(egress);
  const deps: Deps = {
    config,
    log,
    engine,
    sessions,
    recoveries: new Recoveries(engine),
    journals,
    get lens() {
      return lens.value;
    },
    reader,
    delta,
    lastSeen: new WeakMap(),
    observe: createObserve(artifacts),
    act,
    urls,
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
  const calls = new Calls(new ToolSet([...TOOLS, ...(dialect?.ownTools ?? [])]), deps);
  const repertoire = dialect
    ? new Speech({ dialect, calls, config, audit })
    : nativeRepertoire(config, (request, options) => calls.call(request, options));
  return { calls, repertoire, deps, [Symbol.asyncDispose]: () => scope[Symbol.asyncDispose]() };
}

/** The lens needs Playwright, which is loaded with the first browser and not before. */
class LateLens {
  #lens: Lens | null = null;

  get value(): Lens {
    if (this.#lens) return this.#lens;
    throw new OrielError('bug', 'A page was looked at before there was a browser.');
  }

  /** Registers it once a process; must happen before the first context is made. */
  async load(): Promise<void> {
    this.#lens ??= await Lens.register(await loadSelectors());
  }
}
