import type { Act } from '../act/act.ts';
import type { Config } from '../config/schema.ts';
import type { Log } from '../kernel/log.ts';
import type { ArtifactStore } from '../model/artifact.ts';
import type { AuditLog } from '../model/audit.ts';
import type { Engine } from '../model/engine.ts';
import type { Lens } from '../model/lens.ts';
import type { UrlGuard } from '../model/url-guard.ts';
import type { Journals } from '../observe/journals.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Recovery } from '../session/recovery.ts';
import type { Session } from '../session/session.ts';
import type { Sessions } from '../session/sessions.ts';

/** The services tools and `call()` work with; built by the composition root. */
export interface Deps {
  readonly config: Config;
  readonly log: Log;
  readonly engine: Engine;
  readonly sessions: Sessions;
  /** Brings a page back after a call on it was given up. Never throws. */
  readonly recover: (session: Session, page: OpenPage) => Promise<Recovery>;
  readonly journals: Journals;
  readonly lens: Lens;
  readonly act: Act;
  readonly urls: UrlGuard;
  /** HTML as markdown. */
  readonly toMarkdown: (html: string) => Promise<string>;
  readonly artifacts: ArtifactStore;
  readonly audit: AuditLog;
}
