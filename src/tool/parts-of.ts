import type { z } from 'zod';
import { OrielError } from '../kernel/errors.ts';
import type { AnyTool, Part } from './declaration.ts';

/**
 * What a tool's output is shown as. The output is held to its declaration first: a page that has
 * replaced what a tool asks it could answer with a text where a number is due, and numbers are
 * shown as our own words.
 *
 * @throws `upstream` for an output that is not what the tool declares.
 */
export function partsOf(tool: AnyTool, output: unknown, input: unknown): readonly Part[] {
  const parsed = tool.output.safeParse(output);
  if (parsed.success) return tool.render(output, input);
  const { issues } = parsed.error as z.ZodError;
  const fields = issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new OrielError('upstream', `${tool.name} did not get what it asks for.`, {
    hint: 'The page may have replaced functions of the browser; see it with browser_snapshot.',
    pageText: fields.slice(0, 5).join('; '),
  });
}
