import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { STORAGE_AREAS, storageEntrySchema } from '../../model/storage.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';

/** Most characters of all values in an answer, as of a DOM. */
const MAX_CHARS = 65_536;

export const storage = defineTool({
  name: 'browser_storage',
  summary: "Get, set or clear an origin's local or session storage, or its IndexedDB databases.",
  effect: ({ action }) => (action === 'set' || action === 'clear' ? 'act' : 'read'),
  effects: ['read', 'act'],
  scope: 'page',
  pack: 'storage',
  limit: 'action',
  input: z.strictObject({
    area: z.enum(STORAGE_AREAS).default('local'),
    action: z.enum(['keys', 'get', 'set', 'clear']).default('keys').describe('clear: one, or all.'),
    key: z.string().max(10_000).optional().describe('For indexeddb the database.'),
    value: z.string().max(10_485_760).optional(),
    origin: z.string().max(300).optional().describe("Default the page's; one that is open."),
    ...pageArgs,
  }),
  output: z.strictObject({
    origin: z.string(),
    done: z.string().describe('What was done, in one sentence.'),
    entries: z.array(storageEntrySchema).describe('What there is, by key.'),
    isTruncated: z.boolean().describe('Whether values were cut.'),
  }),
  examples: [{ title: 'List the keys', on: '/', input: {} }],
  async run({ page, session, deps, signal }, input) {
    const { area, action, key, value } = input;
    const others = session.pages.filter((other) => other !== page);
    const frame = deps.act.frameOf(
      [page, ...others].map(({ raw }) => raw),
      input.origin,
    );
    const url = frame.url();
    const origin = URL.canParse(url) ? new URL(url).origin : url;
    const nothing = { origin, entries: [], isTruncated: false };
    if (area === 'indexeddb') {
      if (action === 'clear') {
        const count = await deps.act.deleteDatabases(frame, key, signal);
        return { ...nothing, done: `${count} databases are gone.` };
      }
      if (action === 'set') {
        throw new OrielError('unsupported', 'Records of databases cannot be set.', {
          hint: 'Use browser_evaluate, or import a state with browser_storage_state.',
        });
      }
      const found = await deps.act.listDatabases(frame, signal);
      const entries = found.filter((entry) => key === undefined || entry.key === key);
      return { ...nothing, done: '', entries };
    }
    if (action === 'set') {
      if (key === undefined || value === undefined) {
        throw new OrielError('bad_input', '`key` and `value` are needed to set.', {
          hint: 'For example: {"action": "set", "key": "theme", "value": "dark"}.',
        });
      }
      await deps.act.writeStorage(frame, area, key, value, signal);
      return { ...nothing, done: `Set, ${value.length} characters.` };
    }
    if (action === 'clear') {
      const count = await deps.act.clearStorage(frame, area, key, signal);
      return { ...nothing, done: count === 1 ? '1 entry is gone.' : `${count} entries are gone.` };
    }
    const wants = { key, values: action === 'get' };
    const whole = await deps.act.readStorage(frame, area, wants, signal);
    return { origin, done: '', ...cutValues(whole) };
  },
  render({ origin, done, entries, isTruncated }, { area }) {
    const ours = [
      done || (entries.length === 0 ? `Nothing is stored (${area}).` : ''),
      isTruncated ? 'Values are cut at 64 Ki characters in all; get one by its key.' : '',
    ];
    const unit = area === 'indexeddb' ? 'records' : 'characters';
    const lines = entries.map(({ key, value, chars }) =>
      value === null ? `- ${key} (${chars} ${unit})` : `- ${key}: ${value}`,
    );
    return [
      { source: 'oriel', text: ours.filter(Boolean).join('\n') },
      { source: 'page', origin, text: lines.join('\n') },
    ];
  },
});

/** Shares the room: short values stay whole, the last ones that do not fit are cut. */
function cutValues(entries: readonly z.output<typeof storageEntrySchema>[]) {
  let room = MAX_CHARS;
  let isTruncated = false;
  const cut = entries.map((entry) => {
    if (entry.value === null) return entry;
    const value = entry.value.slice(0, room).toWellFormed();
    isTruncated ||= value.length < entry.value.length;
    room -= value.length;
    return { ...entry, value };
  });
  return { entries: cut, isTruncated };
}
