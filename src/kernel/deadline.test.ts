import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadline, sleep, within } from './deadline.ts';
import { isOrielError, OrielError } from './errors.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Deadline', () => {
  it('ends with a timeout that names its limit', () => {
    using deadline = new Deadline(50);
    vi.advanceTimersByTime(49);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isOrielError(deadline.signal.reason, 'timeout')).toBe(true);
    expect((deadline.signal.reason as Error).message).toContain('50 ms');
  });

  it('has no limit at 0', () => {
    using deadline = new Deadline(0);
    expect(deadline.remainingMs).toBe(Infinity);
    vi.advanceTimersByTime(10_000_000);
    expect(deadline.signal.aborted).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes a limit beyond what timers can hold for none, and not for at once', () => {
    using deadline = new Deadline(2 ** 31);
    vi.advanceTimersByTime(1_000);
    expect(deadline.signal.aborted).toBe(false);
  });

  it('passes on the cancellation of its caller', () => {
    const caller = new AbortController();
    using deadline = new Deadline(50, caller.signal);
    caller.abort(new Error('a closed request'));
    expect(isOrielError(deadline.signal.reason, 'cancelled')).toBe(true);
  });

  it('passes on the reason of an outer deadline unchanged', () => {
    using outer = new Deadline(10);
    using inner = new Deadline(50, outer.signal);
    vi.advanceTimersByTime(10);
    expect(inner.signal.reason).toBe(outer.signal.reason);
  });

  it('is over at once for a caller who has cancelled before', () => {
    using deadline = new Deadline(50, AbortSignal.abort());
    expect(isOrielError(deadline.signal.reason, 'cancelled')).toBe(true);
  });

  it('leaves neither timer nor listener behind', () => {
    const caller = new AbortController();
    new Deadline(50, caller.signal)[Symbol.dispose]();
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });
});

describe('within', () => {
  it('gives what the work gives, and leaves no listener', async () => {
    const { signal } = new AbortController();
    await expect(within(signal, Promise.resolve(1))).resolves.toBe(1);
    await expect(within(signal, Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await Promise.resolve();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('ends with the reason of the signal, and swallows what the work then throws', async () => {
    const caller = new AbortController();
    let fail = (_error: Error) => {};
    const work = new Promise<void>((_resolve, reject) => (fail = reject));
    const waiting = within(caller.signal, work);
    caller.abort(new OrielError('cancelled', 'enough'));
    await expect(waiting).rejects.toThrow('enough');
    fail(new Error('too late'));
  });

  it('does not wait for work when the signal has aborted before', async () => {
    await expect(
      within(AbortSignal.abort(new Error('before')), new Promise(() => {})),
    ).rejects.toThrow('before');
  });
});

describe('sleep', () => {
  it('ends after its time, or with the signal, and leaves no timer', async () => {
    const caller = new AbortController();
    const slept = sleep(100, caller.signal);
    vi.advanceTimersByTime(100);
    await slept;
    const cut = sleep(100, caller.signal);
    caller.abort(new Error('woken'));
    await expect(cut).rejects.toThrow('woken');
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(caller.signal, 'abort')).toHaveLength(0);
  });
});
