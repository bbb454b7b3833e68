import { readFileSync } from 'node:fs';
import { homedir, platform, tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import type { z } from 'zod';
import { OrielError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { listFields } from './fields.ts';
import { parseText } from './parse.ts';
import { configSchema, type Config } from './schema.ts';

type Tree = { [key: string]: unknown };

/** Where a value came from. */
export type Source = 'default' | 'dialect' | 'file' | 'environment' | 'flag' | 'caller';

export interface LoadInput {
  /** What a dialect starts from; everything else beats it. */
  readonly preset?: unknown;
  /** A configuration file, or nothing. */
  readonly file?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Flag values by field path, still as text. */
  readonly flags?: Readonly<Record<string, string>> | undefined;
  /** Values given in code; they beat all others. */
  readonly values?: unknown;
}

export interface Loaded {
  readonly config: Config;
  /** Source of every field that is not a default, by path. */
  readonly sources: Readonly<Record<string, Source>>;
}

/**
 * Makes the one frozen configuration: defaults, then a dialect's preset, file, environment, flags, caller.
 *
 * @throws `bad_input` naming the setting, what it holds and what it takes.
 */
export function loadConfig(input: LoadInput): Loaded {
  const tree: Tree = {};
  const sources: Record<string, Source> = {};
  if (input.preset !== undefined) lay(tree, sources, input.preset, 'dialect');
  if (input.file) lay(tree, sources, readFile(input.file), 'file');
  for (const field of listFields()) {
    const text = input.env?.[field.env];
    if (text === undefined || text === '') continue;
    setAt(tree, field.path, parseText(field, text, field.env));
    sources[field.path] = 'environment';
  }
  for (const field of listFields()) {
    const text = input.flags?.[field.path];
    if (text === undefined) continue;
    setAt(tree, field.path, parseText(field, text, field.flags[0] ?? field.path));
    sources[field.path] = 'flag';
  }
  if (input.values !== undefined) lay(tree, sources, input.values, 'caller');
  const parsed = configSchema.safeParse(tree);
  if (!parsed.success) throw describeIssues(parsed.error, sources);
  return { config: deepFreeze(resolvePaths(parsed.data, input.env ?? {})), sources };
}

const MAPS: ReadonlySet<string> = new Set(['network.hosts', 'dialectOptions']);

function lay(tree: Tree, sources: Record<string, Source>, values: unknown, source: Source): void {
  if (!isTree(values)) {
    throw new OrielError('bad_input', `The configuration (${source}) is not an object.`, {
      hint: 'Give an object such as {"network": {"local": true}}.',
    });
  }
  layAt(tree, values, []);
  function layAt(target: Tree, from: Tree, at: readonly string[]): void {
    for (const [key, value] of Object.entries(from)) {
      if (value === undefined) continue;
      const where = [...at, key];
      // A map is no branch: it is taken whole.
      if (isTree(value) && !MAPS.has(where.join('.'))) {
        const branch = isTree(target[key]) ? target[key] : (target[key] = {});
        layAt(branch, value, where);
      } else {
        target[key] = value;
        sources[where.join('.')] = source;
      }
    }
  }
}

function readFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new OrielError('bad_input', `The configuration file ${file} cannot be read.`, {
      hint: 'Check the path given with --config or ORIEL_CONFIG.',
      cause,
    });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new OrielError('bad_input', `The configuration file ${file} is not valid JSON.`, {
      hint: cause instanceof Error ? cause.message : undefined,
      cause,
    });
  }
}

function describeIssues(error: z.ZodError, sources: Readonly<Record<string, Source>>): OrielError {
  const lines = error.issues.map((issue) => {
    const where = issue.path.map(String).join('.');
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => unknownSetting(where, key)).join('; ');
    }
    const source = sources[where];
    return `${where}${source ? ` (from ${source})` : ''}: ${issue.message}`;
  });
  return new OrielError('bad_input', `The configuration is not valid: ${lines.join('; ')}.`, {
    hint: 'Run `oriel config` to see every setting, what it takes and where it came from.',
  });
}

function unknownSetting(where: string, key: string): string {
  const prefix = where ? `${where}.` : '';
  const siblings = listFields()
    .filter((field) => field.path.startsWith(prefix))
    .map((field) => field.path.slice(prefix.length).split('.', 1)[0] ?? '');
  const near = nearest(key, siblings);
  return `${prefix}${key} is not a setting${near ? ` (did you mean ${prefix}${near}?)` : ''}`;
}

/**
 * Names in `env` that are no setting but only a slip away from one, each with that one. Others
 * may be anybody's.
 */
export function listMisspelled(env: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  const known = listFields().map((field) => field.env);
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith('ORIEL_') || known.includes(name)) return [];
    const meant = nearest(name, known, 2);
    return meant === null ? [] : [{ name, meant }];
  });
}

function resolvePaths(config: Config, env: NodeJS.ProcessEnv): Config {
  const dataDir = config.dataDir === '' ? systemDataDir(env) : path.resolve(config.dataDir);
  return {
    ...config,
    dataDir,
    outputDir:
      config.outputDir === '' ? path.join(dataDir, 'output') : path.resolve(config.outputDir),
    downloads: {
      ...config.downloads,
      dir: config.downloads.dir === '' ? '' : path.resolve(config.downloads.dir),
    },
    workspace: path.resolve(config.workspace === '' ? process.cwd() : config.workspace),
  };
}

function systemDataDir(env: NodeJS.ProcessEnv): string {
  const home = env['HOME'] ?? homedir();
  if (!home || home === '/') return path.join(tmpdir(), `oriel-${userInfo().uid}`);
  switch (platform()) {
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'oriel');
    case 'win32':
      return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'oriel');
    default:
      return path.join(env['XDG_DATA_HOME'] ?? path.join(home, '.local', 'share'), 'oriel');
  }
}

function setAt(tree: Tree, dotted: string, value: unknown): void {
  const keys = dotted.split('.');
  const last = keys.pop() as string;
  let branch = tree;
  for (const key of keys) {
    const next = branch[key];
    branch = isTree(next) ? next : (branch[key] = {});
  }
  branch[last] = value;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const child of Object.values(value)) deepFreeze(child);
  }
  return value;
}
