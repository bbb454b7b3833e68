import { html, type Html } from './html.ts';

/** Frames a small page of its own, so that there is something to do inside an iframe. */
export function deliveryPage(): Html {
  return html`<h1>Delivery</h1>
    <p class="quiet">Parcels leave the counter on every working day before noon.</p>
    <div class="split">
      <iframe src="/delivery/estimate" title="Delivery estimate"></iframe>
      <section class="panel" aria-labelledby="rates">
        <h2 id="rates">Rates</h2>
        <ul class="lines">
          <li><span>Standard</span><span>Free</span></li>
          <li><span>Express</span><span>€8.00</span></li>
          <li><span>Collect</span><span>Free</span></li>
        </ul>
      </section>
    </div>`;
}

export function estimatePage(): Html {
  return html`<h1>How long will it take?</h1>
    <form id="estimate" class="stack">
      <div class="field">
        <label for="estimate-postcode">Postcode</label>
        <input id="estimate-postcode" name="postcode" required />
      </div>
      <div class="row"><button type="submit">Estimate</button></div>
    </form>
    <p id="estimate-result" role="status"></p>`;
}

export function helpPage(): Html {
  return html`<h1>Help</h1>
    <dl>
      <dt>Where is my order?</dt>
      <dd>Open it from the list of orders; its status tells.</dd>
      <dt>Can I change my mind?</dt>
      <dd>For thirty days. Nothing was sent anyway.</dd>
      <dt>Is the wool itchy?</dt>
      <dd>Only if you are moth-minded.</dd>
    </dl>
    <button type="button" class="secondary" id="close-window">Close this window</button>`;
}

export function workshopPage(): Html {
  return html`<h1>Workshop</h1>
    <p class="quiet">Corners of this shop that are useful for trying things out.</p>
    <div class="grid">
      <section class="panel">
        <h2>Slow page</h2>
        <p>Answers after the milliseconds you name, 3,000 by default.</p>
        <a href="/slow?ms=3000">Open the slow page</a>
      </section>
      <section class="panel">
        <h2>Page with errors</h2>
        <p>Logs, warns, throws and asks for a file that is not there.</p>
        <a href="/troubles">Open the page with errors</a>
      </section>
      <section class="panel">
        <h2>Popup windows</h2>
        <p>By script, and by a link with a target.</p>
        <div class="row">
          <button class="secondary" type="button" data-open-help>Open help window</button
          ><a href="/help" target="_blank">Open help in a new tab</a>
        </div>
      </section>
    </div>`;
}

export function slowPage(ms: number): Html {
  return html`<h1>Worth the wait</h1>
    <p>This page took ${ms} ms to answer, as asked.</p>
    <a href="/">Back to the shop</a>`;
}

export function troublesPage(): Html {
  return html`<h1>Page with errors</h1>
    <p>This page writes errors to the console when it loads. The button below adds one more.</p>
    <button type="button" class="danger" id="break">Break something</button>`;
}

export function missingPage(path: string): Html {
  return html`<h1>Nothing here</h1>
    <p>There is no page at <code>${path}</code>.</p>
    <a class="button" href="/">Back to the shop</a>`;
}
