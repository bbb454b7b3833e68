import { OrielError } from '../../kernel/errors.ts';
import type { Preset } from '../dialect.ts';

/** The configuration of the plugin, field by field as it has them. */
export interface AalisOptions {
  readonly headless: boolean;
  /** Milliseconds; 0: no limit. */
  readonly defaultTimeout: number;
  readonly viewportWidth: number;
  readonly viewportHeight: number;
  readonly maxPages: number;
  readonly executablePath: string;
  /** Characters. */
  readonly maxContentLength: number;
  readonly blockPrivate: boolean;
  readonly allowedProtocols: readonly ('http' | 'https')[];
  readonly allowedHosts: readonly string[];
}

export const DEFAULTS: AalisOptions = {
  headless: true,
  defaultTimeout: 30_000,
  viewportWidth: 1280,
  viewportHeight: 720,
  maxPages: 5,
  executablePath: '',
  maxContentLength: 50_000,
  blockPrivate: true,
  allowedProtocols: ['http', 'https'],
  allowedHosts: [],
};

type Warn = (text: string) => void;
type Given = Readonly<Record<string, unknown>>;

const MAX_TIMEOUT_MS = 3_600_000;

/**
 * Reads the options. What holds the network or names a program must be right; anything else that
 * does not fit is passed over with a warning.
 *
 * @throws `bad_input` naming the field.
 */
export function readOptions(given: Given, warn: Warn = () => {}): AalisOptions {
  for (const key of Object.keys(given)) {
    if (!Object.hasOwn(DEFAULTS, key)) warn(`aalis: ${key} is not an option, it is passed over.`);
  }
  return {
    headless: lenient(given, 'headless', (value) => typeof value === 'boolean', warn),
    defaultTimeout: lenient(given, 'defaultTimeout', isNumberFrom(0), warn),
    viewportWidth: lenient(given, 'viewportWidth', isNumberFrom(1), warn),
    viewportHeight: lenient(given, 'viewportHeight', isNumberFrom(1), warn),
    maxPages: lenient(given, 'maxPages', isNumberFrom(1), warn),
    executablePath: strict(given, 'executablePath', isAbsoluteOrEmpty, 'an absolute path'),
    maxContentLength: lenient(given, 'maxContentLength', isNumberFrom(1), warn),
    blockPrivate: strict(given, 'blockPrivate', (value) => typeof value === 'boolean', 'a boolean'),
    allowedProtocols: strict(given, 'allowedProtocols', areProtocols, 'a list of http and https'),
    allowedHosts: strict(given, 'allowedHosts', areStrings, 'a list of host names'),
  };
}

/** The settings that the options stand for. */
export function toPreset(given: Given, warn: Warn): Preset {
  const options = readOptions(given, warn);
  const timeoutMs = Math.min(Math.round(options.defaultTimeout), MAX_TIMEOUT_MS);
  return {
    browser: { headless: options.headless, executablePath: options.executablePath },
    network: {
      blockPrivate: options.blockPrivate,
      allowedProtocols: [...options.allowedProtocols],
      exemptHosts: exactHosts(options.allowedHosts, warn),
    },
    viewport: {
      width: side(options.viewportWidth, 'viewportWidth', warn),
      height: side(options.viewportHeight, 'viewportHeight', warn),
    },
    timeouts: {
      navigationMs: timeoutMs,
      actionMs: timeoutMs,
      waitMs: timeoutMs,
      scriptMs: timeoutMs,
      captureMs: timeoutMs,
      unbounded: true,
    },
    sessions: {
      max: 10_000,
      maxPages: 1_000,
      maxPagesTotal: Math.min(Math.floor(options.maxPages), 10_000),
      pageIds: 'unique',
      pageWindows: 'own',
    },
  };
}

function lenient<Key extends keyof AalisOptions>(
  given: Given,
  key: Key,
  fits: (value: unknown) => boolean,
  warn: Warn,
): AalisOptions[Key] {
  const value = given[key];
  if (value === undefined) return DEFAULTS[key];
  if (fits(value)) return value as AalisOptions[Key];
  warn(`aalis: ${key} is ${show(value)}, the default ${show(DEFAULTS[key])} is used.`);
  return DEFAULTS[key];
}

function strict<Key extends keyof AalisOptions>(
  given: Given,
  key: Key,
  fits: (value: unknown) => boolean,
  expected: string,
): AalisOptions[Key] {
  const value = given[key];
  if (value === undefined) return DEFAULTS[key];
  if (fits(value)) return value as AalisOptions[Key];
  throw new OrielError('bad_input', `aalis: ${key} is ${show(value)}, expected ${expected}.`, {
    hint: 'Correct it, or leave it out for the default.',
    details: { option: key },
  });
}

const isNumberFrom = (least: number) => (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= least;
const isAbsoluteOrEmpty = (value: unknown) =>
  typeof value === 'string' && (value === '' || /^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(value));
const areStrings = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');
const areProtocols = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => entry === 'http' || entry === 'https');

/** Entries are compared exactly, so one with more than a lower-case host matches none. */
function exactHosts(entries: readonly string[], warn: Warn): string[] {
  return entries.filter((entry) => {
    const isLiteral = /^\[[0-9a-f:.]+\]$/.test(entry);
    if (isLiteral || /^[^\s*:/[\]A-Z]+$/.test(entry)) return true;
    warn(`aalis: allowedHosts has ${show(entry)}, which no host name can be.`);
    return false;
  });
}

/** What Chromium can show. */
function side(value: number, key: string, warn: Warn): number {
  const fitting = Math.min(7680, Math.max(320, Math.round(value)));
  if (fitting !== value) warn(`aalis: ${key} is ${value}, ${fitting} is used.`);
  return fitting;
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
