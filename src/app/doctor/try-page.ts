import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { needsGate } from '../../gate/policy.ts';
import { OrielError } from '../../kernel/errors.ts';
import { Scope } from '../../kernel/scope.ts';
import type { BrowserFacts } from '../../model/engine.ts';
import type { NetworkHold } from '../../model/network-hold.ts';
import type { Outcome } from '../../model/outcome.ts';
import { createCore } from '../core.ts';
import { serveDemoSite } from '../demo/site.ts';
import type { DiagnoseOptions } from './finding.ts';

export interface SeenPage {
  readonly facts: BrowserFacts;
  readonly sandbox: { readonly isOn: boolean; readonly reason?: string };
  /** What held the traffic of the session. */
  readonly egress: Pick<NetworkHold, 'level' | 'reason'>;
  /** What was done and how long it took. */
  readonly says: string;
}

const CALLER = { surface: 'cli', principal: 'doctor', connection: 'doctor' } as const;

/**
 * Opens a page of our own in a browser of its own, with a data folder of its own, clicks, and
 * checks what that did. Everything is gone afterwards.
 *
 * @throws `setup_needed`, `upstream` and what a call can fail with; the signal's reason.
 */
export async function tryPage({
  config,
  env,
  log,
  signal,
  progress,
}: DiagnoseOptions): Promise<SeenPage> {
  await using scope = new Scope();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'oriel-doctor-'));
  scope.defer(() => rm(dataDir, { recursive: true, force: true }));
  await lendBrowsers(config.dataDir, dataDir);
  const shop = scope.own(await serveDemoSite({ signal }));
  const trial = {
    ...config,
    dataDir,
    outputDir: path.join(dataDir, 'output'),
    // What the operator holds an agent to would keep our own page from being tried; the level of
    // enforcement that was demanded stays.
    mode: 'full' as const,
    policy: { rules: [] },
    network: {
      ...config.network,
      // A gate stands exactly where one would.
      blockPrivate: needsGate(config.network),
      exemptHosts: [`127.0.0.1:${shop.port}`],
      allowlist: null,
      denyHosts: [],
      denyCidrs: [],
      allowedProtocols: ['http' as const],
      upstream: null,
    },
  };
  const core = scope.own(createCore(trial, env, log));
  const call = async (tool: string, input: Record<string, unknown>) =>
    mustWork(
      await core.calls.call({ tool, input, caller: CALLER }, { signal, onProgress: progress }),
    );

  const startedAt = performance.now();
  await call('browser_navigate', { url: `${shop.url}products/harbour-mug` });
  const openedMs = Math.round(performance.now() - startedAt);
  await call('browser_click', { target: 'role=button[name="Add to cart"]' });
  await call('browser_wait', { text: 'Harbour Mug is in your cart' });
  const doneMs = Math.round(performance.now() - startedAt);
  const running = core.deps.engine.running;
  const hold = core.deps.sessions.ownOf(CALLER)?.context?.network;
  if (!running) throw new OrielError('gone', 'The browser ended while the page was tried.');
  const { facts } = running;
  return {
    facts,
    sandbox: facts.isSandboxed ? { isOn: true } : { isOn: false, reason: whyOff(config) },
    egress: { level: hold?.level ?? 'none', reason: hold?.reason ?? '' },
    says: `opened in ${openedMs} ms with the start of the browser; a click had its effect ${doneMs - openedMs} ms later.`,
  };
}

function whyOff(config: DiagnoseOptions['config']): string {
  return config.browser.sandbox === 'off'
    ? 'turned off by configuration'
    : 'Chromium has no sandbox when it runs as root';
}

/** A browser that was installed below the data folder is used from there. */
async function lendBrowsers(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await symlink(path.join(from, 'browsers'), path.join(to, 'browsers'), 'junction');
}

function mustWork(outcome: Outcome): void {
  if (outcome.status === 'failed') {
    const { code, message, hint } = outcome.error;
    throw new OrielError(code, message, { hint });
  }
}
