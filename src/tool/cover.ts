import type { Page } from 'playwright-core';
import { OrielError } from '../kernel/errors.ts';
import type { ActTarget, ElementCandidate } from '../model/act-target.ts';
import type { Deps } from './deps.ts';

/**
 * Refuses at once what a person could not click: an element that something covers which does not
 * move. Waiting for it would only use up the call's time.
 *
 * @throws `not_actionable` naming what covers it and what may take that away.
 */
export async function refuseCovered(
  lens: Deps['lens'],
  page: Page,
  target: ActTarget,
  signal: AbortSignal,
): Promise<void> {
  const cover = await lens.cover(page, target.ref, signal);
  if (!cover.covered || cover.moving) return;
  const { by, ways } = cover;
  throw new OrielError(
    'not_actionable',
    `${target.ref} is covered by another element. Nothing was done.`,
    {
      hint:
        ways.length > 0
          ? `Close what covers it, perhaps with ${ways.map((way) => way.ref).join(' or ')}, then try again.`
          : 'Close or move what covers it, then try again.',
      pageText: [
        ...(by ? [`covered by ${textOf(by)}`] : []),
        ...ways.map((way) => `it holds ${textOf(way)}`),
      ].join('\n'),
      details: { by: by?.ref ?? null, ways: ways.map((way) => way.ref) },
    },
  );
}

function textOf({ role, name, ref }: ElementCandidate): string {
  return `${role} ${JSON.stringify(name)} [ref=${ref}]`;
}
