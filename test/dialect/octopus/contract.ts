import type { TestOriel } from '../../harness/oriel.ts';
import type { DialectContract } from '../dialect-contract.ts';

/** Opens a form in a session of its own. */
async function openForm(oriel: TestOriel): Promise<{ session_id: string }> {
  const url = oriel.fixtures.url('/form-50.html');
  const outcome = await oriel.speak('browser_navigate', { url, session_id: 'one' });
  const { output } = outcome as unknown as { output: { session_id: string } };
  return { session_id: output.session_id };
}

const openUrl = async (oriel: TestOriel) => ({ url: oriel.fixtures.url('/form-50.html') });
const session_id = 'other';

export const contract: DialectContract = {
  listing: [
    { name: 'browser_navigate', required: ['url'], optional: { session_id: null } },
    { name: 'browser_snapshot', required: ['session_id'], optional: {} },
    { name: 'browser_click', required: ['element_ref', 'session_id'], optional: {} },
    { name: 'browser_type', required: ['element_ref', 'text', 'session_id'], optional: {} },
    { name: 'browser_get_text', required: ['element_ref', 'session_id'], optional: {} },
    { name: 'browser_execute_js', required: ['script', 'session_id'], optional: {} },
    { name: 'browser_screenshot', required: ['session_id'], optional: { full_page: false } },
    { name: 'browser_close', required: ['session_id'], optional: {} },
  ],
  readonlyTools: ['browser_snapshot', 'browser_get_text', 'browser_screenshot'],
  samples: {
    browser_navigate: {
      input: { session_id: 'one' },
      before: openUrl,
      instead: { url: 'http://127.0.0.1:1/', session_id: 'two' },
    },
    browser_snapshot: { input: {}, before: openForm, instead: { session_id } },
    browser_click: {
      input: { element_ref: 'input' },
      before: openForm,
      instead: { element_ref: 'h1', session_id },
    },
    browser_type: {
      input: { element_ref: 'input', text: 'one' },
      before: openForm,
      instead: { element_ref: '//input[2]', text: 'two', session_id },
    },
    browser_get_text: {
      input: { element_ref: 'h1' },
      before: openForm,
      instead: { element_ref: 'label', session_id },
    },
    browser_execute_js: {
      input: { script: 'document.title' },
      before: openForm,
      instead: { script: '1 + 1', session_id },
    },
    browser_screenshot: {
      input: {},
      before: openForm,
      instead: { full_page: true, session_id },
    },
    browser_close: { input: {}, before: openForm, instead: { session_id } },
  },
  isFailure: (value) => {
    const { success, error, message } = (value ?? {}) as Record<string, unknown>;
    return success === false && typeof error === 'string' && typeof message === 'string';
  },
};
