import type { FixtureServer } from '../test/harness/fixture-server.ts';
import { FIELDS, PAGES, SIZES, type BenchPage } from './pages.ts';
import type { RawPage } from './raw.ts';
import type { Samples } from './sample.ts';
import { start, type Answer, type Running, type Subject } from './subject.ts';

/** What is measured in a round. */
export interface Plan {
  readonly subjects: readonly Subject[];
  readonly server: FixtureServer;
  readonly raw: RawPage;
  readonly samples: Samples;
  /** How often each page is opened, seen and clicked in a round. */
  readonly repeats: number;
}

/**
 * One round: starts each subject anew, then lets them take turns at each step, so that whatever
 * else the machine does hits all of them. Who goes first changes with `round`.
 */
export async function measureRound(plan: Plan, round: number): Promise<void> {
  const running: Running[] = [];
  try {
    await takeTurns(plan, round, running);
  } finally {
    for (const one of running) await one[Symbol.asyncDispose]();
  }
}

async function takeTurns(plan: Plan, round: number, running: Running[]): Promise<void> {
  for (const subject of rotate(plan.subjects, round)) {
    const one = await attempt(plan, subject.name, 'start', () => start(subject));
    if (!one) continue;
    running.push(one);
    plan.samples.add(subject.name, 'listed', one.listedMs);
    plan.samples.add(subject.name, 'tools chars', one.toolsChars);
    plan.samples.add(subject.name, 'tools', one.toolCount);
    await timed(plan, one, 'cold page', () =>
      one.call(subject.open(plan.server.url('/blank.html'))),
    );
  }
  for (const page of PAGES) {
    for (let repeat = 0; repeat < plan.repeats; repeat += 1) {
      for (const one of rotate(running, round + repeat)) {
        const isProved = round === 0 && repeat === 0;
        await attempt(plan, one.subject.name, page.name, () => visit(plan, one, page, isProved));
        if (one.subject.name === 'oriel') await clickRaw(plan, page);
      }
    }
    for (const one of running) {
      plan.samples.add(one.subject.name, `memory ${page.name}`, await one.memoryMiB());
    }
  }
  for (let repeat = 0; repeat < plan.repeats; repeat += 1) {
    for (const one of rotate(running, round + repeat)) {
      await attempt(plan, one.subject.name, 'fill', () => fill(plan, one));
    }
  }
  const oriel = running.find((one) => one.subject.name === 'oriel');
  if (oriel) await attempt(plan, 'oriel', 'growth', () => grow(plan, oriel));
}

async function visit(plan: Plan, one: Running, page: BenchPage, isProved: boolean): Promise<void> {
  const { subject } = one;
  const { name, role, control } = page;
  const opened = await timed(plan, one, `open ${name}`, () =>
    one.call(subject.open(plan.server.url(page.path))),
  );
  if (!opened) return;
  const seen = await timed(plan, one, `snapshot ${name}`, () => one.call(subject.snapshot()));
  if (!seen) return;
  const before = isProved ? seen.text + (await search(one, page)) : '';
  const ref =
    subject.ref(seen.text, role, control) ??
    subject.ref((await search(one, page, control)) || '', role, control);
  if (ref === undefined) throw new Error(`no ref for ${role} "${control}" in the snapshot`);
  const clicked = await timed(plan, one, `click ${name}`, () => one.call(subject.click(ref)));
  if (!clicked || !isProved) return;
  const after = (await one.call(subject.snapshot())).text + (await search(one, page));
  if (countOf(after, page.effect) <= countOf(before, page.effect)) {
    throw new Error('the click had no effect that the page shows');
  }
}

async function search(one: Running, page: BenchPage, words = page.words): Promise<string> {
  return one.subject.search ? (await one.call(one.subject.search(words))).text : '';
}

async function clickRaw({ raw, server, samples }: Plan, page: BenchPage): Promise<void> {
  await raw.open(server.url(page.path));
  samples.add('raw', `click ${page.name}`, await raw.click(page.selector));
}

async function fill(plan: Plan, one: Running): Promise<void> {
  const { subject } = one;
  const { fillOne } = subject;
  const fillMany = subject.fill;
  const url = plan.server.url('/form-50.html');
  await one.call(subject.open(url));
  if (fillMany) {
    const { text } = await one.call(subject.snapshot());
    await timed(plan, one, 'fill 20', () => one.call(fillMany(FIELDS, text)));
  } else if (subject.batch) {
    await timed(plan, one, 'fill 20', () => one.fillByBatch(FIELDS));
  }
  if (!fillOne) return;
  await one.call(subject.open(url));
  const startedAt = performance.now();
  let chars = 0;
  for (const field of FIELDS) chars += (await one.call(fillOne(field))).text.length;
  plan.samples.add(subject.name, 'fill singly', performance.now() - startedAt);
  plan.samples.add(subject.name, 'fill singly chars', chars);
}

async function grow(plan: Plan, oriel: Running): Promise<void> {
  for (const size of SIZES) {
    const url = plan.server.url(`/nodes?n=${size}`);
    for (const ms of await plan.raw.inPageMs(url, plan.repeats)) {
      plan.samples.add('oriel', `in page ${size}`, ms);
    }
    await oriel.call(oriel.subject.open(url));
    for (let repeat = 0; repeat < plan.repeats; repeat += 1) {
      await timed(plan, oriel, `nodes ${size}`, () => oriel.call(oriel.subject.snapshot()));
    }
  }
}

/** Notes time and size of an answer; a failure is noted and makes undefined. */
async function timed(
  plan: Plan,
  { subject }: Running,
  measure: string,
  ask: () => Promise<Answer>,
): Promise<Answer | undefined> {
  const answer = await attempt(plan, subject.name, measure, ask);
  if (!answer) return undefined;
  plan.samples.add(subject.name, measure, answer.ms);
  plan.samples.add(subject.name, `${measure} chars`, answer.text.length);
  return answer;
}

async function attempt<T>(
  { samples }: Plan,
  subject: string,
  measure: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const text = String(error instanceof Error ? error.message : error);
    samples.fail(subject, measure, text.replace(/\s+/g, ' ').slice(0, 200));
    return undefined;
  }
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const at = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}
