import type { Config } from '../config/schema.ts';

/** Takes the configured secrets out of a text, or out of every text in a value of plain data. */
export type Redact = <T>(value: T) => T;

export function redactor(config: Config): Redact {
  const secrets = secretsOf(config).filter((secret) => secret.length >= 4);
  if (secrets.length === 0) return (value) => value;
  const clean = (text: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, '[secret]'), text);
  return (value) => redactDeep(value, clean) as typeof value;
}

function redactDeep(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  if (Array.isArray(value)) return value.map((entry) => redactDeep(entry, clean));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [clean(key), redactDeep(entry, clean)]),
  );
}

function secretsOf(config: Config): string[] {
  const { upstream } = config.network;
  if (upstream === null || !URL.canParse(upstream)) return [];
  const { password } = new URL(upstream);
  return password === '' ? [] : [...new Set([password, decodeURIComponent(password)])];
}
