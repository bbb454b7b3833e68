import { describe, expect, it } from 'vitest';
import { configSchema, type Config } from '../../config/schema.ts';
import { effectsOf } from '../../tool/declaration.ts';
import { ToolSet } from '../../tool/tool-set.ts';
import { TOOLS } from '../../tools/index.ts';
import { nativeRepertoire } from './listing.ts';
import { listedSchema } from './schema.ts';

const TOOL_SET = new ToolSet(TOOLS);

function configOf(values: object): Config {
  return configSchema.parse(values) as Config;
}

const listingsOf = (config: Config) =>
  nativeRepertoire(config, () => Promise.reject(new Error('not called'))).listings;

describe('the prepared listing', () => {
  const configs: [string, object][] = [
    ['by default', {}],
    ['with all packs', { packs: ['all'] }],
    ['with all packs and scripts', { packs: ['all'], script: true }],
    ['read-only', { mode: 'readonly', packs: ['all'] }],
    ['with dialogs left to the agent', { dialogs: { policy: 'manual' } }],
    ...TOOL_SET.packs.map((pack): [string, object] => [`with pack ${pack}`, { packs: [pack] }]),
  ];

  it.each(configs)('is what the declarations give %s', (_name, values) => {
    const config = configOf(values);
    expect(listingsOf(config)).toEqual(
      TOOL_SET.listed(config).map((tool) => ({
        name: tool.name,
        description: tool.summary,
        effect: effectsOf(tool).at(-1),
        inputSchema: listedSchema(tool, config.packs),
        ...(effectsOf(tool).at(-1) === 'read' ? { annotations: { readOnlyHint: true } } : {}),
      })),
    );
  });

  it('refuses a pack that no tool is in', () => {
    expect(() => listingsOf(configOf({ packs: ['pointr'] }))).toThrow(/There is no pack "pointr"/);
  });
});
