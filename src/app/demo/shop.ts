import { randomUUID } from 'node:crypto';
import { sleep } from '../../kernel/deadline.ts';
import { findProduct, PRODUCTS, searchProducts } from './site/catalogue.ts';
import { EXPRESS_CENTS, validateCheckout, type CheckoutErrors } from './site/checkout.ts';
import { checkoutPage } from './site/checkout-page.ts';
import type { Html } from './site/html.ts';
import { ICON, renderBarePage, renderPage, type SectionPath } from './site/layout.ts';
import { orderPage, ordersPage } from './site/order-pages.ts';
import {
  createHistory,
  invoiceCsv,
  lineOf,
  nextNumber,
  sumOf,
  type Order,
  type OrderLine,
} from './site/orders.ts';
import { SCRIPT, TROUBLES_SCRIPT } from './site/script.ts';
import { cartPage, productPage, searchResults, shopPage } from './site/shop-pages.ts';
import {
  deliveryPage,
  estimatePage,
  helpPage,
  missingPage,
  slowPage,
  troublesPage,
  workshopPage,
} from './site/side-pages.ts';
import { STYLES } from './site/styles.ts';

const MAX_CARTS = 1000;
const MAX_QUANTITY = 20;
const MAX_SLOW_MS = 60_000;

/** A request, read to its end. */
export interface ShopRequest {
  readonly method: string;
  readonly url: URL;
  readonly form: Readonly<Record<string, string>>;
  readonly cookie: string;
  readonly wantsJson: boolean;
}

export interface Reply {
  readonly status: number;
  /** Content type without its charset. */
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A visitor's cart: quantities by product, in the order they were added. */
type Cart = Map<string, number>;

interface Visit extends ShopRequest {
  readonly cart: Cart;
  readonly signal: AbortSignal;
}

/** What the shop sells, knows and answers; no socket in it. */
export class Shop {
  readonly #orders = createHistory();
  readonly #placed: Order[] = [];
  readonly #carts = new Map<string, Cart>();

  get placed(): readonly Order[] {
    return this.#placed;
  }

  /** Answers one request. Rejects with the signal's reason when it aborts during a slow page. */
  async reply(request: ShopRequest, signal: AbortSignal): Promise<Reply> {
    const { cart, cookie } = this.#cartOf(request.cookie);
    const visit = { ...request, cart, signal };
    const reply = request.method === 'POST' ? this.#post(visit) : await this.#get(visit);
    return cookie === undefined
      ? reply
      : { ...reply, headers: { ...reply.headers, 'set-cookie': cookie } };
  }

  async #get(visit: Visit): Promise<Reply> {
    const { pathname, searchParams } = visit.url;
    const query = (searchParams.get('q') ?? '').slice(0, 100);
    switch (pathname) {
      case '/':
        return page(visit, 'Shop', shopPage(query, searchProducts(query)), '/');
      case '/results':
        return markup(searchResults(query, searchProducts(query)).markup);
      case '/cart':
        return page(visit, 'Cart', cartPage(linesOf(visit.cart)));
      case '/checkout':
        return visit.cart.size === 0 ? redirect('/cart') : checkout(visit, {}, 200);
      case '/orders':
        return page(visit, 'Orders', ordersPage(this.#orders), '/orders');
      case '/delivery':
        return page(visit, 'Delivery', deliveryPage(), '/delivery');
      case '/delivery/estimate':
        return markup(renderBarePage('Delivery estimate', estimatePage()));
      case '/workshop':
        return page(visit, 'Workshop', workshopPage(), '/workshop');
      case '/help':
        return markup(renderBarePage('Help', helpPage()));
      case '/troubles':
        return troubles(visit);
      case '/slow':
        return slow(visit);
      case '/assets/shop.css':
        return { status: 200, type: 'text/css', body: STYLES };
      case '/assets/shop.js':
        return { status: 200, type: 'text/javascript', body: SCRIPT };
      case '/assets/troubles.js':
        return { status: 200, type: 'text/javascript', body: TROUBLES_SCRIPT };
      case '/assets/icon.svg':
      case '/favicon.ico':
        return { status: 200, type: 'image/svg+xml', body: ICON };
      default:
        return this.#getOne(visit);
    }
  }

  #getOne(visit: Visit): Reply {
    const [collection, id = '', part, ...rest] = visit.url.pathname.slice(1).split('/');
    const product = collection === 'products' && part === undefined ? findProduct(id) : undefined;
    if (product) return page(visit, product.name, productPage(product), '/');
    const order = collection === 'orders' && rest.length === 0 ? this.#find(id) : undefined;
    if (order && part === undefined) {
      const isJustPlaced = visit.url.searchParams.has('placed');
      return page(visit, `Order ${order.number}`, orderPage(order, isJustPlaced), '/orders');
    }
    if (order && part === 'invoice.csv') return invoice(order);
    return missing(visit);
  }

  #post(visit: Visit): Reply {
    const { cart, form, url } = visit;
    const slug = form['slug'] ?? '';
    switch (url.pathname) {
      case '/cart':
        return addToCart(visit);
      case '/cart/quantity':
        if (cart.has(slug)) cart.set(slug, quantityOf(form['quantity']));
        return redirect('/cart');
      case '/cart/remove':
        cart.delete(slug);
        return redirect('/cart');
      case '/cart/empty':
        cart.clear();
        return redirect('/cart');
      case '/checkout':
        return this.#place(visit);
      default: {
        const [, number = ''] = /^\/orders\/([^/]+)\/pack$/.exec(url.pathname) ?? [];
        const order = this.#find(number);
        if (!order) return missing(visit);
        order.status = 'packed';
        return json({ number: order.number, status: order.status });
      }
    }
  }

  #place(visit: Visit): Reply {
    const { cart, form } = visit;
    if (cart.size === 0) return redirect('/cart');
    const errors = validateCheckout(form, today());
    if (Object.keys(errors).length > 0) return checkout(visit, errors, 422);
    const lines = linesOf(cart);
    const extrasCents =
      (form['speed'] === 'express' ? EXPRESS_CENTS : 0) + tipOf(form['tip']) * 100;
    const order: Order = {
      number: nextNumber(this.#orders),
      customer: (form['name'] ?? '').trim(),
      email: form['email'] ?? '',
      country: form['country'] ?? '',
      placedOn: today(),
      lines,
      totalCents: sumOf(lines) + extrasCents,
      status: 'new',
      checkout: form,
    };
    this.#orders.unshift(order);
    this.#placed.push(order);
    cart.clear();
    return redirect(`/orders/${order.number}?placed`);
  }

  #find(number: string): Order | undefined {
    return this.#orders.find((order) => order.number === number);
  }

  /** The visitor's cart by cookie; a new visitor gets one, and the cookie that names it. */
  #cartOf(cookies: string): { cart: Cart; cookie?: string } {
    const [, id = ''] = /(?:^|;\s*)cart=([\w-]+)/.exec(cookies) ?? [];
    const known = this.#carts.get(id);
    if (known) return { cart: known };
    const fresh = randomUUID();
    const cart: Cart = new Map();
    this.#carts.set(fresh, cart);
    const [oldest] = this.#carts.keys();
    if (this.#carts.size > MAX_CARTS && oldest !== undefined) this.#carts.delete(oldest);
    return { cart, cookie: `cart=${fresh}; Path=/; HttpOnly; SameSite=Lax` };
  }
}

function addToCart({ cart, form, wantsJson }: Visit): Reply {
  const product = findProduct(form['slug'] ?? '');
  if (!product || product.stock === 0) {
    return json({ count: countOf(cart), message: 'This product cannot be ordered.' }, 422);
  }
  const quantity = quantityOf(form['quantity']);
  cart.set(product.slug, Math.min(MAX_QUANTITY, (cart.get(product.slug) ?? 0) + quantity));
  if (!wantsJson) return redirect('/cart');
  return json({ count: countOf(cart), message: `${product.name} is in your cart.` });
}

async function slow(visit: Visit): Promise<Reply> {
  const asked = Number(visit.url.searchParams.get('ms') ?? 3000);
  const ms = Number.isFinite(asked) ? Math.min(MAX_SLOW_MS, Math.max(0, asked)) : 3000;
  await sleep(ms, visit.signal);
  return page(visit, 'Slow page', slowPage(ms));
}

function troubles(visit: Visit): Reply {
  const scripts = ['/assets/troubles.js'];
  const body = troublesPage();
  return markup(
    renderPage({ title: 'Page with errors', cartCount: countOf(visit.cart), body, scripts }),
  );
}

function checkout(visit: Visit, errors: CheckoutErrors, status: number): Reply {
  const body = checkoutPage(linesOf(visit.cart), visit.form, errors, today());
  return { ...page(visit, 'Checkout', body), status };
}

function invoice(order: Order): Reply {
  return {
    status: 200,
    type: 'text/csv',
    body: invoiceCsv(order),
    headers: { 'content-disposition': `attachment; filename="invoice-${order.number}.csv"` },
  };
}

function page(visit: Visit, title: string, body: Html, section?: SectionPath): Reply {
  return markup(renderPage({ title, section, cartCount: countOf(visit.cart), body }));
}

function missing(visit: Visit): Reply {
  return { ...page(visit, 'Nothing here', missingPage(visit.url.pathname)), status: 404 };
}

function markup(body: string): Reply {
  return { status: 200, type: 'text/html', body };
}

function json(value: unknown, status = 200): Reply {
  return { status, type: 'application/json', body: JSON.stringify(value) };
}

function redirect(location: string): Reply {
  return { status: 303, type: 'text/plain', body: '', headers: { location } };
}

function linesOf(cart: Cart): OrderLine[] {
  return PRODUCTS.filter((product) => cart.has(product.slug)).map((product) =>
    lineOf(product, cart.get(product.slug) ?? 1),
  );
}

function countOf(cart: Cart): number {
  return [...cart.values()].reduce((sum, quantity) => sum + quantity, 0);
}

function quantityOf(text: string | undefined): number {
  const quantity = Math.floor(Number(text));
  return Number.isFinite(quantity) ? Math.min(MAX_QUANTITY, Math.max(1, quantity)) : 1;
}

function tipOf(text: string | undefined): number {
  const tip = Math.floor(Number(text));
  return Number.isFinite(tip) ? Math.min(20, Math.max(0, tip)) : 0;
}

/** Today where the visitor is: the server and the browser share a machine. */
function today(): string {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}
