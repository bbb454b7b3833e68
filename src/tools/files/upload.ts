import { z } from 'zod';
import { within } from '../../kernel/deadline.ts';
import { OrielError } from '../../kernel/errors.ts';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { defineTool, type PageRun } from '../../tool/declaration.ts';
import { stageInputs } from '../../tool/stage-inputs.ts';

/** How long a click may take to open a file chooser. */
const CHOOSER_MS = 5_000;

export const upload = defineTool({
  name: 'browser_upload',
  summary: 'Give files to a file field, to a button that asks for some, or to an open chooser.',
  effect: 'act',
  scope: 'page',
  pack: 'files',
  limit: 'action',
  aliases: { ...TARGET_ALIASES, files: 'paths' },
  peerNames: ['browser_file_upload'],
  input: z.strictObject({
    target: targetArg.optional().describe('Field or button; without it the open file chooser.'),
    paths: z
      .array(z.string().min(1).max(4_096))
      .max(100)
      .describe('Files of the workspace or the session; none empties the field.'),
    ...actArgs,
  }),
  output: z.strictObject({
    files: z
      .array(z.strictObject({ name: z.string(), bytes: z.int() }))
      .describe('What was handed over.'),
  }),
  examples: [],
  async run(run, input) {
    const { files, staged } = await stageInputs(run, input.paths);
    await handOver(run, input.target, staged);
    return { files };
  },
  render({ files }) {
    if (files.length === 0) return [{ source: 'oriel', text: 'The field is empty.' }];
    const names = files.map(({ name, bytes }) => `${name} (${bytes} bytes)`);
    return [{ source: 'oriel', text: `Handed over: ${names.join(', ')}.` }];
  },
});

async function handOver(
  { page, deps, signal }: PageRun,
  target: string | undefined,
  paths: readonly string[],
): Promise<void> {
  if (target === undefined) {
    const chooser = deps.choosers.take(page.raw);
    if (!chooser) {
      throw new OrielError('not_found', 'No file chooser is open on the page.', {
        hint: 'Pass `target`: the file field, or the button that asks for files.',
      });
    }
    return deps.act.answerChooser(chooser, paths, signal);
  }
  const located = await deps.lens.locate(page.raw, target, signal);
  if (await deps.act.takesFiles(located, signal)) {
    return deps.act.setFiles(located, paths, signal);
  }
  // One that was open before is not the one that this click opens.
  deps.choosers.take(page.raw);
  const click = { button: 'left', count: 1, modifiers: [], delayMs: 0 } as const;
  await deps.act.click(located, click, signal);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CHOOSER_MS)]);
  const opened = deps.choosers.next(page.raw, limit).catch((thrown: unknown) => {
    if (signal.aborted) throw thrown;
    throw new OrielError('not_actionable', 'The click opened no file chooser.', {
      hint: 'Pass the file field itself as `target`; it may be hidden.',
    });
  });
  return deps.act.answerChooser(await within(signal, opened), paths, signal);
}
