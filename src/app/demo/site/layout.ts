import { html, trusted, type Html } from './html.ts';

const MARK = trusted(
  '<svg viewBox="0 0 28 32" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linejoin="round" aria-hidden="true"><path d="M3 30V13C3 7 8 2 14 2s11 5 11 11v17z"/><path d="M14 2v28M3 16h22"/></svg>',
);

const SECTIONS = [
  { path: '/', name: 'Shop' },
  { path: '/orders', name: 'Orders' },
  { path: '/delivery', name: 'Delivery' },
  { path: '/workshop', name: 'Workshop' },
] as const;

export type SectionPath = (typeof SECTIONS)[number]['path'];

export interface PageParts {
  readonly title: string;
  readonly section?: SectionPath | undefined;
  /** How many items the visitor's cart holds. */
  readonly cartCount: number;
  readonly body: Html;
  /** Scripts besides the shop's own, by path. */
  readonly scripts?: readonly string[];
}

/** A whole page in the shop's frame. */
export function renderPage({ title, section, cartCount, body, scripts = [] }: PageParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Oriel Goods</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/shop.css" />
        <script src="/assets/shop.js" defer></script>
        ${scripts.map((path) => html`<script src="${path}" defer></script>`)}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="site-header">
          <div class="wrap">
            <a class="brand" href="/">${MARK} Oriel Goods</a>
            <nav aria-label="Main">
              <ul>
                ${SECTIONS.map(
                  ({ path, name }) =>
                    html`<li>
                      <a href="${path}" ${path === section && trusted('aria-current="page"')}
                        >${name}</a
                      >
                    </li>`,
                )}
              </ul>
            </nav>
            <div class="header-actions">
              <button class="secondary" type="button" data-open-help>Help</button>
              <a class="button secondary cart-link" href="/cart"
                >Cart <span class="count" id="cart-count">${cartCount}</span
                ><span class="visually-hidden">items</span></a
              >
            </div>
          </div>
        </header>
        <main class="wrap" id="content">${body}</main>
        <footer class="site-footer">
          <div class="wrap">
            <p>Oriel Goods is a demonstration shop. Nothing is sold, nothing is sent.</p>
            <a href="/help" target="_blank">Help in a new tab</a>
          </div>
        </footer>
      </body>
    </html>`.markup;
}

/** A page without the shop's frame: for popup windows and iframes. */
export function renderBarePage(title: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Oriel Goods</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/assets/shop.css" />
        <script src="/assets/shop.js" defer></script>
      </head>
      <body class="bare">
        <main>${body}</main>
      </body>
    </html>`.markup;
}

export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 32" fill="none" stroke="#1f6b5c" stroke-width="2.6" stroke-linejoin="round"><path d="M3 30V13C3 7 8 2 14 2s11 5 11 11v17z"/><path d="M14 2v28M3 16h22"/></svg>';
