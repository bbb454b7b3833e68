import { readEnvironment } from '../config/environment.ts';
import { loadConfig } from '../config/load.ts';
import { aalisPlugin, type PluginStart } from '../surface/plugin/aalis.ts';
import { createCore } from './core.ts';

// The host loads the default export of the entry.
export default aalisPlugin(startForAalis);

function startForAalis({ dialect, options, demands, rootOf, log, warn }: PluginStart) {
  const env = readEnvironment();
  const { config } = loadConfig({
    env,
    preset: dialect.preset(options, warn),
    values: { ...demands, dialect: dialect.name, dialectOptions: options },
  });
  const core = createCore(config, env, log, { dialect, rootOf });
  const owner = { principal: 'aalis', connection: '' };
  return {
    repertoire: core.repertoire,
    endSessions: async (ids: readonly string[]) => {
      await core.deps.sessions.endNamed(owner, ids);
    },
    [Symbol.asyncDispose]: () => core[Symbol.asyncDispose](),
  };
}
