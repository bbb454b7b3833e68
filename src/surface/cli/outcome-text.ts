import type { Outcome } from '../../model/outcome.ts';
import { ERROR_CODES } from '../../kernel/errors.ts';
import { toVisibleJson } from '../../tool/untrusted.ts';

/** The outcome as a person or a script reads it, ending in a newline. */
export function outcomeText(outcome: Outcome, asJson: boolean): string {
  if (asJson) return `${toVisibleJson(outcomeJson(outcome))}\n`;
  const lines = outcome.content.map((block) =>
    block.type === 'text' ? block.text : `(picture, ${block.mimeType})`,
  );
  return `${lines.join('\n')}\n`;
}

/** Data alone: what a model is shown stays out, pictures are files already. */
export function outcomeJson(outcome: Outcome): Record<string, unknown> {
  const { content: _content, ...rest } = outcome;
  if (rest.status !== 'done') return rest;
  const output = rest.output as Record<string, unknown> | null;
  if (output === null || typeof output !== 'object' || !('inline' in output)) return rest;
  const { inline: _inline, ...kept } = output;
  return { ...rest, output: kept };
}

export function exitCodeOf(outcome: Outcome): number {
  if (outcome.status === 'done') return 0;
  return outcome.status === 'failed' ? ERROR_CODES[outcome.error.code].exit : 6;
}
