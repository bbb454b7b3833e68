import { REQUIREMENTS } from '../test/requirements.ts';
import { tallyRequirements, type SystemTally } from '../test/harness/requirement-check.ts';

/** Prints how many requirements of each system are done; `--json` for machines. */
const systems = tallyRequirements(REQUIREMENTS);
if (process.argv.includes('--json')) {
  process.stdout.write(`${JSON.stringify({ systems })}\n`);
} else {
  const columns = ['total', 'done', 'waived', 'todo'] as const;
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(8)}${cells.map((cell) => String(cell).padStart(8)).join('')}\n`;
  const rows = Object.entries(systems);
  const sum = (column: keyof SystemTally) =>
    rows.reduce((total, [, tally]) => total + tally[column], 0);
  process.stdout.write(line('system', columns));
  for (const [system, tally] of rows) {
    process.stdout.write(
      line(
        system,
        columns.map((column) => tally[column]),
      ),
    );
  }
  process.stdout.write(line('all', columns.map(sum)));
}
