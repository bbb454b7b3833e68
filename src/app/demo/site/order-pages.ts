import { formatPrice } from './catalogue.ts';
import { orderLines } from './checkout-page.ts';
import { html, trusted, type Html } from './html.ts';
import type { Order } from './orders.ts';

/** Every order in one table, a link and a button a row. */
export function ordersPage(orders: readonly Order[]): Html {
  return html`<h1>Orders</h1>
    <p class="quiet">What the counter has to pack, newest first.</p>
    <p class="visually-hidden" id="orders-status" role="status"></p>
    <div class="table-wrap">
      <table id="orders">
        <caption>
          ${orders.length} orders
        </caption>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Customer</th>
            <th scope="col">Country</th>
            <th scope="col">Placed</th>
            <th scope="col" class="number">Total</th>
            <th scope="col">Status</th>
            <th scope="col"><span class="visually-hidden">Action</span></th>
          </tr>
        </thead>
        <tbody>
          ${orders.map(orderRow)}
        </tbody>
      </table>
    </div>`;
}

function orderRow(order: Order): Html {
  const isOpen = order.status === 'new';
  return html`<tr>
    <th scope="row"><a href="/orders/${order.number}">${order.number}</a></th>
    <td>${order.customer}</td>
    <td>${order.country}</td>
    <td><time datetime="${order.placedOn}">${order.placedOn}</time></td>
    <td class="number">${formatPrice(order.totalCents)}</td>
    <td><span class="status" data-status="${order.status}">${order.status}</span></td>
    <td>
      <button
        class="secondary small"
        type="button"
        data-pack="${order.number}"
        aria-label="${isOpen ? 'Pack' : 'Packed:'} order ${order.number}"
        ${!isOpen && trusted('disabled')}
      >
        ${isOpen ? 'Pack' : 'Packed'}
      </button>
    </td>
  </tr>`;
}

export function orderPage(order: Order, isJustPlaced: boolean): Html {
  return html`${
      isJustPlaced &&
      html`<p class="notice" role="status">
        Thank you, ${order.customer}. Order ${order.number} is placed.
      </p>`
    }
    <h1>Order ${order.number}</h1>
    <div class="split">
      <section class="panel" aria-labelledby="items">
        <h2 id="items">Items</h2>
        ${orderLines(order.lines, order.totalCents)}
      </section>
      <section class="panel stack" aria-labelledby="facts">
        <h2 id="facts">About this order</h2>
        <ul class="lines">
          <li><span>Customer</span><span>${order.customer}</span></li>
          <li><span>Country</span><span>${order.country}</span></li>
          <li><span>Placed</span><span>${order.placedOn}</span></li>
          <li>
            <span>Status</span
            ><span class="status" data-status="${order.status}">${order.status}</span>
          </li>
        </ul>
        <a class="button secondary" href="/orders/${order.number}/invoice.csv"
          >Download invoice (CSV)</a
        >
        <a href="/orders">All orders</a>
      </section>
    </div>`;
}
