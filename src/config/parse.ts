import { OrielError } from '../kernel/errors.ts';
import type { Field } from './fields.ts';

/**
 * Reads the text of an environment variable or flag as the field's kind.
 *
 * @param name - What the user wrote, for the message: `ORIEL_MODE` or `--mode`.
 * @throws `bad_input` naming `name` when the text is not of that kind.
 */
export function parseText(field: Field, text: string, name: string): unknown {
  switch (field.kind) {
    case 'boolean':
      if (/^(true|1|yes|on)$/i.test(text)) return true;
      if (/^(false|0|no|off)$/i.test(text)) return false;
      throw refused(name, text, 'true or false');
    case 'number':
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw refused(name, text, 'a number such as 30000');
      return Number(text);
    case 'list':
      if (text.trimStart().startsWith('[')) return parseJson(text, name, 'a JSON list');
      return parseList(text).map((entry) => numeric(field, entry));
    case 'map':
      return parseJson(text, name, 'JSON');
    case 'string':
      return text;
  }
}

function parseJson(text: string, name: string, expected: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw refused(name, text, expected, cause);
  }
}

function parseList(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Lists of numbers are known by their default. */
function numeric(field: Field, entry: string): unknown {
  const isNumbers = Array.isArray(field.default) && typeof field.default[0] === 'number';
  return isNumbers && /^\d+$/.test(entry) ? Number(entry) : entry;
}

function refused(name: string, text: string, expected: string, cause?: unknown): OrielError {
  return new OrielError('bad_input', `${name} is "${text}", expected ${expected}.`, {
    hint: 'Run `oriel config` to see every setting, its value and where it came from.',
    cause,
  });
}
