import type { Config } from '../config/schema.ts';
import { OrielError } from '../kernel/errors.ts';
import type { ToolEffect } from '../model/policy.ts';
import { nearest } from '../kernel/nearest.ts';

/** What decides whether a tool is listed. */
export interface Listable {
  readonly pack?: string | undefined;
  /** Every effect that a call can have. */
  readonly effects: readonly ToolEffect[];
}

/**
 * Those of `tools` that a client is shown. It needs no declarations, so that a listing can be made
 * before they are loaded.
 *
 * @throws `bad_input` for a pack that no tool is in.
 */
export function selectListed<T extends Listable>(tools: readonly T[], config: Config): T[] {
  const packs = packsOf(tools);
  const unknown = config.packs.find((pack) => pack !== 'all' && !packs.includes(pack));
  if (unknown !== undefined) {
    const near = nearest(unknown, packs);
    throw new OrielError('bad_input', `There is no pack ${JSON.stringify(unknown)}.`, {
      hint: near ? `Did you mean ${near}?` : `There are: all, ${packs.join(', ')}.`,
    });
  }
  return tools.filter(({ pack, effects }) => {
    const isInPack =
      pack === undefined ||
      config.packs.includes('all') ||
      config.packs.includes(pack) ||
      (pack === 'dialog' && config.dialogs.policy === 'manual');
    return isInPack && canRun(effects, config);
  });
}

/** Packs that some tool is in. */
export function packsOf(tools: readonly Pick<Listable, 'pack'>[]): string[] {
  return [...new Set(tools.flatMap(({ pack }) => pack ?? []))].toSorted();
}

/** Whether a server with this configuration can run any call of a tool with these effects. */
export function canRun(
  effects: readonly ToolEffect[],
  { mode, script }: Pick<Config, 'mode' | 'script'>,
): boolean {
  return effects.some(
    (effect) => (mode !== 'readonly' || effect === 'read') && (script || effect !== 'script'),
  );
}
