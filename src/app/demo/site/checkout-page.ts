import { formatPrice } from './catalogue.ts';
import {
  COUNTRIES,
  MESSAGES,
  POSTCODE_PATTERN,
  SPEEDS,
  type CheckedField,
  type CheckoutErrors,
  type CheckoutValues,
} from './checkout.ts';
import { html, trusted, type Html } from './html.ts';
import { sumOf, type OrderLine } from './orders.ts';

/** The checkout form, with `values` filled in and each error beside its field. */
export function checkoutPage(
  lines: readonly OrderLine[],
  values: CheckoutValues,
  errors: CheckoutErrors,
  today: string,
): Html {
  const count = Object.keys(errors).length;
  const value = (name: string) => values[name] ?? '';
  const checked = (name: string, option: string) => value(name) === option && trusted('checked');
  const wiring = (name: CheckedField) =>
    html`aria-describedby="${name}-error" data-error="${MESSAGES[name]}"
    ${errors[name] !== undefined && trusted('aria-invalid="true"')}`;
  const error = (name: CheckedField) =>
    html`<p class="field-error" id="${name}-error">${errors[name]}</p>`;
  return html`<h1>Checkout</h1>
    <div class="notice error" id="form-errors" role="alert" ${count === 0 && trusted('hidden')}>
      ${count > 0 && `${count === 1 ? 'One field needs' : `${count} fields need`} your attention.`}
    </div>
    <div class="split">
      <form class="panel stack" id="checkout" action="/checkout" method="post">
        <h2>Who and where</h2>
        <div class="fields">
          <div class="field">
            <label for="name">Full name</label>
            <input
              id="name"
              name="name"
              type="text"
              required
              minlength="2"
              autocomplete="name"
              value="${value('name')}"
              ${wiring('name')}
            />
            ${error('name')}
          </div>
          <div class="field">
            <label for="email">E-mail</label>
            <input
              id="email"
              name="email"
              type="email"
              required
              autocomplete="email"
              value="${value('email')}"
              ${wiring('email')}
            />
            ${error('email')}
          </div>
          <div class="field">
            <label for="postcode">Postcode</label>
            <input
              id="postcode"
              name="postcode"
              type="text"
              required
              pattern="${POSTCODE_PATTERN}"
              autocomplete="postal-code"
              value="${value('postcode')}"
              ${wiring('postcode')}
            />
            ${error('postcode')}
          </div>
          <div class="field">
            <label for="country">Country</label>
            <select
              id="country"
              name="country"
              required
              autocomplete="country-name"
              ${wiring('country')}
            >
              <option value="">Choose a country</option>
              ${COUNTRIES.map((name) => html`<option ${value('country') === name && trusted('selected')}>${name}</option>`)}
            </select>
            ${error('country')}
          </div>
        </div>
        <fieldset>
          <legend>Delivery</legend>
          <div class="options">
            ${SPEEDS.map(
              (speed) =>
                html`<label class="choice">
                  <input
                    type="radio"
                    name="speed"
                    value="${speed.value}"
                    data-name="${speed.name}"
                    required
                    ${checked('speed', speed.value)}
                    ${wiring('speed')}
                  />
                  <span>${speed.name}<br /><span class="hint">${speed.note}</span></span>
                </label>`,
            )}
          </div>
          ${error('speed')}
        </fieldset>
        <div class="fields">
          <div class="field">
            <label for="date">Delivery date</label>
            <input
              id="date"
              name="date"
              type="date"
              required
              min="${today}"
              value="${value('date')}"
              ${wiring('date')}
            />
            ${error('date')}
          </div>
          <div class="field">
            <label for="tip">Thank the workshop</label>
            <div class="range-line">
              <input
                id="tip"
                name="tip"
                type="range"
                min="0"
                max="20"
                step="1"
                value="${value('tip') || '0'}"
              />
              <output id="tip-value" for="tip">€${value('tip') || '0'}</output>
            </div>
          </div>
          <div class="field wide">
            <label for="notes">Notes for the courier</label>
            <textarea
              id="notes"
              name="notes"
              maxlength="500"
              placeholder="Ring twice, the dog is friendly."
            >
${value('notes')}</textarea>
          </div>
        </div>
        <label class="choice"
          ><input type="checkbox" name="gift" value="yes" ${checked('gift', 'yes')} /> Wrap it as a
          gift</label
        >
        <div class="field">
          <label class="choice"
            ><input
              type="checkbox"
              name="terms"
              value="yes"
              required
              ${checked('terms', 'yes')}
              ${wiring('terms')}
            />
            I accept the terms of this pretend shop</label
          >
          ${error('terms')}
        </div>
        <div class="row">
          <button type="submit">Review and place order</button>
          <a href="/cart">Back to cart</a>
        </div>
      </form>
      <aside class="panel" aria-label="Your order">
        <h2>Your order</h2>
        ${orderLines(lines)}
      </aside>
    </div>
    <dialog id="confirm-order" aria-labelledby="confirm-title">
      <h2 id="confirm-title">Place this order?</h2>
      <p>
        <strong id="confirm-name"></strong>, ${formatPrice(sumOf(lines))} plus extras, by
        <strong id="confirm-speed"></strong> delivery on <strong id="confirm-date"></strong>.
      </p>
      <div class="row">
        <button class="secondary" type="button" id="confirm-no">Keep editing</button>
        <button type="button" id="confirm-yes">Place order</button>
      </div>
    </dialog>`;
}

export function orderLines(lines: readonly OrderLine[], totalCents = sumOf(lines)): Html {
  const extrasCents = totalCents - sumOf(lines);
  return html`<ul class="lines">
    ${lines.map(
      (line) =>
        html`<li>
          <span>${line.quantity} × ${line.name}</span>
          <span>${formatPrice(line.priceCents * line.quantity)}</span>
        </li>`,
    )}
    ${
      extrasCents > 0 &&
      html`<li><span>Express and thanks</span><span>${formatPrice(extrasCents)}</span></li>`
    }
    <li class="total"><span>Total</span><span>${formatPrice(totalCents)}</span></li>
  </ul>`;
}
