import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CDPSession, Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import { IMPACTS, type AccessibilityFacts, type Violation } from '../model/accessibility.ts';
import { IsolatedWorld } from './isolated-world.ts';
import { redactUrl } from './secrets.ts';

export interface AuditOptions {
  /** Tags or rules of axe-core to go by; its defaults when there are none. */
  readonly only: readonly string[];
  /** Most elements told of one rule. */
  readonly maxElements: number;
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string };
  readonly childFrames?: FrameTree[];
}

interface AxeResult {
  readonly version: string;
  /** Asked for, and neither a tag nor a rule. */
  readonly unknown: string[];
  readonly passes: string[];
  readonly incomplete: string[];
  readonly violations: {
    readonly rule: string;
    readonly impact: Violation['impact'] | null;
    readonly help: string;
    readonly helpUrl: string;
    readonly count: number;
    readonly elements: { selector: string; html: string; why: string }[];
  }[];
}

let source: Promise<string> | undefined;

/**
 * Judges every frame of a page by axe-core, in worlds of our own: the page can neither see it nor
 * change its verdict, and what it adds is gone with the document.
 *
 * @throws `upstream` when the main frame cannot be examined, `bad_input` for an unknown tag or rule.
 */
export async function auditAccessibility(
  page: Page,
  cdp: CDPSession,
  options: AuditOptions,
  signal: AbortSignal,
): Promise<AccessibilityFacts> {
  const axe = await (source ??= readAxe());
  const merged = new Map<string, Violation>();
  const passes = new Set<string>();
  const incomplete = new Set<string>();
  let version = '';
  let frames = 0;
  for (const { session, frame, isMain } of await framesOf(page, cdp, signal)) {
    const result = await auditFrame(session, frame.id, axe, options, signal).catch(
      (thrown: unknown) => {
        signal.throwIfAborted();
        // A frame may go away while its page is examined; the main frame may not.
        if (isMain) throw thrown;
        return null;
      },
    );
    if (!result) continue;
    if (result.unknown.length > 0) {
      throw new OrielError(
        'bad_input',
        `axe-core knows no rule or tag ${JSON.stringify(result.unknown[0])}.`,
        {
          hint: 'Tags are wcag2a, wcag2aa, wcag21aa, best-practice and more; rules are such as image-alt.',
        },
      );
    }
    frames++;
    version = result.version;
    for (const rule of result.passes) passes.add(rule);
    for (const rule of result.incomplete) incomplete.add(rule);
    for (const { elements, impact, ...rest } of result.violations) {
      const at = isMain ? {} : { frame: redactUrl(frame.url.slice(0, 300)) };
      const located = elements.map((element) => ({ ...element, ...at }));
      const known = merged.get(rest.rule);
      if (known) {
        known.count += rest.count;
        known.elements.push(...located.slice(0, options.maxElements - known.elements.length));
      } else {
        merged.set(rest.rule, { ...rest, impact: impact ?? 'minor', elements: located });
      }
    }
  }
  return {
    violations: [...merged.values()].toSorted(
      (a, b) => IMPACTS.indexOf(a.impact) - IMPACTS.indexOf(b.impact) || b.count - a.count,
    ),
    passes: [...passes].filter((rule) => !merged.has(rule)).length,
    incomplete: incomplete.size,
    frames,
    engine: `axe-core ${version}`,
  };
}

async function auditFrame(
  session: CDPSession,
  frameId: string,
  axe: string,
  options: AuditOptions,
  signal: AbortSignal,
): Promise<AxeResult> {
  const world = await IsolatedWorld.open(session, frameId, signal);
  const isThere = await world.run<boolean>("typeof axe === 'object'", signal);
  if (!isThere) await world.run(`${axe}; true`, signal);
  const call = `(${runAxe.toString()})(${JSON.stringify(options.only)}, ${options.maxElements})`;
  return world.run<AxeResult>(call, signal);
}

/** All frames with the CDP session that reaches them: frames of another site have their own. */
async function framesOf(page: Page, cdp: CDPSession, signal: AbortSignal) {
  const sessions = [cdp];
  for (const frame of page.frames()) {
    if (frame === page.mainFrame()) continue;
    const own = await within(signal, page.context().newCDPSession(frame)).catch(() => null);
    signal.throwIfAborted();
    if (own) sessions.push(own);
  }
  const all: { session: CDPSession; frame: FrameTree['frame']; isMain: boolean }[] = [];
  for (const session of sessions) {
    const tree = await within(signal, session.send('Page.getFrameTree')).catch(() => null);
    signal.throwIfAborted();
    const walk = (node: FrameTree) => {
      all.push({ session, frame: node.frame, isMain: all.length === 0 });
      for (const child of node.childFrames ?? []) walk(child);
    };
    if (tree) walk(tree.frameTree);
  }
  return all;
}

async function readAxe(): Promise<string> {
  return readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
}

interface AxeNode {
  readonly target: (string | string[])[];
  readonly html: string;
  readonly failureSummary?: string;
}

interface AxeRule {
  readonly id: string;
  readonly impact: Violation['impact'] | null;
  readonly help: string;
  readonly helpUrl: string;
  readonly nodes: AxeNode[];
}

/** Runs in the page, as its source text: it may use nothing of this file. */
async function runAxe(only: string[], maxElements: number): Promise<AxeResult> {
  interface Axe {
    readonly version: string;
    getRules(): { ruleId: string; tags: string[] }[];
    run(
      context: unknown,
      options: object,
    ): Promise<Record<'violations' | 'passes' | 'incomplete', AxeRule[]>>;
  }
  const { axe, document } = globalThis as unknown as { axe: Axe; document: unknown };
  const rules = axe.getRules();
  const unknown = only.filter(
    (name) => !rules.some((rule) => rule.ruleId === name || rule.tags.includes(name)),
  );
  if (unknown.length > 0) {
    return { version: axe.version, unknown, passes: [], incomplete: [], violations: [] };
  }
  // axe takes either rules or tags: tags are put as the rules that carry them.
  const wanted = rules.filter(
    (rule) => only.includes(rule.ruleId) || rule.tags.some((tag) => only.includes(tag)),
  );
  const values = wanted.map((rule) => rule.ruleId);
  const runOnly = only.length === 0 ? {} : { runOnly: { type: 'rule', values } };
  const result = await axe.run(document, {
    ...runOnly,
    iframes: false,
    // Fetching style sheets again would be traffic that the page did not ask for.
    preload: false,
    resultTypes: ['violations'],
  });
  return {
    version: axe.version,
    unknown: [],
    passes: result.passes.map((rule) => rule.id),
    incomplete: result.incomplete.map((rule) => rule.id),
    violations: result.violations.map((rule) => ({
      rule: rule.id,
      impact: rule.impact,
      help: rule.help,
      helpUrl: rule.helpUrl,
      count: rule.nodes.length,
      elements: rule.nodes.slice(0, maxElements).map((node) => ({
        // A list within the list leads through shadow roots.
        selector: node.target.flat().join(' >> '),
        html: node.html.slice(0, 200),
        why: (node.failureSummary ?? '').replace(/\s*\n\s*/g, '; ').slice(0, 300),
      })),
    })),
  };
}
