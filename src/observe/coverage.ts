import type { Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { CoverageFacts } from '../model/coverage.ts';
import { redactUrl } from './secrets.ts';

const MAX_FILES = 200;

/** Which bytes of a page's scripts and styles were used, measured between start and stop. */
export class Coverage {
  readonly #running = new WeakSet<Page>();

  /** @throws `busy` when it is being measured already. */
  async start(page: Page, signal: AbortSignal): Promise<void> {
    if (this.#running.has(page)) {
      throw new OrielError('busy', 'The coverage of this page is being measured already.', {
        hint: 'End it with browser_coverage {"action": "stop"}.',
      });
    }
    this.#running.add(page);
    try {
      await within(signal, page.coverage.startJSCoverage({ resetOnNavigation: false }));
      await within(signal, page.coverage.startCSSCoverage({ resetOnNavigation: false }));
    } catch (thrown) {
      this.#running.delete(page);
      throw thrown;
    }
  }

  /** @throws `not_found` when it is not being measured. */
  async stop(page: Page, signal: AbortSignal): Promise<CoverageFacts> {
    if (!this.#running.delete(page)) {
      throw new OrielError('not_found', 'The coverage of this page is not being measured.', {
        hint: 'Begin with browser_coverage {"action": "start"}.',
      });
    }
    const scripts = await within(signal, page.coverage.stopJSCoverage());
    const styles = await within(signal, page.coverage.stopCSSCoverage());
    const sources = new Map<string, Source>();
    for (const { url, source, functions } of scripts) {
      if (source !== undefined) {
        add(sources, 'js', url, source, usedOfScript(functions.flatMap((one) => one.ranges)));
      }
    }
    for (const { url, text, ranges } of styles) {
      if (text !== undefined) add(sources, 'css', url, text, ranges);
    }
    return summarise([...sources.values()]);
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

interface Source {
  readonly kind: 'js' | 'css';
  readonly url: string;
  readonly text: string;
  readonly used: Range[];
}

/** A source that was loaded more than once counts once, with all that was used of it. */
function add(
  sources: Map<string, Source>,
  kind: Source['kind'],
  url: string,
  text: string,
  used: readonly Range[],
): void {
  const key = JSON.stringify([kind, url, text]);
  const known = sources.get(key);
  if (known) known.used.push(...used);
  else sources.set(key, { kind, url, text, used: [...used] });
}

/** V8 tells nested ranges with counts; the innermost decides for what it spans. */
function usedOfScript(
  ranges: readonly { startOffset: number; endOffset: number; count: number }[],
): Range[] {
  const sorted = ranges.toSorted(
    (a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset,
  );
  const used: Range[] = [];
  const open: { endOffset: number; count: number }[] = [];
  let at = 0;
  const upTo = (end: number) => {
    const inner = open.at(-1);
    if (inner && inner.count > 0 && end > at) used.push({ start: at, end });
    at = Math.max(at, end);
  };
  for (const range of sorted) {
    while (open.length > 0 && (open.at(-1)?.endOffset ?? 0) <= range.startOffset) {
      upTo(open.at(-1)?.endOffset ?? 0);
      open.pop();
    }
    upTo(range.startOffset);
    open.push(range);
  }
  while (open.length > 0) {
    upTo(open.at(-1)?.endOffset ?? 0);
    open.pop();
  }
  return used;
}

function summarise(sources: readonly Source[]): CoverageFacts {
  const files = new Map<string, { kind: 'js' | 'css'; url: string; total: number; used: number }>();
  for (const { kind, url, text, used } of sources) {
    const key = `${kind} ${url}`;
    const file = files.get(key) ?? { kind, url, total: 0, used: 0 };
    file.total += Buffer.byteLength(text);
    file.used += union(used).reduce(
      (sum, { start, end }) => sum + Buffer.byteLength(text.slice(start, end)),
      0,
    );
    files.set(key, file);
  }
  const all = [...files.values()].map(({ kind, url, total, used }) => ({
    kind,
    url: redactUrl(url.slice(0, 500)),
    totalBytes: total,
    unusedBytes: total - used,
  }));
  const sumOf = (kind: 'js' | 'css') => {
    const own = all.filter((file) => file.kind === kind);
    return {
      totalBytes: own.reduce((sum, file) => sum + file.totalBytes, 0),
      unusedBytes: own.reduce((sum, file) => sum + file.unusedBytes, 0),
    };
  };
  const sorted = all.toSorted((a, b) => b.unusedBytes - a.unusedBytes);
  return {
    js: sumOf('js'),
    css: sumOf('css'),
    files: sorted.slice(0, MAX_FILES),
    total: all.length,
  };
}

function union(ranges: readonly Range[]): Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
