import { expect, test } from 'vitest';
import { wantedOf } from './wanted.ts';

test.each([
  ['text=Save all', ['save', 'all'], []],
  ['role=button[name="Full name"]', ['full', 'name'], ['button']],
  ['label=Your name', ['your', 'name'], []],
  ['[data-testid=checkoutBtn]', ['checkout'], ['button']],
  ['css=div.card > a#read-more:nth-child(2)', ['card', 'read', 'more', '2'], ['link']],
  ['button:has-text("Größe wählen")', ['größe', 'wählen'], ['button']],
  ['//button[contains(text(), "Pay")]', ['pay'], ['button']],
  ['xpath=//li[@class="x"]/following-sibling::a', ['x'], ['link']],
  ['div > span', [], []],
])('%s asks for the words %j, of the roles %j', (selector, words, roles) => {
  expect(wantedOf(selector)).toEqual({ words, roles });
});
