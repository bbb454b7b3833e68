import type { Config } from '../config/schema.ts';
import { OrielError } from '../kernel/errors.ts';
import type { AnyTool, LimitName } from './declaration.ts';

/** Longest limit that a caller may ask for, in milliseconds (C-099 to C-101). */
const MAX_MS: Record<LimitName, number> = {
  navigation: 120_000,
  action: 60_000,
  wait: 120_000,
  script: 120_000,
  capture: 120_000,
};

/**
 * The limit of one call: what the caller asks for, else the configured default.
 *
 * @throws `bad_input` when the caller asks for more than the tool's bound.
 */
export function limitOf(
  tool: AnyTool,
  input: Readonly<Record<string, unknown>>,
  config: Config,
): number {
  const explicitMs = input['timeoutMs'] as number | undefined;
  if (explicitMs === undefined) {
    const limitMs = config.timeouts[`${tool.limit}Ms`];
    return limitMs === 0 ? 0 : limitMs + (tool.extraMs?.(input) ?? 0);
  }
  const maxMs = MAX_MS[tool.limit];
  if (explicitMs > maxMs && !config.timeouts.unbounded) {
    throw new OrielError(
      'bad_input',
      `\`timeoutMs\` is ${explicitMs}, ${tool.name} takes at most ${maxMs}.`,
      {
        hint: 'Give a shorter limit; a wait can be repeated.',
      },
    );
  }
  return explicitMs;
}
