import type { CommandContext } from './context.ts';
export async function runDoctor(_context: CommandContext): Promise<number> {
  return 0;
}
