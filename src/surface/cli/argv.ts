import { parseArgs, type ParseArgsConfig } from 'node:util';
import { listFields } from '../../config/fields.ts';
import { OrielError } from '../../kernel/errors.ts';
import { nearest } from '../../kernel/nearest.ts';

/** A command line, read. */
export interface Argv {
  /** What stands without a dash: the command and its operands. */
  readonly words: readonly string[];
  /** Settings given as flags, by field path, still as text. */
  readonly settings: Readonly<Record<string, string>>;
  readonly options: Options;
}

interface Options {
  readonly config: string | undefined;
  readonly json: boolean;
  readonly help: boolean;
  readonly version: boolean;
  readonly dns: boolean;
}

/** Flags that are not settings; `command`: of that command alone. */
export const OPTIONS = {
  config: { type: 'string', help: 'Configuration file (JSON).' },
  json: { type: 'boolean', help: 'Print results as JSON.' },
  help: { type: 'boolean', short: 'h', help: 'Show help.' },
  version: { type: 'boolean', short: 'v', help: 'Show the version.' },
  'no-dns': { type: 'boolean', help: 'Look up no names.', command: 'gate' },
} as const;

/**
 * Reads flags and words. A boolean setting may stand alone (`--local`), be negated
 * (`--no-headless`) or take a value (`--headless=false`).
 *
 * @throws `bad_input` for a flag that does not exist, with the nearest one.
 */
export function parseArgv(args: readonly string[]): Argv {
  const fields = listFields();
  const byFlag = new Map(
    fields.flatMap((field) => field.flags.map((flag) => [flag.slice(2), field] as const)),
  );
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, option] of Object.entries(OPTIONS)) {
    options[name] =
      'short' in option ? { type: option.type, short: option.short } : { type: option.type };
  }
  for (const [name, field] of byFlag) {
    options[name] =
      field.kind === 'boolean' ? { type: 'boolean' } : { type: 'string', multiple: true };
  }
  const known = Object.keys(options);
  const booleans = new Set(
    [...byFlag].flatMap(([name, field]) => (field.kind === 'boolean' ? [`--${name}`] : [])),
  );
  const { tokens } = parseArgs({
    args: joinBooleans(args, booleans),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });

  const words: string[] = [];
  const settings: Record<string, string> = {};
  const given = new Map<string, string | true>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const negated = /^no-(.+)$/.exec(token.name)?.[1];
    const field = byFlag.get(token.name) ?? (negated ? byFlag.get(negated) : undefined);
    if (token.name in OPTIONS) {
      const { type } = OPTIONS[token.name as keyof typeof OPTIONS];
      if (type === 'string' && !token.value) {
        throw new OrielError('bad_input', `${token.rawName} needs a value.`, {
          hint: `For example ${token.rawName} oriel.json`,
        });
      }
      given.set(token.name, token.value ?? true);
    } else if (!field || (negated && !byFlag.has(token.name) && field.kind !== 'boolean')) {
      throw unknownFlag(token.rawName, known);
    } else if (field.kind === 'boolean') {
      settings[field.path] = token.value ?? (negated && !byFlag.has(token.name) ? 'false' : 'true');
    } else if (token.value === undefined) {
      throw new OrielError('bad_input', `${token.rawName} needs a value.`, {
        hint: `${token.rawName} <value>: ${field.description}`,
      });
    } else {
      const before = field.kind === 'list' ? settings[field.path] : undefined;
      settings[field.path] = before === undefined ? token.value : `${before},${token.value}`;
    }
  }
  return {
    words,
    settings,
    options: {
      config: given.get('config') as string | undefined,
      json: given.has('json'),
      help: given.has('help'),
      version: given.has('version'),
      dns: !given.has('no-dns'),
    },
  };
}

/** `--headless false` reads as `--headless=false`; parseArgs would take `false` for a word. */
function joinBooleans(args: readonly string[], booleans: ReadonlySet<string>): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const last = joined.at(-1);
    if ((arg === 'true' || arg === 'false') && last !== undefined && booleans.has(last)) {
      joined[joined.length - 1] = `${last}=${arg}`;
    } else {
      joined.push(arg);
    }
  }
  return joined;
}

function unknownFlag(flag: string, known: readonly string[]): OrielError {
  const near = nearest(flag.replace(/^-+/, ''), known);
  return new OrielError('bad_input', `There is no flag ${flag}.`, {
    hint: near ? `Did you mean --${near}?` : 'Run `oriel --help` to see all flags.',
  });
}
