import { describe, expect, it } from 'vitest';
import { Scope } from './scope.ts';

describe('Scope', () => {
  it('releases last in, first out, waiting for each', async () => {
    const order: string[] = [];
    const scope = new Scope();
    scope.defer(() => order.push('first'));
    scope.defer(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push('second');
    });
    scope.own({ [Symbol.dispose]: () => void order.push('third') });
    scope.own({ [Symbol.asyncDispose]: async () => void order.push('fourth') });
    await scope[Symbol.asyncDispose]();
    expect(order).toEqual(['fourth', 'third', 'second', 'first']);
  });

  it('runs every release though one throws, and then throws the first failure', async () => {
    const ran: number[] = [];
    const scope = new Scope();
    scope.defer(() => ran.push(1));
    scope.defer(() => {
      throw new Error('late');
    });
    scope.defer(() => {
      throw new Error('early');
    });
    await expect(scope[Symbol.asyncDispose]()).rejects.toThrow('early');
    expect(ran).toEqual([1]);
  });

  it('releases once, however often it is disposed', async () => {
    let count = 0;
    const scope = new Scope();
    scope.defer(() => count++);
    await Promise.all([scope[Symbol.asyncDispose](), scope[Symbol.asyncDispose]()]);
    expect(count).toBe(1);
  });

  it('releases at once what it is given after its end', async () => {
    const scope = new Scope();
    await scope[Symbol.asyncDispose]();
    expect(scope.isDisposed).toBe(true);
    let isReleased = false;
    scope.own({ [Symbol.dispose]: () => void (isReleased = true) });
    await scope[Symbol.asyncDispose]();
    expect(isReleased).toBe(true);
  });
});
