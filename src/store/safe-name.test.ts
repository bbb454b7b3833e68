import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberedName, safeName } from './safe-name.ts';

test('names that lead elsewhere, hide, or mean a device become plain ones', () => {
  for (const [given, safe] of [
    ['report.csv', 'report.csv'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['/etc/cron.d/x', 'x'],
    ['.bashrc', 'bashrc'],
    ['..', 'download'],
    ['', 'download'],
    ['-rf', 'rf'],
    ['CON', '_CON'],
    ['nul.txt', '_nul.txt'],
    ['a\u202egnp.exe', 'a_gnp.exe'],
    ['a\nb\0c.txt', 'a_b_c.txt'],
    ['name. ', 'name'],
    ['Überblick 2026.pdf', 'Überblick 2026.pdf'],
  ]) {
    expect(safeName(given ?? ''), given).toBe(safe);
  }
});

test('a long name is cut before its extension, never within a character', () => {
  const name = safeName(`${'é'.repeat(300)}.tar.gz`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(180);
  expect(name).toMatch(/^é+\.tar\.gz$/);
});

test('whatever is suggested, the name is one that any file system takes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
      const name = safeName(given);
      expect(name.length).toBeGreaterThan(0);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(181);
      expect(name).not.toMatch(/[/\\\p{Cc}<>:"|?*]|^[.-]|\.\./u);
      expect(name.isWellFormed()).toBe(true);
    }),
  );
});

test('namesakes are numbered before their extension', () => {
  expect(numberedName('a.csv', 1)).toBe('a.csv');
  expect(numberedName('a.csv', 2)).toBe('a-2.csv');
  expect(numberedName('a.tar.gz', 3)).toBe('a-3.tar.gz');
  expect(numberedName('README', 2)).toBe('README-2');
});
