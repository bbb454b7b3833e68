import { createRequire } from 'node:module';
import type * as playwright from 'playwright-core';

const require = createRequire(import.meta.url);

/**
 * Loads Playwright, once; it blocks this process for 150 ms and more. Required and not imported:
 * an import reads its seven megabytes of CommonJS a second time to find the names of its exports,
 * which doubles that.
 */
export function loadPlaywright(): typeof playwright {
  return require('playwright-core') as typeof playwright;
}
