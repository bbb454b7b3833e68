import { z } from 'zod';
import { accessibilityFactsSchema } from '../../model/accessibility.ts';
import { pageArgs } from '../../tool/args.ts';
import { defineTool } from '../../tool/declaration.ts';
import { cdpOf } from './cdp-of.ts';

/** Offenders whose refs are looked up: each takes a round trip. */
const MAX_REFS = 30;

export const audit = defineTool({
  name: 'browser_audit',
  summary: 'Check the accessibility of the page by axe-core; names the elements that offend.',
  effect: 'read',
  scope: 'page',
  pack: 'observe',
  limit: 'script',
  input: z.strictObject({
    only: z
      .array(z.string().min(1).max(60))
      .max(50)
      .default([])
      .describe('Tags (wcag2aa) or rules (color-contrast); all without.'),
    maxElements: z.int().min(1).max(100).default(5).describe('Most elements told of one rule.'),
    ...pageArgs,
  }),
  output: accessibilityFactsSchema,
  examples: [{ title: 'Check', on: '/', input: { only: ['wcag2a', 'wcag2aa'] } }],
  async run({ page, deps, signal }, { only, maxElements }) {
    const facts = await deps.observe.auditAccessibility(
      page.raw,
      await cdpOf(page),
      { only, maxElements },
      signal,
    );
    const own = facts.violations.flatMap(({ elements }) => elements).filter((one) => !one.frame);
    for (const offender of own.slice(0, MAX_REFS)) {
      const located = await deps.lens
        .locate(page.raw, `css=${offender.selector}`, signal)
        // It may have gone since, or its selector fit several by now.
        .catch(() => null);
      signal.throwIfAborted();
      if (located?.ref !== undefined) offender.ref = located.ref;
    }
    return facts;
  },
  render({ violations, passes, incomplete, frames, engine }) {
    const lines = violations.flatMap(({ rule, impact, help, count, elements }) => [
      `${impact}: ${rule} (${count}) ${help}`,
      ...elements.map(
        ({ ref, selector, frame, html, why }) =>
          `  - ${ref ? `[ref=${ref}] ` : ''}${selector}${frame ? ` in ${frame}` : ''}: ${html} — ${why}`,
      ),
    ]);
    return [
      {
        source: 'oriel',
        text:
          `${violations.length} rules are broken, ${passes} hold, ${incomplete} need a person ` +
          `(${engine}, ${frames} frame${frames === 1 ? '' : 's'}).`,
      },
      { source: 'page', text: lines.join('\n') },
    ];
  },
});
