import { describe, expect, test } from 'vitest';
import { findElement, listElements } from './story-refs.ts';

describe('reading refs', () => {
  test('an element is found by role and name, whatever stands around it', () => {
    const text = [
      '- button "Add to cart" [ref=e12]',
      '    - searchbox "Search \\"all\\"" [active] [ref=f1e3] [cursor=pointer]: wool',
      '- \'link "Note: new" [ref=e7]\':',
      '+ radio "Express Tomorrow, €8" [checked] [ref=e9]',
    ].join('\n');
    expect(listElements(text)).toEqual([
      { role: 'button', name: 'Add to cart', ref: 'e12' },
      { role: 'searchbox', name: 'Search "all"', ref: 'f1e3' },
      { role: 'link', name: 'Note: new', ref: 'e7' },
      { role: 'radio', name: 'Express Tomorrow, €8', ref: 'e9' },
    ]);
    expect(findElement(text, 'radio', 'Express')?.ref).toBe('e9');
    expect(findElement(text, 'button', 'Express')).toBeUndefined();
    expect(findElement(text, null, 'Express')?.ref).toBe('e9');
  });

  test('a name without a ref is not an element, and the newest of two wins', () => {
    const text = '- option "France"\n- link "Cart" [ref=e1]\n- link "Cart" [ref=e5]';
    expect(listElements(text).map(({ ref }) => ref)).toEqual(['e1', 'e5']);
    expect(findElement(text, 'link', 'Cart')?.ref).toBe('e5');
  });
});
