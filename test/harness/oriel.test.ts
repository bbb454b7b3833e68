import { describe, expect, it } from 'vitest';
import { startOriel, textOf } from './oriel.ts';

describe('the harness', () => {
  it('opens a page and leaves nothing behind', async () => {
    await using oriel = await startOriel();
    const outcome = await oriel.open('/blank.html');
    expect(textOf(outcome)).toContain('heading "Blank"');
  });

  it('notices what is left behind', async () => {
    let timer: NodeJS.Timeout | undefined;
    const leaky = async () => {
      await using _oriel = await startOriel();
      timer = setTimeout(() => {}, 60_000);
    };
    await expect(leaky()).rejects.toThrow(/timer of test\/harness\/oriel\.test\.ts/);
    clearTimeout(timer);
  });
});
