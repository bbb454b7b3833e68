#!/usr/bin/env node
import { main } from '../app/main.ts';
import packageJson from '../../package.json' with { type: 'json' };

const exitCode = await main(process.argv.slice(2), packageJson.version);
// Whatever still keeps the loop alive belongs to nobody: the command has ended.
process.stdout.write('', () => process.exit(exitCode));
