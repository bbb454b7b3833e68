import { isOrielError, OrielError } from '../kernel/errors.ts';
import { within } from '../kernel/deadline.ts';
import type { Guard } from '../kernel/mutex.ts';
import type { ToolEffect } from '../model/policy.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Session } from '../session/session.ts';
import type { AnyTool } from './declaration.ts';
import type { Deps } from './deps.ts';
import { limitOf } from './limits.ts';
import { dialogOpen, untilInterrupted } from './interrupt.ts';

/** After this long a caller is told that it waits, and a read goes past what it waits for. */
const PATIENCE_MS = 1_000;

interface Visit {
  readonly tool: AnyTool;
  readonly effect: ToolEffect;
  readonly session: Session;
  readonly page: OpenPage;
}

/** The right to work on a page; disposing lets the next call in. */
export interface PageEntry extends Disposable {
  /**
   * Leaves what is left of the call to go on by itself, while a dialog waits for its answer. It
   * is stopped when it takes longer than the call might have.
   */
  leavePending(work: Promise<unknown>, stop: AbortController): void;
  /**
   * Gives the call up. The page stays closed to others until it has been brought back, in the
   * background: the caller waits no longer.
   */
  giveUp(reason: unknown): unknown;
  /** Looks, in the background, whether the page still answers, and brings it back if not. */
  bringBack(): void;
}

/**
 * Waits for the page's turn, in order of arrival, and for what an answered dialog has let go on.
 * A read does not wait long: it goes past an action that is stuck.
 *
 * @throws `dialog_open` while a dialog holds the page, `gone` once after the page was replaced and
 * always while it is crashed, the signal's reason.
 */
export async function enterPage(
  deps: Deps,
  visit: Visit,
  run: { readonly signal: AbortSignal; readonly onProgress: (message: string) => void },
): Promise<PageEntry> {
  const { tool, page } = visit;
  if (tool.toleratesDialog) return entryOf(deps, visit, null);
  refuseWhileDialog(deps, page);
  const guard = await takeTurn(visit, run);
  const entry = entryOf(deps, visit, guard);
  try {
    refuseWhileDialog(deps, page);
    await pendingOver(deps, page, run.signal);
    tellOnce(visit);
    if (page.isCrashed) await leaveCrash(visit, run.signal);
    if (!tool.opensPage) deps.urls.observe(page.url, visit.session.narrower);
    return entry;
  } catch (error) {
    entry[Symbol.dispose]();
    throw error;
  }
}

async function takeTurn(
  { page, effect }: Visit,
  run: { readonly signal: AbortSignal; readonly onProgress: (message: string) => void },
): Promise<Guard | null> {
  if (!page.mutex.isHeld) return page.mutex.acquire(run.signal);
  const patience = new AbortController();
  const timer = setTimeout(() => {
    run.onProgress(`Waiting for another call on ${page.id} to end.`);
    if (effect === 'read') patience.abort();
  }, PATIENCE_MS);
  const signal = AbortSignal.any([run.signal, patience.signal]);
  try {
    return await page.mutex.acquire(signal);
  } catch (error) {
    if (run.signal.aborted || !patience.signal.aborted) throw error;
    return null;
  } finally {
    clearTimeout(timer);
  }
}

function entryOf(deps: Deps, { tool, session, page }: Visit, guard: Guard | null): PageEntry {
  let isKept = false;
  const bringBack = () => {
    if (!guard || isKept) return;
    isKept = true;
    void recover(deps, session, page).finally(() => guard[Symbol.dispose]());
  };
  return {
    leavePending(work, stop) {
      const limitMs = limitOf(tool, {}, deps.config);
      const limit = setTimeout(() => stop.abort(leftOver(tool)), limitMs || undefined);
      if (limitMs === 0) clearTimeout(limit);
      const clear = () => {
        clearTimeout(limit);
        if (page.pending === pending) page.pending = null;
      };
      const pending = { tool: tool.name, ended: work.then(clear, clear) };
      page.pending = pending;
    },
    bringBack,
    giveUp(reason) {
      bringBack();
      return describeGivingUp(reason, tool, page);
    },
    [Symbol.dispose]() {
      if (!isKept) guard?.[Symbol.dispose]();
    },
  };
}

async function recover(deps: Deps, session: Session, page: OpenPage): Promise<void> {
  const recovery = await deps.recoveries.recover(session, page);
  if (recovery === 'answers') return;
  deps.log('info', `${page.id} had to be brought back`, { recovery });
  if (recovery === 'replaced') {
    page.notice = `${page.id} stopped answering and was closed; a blank page stands in its place.`;
  }
}

function describeGivingUp(reason: unknown, tool: AnyTool, page: OpenPage): unknown {
  if (!isOrielError(reason)) return reason;
  if (reason.code !== 'timeout') return reason;
  const timeoutMs = reason.details?.['timeoutMs'];
  return new OrielError(
    'timeout',
    `${tool.name} on ${page.id} did not finish within ${String(timeoutMs)} ms.`,
    {
      hint: 'Look at the page with browser_snapshot; give a longer timeoutMs if it is just slow.',
      details: { timeoutMs },
      pageText: `at ${page.url}`,
      cause: reason,
    },
  );
}

function refuseWhileDialog(deps: Deps, page: OpenPage): void {
  const entry = deps.journals.of(page.raw).openDialog;
  if (entry) throw dialogOpen(entry);
}

/** Once its dialog is answered, the rest of a call comes to its end, or to its next dialog. */
async function pendingOver(deps: Deps, page: OpenPage, signal: AbortSignal): Promise<void> {
  const { pending } = page;
  if (!pending) return;
  const journal = deps.journals.of(page.raw);
  await within(
    signal,
    untilInterrupted(journal, pending.ended, () => {}),
  );
}

/** A crashed page takes nothing any more, not even an address: another must stand in its place. */
async function leaveCrash({ tool, session, page }: Visit, signal: AbortSignal): Promise<void> {
  if (!tool.opensPage) {
    throw new OrielError('gone', `${page.id} has crashed.`, {
      hint: 'Open it again with browser_navigate.',
    });
  }
  if (await within(signal, session.replace(page))) return;
  throw new OrielError('gone', `${page.id} has crashed, and no page could be put in its place.`, {
    hint: 'Close it with browser_tabs {"action": "close"} and navigate again.',
  });
}

function leftOver(tool: AnyTool): OrielError {
  return new OrielError('timeout', `The rest of ${tool.name} did not end in time.`);
}

/** A navigation does not need the page that was there before. */
function tellOnce({ tool, page }: Visit): void {
  const { notice } = page;
  page.notice = null;
  if (notice === null || tool.opensPage) return;
  throw new OrielError('gone', notice, { hint: 'Navigate again with browser_navigate.' });
}
