import { loadConfig, type Loaded, type LoadInput } from '../config/load.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { DIALECTS } from '../dialect/index.ts';
import { OrielError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';

/** The configuration, and the dialect that it asks for. */
export interface Setup {
  readonly loaded: Loaded;
  readonly dialect: Dialect | null;
  /** What the dialect passed over in its options. */
  readonly warnings: readonly string[];
}

/**
 * Loads the configuration as {@link loadConfig} does, from the preset of the dialect that it names,
 * or of `given` in its place.
 *
 * @throws `bad_input` also for a dialect that does not exist, and for its options.
 */
export async function loadSetup(input: LoadInput, given?: Dialect): Promise<Setup> {
  const loaded = loadConfig(input);
  const { dialect: name, dialectOptions } = loaded.config;
  const warnings: string[] = [];
  if (!given && name === '') return { loaded, dialect: null, warnings };
  const dialect = given ?? (await findDialect(name));
  const preset = dialect.preset(dialectOptions, (text) => warnings.push(text));
  return { loaded: loadConfig({ ...input, preset }), dialect, warnings };
}

/** @throws `bad_input` with the nearest name. */
export async function findDialect(name: string): Promise<Dialect> {
  const load = Object.hasOwn(DIALECTS, name) ? DIALECTS[name] : undefined;
  if (load) return load();
  const names = Object.keys(DIALECTS);
  const near = nearest(name, names);
  throw new OrielError('bad_input', `There is no dialect ${JSON.stringify(name.slice(0, 80))}.`, {
    hint: near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`,
  });
}
