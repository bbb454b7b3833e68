import { expect, test } from 'vitest';
import { OrielError } from '../kernel/errors.ts';
import { diskError } from './disk-error.ts';

test('what a disk says is told in words, with the folder and what to do', () => {
  for (const [code, words] of [
    ['ENOSPC', 'the disk is full'],
    ['EROFS', 'the folder is read-only'],
    ['EACCES', 'it may not be written'],
    ['EIO', 'EIO'],
  ] as const) {
    const error = diskError(Object.assign(new Error('x'), { code }), 'The file a.png', '/out');
    expect(error).toMatchObject({ code: 'upstream', details: { code, folder: '/out' } });
    expect(error.message).toContain(words);
    expect(error.message).toContain('The file a.png could not be written in /out');
  }
});

test('an error that is one of ours passes through', () => {
  const ours = new OrielError('denied', 'no');
  expect(diskError(ours, 'x', 'y')).toBe(ours);
});
