import { describe, expect, test } from 'vitest';
import type { Requirement } from '../requirements.ts';
import { checkCitations, checkRequirements, tallyRequirements } from './requirement-check.ts';

const base = { system: 'A', text: 'A behaviour.', state: 'todo' } as const;
const todo: Requirement = { ...base, id: 'A-001' };
const done: Requirement = { ...base, id: 'A-002', state: 'done' };
const waived: Requirement = { ...base, id: 'A-003', state: 'waived', reason: 'Not for us.' };
const all = [todo, done, waived];

describe('checking what tests cite', () => {
  test('a done requirement with a passing test is fine', () => {
    const report = checkCitations(all, [{ test: 't', ids: ['A-002'], hasPassed: true }], true);
    expect(report).toEqual({ cited: { 'A-002': ['t'] }, problems: [] });
  });

  test('a done requirement that only a failing test cites is a problem of a full run', () => {
    const citations = [{ test: 't', ids: ['A-002'], hasPassed: false }];
    expect(checkCitations(all, citations, true)).toEqual({
      cited: {},
      problems: ['A-002 is marked done, but no passing test cites it.'],
    });
    expect(checkCitations(all, citations, false).problems).toEqual([]);
  });

  test('todo and waived requirements need no test, and may have one', () => {
    const citations = [{ test: 't', ids: ['A-003', 'A-001', 'A-002'], hasPassed: true }];
    const { cited, problems } = checkCitations(all, citations, true);
    expect(problems).toEqual([]);
    expect(Object.keys(cited)).toEqual(['A-001', 'A-002', 'A-003']);
  });

  test('an unknown id is a problem of any run, even of a failing test', () => {
    for (const hasPassed of [true, false]) {
      const { problems } = checkCitations(all, [{ test: 't', ids: ['A-004'], hasPassed }], false);
      expect(problems).toEqual(['A-004 is not a requirement, but "t" cites it.']);
    }
  });

  test('every passing test of a requirement is kept', () => {
    const citations = ['one', 'two'].map((name) => ({
      test: name,
      ids: ['A-001'],
      hasPassed: true,
    }));
    expect(checkCitations(all, citations, false).cited).toEqual({ 'A-001': ['one', 'two'] });
  });
});

describe('checking the list', () => {
  test('a good list has no problem', () => {
    expect(checkRequirements(all)).toEqual([]);
  });

  test.each<[string, Requirement, string]>([
    ['a gap', { ...todo, id: 'A-005' }, 'A-005 stands where A-001 belongs.'],
    ['another system’s id', { ...todo, system: 'B' }, 'A-001 stands where B-001 belongs.'],
    ['an empty text', { ...todo, text: ' ' }, 'A-001 says nothing.'],
    [
      'a long text',
      { ...todo, text: 'x'.repeat(141) },
      'A-001 is not one line of at most 140 characters.',
    ],
    ['two lines', { ...todo, text: 'a\nb' }, 'A-001 is not one line of at most 140 characters.'],
    ['a bare waiver', { ...todo, state: 'waived' }, 'A-001 is waived without a reason.'],
    ['a stray reason', { ...todo, reason: 'why' }, 'A-001 has a reason, but is not waived.'],
  ])('%s is found', (_name, requirement, problem) => {
    expect(checkRequirements([requirement])).toEqual([problem]);
  });

  test('an id that comes twice is found', () => {
    expect(checkRequirements([todo, todo])).toEqual(['A-001 stands where A-002 belongs.']);
  });
});

test('a tally counts each system by state', () => {
  const none = { total: 0, done: 0, waived: 0, todo: 0 };
  expect(tallyRequirements(all)).toEqual({
    A: { total: 3, done: 1, waived: 1, todo: 1 },
    B: none,
    C: none,
    D: none,
    E: none,
  });
});
