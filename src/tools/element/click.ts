import { z } from 'zod';
import { OrielError } from '../../kernel/errors.ts';
import { actArgs, TARGET_ALIASES, targetArg } from '../../tool/args.ts';
import { refuseCovered } from '../../tool/cover.ts';
import { defineTool, type PageRun } from '../../tool/declaration.ts';

const coordinate = z.number().min(0).max(100_000).optional();
const side = z.number().min(1).max(100_000);

export const click = defineTool({
  name: 'browser_click',
  summary: 'Click an element, or a place of the viewport; answers with what that changed.',
  effect: 'act',
  scope: 'page',
  limit: 'action',
  aliases: { ...TARGET_ALIASES, clickCount: 'count' },
  input: z.strictObject({
    target: targetArg.optional(),
    x: coordinate.describe('Instead of target, with y: CSS pixels of the viewport.'),
    y: coordinate.describe('From its top.'),
    space: z
      .strictObject({ width: side, height: side })
      .optional()
      .describe('Size that x and y are measured in, if not the viewport, such as of a picture.')
      .meta({ pack: 'pointer' }),
    button: z.enum(['left', 'right', 'middle']).default('left').describe('Mouse button.'),
    count: z.int().min(1).max(3).default(1).describe('2 for a double click.'),
    modifiers: z
      .array(z.enum(['Alt', 'Control', 'ControlOrMeta', 'Meta', 'Shift']))
      .default([])
      .describe('Keys held down.'),
    delayMs: z
      .int()
      .min(0)
      .max(5_000)
      .default(0)
      .describe('Time between press and release.')
      .meta({ pack: 'pointer' }),
    ...actArgs,
  }),
  output: z.strictObject({
    clicked: z.string().describe('What was clicked, in the words of the page.'),
    healed: z.boolean().describe('Whether it was replaced by its equal since it was seen.'),
  }),
  examples: [{ title: 'Click a link', on: '/', input: { target: 'text=Orders' } }],
  async run(run, input) {
    const { page, deps, signal } = run;
    const { target: wanted, x, y, button, count, modifiers, delayMs } = input;
    const options = { button, count, modifiers, delayMs };
    if (wanted !== undefined && x === undefined && y === undefined && input.space === undefined) {
      const target = await deps.lens.locate(page.raw, wanted, signal);
      await refuseCovered(deps.lens, page.raw, target, signal);
      const acted = await deps.act.click(target, options, signal);
      return { clicked: acted.description, healed: acted.healed };
    }
    if (wanted !== undefined || x === undefined || y === undefined) {
      throw new OrielError('bad_input', 'browser_click takes either `target`, or `x` and `y`.', {
        hint: 'For example {"target": "e12"} or {"x": 100, "y": 40}.',
      });
    }
    const place = await toViewport(run, { x, y }, input.space);
    await deps.act.clickAt(page.raw, place.x, place.y, options, signal);
    return { clicked: `the place ${place.x}, ${place.y}`, healed: false };
  },
  render(output) {
    return [
      {
        source: 'oriel',
        text: output.healed ? 'Clicked (its equal: the page had replaced it).' : 'Clicked.',
      },
      { source: 'page', text: output.clicked },
    ];
  },
});

interface Place {
  readonly x: number;
  readonly y: number;
}

/** @throws `bad_input` for a place outside the viewport: a click there would reach nothing. */
async function toViewport(
  { page, deps, signal }: PageRun,
  { x, y }: Place,
  space: { readonly width: number; readonly height: number } | undefined,
): Promise<Place> {
  const { width, height } = await deps.act.viewport(page.raw, signal);
  const place = {
    x: Math.round(space ? (x * width) / space.width : x),
    y: Math.round(space ? (y * height) / space.height : y),
  };
  if (place.x < width && place.y < height) return place;
  throw new OrielError(
    'bad_input',
    `${x}, ${y} is outside of ${space ? 'the space' : 'the viewport'}.`,
    {
      hint: `The viewport is ${width} by ${height}; scroll first to reach what is beyond.`,
      details: { width, height },
    },
  );
}
