import type { Page } from 'playwright-core';
import type { Download } from '../model/download.ts';
import type { Effect } from '../model/effect.ts';
import type { BlockedConnection } from '../model/network-hold.ts';
import type { OpenPage } from '../session/open-page.ts';
import type { Session } from '../session/session.ts';
import type { Part } from './declaration.ts';
import type { Deps } from './deps.ts';

/** `never` for tools whose own answer is the page; `changed` for a new document alone. */
export type SnapshotWish = 'never' | 'changed' | 'always';

export interface EffectWatch {
  /**
   * Waits until the page has settled, then tells what happened since the watch began.
   *
   * @param told - Refs of elements whose change the answer tells by itself.
   */
  collect(signal: AbortSignal, snapshot: SnapshotWish, told?: ReadonlySet<string>): Promise<Effect>;
  /** What is known now, without touching the page. */
  peek(): Effect;
  /** What a failed action has done: waits for a download that it began, for nothing else. */
  evidence(signal: AbortSignal): Promise<Effect>;
}

/** Notes where a page stands, so that what an action does to it can be told afterwards. */
export function watchEffect(deps: Deps, session: Session, page: OpenPage): EffectWatch {
  const journal = deps.journals.of(page.raw);
  const mark = journal.mark;
  const urlBefore = page.url;
  const startedAt = Date.now();
  const pagesBefore = new Set(session.pages);
  const downloadMark = deps.downloads.mark;
  const chooserMark = deps.choosers.mark;

  function peek(): Effect {
    const navigated = journal.navigatedSince(mark);
    const opened = session.pages.filter((candidate) => !pagesBefore.has(candidate));
    const closed = [...pagesBefore].filter((candidate) => !session.pages.includes(candidate));
    return {
      ...(navigated && navigated.url !== urlBefore
        ? {
            navigation: {
              from: urlBefore,
              to: navigated.url,
              ...(navigated.status === null ? {} : { status: navigated.status }),
            },
          }
        : {}),
      ...(opened.length > 0
        ? { opened: opened.map((candidate) => ({ page: candidate.id, url: candidate.url })) }
        : {}),
      ...(closed.length > 0 ? { closed: closed.map((candidate) => candidate.id) } : {}),
      ...journal.since(mark),
      ...filesSince(),
    };
  }

  function filesSince(): Pick<Effect, 'downloads' | 'fileChooser'> {
    const isOurs = (raw: Page) =>
      raw === page.raw ||
      session.pages.some((other) => other.raw === raw && !pagesBefore.has(other));
    const downloads = deps.downloads.since(session, downloadMark, isOurs).map(downloadFact);
    const fileChooser = deps.choosers.since(page.raw, chooserMark);
    return {
      ...(downloads.length > 0 ? { downloads } : {}),
      ...(fileChooser ? { fileChooser } : {}),
    };
  }

  return {
    peek,
    async evidence(signal) {
      if (!signal.aborted) {
        const { settleMs } = deps.config.timeouts;
        await deps.downloads
          .settle(session, page.raw, downloadMark, settleMs, signal)
          .catch(() => {});
      }
      return peek();
    },
    async collect(signal, wish, told) {
      const { lens, lastSeen, config } = deps;
      const { raw } = page;
      const settled = raw.isClosed()
        ? undefined
        : await lens.settle(raw, config.timeouts.settleMs, signal);
      await session.awaitArrivals(config.timeouts.settleMs);
      await deps.downloads.settle(
        session,
        raw,
        downloadMark,
        config.timeouts.settleMs - (settled?.ms ?? 0),
        signal,
      );
      const effect = peek();
      const connections = (await session.context?.network.blockedSince(startedAt)) ?? [];
      const blocked = [...connections.map(blockedText), ...session.takeRefusedPages()];
      return {
        ...effect,
        ...(blocked.length > 0 ? { blocked } : {}),
        ...(settled ? { settled: { ...settled, ms: Math.round(settled.ms) } } : {}),
        ...(wish === 'never' || raw.isClosed() ? {} : await look(effect, wish, signal)),
      };

      async function look(
        { navigation }: Effect,
        how: SnapshotWish,
        within: AbortSignal,
      ): Promise<Pick<Effect, 'delta' | 'snapshot'>> {
        const options = { budget: config.answer.snapshotChars };
        const before = lastSeen.get(raw);
        if (how === 'always' || navigation || !before) {
          const snapshot = await lens.snapshot(raw, options, within);
          lastSeen.set(raw, snapshot);
          return how === 'always' || navigation ? { snapshot: snapshot.text } : {};
        }
        const after = await lens.snapshotAfter(raw, before, options, within);
        lastSeen.set(raw, after);
        const changes = deps.delta(before, after, config.answer.deltaChars, told);
        return changes === '' ? {} : { delta: changes };
      }
    },
  };
}

/** Adds the downloads that have ended since the session's last answer, whatever the call did. */
export function withNews(deps: Deps, session: Session, effect: Effect | undefined) {
  const news = deps.downloads.takeNews(session).map(downloadFact);
  if (news.length === 0) return effect;
  const isNew = (id: string) => !news.some((download) => download.id === id);
  const downloads = [...(effect?.downloads ?? []).filter(({ id }) => isNew(id)), ...news];
  return { ...effect, downloads };
}

function downloadFact(download: Download): NonNullable<Effect['downloads']>[number] {
  const { id, name, url, state, path, bytes, mimeType, error } = download;
  return {
    id,
    name,
    url,
    state,
    ...(path === undefined ? {} : { path }),
    ...(bytes === undefined ? {} : { bytes }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(error === undefined ? {} : { error }),
  };
}

/**
 * The effect as a model reads it. All of it came from the page.
 *
 * @param isKnown - Whether the answer itself says where the page went.
 */
export function renderEffect(effect: Effect | undefined, isKnown = false): Part[] {
  if (!effect) return [];
  const lines: string[] = [];
  if (effect.navigation && !isKnown) {
    const { from, to, status } = effect.navigation;
    lines.push(`navigated: ${from} → ${to}${status === undefined ? '' : ` (${status})`}`);
  }
  for (const { page, url } of effect.opened ?? []) lines.push(`opened: ${page} ${url}`);
  for (const page of effect.closed ?? []) lines.push(`closed: ${page}`);
  for (const { type, message, state } of effect.dialogs ?? []) {
    lines.push(`dialog: ${type} ${JSON.stringify(message)} (${state})`);
  }
  for (const { id, name, state, path, bytes, mimeType, error } of effect.downloads ?? []) {
    const facts = [path, bytes === undefined ? undefined : `${bytes} bytes`, mimeType, error];
    lines.push([`download ${id}: ${name} (${state})`, ...facts.filter(Boolean)].join(' '));
  }
  if (effect.fileChooser) {
    const many = effect.fileChooser.isMultiple ? 'files' : 'one file';
    lines.push(`file chooser: open, takes ${many}; answer with browser_upload`);
  }
  for (const line of effect.consoleErrors ?? []) lines.push(`console error: ${line}`);
  for (const line of effect.blocked ?? []) lines.push(`blocked: ${line}`);
  if (effect.delta) lines.push('changed:', effect.delta);
  if (effect.snapshot) lines.push('snapshot:', effect.snapshot);
  if (lines.length === 0) return [];
  const url = effect.navigation?.to;
  const origin = url && URL.canParse(url) ? new URL(url).origin : undefined;
  return [{ source: 'page', text: lines.join('\n'), ...(origin ? { origin } : {}) }];
}

function blockedText({ host, port, count, reason }: BlockedConnection): string {
  return `${host}:${port}${count > 1 ? ` (${count} times)` : ''}: ${reason}`;
}
