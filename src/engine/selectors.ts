import type { Selectors } from 'playwright-core';

/** Where selector engines are registered; loads Playwright. */
export async function loadSelectors(): Promise<Selectors> {
  const { selectors } = await import('playwright-core');
  return selectors;
}
