import type { CommandContext } from './context.ts';
export async function runDemo(_context: CommandContext): Promise<number> {
  return 0;
}
