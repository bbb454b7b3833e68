import { dirname } from 'node:path';

/**
 * Leaves out of a bundle what every start would read without ever using it: zod's forty languages,
 * of which English alone is shown, and ajv, in whose place the MCP library has a validator of its
 * own for hosts without it, a seventh of the size.
 */
export const startUpPlugin = {
  name: 'start-up',
  setup(build) {
    build.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, ({ path }) => ({
      contents: `export { default as en } from './en.js';`,
      resolveDir: dirname(path),
    }));
    build.onLoad(
      { filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ },
      ({ path }) => ({
        resolveDir: dirname(path),
        contents: `import process from 'node:process';
export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
export { process };`,
      }),
    );
  },
};
