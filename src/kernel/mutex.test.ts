import { describe, expect, it } from 'vitest';
import { Mutex } from './mutex.ts';

const never = new AbortController().signal;

describe('Mutex', () => {
  it('lets in one at a time, in order of arrival', async () => {
    const mutex = new Mutex();
    const order: number[] = [];
    let inside = 0;
    const visit = async (number: number) => {
      using _guard = await mutex.acquire(never);
      expect(++inside).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 1));
      order.push(number);
      inside--;
    };
    await Promise.all([1, 2, 3, 4].map(visit));
    expect(order).toEqual([1, 2, 3, 4]);
    expect(mutex.isHeld).toBe(false);
  });

  it('lets a waiter leave the queue, which the others do not notice', async () => {
    const mutex = new Mutex();
    const first = await mutex.acquire(never);
    const leaving = new AbortController();
    const second = mutex.acquire(leaving.signal);
    const third = mutex.acquire(never);
    expect(mutex.waiting).toBe(2);
    leaving.abort(new Error('no more'));
    await expect(second).rejects.toThrow('no more');
    expect(mutex.waiting).toBe(1);
    first[Symbol.dispose]();
    using _guard = await third;
    expect(mutex.isHeld).toBe(true);
  });

  it('is released once by a guard that is disposed twice', async () => {
    const mutex = new Mutex();
    const first = await mutex.acquire(never);
    const second = mutex.acquire(never);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    await second;
    expect(mutex.isHeld).toBe(true);
  });

  it('refuses a caller who has given up already', async () => {
    const mutex = new Mutex();
    await expect(mutex.acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(mutex.isHeld).toBe(false);
  });

  it('ignores an abort that comes after the turn was granted', async () => {
    const mutex = new Mutex();
    const first = await mutex.acquire(never);
    const late = new AbortController();
    const second = mutex.acquire(late.signal);
    first[Symbol.dispose]();
    late.abort();
    using _guard = await second;
    expect(mutex.isHeld).toBe(true);
  });
});
