/**
 * The shop's script. Plain text on purpose: it runs in the page, so it must reach it as written,
 * whatever a bundler does to this module.
 */
export const SCRIPT = /* js */ `
'use strict';
const byId = (id) => document.getElementById(id);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

for (const button of all('[data-open-help]')) {
  button.addEventListener('click', () => window.open('/help', 'oriel-help', 'width=480,height=680'));
}
byId('close-window')?.addEventListener('click', () => window.close());

// Search: results are replaced in place, and only the newest answer counts.
const search = byId('search');
if (search) {
  let newest = 0;
  let timer;
  const run = async () => {
    const turn = ++newest;
    const query = new FormData(search).get('q');
    const results = byId('results');
    results.setAttribute('aria-busy', 'true');
    const answer = await fetch('/results?q=' + encodeURIComponent(query));
    const markup = await answer.text();
    if (turn !== newest) return;
    results.innerHTML = markup;
    results.removeAttribute('aria-busy');
    history.replaceState(null, '', query ? '/?q=' + encodeURIComponent(query) : '/');
  };
  search.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(run, 120); });
  search.addEventListener('submit', (event) => { event.preventDefault(); clearTimeout(timer); void run(); });
}

const addForm = byId('add-to-cart');
addForm?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const answer = await fetch('/cart', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(new FormData(addForm)),
  });
  const { count, message } = await answer.json();
  byId('cart-count').textContent = count;
  byId('cart-status').textContent = message;
});

byId('empty-cart')?.addEventListener('submit', (event) => {
  if (!window.confirm('Empty the cart? This cannot be undone.')) event.preventDefault();
});
for (const input of all('[data-submit-on-change]')) {
  input.addEventListener('change', () => input.form.requestSubmit());
}

for (const range of all('input[type=range]')) {
  const show = () => { byId(range.id + '-value').textContent = '€' + range.value; };
  range.addEventListener('input', show);
  show();
}

const checkout = byId('checkout');
if (checkout) {
  // Messages stand beside their fields, so the browser's own bubbles stay away.
  checkout.noValidate = true;
  const dialog = byId('confirm-order');
  const summary = byId('form-errors');
  let isConfirmed = false;
  const check = (control) => {
    const error = byId(control.name + '-error');
    if (!error) return true;
    const isValid = control.validity.valid;
    error.textContent = isValid ? '' : control.dataset.error || control.validationMessage;
    if (isValid) control.removeAttribute('aria-invalid');
    else control.setAttribute('aria-invalid', 'true');
    return isValid;
  };
  checkout.addEventListener('input', (event) => {
    if (!event.target.getAttribute('aria-invalid')) return;
    // The radios of one group are right or wrong together.
    for (const control of checkout.elements) if (control.name === event.target.name) check(control);
  });
  checkout.addEventListener('submit', (event) => {
    if (isConfirmed) return;
    event.preventDefault();
    const wrong = [...checkout.elements].filter((control) => control.name && !check(control));
    const count = new Set(wrong.map((control) => control.name)).size;
    summary.hidden = wrong.length === 0;
    if (wrong.length > 0) {
      summary.textContent = count === 1 ? 'One field needs your attention.' : count + ' fields need your attention.';
      wrong[0].focus();
      return;
    }
    const values = new FormData(checkout);
    byId('confirm-name').textContent = values.get('name');
    byId('confirm-speed').textContent = checkout.querySelector('[name=speed]:checked').dataset.name;
    byId('confirm-date').textContent = values.get('date');
    dialog.showModal();
  });
  byId('confirm-yes').addEventListener('click', () => { isConfirmed = true; dialog.close(); checkout.requestSubmit(); });
  byId('confirm-no').addEventListener('click', () => dialog.close());
}

byId('orders')?.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-pack]');
  if (!button) return;
  button.disabled = true;
  const answer = await fetch('/orders/' + button.dataset.pack + '/pack', { method: 'POST' });
  if (!answer.ok) { button.disabled = false; return; }
  const status = button.closest('tr').querySelector('.status');
  status.dataset.status = 'packed';
  status.textContent = 'packed';
  button.textContent = 'Packed';
  button.setAttribute('aria-label', 'Packed: order ' + button.dataset.pack);
  byId('orders-status').textContent = 'Order ' + button.dataset.pack + ' is packed.';
});

const estimate = byId('estimate');
estimate?.addEventListener('submit', (event) => {
  event.preventDefault();
  const postcode = String(new FormData(estimate).get('postcode')).trim();
  const days = 1 + ([...postcode].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 5);
  byId('estimate-result').textContent = 'To ' + postcode + ': ' + days + (days === 1 ? ' working day.' : ' working days.');
});
`;

/** Makes every kind of trouble a page can log: on load, and again by its button. */
export const TROUBLES_SCRIPT = /* js */ `
'use strict';
console.log('The workshop radio is on.');
console.warn('Stock level of "Reading Tray" is unknown.');
console.error('Could not load recommendations: the service answered 503.');
fetch('/missing-recommendations.json');
setTimeout(() => { throw new TypeError('basket is undefined'); }, 30);
Promise.reject(new Error('The price feed closed early.'));
document.getElementById('break').addEventListener('click', () => {
  console.error('Asked to fail, so it fails.');
  throw new RangeError('Discount of 120% is out of range');
});
`;
