// Preloaded into a server under test: when it ends, writes the paths of all CommonJS modules that
// it has loaded. playwright-core is CommonJS behind its ESM entry.
import { writeFileSync } from 'node:fs';
import Module from 'node:module';

process.on('exit', () => {
  writeFileSync(process.env.MODULE_TRACE, JSON.stringify(Object.keys(Module._cache)));
});
