import type { Config } from '../config/schema.ts';

/** Takes the configured secrets out of a text, wherever they stand. */
export function redactor(config: Config): (text: string) => string {
  const secrets = secretsOf(config).filter((secret) => secret.length >= 4);
  return (text) => secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text);
}

function secretsOf(config: Config): string[] {
  const { upstream } = config.network;
  if (upstream === null || !URL.canParse(upstream)) return [];
  const { password } = new URL(upstream);
  return password === '' ? [] : [password, decodeURIComponent(password)];
}
