import { describe, expect, it } from 'vitest';
import { ERROR_CODES, firstLine, isOrielError, OrielError, toOrielError } from './errors.ts';

describe('the table of codes', () => {
  it.each(Object.entries(ERROR_CODES))(
    '%s has a failing HTTP status and exit code',
    (_code, facts) => {
      expect(facts.http).toBeGreaterThanOrEqual(400);
      expect(facts.http).toBeLessThan(600);
      expect(facts.exit).toBeGreaterThan(0);
      expect(facts.exit).toBeLessThan(256);
    },
  );

  it('keeps apart on the command line what different people must mend', () => {
    const byExit = new Map<number, Set<string>>();
    for (const { exit, actor } of Object.values(ERROR_CODES)) {
      byExit.set(exit, (byExit.get(exit) ?? new Set()).add(actor));
    }
    expect([...byExit.keys()].toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 70, 130,
    ]);
  });
});

describe('OrielError', () => {
  it('is plain data on the wire: no stack, no cause', () => {
    const error = new OrielError('busy', 'It is busy.', {
      hint: 'Wait.',
      cause: new Error('secret'),
      details: { page: 'p1' },
    });
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      code: 'busy',
      message: 'It is busy.',
      hint: 'Wait.',
      details: { page: 'p1' },
    });
  });

  it('is known across two copies of the package, and by its code', () => {
    const copy = { [Symbol.for('oriel.error')]: true, code: 'gone', message: 'x' };
    expect(isOrielError(copy)).toBe(true);
    expect(isOrielError(copy, 'gone')).toBe(true);
    expect(isOrielError(copy, 'busy')).toBe(false);
    expect(isOrielError({ code: 'gone' })).toBe(false);
    expect(isOrielError(null)).toBe(false);
  });
});

describe('toOrielError', () => {
  it('wraps once, with the first line alone', () => {
    const thrown = new TypeError('x is not a function\n  at secret place');
    const error = toOrielError(thrown);
    expect(error).toMatchObject({ code: 'bug', cause: thrown });
    // A parser quotes what it read, and that may be a page's.
    expect(error.message).not.toContain('x is not a function');
    expect(error.pageText).toMatch(/x is not a function$/);
    expect(toOrielError(error)).toBe(error);
  });

  it.each([undefined, null, 0, 'text', {}, Symbol('s')])(
    'takes %s, whatever was thrown',
    (thrown) => {
      expect(toOrielError(thrown).code).toBe('bug');
    },
  );
});

describe('firstLine', () => {
  it('cuts at the line and at the limit', () => {
    expect(firstLine('a\nb')).toBe('a');
    expect(firstLine('abcd', 3)).toBe('abc…');
    expect(firstLine('abc', 3)).toBe('abc');
  });
});
