import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest';
import { launchTestBrowser } from '../../../test/harness/test-browser.ts';
import { isOrielError } from '../../kernel/errors.ts';
import { serveDemoSite, type DemoSite } from './site.ts';

let browser: Browser;
let site: DemoSite;
let page: Page;

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  site = await serveDemoSite();
  page = await browser.newPage({ baseURL: site.url });
});
afterEach(async () => {
  await page.context().close();
  await site[Symbol.asyncDispose]();
});

async function addToCart(slug: string): Promise<void> {
  await page.goto(`/products/${slug}`);
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('status').filter({ hasText: 'is in your cart' }).waitFor();
}

async function fillCheckout(): Promise<void> {
  await page.goto('/checkout');
  await page.getByLabel('Full name').fill('Ada <Byron>');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Postcode').fill('D02 AF30');
  await page.getByLabel('Country').selectOption('Ireland');
  await page.getByRole('radio', { name: 'Express' }).check();
  await page.getByLabel('Delivery date').fill('2099-01-02');
  await page.getByLabel('Thank the workshop').fill('5');
  await page.getByLabel('Notes for the courier').fill('Ring twice.');
  await page.getByLabel('Wrap it as a gift').check();
  await page.getByLabel('I accept the terms').check();
}

describe('the shop', () => {
  test('a search replaces the results without loading the page again', async () => {
    await page.goto('/');
    await page.evaluate('window.isSamePage = true');
    await page.getByRole('searchbox', { name: 'Search products' }).fill('wool');
    await page.getByRole('status').filter({ hasText: '1 product for “wool”' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?q=wool');
    expect(await page.evaluate('window.isSamePage')).toBe(true);
  });

  test('a search without script loads the results', async () => {
    const answer = await fetch(`${site.url}?q=%3Cb%3Elamp`);
    const markup = await answer.text();
    expect(markup).toContain('Nothing matches');
    expect(markup).toContain('&lt;b&gt;lamp');
    expect(markup).not.toContain('<b>lamp');
  });

  test('a product goes into the cart in place, and the cart is one visitor’s own', async () => {
    await addToCart('bay-lamp');
    expect(await page.locator('#cart-count').textContent()).toBe('1');
    await page.goto('/cart');
    expect(await page.getByRole('link', { name: 'Bay Lamp' }).count()).toBe(1);
    const stranger = await browser.newPage({ baseURL: site.url });
    await stranger.goto('/cart');
    expect(await stranger.getByText('The cart is empty').count()).toBe(1);
    await stranger.context().close();
  });

  test('emptying the cart asks by confirm() and obeys the answer', async () => {
    await addToCart('bay-lamp');
    await page.goto('/cart');
    page.once('dialog', (dialog) => void dialog.dismiss());
    await page.getByRole('button', { name: 'Empty cart' }).click();
    expect(await page.getByRole('link', { name: 'Bay Lamp' }).count()).toBe(1);
    page.once('dialog', (dialog) => void dialog.accept());
    await page.getByRole('button', { name: 'Empty cart' }).click();
    await page.getByText('The cart is empty').waitFor();
  });

  test('an incomplete checkout names every field that is wrong', async () => {
    await addToCart('bay-lamp');
    await page.goto('/checkout');
    await page.getByRole('button', { name: 'Review and place order' }).click();
    await page.getByRole('alert').filter({ hasText: '7 fields need your attention.' }).waitFor();
    const name = page.getByLabel('Full name');
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(':focus').getAttribute('id')).toBe('name');
    await page.getByRole('radio', { name: 'Collect' }).check();
    expect(await page.locator('#speed-error').textContent()).toBe('');
    expect(await page.locator('[name=speed][aria-invalid]').count()).toBe(0);
    expect(site.orders()).toEqual([]);
  });

  test('the server refuses what the page would refuse', async () => {
    await addToCart('bay-lamp');
    const cookie = (await page.context().cookies()).map((c) => `${c.name}=${c.value}`).join();
    const answer = await fetch(`${site.url}checkout`, {
      method: 'POST',
      headers: { cookie },
      body: new URLSearchParams({ name: 'Ada', email: 'no', country: 'Atlantis' }),
    });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('6 fields need');
    expect(site.orders()).toEqual([]);
  });

  test('an order is placed after the dialog, and is on top of the table', async () => {
    await addToCart('bay-lamp');
    await fillCheckout();
    await page.getByRole('button', { name: 'Review and place order' }).click();
    const dialog = page.getByRole('dialog', { name: 'Place this order?' });
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    expect(site.orders()).toEqual([]);
    await page.getByRole('button', { name: 'Review and place order' }).click();
    await dialog.getByRole('button', { name: 'Place order' }).click();
    await page.getByRole('status').filter({ hasText: 'Thank you, Ada <Byron>.' }).waitFor();
    expect(site.orders()).toMatchObject([
      {
        number: 'OR-1200',
        customer: 'Ada <Byron>',
        country: 'Ireland',
        totalCents: 8900 + 800 + 500,
        checkout: { speed: 'express', gift: 'yes', notes: 'Ring twice.', date: '2099-01-02' },
      },
    ]);
    await page.goto('/orders');
    const first = page.locator('tbody tr').first();
    expect(await first.getByRole('link').textContent()).toBe('OR-1200');
  });

  test('the table has 200 orders, each with a link and a button of its own name', async () => {
    await page.goto('/orders');
    const rows = page.locator('tbody tr');
    expect(await rows.count()).toBe(200);
    expect(await rows.getByRole('link').count()).toBe(200);
    expect(await rows.getByRole('button').count()).toBe(200);
    await page.getByRole('button', { name: 'Pack order OR-1199' }).click();
    await page.getByRole('status').filter({ hasText: 'Order OR-1199 is packed.' }).waitFor();
    await page.reload();
    expect(await rows.first().locator('.status').textContent()).toBe('packed');
  });

  test('help opens as a popup by script and as a tab by link', async () => {
    await page.goto('/');
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: 'Help' }).click(),
    ]);
    await popup.waitForLoadState();
    await Promise.all([
      popup.waitForEvent('close'),
      popup.getByRole('button', { name: 'Close this window' }).click(),
    ]);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Help in a new tab' }).click(),
    ]);
    await tab.waitForLoadState();
    expect(await tab.title()).toBe('Help · Oriel Goods');
  });

  test('an invoice is downloaded as CSV', async () => {
    await page.goto('/orders/OR-1199');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download invoice' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('invoice-OR-1199.csv');
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('order,item,quantity,unit price,amount');
    expect(lines.at(-2)).toMatch(/^OR-1199,Total,,,\d+\.\d\d$/);
  });

  test('the delivery estimate works inside its frame', async () => {
    await page.goto('/delivery');
    const frame = page.frameLocator('iframe[title="Delivery estimate"]');
    await frame.getByLabel('Postcode').fill('D02');
    await frame.getByRole('button', { name: 'Estimate' }).click();
    await frame.getByRole('status').filter({ hasText: 'To D02:' }).waitFor();
  });

  test('the page with errors logs, throws and misses a file', async () => {
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto('/troubles');
    await expect.poll(() => errors.join('\n')).toMatch(/503[^]*404|404[^]*503/);
    await expect.poll(() => errors).toContain('basket is undefined');
    await expect.poll(() => errors).toContain('The price feed closed early.');
    await page.getByRole('button', { name: 'Break something' }).click();
    await expect.poll(() => errors).toContain('Discount of 120% is out of range');
  });

  test.each([
    ['/'],
    ['/products/reading-tray'],
    ['/cart'],
    ['/orders'],
    ['/delivery'],
    ['/workshop'],
    ['/help'],
  ])('%s loads without an error, and only from the shop', async (path) => {
    const troubles: string[] = [];
    page.on('console', (message) => troubles.push(message.text()));
    page.on('pageerror', (error) => troubles.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url)) troubles.push(request.url());
    });
    const answer = await page.goto(path, { waitUntil: 'networkidle' });
    expect(answer?.status()).toBe(200);
    expect(troubles).toEqual([]);
  });
});

describe('serving it', () => {
  test('a slow page takes its time, and disposal does not wait for it', async () => {
    const startedAt = performance.now();
    expect((await fetch(`${site.url}slow?ms=150`)).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
    const pending = fetch(`${site.url}slow?ms=20000`).catch(() => 'cut');
    await fetch(site.url);
    await site[Symbol.asyncDispose]();
    expect(await pending).toBe('cut');
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });

  test('aborting the signal closes the site', async () => {
    const controller = new AbortController();
    const other = await serveDemoSite({ signal: controller.signal });
    controller.abort();
    await other[Symbol.asyncDispose]();
    await expect(fetch(other.url)).rejects.toThrow();
  });

  test('a taken port is refused with an error that says so', async () => {
    const failure: unknown = await serveDemoSite({ port: site.port }).catch((e: unknown) => e);
    expect(isOrielError(failure, 'busy')).toBe(true);
    expect(String(failure)).toContain(`127.0.0.1:${site.port}`);
  });

  test('a form beyond 64 KiB is refused', async () => {
    const answer = await fetch(`${site.url}cart`, { method: 'POST', body: 'x'.repeat(70_000) });
    expect(answer.status).toBe(413);
  });
});
