import type { Requirement, RequirementSystem } from '../requirements.ts';

/** One test that cites requirements. */
export interface Citation {
  /** File and full name of the test. */
  readonly test: string;
  readonly ids: readonly string[];
  readonly hasPassed: boolean;
}

export interface CitationReport {
  /** Passing tests by requirement, for the ids that exist. */
  readonly cited: Readonly<Record<string, readonly string[]>>;
  /** What is wrong, one sentence each; empty when the run may pass. */
  readonly problems: readonly string[];
}

/**
 * Holds what the tests cite against the requirements. An id that nobody knows is a problem in
 * any run; a requirement marked done that no passing test cites is one in a full run, since a
 * part of the suite cannot tell.
 */
export function checkCitations(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
  isFullRun: boolean,
): CitationReport {
  const known = new Set<string>(requirements.map(({ id }) => id));
  const cited = new Map<string, string[]>();
  const problems: string[] = [];
  for (const { test, ids, hasPassed } of citations) {
    for (const id of ids) {
      if (!known.has(id)) problems.push(`${id} is not a requirement, but "${test}" cites it.`);
      else if (hasPassed) cited.set(id, [...(cited.get(id) ?? []), test]);
    }
  }
  if (isFullRun) {
    for (const { id, state } of requirements) {
      if (state === 'done' && !cited.has(id)) {
        problems.push(`${id} is marked done, but no passing test cites it.`);
      }
    }
  }
  return { cited: Object.fromEntries([...cited].toSorted(byId)), problems };
}

function byId([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** What is wrong with the list itself, one sentence each: ids, texts, reasons. */
export function checkRequirements(requirements: readonly Requirement[]): readonly string[] {
  const problems: string[] = [];
  const last = new Map<string, number>();
  for (const { id, system, text, state, reason } of requirements) {
    const number = (last.get(system) ?? 0) + 1;
    last.set(system, number);
    const expected = `${system}-${String(number).padStart(3, '0')}`;
    if (id !== expected) problems.push(`${id} stands where ${expected} belongs.`);
    if (text.trim() === '') problems.push(`${id} says nothing.`);
    if (text.length > MAX_TEXT || text.includes('\n')) {
      problems.push(`${id} is not one line of at most ${MAX_TEXT} characters.`);
    }
    if (state === 'waived' && !reason?.trim()) problems.push(`${id} is waived without a reason.`);
    if (state !== 'waived' && reason !== undefined) {
      problems.push(`${id} has a reason, but is not waived.`);
    }
  }
  return problems;
}

const MAX_TEXT = 140;

export interface SystemTally {
  readonly total: number;
  readonly done: number;
  readonly waived: number;
  readonly todo: number;
}

/** How far each system is. */
export function tallyRequirements(
  requirements: readonly Requirement[],
): Readonly<Record<RequirementSystem, SystemTally>> {
  const tally = (system: RequirementSystem): SystemTally => {
    const own = requirements.filter((requirement) => requirement.system === system);
    const count = (state: Requirement['state']) => own.filter((one) => one.state === state).length;
    return {
      total: own.length,
      done: count('done'),
      waived: count('waived'),
      todo: count('todo'),
    };
  };
  return { A: tally('A'), B: tally('B'), C: tally('C'), D: tally('D'), E: tally('E') };
}
