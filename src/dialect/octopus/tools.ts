import { z } from 'zod';
import { OrielError, toOrielError } from '../../kernel/errors.ts';
import { defineDialectTool, type AnyDialectTool } from '../dialect.ts';
import type { Turn } from '../turn.ts';
import type { OctopusBackend } from './backend.ts';
import { MAX_ID_CHARS, sessionIdArg, type SessionIds } from './session-id.ts';
import { isSessionLimit } from './words.ts';

/** Gives the backend to one turn. */
export type BackendOf = (turn: Turn) => OctopusBackend;

const elementRefArg = z
  .string()
  .min(1)
  .max(2_000)
  .describe('Element reference: @e0 of the last browser_snapshot, a CSS selector, or an XPath.');

/** The eight tools, in the order of that system's listing. */
export function octopusTools(backendOf: BackendOf, ids: SessionIds): readonly AnyDialectTool[] {
  return [
    navigate(backendOf, ids),
    snapshot(backendOf),
    click(backendOf),
    type(backendOf),
    getText(backendOf),
    executeJs(backendOf),
    screenshot(backendOf),
    close(backendOf),
  ];
}

const navigate = (backendOf: BackendOf, ids: SessionIds) =>
  defineDialectTool({
    name: 'browser_navigate',
    summary:
      'Navigate to a URL. Returns the session_id that every later call needs; without one a session is created.',
    effects: ['act'],
    input: z.strictObject({
      url: z.string().max(8_192).describe('URL to open.'),
      session_id: z
        .string()
        .max(MAX_ID_CHARS)
        .optional()
        .describe('Session to use; created when it does not exist, or when left out.'),
    }),
    async run(turn, { url, session_id: given = '' }) {
      const id = given === '' ? ids.next() : given;
      const backend = backendOf(turn);
      try {
        await backend.createSession(id, turn.signal);
        const { url: end, title, status } = await backend.navigate(id, url, turn.signal);
        const message = `Navigated to ${end}`;
        return { value: { success: true, url: end, title, status, message, session_id: id } };
      } catch (thrown) {
        if (turn.asked || isSessionLimit(thrown)) throw thrown;
        // Nobody needs a session that came to nothing; its id makes it anew.
        if (given === '') await backend.closeSession(id).catch(() => {});
        throw withSessionId(toOrielError(thrown), id);
      }
    },
  });

const snapshot = (backendOf: BackendOf) =>
  defineDialectTool({
    name: 'browser_snapshot',
    summary: 'See the page as a text tree, with the elements that can be acted on and their refs.',
    effects: ['read'],
    input: z.strictObject({ session_id: sessionIdArg }),
    async run(turn, { session_id: id }) {
      const seen = await backendOf(turn).getSnapshot(id, turn.signal);
      const { url, title, snapshot: text, elements } = seen;
      return {
        value: {
          success: true,
          url,
          title,
          snapshot: text,
          elements,
          element_count: elements.length,
        },
      };
    },
  });

const click = (backendOf: BackendOf) =>
  defineDialectTool({
    name: 'browser_click',
    summary: 'Click an element.',
    effects: ['act'],
    input: z.strictObject({ element_ref: elementRefArg, session_id: sessionIdArg }),
    async run(turn, { element_ref: ref, session_id: id }) {
      await backendOf(turn).click(id, ref, turn.signal);
      return { value: { success: true, message: `Clicked element: ${ref}` } };
    },
  });

const type = (backendOf: BackendOf) =>
  defineDialectTool({
    name: 'browser_type',
    summary: 'Type text into an input; what stood there is replaced.',
    effects: ['act'],
    input: z.strictObject({
      element_ref: elementRefArg,
      text: z.string().max(1_000_000).describe('Text to type.').meta({ secret: true }),
      session_id: sessionIdArg,
    }),
    async run(turn, { element_ref: ref, text, session_id: id }) {
      await backendOf(turn).typeText(id, ref, text, turn.signal);
      return { value: { success: true, message: `Typed text into element: ${ref}` } };
    },
  });

const getText = (backendOf: BackendOf) =>
  defineDialectTool({
    name: 'browser_get_text',
    summary: 'Get the text of an element.',
    effects: ['read'],
    input: z.strictObject({ element_ref: elementRefArg, session_id: sessionIdArg }),
    async run(turn, { element_ref: ref, session_id: id }) {
      const text = await backendOf(turn).getText(id, ref, turn.signal);
      return { value: { success: true, text } };
    },
  });

const executeJs = (backendOf: BackendOf) =>
  defineDialectTool({
    name: 'browser_execute_js',
    summary: 'Run JavaScript in the page and get its result, such as document.title.',
    effects: ['script'],
    input: z.strictObject({
      script: z.string().min(1).max(200_000).describe('JavaScript code.'),
      session_id: sessionIdArg,
    }),
    async run(turn, { script, session_id: id }) {
      const result = await backendOf(turn).executeJs(id, script, turn.signal);
      return { value: { success: true, result } };
    },
  });

const screenshot = (backendOf: BackendOf) =>
  defineDialectTool({
    name: 'browser_screenshot',
    summary: 'Take a screenshot of the page, as a base64-encoded PNG.',
    effects: ['read'],
    input: z.strictObject({
      session_id: sessionIdArg,
      full_page: z.boolean().default(false).describe('Take the whole page.'),
    }),
    async run(turn, { session_id: id, full_page: full }) {
      const base64 = await backendOf(turn).screenshot(id, full, turn.signal);
      return { value: { success: true, screenshot_base64: base64, full_page: full } };
    },
  });

const close = (backendOf: BackendOf) =>
  defineDialectTool({
    name: 'browser_close',
    summary: 'Close a session at once.',
    effects: ['act'],
    input: z.strictObject({ session_id: sessionIdArg }),
    async run(turn, { session_id: id }) {
      await backendOf(turn).closeSession(id);
      return { value: { success: true, message: `Session ${id} closed` } };
    },
  });

/** A failure whose result still names the session. */
function withSessionId(error: OrielError, id: string): OrielError {
  const { code, message, hint, details, pageText } = error;
  return new OrielError(code, message, {
    hint,
    details: { ...details, session_id: id },
    pageText,
    cause: error,
  });
}
