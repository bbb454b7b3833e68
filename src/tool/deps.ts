import type { Page } from 'playwright-core';
import type { Act } from '../act/act.ts';
import type { Stages } from '../act/stages.ts';
import type { Config } from '../config/schema.ts';
import type { Log } from '../kernel/log.ts';
import type { ArtifactStore } from '../model/artifact.ts';
import type { AuditLog } from '../model/audit.ts';
import type { DeviceDescriptor } from '../model/emulation.ts';
import type { Engine } from '../model/engine.ts';
import type { delta } from '../lens/delta.ts';
import type { Lens } from '../lens/lens.ts';
import type { Reader } from '../lens/reader.ts';
import type { Snapshot } from '../lens/snapshot.ts';
import type { UrlGuard } from '../model/url-guard.ts';
import type { Downloads } from '../observe/downloads.ts';
import type { FileChoosers } from '../observe/file-choosers.ts';
import type { Journals } from '../observe/journals.ts';
import type { Recoveries } from '../session/recovery.ts';
import type { Observe } from '../observe/observe.ts';
import type { Sessions } from '../session/sessions.ts';
import type { FileRoots } from '../store/file-roots.ts';

/** The services tools and `call()` work with; built by the composition root. */
export interface Deps {
  readonly config: Config;
  readonly log: Log;
  readonly engine: Engine;
  readonly sessions: Sessions;
  /** Brings back pages that stopped answering, and the browser. */
  readonly recoveries: Recoveries;
  readonly journals: Journals;
  readonly observe: Observe;
  /** Ready once a session has its context; before that, no page could be looked at. */
  readonly lens: Lens;
  readonly reader: Reader;
  /** What changed between two snapshots, in at most `maxChars`. */
  readonly delta: typeof delta;
  /** What an agent saw of each page last: what changed is told against it. */
  readonly lastSeen: WeakMap<Page, Snapshot>;
  readonly act: Act;
  readonly urls: UrlGuard;
  /** HTML as markdown. */
  readonly toMarkdown: (html: string) => Promise<string>;
  readonly artifacts: ArtifactStore;
  /** Which files of this machine may be read and written. */
  readonly files: FileRoots;
  readonly downloads: Downloads;
  readonly choosers: FileChoosers;
  /** What sessions have been made to be. */
  readonly stages: Stages;
  /** Descriptors of devices by their names, such as `Pixel 7`. */
  readonly devices: () => Promise<Readonly<Record<string, DeviceDescriptor>>>;
  readonly audit: AuditLog;
}
