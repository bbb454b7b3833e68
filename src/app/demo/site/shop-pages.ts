import { formatPrice, type Product } from './catalogue.ts';
import { html, trusted, type Html } from './html.ts';
import { sumOf, type OrderLine } from './orders.ts';
import { pictureOf } from './pictures.ts';

/** The front page: a search and what it found. */
export function shopPage(query: string, products: readonly Product[]): Html {
  return html`<section class="hero" aria-labelledby="welcome">
      <h1 id="welcome">Good things for the window seat</h1>
      <p>Lamps, mugs, throws and tools, made slowly by twelve workshops we know by name.</p>
      <form class="search" id="search" role="search" action="/" method="get">
        <label class="visually-hidden" for="query">Search products</label>
        <input
          id="query"
          name="q"
          type="search"
          value="${query}"
          placeholder="Try “wool” or “kitchen”"
          autocomplete="off"
        />
        <button type="submit">Search</button>
      </form>
    </section>
    <section id="results" aria-label="Products">${searchResults(query, products)}</section>`;
}

/** The part of the front page that a search replaces. */
export function searchResults(query: string, products: readonly Product[]): Html {
  const count = products.length === 1 ? '1 product' : `${products.length} products`;
  return html`<div class="results-bar">
      <p role="status">${count}${query && ` for “${query}”`}</p>
      ${query && html`<a href="/">Show all</a>`}
    </div>
    ${
      products.length === 0
        ? html`<p class="empty">Nothing matches. Try a shorter word.</p>`
        : html`<ul class="grid">
            ${products.map(productCard)}
          </ul>`
    }`;
}

function productCard(product: Product): Html {
  return html`<li>
    <article class="card">
      ${pictureOf(product.slug, '')}
      <div class="card-body">
        <span class="tag">${product.category}</span>
        <h2><a href="/products/${product.slug}">${product.name}</a></h2>
        <p class="quiet">${product.summary}</p>
        <div class="card-foot">
          <span class="price">${formatPrice(product.priceCents)}</span>
          <span class="quiet">${product.stock > 0 ? 'In stock' : 'Sold out'}</span>
        </div>
      </div>
    </article>
  </li>`;
}

export function productPage(product: Product): Html {
  const isSoldOut = product.stock === 0;
  return html`<nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        <li><a href="/">Shop</a></li>
        <li><span aria-current="page">${product.name}</span></li>
      </ol>
    </nav>
    <article class="product">
      ${pictureOf(product.slug, product.name)}
      <div>
        <span class="tag">${product.category}</span>
        <h1>${product.name}</h1>
        <p class="price">${formatPrice(product.priceCents)}</p>
        <p>${product.summary}</p>
        <form id="add-to-cart" action="/cart" method="post">
          <input type="hidden" name="slug" value="${product.slug}" />
          <div class="buy">
            <div class="field">
              <label for="quantity">Quantity</label>
              <input
                id="quantity"
                name="quantity"
                type="number"
                min="1"
                max="20"
                value="1"
                ${isSoldOut && trusted('disabled')}
              />
            </div>
            <button type="submit" ${isSoldOut && trusted('disabled')}>
              ${isSoldOut ? 'Sold out' : 'Add to cart'}
            </button>
          </div>
        </form>
        <p class="notice" id="cart-status" role="status"></p>
        <h2>Details</h2>
        <ul>
          ${product.details.map((detail) => html`<li>${detail}</li>`)}
        </ul>
      </div>
    </article>`;
}

export function cartPage(lines: readonly OrderLine[]): Html {
  if (lines.length === 0) {
    return html`<h1>Your cart</h1>
      <p class="empty">The cart is empty. <a href="/">Find something for it</a>.</p>`;
  }
  return html`<h1>Your cart</h1>
    <div class="split">
      <div class="table-wrap">
        <table class="cart-table">
          <caption class="visually-hidden">
            Items in your cart
          </caption>
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Quantity</th>
              <th scope="col" class="number">Amount</th>
              <th scope="col"><span class="visually-hidden">Action</span></th>
            </tr>
          </thead>
          <tbody>
            ${lines.map(cartRow)}
          </tbody>
        </table>
      </div>
      <aside class="panel stack" aria-label="Summary">
        <ul class="lines">
          <li class="total"><span>Total</span><span>${formatPrice(sumOf(lines))}</span></li>
        </ul>
        <a class="button" href="/checkout">Go to checkout</a>
        <form id="empty-cart" action="/cart/empty" method="post">
          <button class="danger" type="submit">Empty cart</button>
        </form>
      </aside>
    </div>`;
}

function cartRow(line: OrderLine): Html {
  return html`<tr>
    <td>
      <div class="row">
        ${pictureOf(line.slug, '')} <a href="/products/${line.slug}">${line.name}</a>
      </div>
    </td>
    <td>
      <form action="/cart/quantity" method="post">
        <input type="hidden" name="slug" value="${line.slug}" />
        <input
          name="quantity"
          type="number"
          min="1"
          max="20"
          value="${line.quantity}"
          aria-label="Quantity of ${line.name}"
          data-submit-on-change
        />
      </form>
    </td>
    <td class="number">${formatPrice(line.priceCents * line.quantity)}</td>
    <td>
      <form action="/cart/remove" method="post">
        <input type="hidden" name="slug" value="${line.slug}" />
        <button class="secondary small" type="submit" aria-label="Remove ${line.name}">
          Remove
        </button>
      </form>
    </td>
  </tr>`;
}
