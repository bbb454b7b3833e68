import type { Selectors } from 'playwright-core';
import { loadPlaywright } from './load-playwright.ts';

/** Where selector engines are registered; loads Playwright. */
export async function loadSelectors(): Promise<Selectors> {
  const { selectors } = loadPlaywright();
  return selectors;
}
