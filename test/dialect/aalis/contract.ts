import type { TestOriel } from '../../harness/oriel.ts';
import type { DialectContract } from '../dialect-contract.ts';

/** Opens a form in a page of its own. */
async function openForm(oriel: TestOriel): Promise<{ pageId: string }> {
  const url = oriel.fixtures.url('/form-50.html');
  const outcome = await oriel.speak('browser_navigate', { url });
  return { pageId: (outcome as unknown as { output: { pageId: string } }).output.pageId };
}

const openUrl = async (oriel: TestOriel) => ({ url: oriel.fixtures.url('/form-50.html') });

export const contract: DialectContract = {
  listing: [
    { name: 'browser_navigate', required: ['url'], optional: { pageId: null, waitFor: null } },
    { name: 'browser_get_text', required: ['pageId'], optional: { selector: null } },
    { name: 'browser_click', required: ['pageId', 'selector'], optional: {} },
    {
      name: 'browser_type',
      required: ['pageId', 'selector', 'text'],
      optional: { clear: true, submit: false },
    },
    {
      name: 'browser_screenshot',
      required: ['pageId'],
      optional: { fullPage: false, selector: null },
    },
    { name: 'browser_get_links', required: ['pageId'], optional: { limit: 50 } },
    { name: 'browser_close_page', required: ['pageId'], optional: {} },
  ],
  readonlyTools: ['browser_get_text', 'browser_screenshot', 'browser_get_links'],
  samples: {
    browser_navigate: {
      input: {},
      before: openUrl,
      instead: { url: 'http://127.0.0.1:1/', pageId: 'p_other', waitFor: 'body' },
    },
    browser_get_text: {
      input: {},
      before: openForm,
      instead: { pageId: 'p_other', selector: 'h1' },
    },
    browser_click: {
      input: { selector: 'input' },
      before: openForm,
      instead: { pageId: 'p_other', selector: 'h1' },
    },
    browser_type: {
      input: { selector: 'input', text: 'one' },
      before: openForm,
      instead: {
        pageId: 'p_other',
        selector: 'input:nth-of-type(1)',
        text: 'two',
        clear: false,
        submit: true,
      },
    },
    browser_screenshot: {
      input: {},
      before: openForm,
      instead: { pageId: 'p_other', fullPage: true, selector: 'input' },
    },
    browser_get_links: { input: {}, before: openForm, instead: { pageId: 'p_other', limit: 1 } },
    browser_close_page: { input: {}, before: openForm, instead: { pageId: 'p_other' } },
  },
  isFailure: (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).join() === 'error' &&
    typeof (value as { error: unknown }).error === 'string',
};
