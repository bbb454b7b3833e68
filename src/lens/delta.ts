import { walkNodes } from './assemble.ts';
import type { Snapshot, SnapshotNode } from './snapshot.ts';
import { quote, wellFormed } from './yaml-text.ts';

const LINE_MAX = 160;

/**
 * What changed between two snapshots of one page, in lines: `+` came, `-` went, `~` changed.
 * '' when nothing did. Parts that only scrolled in or out of view are no change. Never longer than
 * `maxChars`; what does not fit is counted.
 *
 * @param told - Refs whose change has been told already.
 */
export function delta(
  before: Snapshot,
  after: Snapshot,
  maxChars = 2_000,
  told: ReadonlySet<string> = new Set(),
): string {
  const old = linesOf(before);
  const now = linesOf(after);
  const isStill = !hasScrolled(before, after);
  const lines: string[] = [];
  const oldTexts = countTexts(old);
  const nowTexts = countTexts(now);
  if (before.title !== after.title)
    lines.push(`~ title ${quote(clip(before.title))} → ${quote(clip(after.title))}`);
  for (const [key, line] of now) {
    const former = line.ref === undefined ? undefined : old.get(key);
    if (former) {
      if (line.ref !== undefined && told.has(line.ref)) continue;
      if (former.text !== line.text) lines.push(`~ ${clip(former.text)} → ${clip(line.text)}`);
      continue;
    }
    if (take(oldTexts, line.plain)) continue;
    if (isStill || line.isNew) lines.push(`+ ${clip(line.text)}`);
  }
  for (const [key, line] of old) {
    if (line.ref !== undefined && (now.has(key) || after.alive.has(line.ref))) continue;
    if (take(nowTexts, line.plain)) continue;
    // Text has no identity: it went only if the view it stood in has not moved.
    if (line.ref === undefined && !isStill) continue;
    lines.push(`- ${clip(line.text)}`);
  }
  return bound(lines, maxChars);
}

interface Entry {
  readonly ref: string | undefined;
  readonly text: string;
  /** Without ref and marks: what a line that moved keeps. */
  readonly plain: string;
  readonly isNew: boolean;
}

function linesOf(snapshot: Snapshot): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  let index = 0;
  for (const node of walkNodes(snapshot.tree)) {
    if (node.role === 'fold') continue;
    const plain = plainOf(node);
    if (plain === '') continue;
    entries.set(node.ref ?? `#${index++}`, {
      ref: node.ref,
      text: node.ref === undefined ? plain : `${plain} [ref=${node.ref}]`,
      plain,
      isNew: node.flags.includes('new') || node.flags.includes('touched'),
    });
  }
  return entries;
}

function plainOf(node: SnapshotNode): string {
  let text: string = node.role;
  if (node.name) text += ` ${quote(clip(node.name))}`;
  for (const state of node.states) text += ` [${state}]`;
  if (node.flags.includes('active')) text += ' [active]';
  if (node.flags.includes('covered')) text += ' [covered]';
  const value = node.value ?? (node.tag === 'select' ? undefined : node.text);
  if (value !== undefined) text += `: ${quote(clip(value))}`;
  const isStructure =
    node.name === undefined &&
    value === undefined &&
    node.ref === undefined &&
    node.states.length === 0;
  return isStructure ? '' : text;
}

function countTexts(lines: ReadonlyMap<string, Entry>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { plain } of lines.values()) counts.set(plain, (counts.get(plain) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, text: string): boolean {
  const left = counts.get(text) ?? 0;
  if (left === 0) return false;
  counts.set(text, left - 1);
  return true;
}

function hasScrolled(before: Snapshot, after: Snapshot): boolean {
  return (
    before.viewport.scrollY !== after.viewport.scrollY ||
    before.viewport.scrollX !== after.viewport.scrollX
  );
}

function clip(text: string): string {
  return text.length <= LINE_MAX ? text : `${wellFormed(text.slice(0, LINE_MAX - 1))}…`;
}

function bound(lines: readonly string[], maxChars: number): string {
  let text = '';
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    const note = `… ${lines.length - index} more changes`;
    const isLast = index === lines.length - 1;
    if (text.length + line.length + 1 + (isLast ? 0 : note.length + 1) > maxChars) {
      return text.length + note.length <= maxChars ? text + note : text.slice(0, maxChars);
    }
    text += isLast ? line : `${line}\n`;
  }
  return text;
}
