import { selectors } from 'playwright-core';
import { expect, it } from 'vitest';
import { serveDemoSite } from '../../src/app/demo/site.ts';
import { Lens } from '../../src/lens/lens.ts';
import { launchTestBrowser } from '../harness/test-browser.ts';

it('looks at a page of listeners again and again without harm to its renderer', async () => {
  await using site = await serveDemoSite();
  const lens = await Lens.register(selectors);
  const browser = await launchTestBrowser();
  try {
    const page = await browser.newPage();
    let crashes = 0;
    page.on('crash', () => crashes++);
    await page.goto(site.url);
    for (let look = 0; look < 40; look++) {
      const { text } = await lens.snapshot(page, {}, new AbortController().signal);
      expect(text).toContain('Good things for the window seat');
    }
    expect(crashes).toBe(0);
  } finally {
    await browser.close();
  }
});
