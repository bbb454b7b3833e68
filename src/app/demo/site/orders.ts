import { PRODUCTS, type Product } from './catalogue.ts';

export type OrderStatus = 'new' | 'packed' | 'sent';

export interface OrderLine {
  readonly slug: string;
  readonly name: string;
  readonly quantity: number;
  readonly priceCents: number;
}

export interface Order {
  /** `OR-` and four digits. */
  readonly number: string;
  readonly customer: string;
  readonly email: string;
  readonly country: string;
  /** `YYYY-MM-DD`. */
  readonly placedOn: string;
  readonly lines: readonly OrderLine[];
  readonly totalCents: number;
  status: OrderStatus;
  /** What the checkout form said, for orders placed in this run. */
  readonly checkout?: Readonly<Record<string, string>>;
}

const HISTORY_LENGTH = 200;
const FIRST_NUMBER = 1000;
const PEOPLE =
  'Ada Byron,Noor Haddad,Mateo Silva,Ingrid Dahl,Kofi Mensah,Yuki Tanaka,Elena Petrova,Tom Ashby,Lucía Ramos,Omar Farouk,Hana Novák,Jonas Weber,Priya Nair,Chloé Martin,Liam Byrne,Sofia Rossi'.split(
    ',',
  );
const COUNTRIES = 'Ireland,Spain,Germany,France,Italy,Norway,Portugal,Czechia'.split(',');

/** What the shop has sold: 200 orders of the past, newest first, the same in every run. */
export function createHistory(): Order[] {
  const random = sequence(20_260_115);
  const orders: Order[] = [];
  for (let index = 0; index < HISTORY_LENGTH; index += 1) {
    const customer = pick(PEOPLE, random());
    const lines = [pick(PRODUCTS, random()), pick(PRODUCTS, random())]
      .filter((product, at, both) => both.indexOf(product) === at)
      .map((product) => lineOf(product, 1 + (random() % 3)));
    const placed = new Date(Date.UTC(2026, 0, 1) + Math.floor(index / 3) * 86_400_000);
    orders.push({
      number: `OR-${FIRST_NUMBER + index}`,
      customer,
      email: `${customer
        .toLowerCase()
        .normalize('NFD')
        .replace(/[^a-z ]/g, '')
        .replace(' ', '.')}@example.com`,
      country: pick(COUNTRIES, random()),
      placedOn: placed.toISOString().slice(0, 10),
      lines,
      totalCents: sumOf(lines),
      status: index < 120 ? 'sent' : random() % 2 === 0 ? 'packed' : 'new',
    });
  }
  return orders.toReversed();
}

export function nextNumber(orders: readonly Order[]): string {
  return `OR-${FIRST_NUMBER + orders.length}`;
}

export function lineOf(product: Product, quantity: number): OrderLine {
  return { slug: product.slug, name: product.name, quantity, priceCents: product.priceCents };
}

export function sumOf(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, line) => sum + line.priceCents * line.quantity, 0);
}

/** The invoice of an order as CSV (RFC 4180). */
export function invoiceCsv(order: Order): string {
  const extras = ((order.totalCents - sumOf(order.lines)) / 100).toFixed(2);
  const rows = [
    ['order', 'item', 'quantity', 'unit price', 'amount'],
    ...order.lines.map((line) => [
      order.number,
      line.name,
      String(line.quantity),
      (line.priceCents / 100).toFixed(2),
      ((line.priceCents * line.quantity) / 100).toFixed(2),
    ]),
    [order.number, 'Express and thanks', '', '', extras],
    [order.number, 'Total', '', '', (order.totalCents / 100).toFixed(2)],
  ];
  return rows.map((row) => `${row.map(quote).join(',')}\r\n`).join('');
}

function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function pick<T>(list: readonly T[], seed: number): T {
  return list[seed % list.length] as T;
}

/** Lehmer's generator: repeatable numbers, so that the history reads the same in every run. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state >> 4;
  };
}
