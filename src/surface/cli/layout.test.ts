import { expect, test } from 'vitest';
import { cutLine, layRows, wrap, widthOf } from './layout.ts';

test('text wraps at spaces, and a long word stands alone', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('a incomprehensible b', 6)).toEqual(['a', 'incomprehensible', 'b']);
  expect(wrap('  ', 10)).toEqual([]);
});

test('rows align their texts, and a long term takes a line of its own', () => {
  const rows = [
    { term: '--a', text: 'first text that wraps' },
    { term: '--much-too-long', text: 'second' },
  ];
  const termWidth = widthOf(
    rows.map((row) => row.term),
    8,
  );
  expect(layRows(rows, { columns: 27, indent: 2, termWidth, styleTerm: (term) => term })).toEqual([
    '  --a  first text that',
    '       wraps',
    '  --much-too-long',
    '       second',
  ]);
});

test('a cut line counts characters, not halves of them', () => {
  expect(cutLine('abc', 3)).toBe('abc');
  expect(cutLine('😀😀😀😀', 3)).toBe('😀😀…');
});
