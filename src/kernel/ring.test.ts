import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ring } from './ring.ts';

describe('Ring', () => {
  it('keeps the latest entries in order, and counts all', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.integer()), (capacity, entries) => {
        const ring = new Ring<number>(capacity);
        for (const entry of entries) ring.push(entry);
        expect(ring.toArray()).toEqual(entries.slice(-capacity));
        expect(ring.added).toBe(entries.length);
        expect(ring.size).toBe(Math.min(capacity, entries.length));
      }),
    );
  });

  it('is empty after clearing, and fills anew', () => {
    const ring = new Ring<number>(2);
    for (const entry of [1, 2, 3]) ring.push(entry);
    ring.clear();
    expect(ring.toArray()).toEqual([]);
    ring.push(4);
    expect(ring.toArray()).toEqual([4]);
    expect(ring.added).toBe(4);
  });

  it.each([0, -1, 1.5, Number.NaN])('takes no capacity of %s', (capacity) => {
    expect(() => new Ring(capacity)).toThrow(RangeError);
  });
});
