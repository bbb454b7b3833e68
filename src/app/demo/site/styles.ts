/** The shop's one style sheet. */
export const STYLES = /* css */ `
:root {
  color-scheme: light dark;
  --ground: light-dark(#faf8f4, #15181a);
  --surface: light-dark(#ffffff, #1e2225);
  --raised: light-dark(#f2eee6, #272c30);
  --line: light-dark(#e2dcd0, #343a3f);
  --field-line: light-dark(#b9b09f, #59626a);
  --text: light-dark(#22262a, #ece9e2);
  --quiet: light-dark(#5f6468, #a6acb0);
  --accent: light-dark(#1f6b5c, #6cc7b0);
  --accent-ink: light-dark(#ffffff, #0d211c);
  --accent-soft: light-dark(#e1efea, #1d3832);
  --danger: light-dark(#a8322a, #f08d83);
  --danger-soft: light-dark(#fbe9e6, #3d2320);
  --amber-soft: light-dark(#f8ecd0, #3c3119);
  --amber: light-dark(#7a5510, #eac97e);
  --radius: 14px;
  --shadow: 0 1px 2px rgb(0 0 0 / .05), 0 8px 24px rgb(0 0 0 / .06);
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--text);
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
}
h1, h2, h3 { line-height: 1.2; letter-spacing: -.015em; margin: 0 0 .5rem; text-wrap: balance; }
h1 + .quiet { margin-top: -.5rem; margin-bottom: 1.5rem; }
h1 { font-size: clamp(1.7rem, 1.2rem + 2vw, 2.4rem); margin-bottom: 1rem; }
h2 { font-size: 1.25rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); text-underline-offset: .2em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
.quiet { color: var(--quiet); }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--accent); color: var(--accent-ink); padding: .5rem 1rem; border-radius: 8px; z-index: 10; }
.skip:focus { top: .75rem; }
.wrap { width: min(1120px, 100% - 2.5rem); margin-inline: auto; }

.site-header { background: var(--surface); border-bottom: 1px solid var(--line); }
.site-header .wrap { display: flex; align-items: center; gap: .5rem 1.75rem; padding-block: .85rem; flex-wrap: wrap; }
.brand { display: inline-flex; align-items: center; gap: .6rem; font-weight: 650; font-size: 1.12rem; color: var(--text); text-decoration: none; letter-spacing: -.01em; }
.brand svg { width: 28px; height: 32px; color: var(--accent); }
.site-header nav ul { display: flex; gap: .25rem; list-style: none; margin: 0; padding: 0; }
.site-header nav a { display: block; padding: .4rem .75rem; border-radius: 8px; color: var(--quiet); text-decoration: none; font-weight: 500; }
.site-header nav a:hover { background: var(--raised); color: var(--text); }
.site-header nav a[aria-current] { background: var(--accent-soft); color: var(--accent); }
.header-actions { margin-left: auto; display: flex; gap: .6rem; align-items: center; }
.cart-link { display: inline-flex; gap: .5rem; align-items: center; }
.count { background: var(--accent); color: var(--accent-ink); border-radius: 99px; min-width: 1.5rem; padding: 0 .4rem; text-align: center; font-size: .85rem; font-weight: 650; }
main { flex: 1; padding-block: 2.25rem 4rem; }
.site-footer { border-top: 1px solid var(--line); color: var(--quiet); font-size: .92rem; }
.site-footer .wrap { display: flex; flex-wrap: wrap; gap: .4rem 1.5rem; padding-block: 1.5rem; }
.site-footer p { margin: 0; flex: 1 1 16rem; }

.button, button {
  font: inherit; font-weight: 600; cursor: pointer; border: 1px solid transparent; border-radius: 10px;
  padding: .55rem 1.1rem; background: var(--accent); color: var(--accent-ink); text-decoration: none;
  display: inline-flex; align-items: center; justify-content: center; gap: .5rem; line-height: 1.4;
}
.button:hover, button:hover { filter: brightness(1.08); }
.button.secondary, button.secondary { background: var(--surface); color: var(--text); border-color: var(--line); }
.button.secondary:hover, button.secondary:hover { background: var(--raised); filter: none; }
button.danger { background: transparent; color: var(--danger); border-color: color-mix(in srgb, var(--danger) 40%, transparent); }
button.danger:hover { background: var(--danger-soft); filter: none; }
button.small { padding: .25rem .7rem; font-size: .88rem; border-radius: 8px; }
button:disabled { cursor: default; opacity: .55; filter: none; }

.hero { display: grid; gap: 1.25rem; margin-bottom: 2rem; }
.hero h1 { margin-bottom: -.5rem; }
.hero p { max-width: 52rem; margin: 0; color: var(--quiet); font-size: 1.08rem; }
.search { display: flex; gap: .6rem; max-width: 34rem; }
.search input { flex: 1; }
.results-bar { display: flex; justify-content: space-between; align-items: baseline; margin-bottom: 1rem; }
.results-bar p { margin: 0; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(236px, 1fr)); gap: 1.25rem; list-style: none; margin: 0; padding: 0; }
.grid > li { display: grid; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); overflow: hidden; display: flex; flex-direction: column; transition: box-shadow .15s; }
.card:hover { box-shadow: var(--shadow); }
.picture { display: block; width: 100%; height: auto; }
.card-body { padding: 1rem 1.1rem 1.1rem; display: flex; flex-direction: column; gap: .35rem; flex: 1; }
.card-body h2 { font-size: 1.06rem; margin: 0; }
.card-body h2 a { color: inherit; text-decoration: none; }
.card-body h2 a:hover { text-decoration: underline; }
.card-body p { margin: 0; font-size: .92rem; }
.card-foot { margin-top: auto; padding-top: .7rem; display: flex; align-items: center; justify-content: space-between; }
.price { font-weight: 650; font-variant-numeric: tabular-nums; }
.tag { font-size: .78rem; letter-spacing: .04em; text-transform: uppercase; color: var(--quiet); font-weight: 600; }
.empty { background: var(--surface); border: 1px dashed var(--field-line); border-radius: var(--radius); padding: 2.5rem; text-align: center; color: var(--quiet); }

.product { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 2.5rem; align-items: start; }
.product .picture { border-radius: var(--radius); border: 1px solid var(--line); }
.product .price { font-size: 1.5rem; }
.buy { display: flex; align-items: end; gap: .75rem; margin: 1.25rem 0 .75rem; }
.buy input { width: 5.5rem; }
.crumbs { font-size: .92rem; margin-bottom: 1.25rem; }
.crumbs ol { display: flex; gap: .5rem; list-style: none; margin: 0; padding: 0; }
.crumbs li + li::before { content: "/"; color: var(--quiet); margin-right: .5rem; }

.panel { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); padding: 1.5rem; }
.split { display: grid; grid-template-columns: minmax(0, 1fr) 320px; gap: 1.5rem; align-items: start; }
.stack { display: grid; gap: 1.25rem; }
.row { display: flex; gap: .75rem; flex-wrap: wrap; align-items: center; }

label, legend, .label { font-weight: 600; font-size: .94rem; }
.field { display: grid; gap: .35rem; align-content: start; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1.1rem 1.25rem; }
.field.wide { grid-column: 1 / -1; }
.hint { color: var(--quiet); font-size: .87rem; margin: 0; font-weight: 400; }
input, select, textarea {
  font: inherit; color: inherit; background: var(--surface); border: 1px solid var(--field-line);
  border-radius: 10px; padding: .55rem .75rem; width: 100%; min-width: 0;
}
select { height: 2.75rem; }
textarea { min-height: 6rem; resize: vertical; }
input[type="checkbox"], input[type="radio"] { width: 1.15rem; height: 1.15rem; accent-color: var(--accent); flex: none; margin: .15rem 0 0; padding: 0; }
input[type="range"] { accent-color: var(--accent); padding: 0; border: 0; height: 2rem; background: none; }
[aria-invalid="true"] { border-color: var(--danger); box-shadow: 0 0 0 1px var(--danger); }
.field-error { color: var(--danger); font-size: .9rem; margin: 0; font-weight: 500; }
.field-error:empty { display: none; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: grid; gap: .6rem; }
legend { padding: 0; margin-bottom: .4rem; }
.choice { display: flex; gap: .65rem; font-weight: 500; cursor: pointer; align-items: flex-start; }
.options { display: grid; grid-template-columns: repeat(3, 1fr); gap: .75rem; }
.options .choice { border: 1px solid var(--line); border-radius: 10px; padding: .8rem .9rem; }
.options .choice:has(:checked) { border-color: var(--accent); background: var(--accent-soft); }
.range-line { display: flex; gap: 1rem; align-items: center; }
.range-line output { min-width: 3.5rem; text-align: right; font-weight: 650; font-variant-numeric: tabular-nums; }

.notice { border-radius: 10px; padding: .8rem 1rem; background: var(--accent-soft); color: var(--accent); font-weight: 500; margin-bottom: 1.25rem; }
.notice.error { background: var(--danger-soft); color: var(--danger); }
.notice:empty, .notice[hidden] { display: none; }
.lines { list-style: none; margin: 0; padding: 0; }
.lines li { display: flex; justify-content: space-between; gap: 1rem; padding: .55rem 0; border-bottom: 1px solid var(--line); }
.lines li:last-child { border: 0; padding-bottom: 0; }
.lines li.total:first-child { padding-top: 0; }
.lines li.total { border: 0; font-weight: 650; font-size: 1.1rem; padding-top: .9rem; }

.table-wrap { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: 1rem 1.1rem .4rem; color: var(--quiet); }
th, td { text-align: left; padding: .6rem 1.1rem; border-top: 1px solid var(--line); white-space: nowrap; }
thead th { font-size: .82rem; color: var(--quiet); text-transform: uppercase; letter-spacing: .04em; border-top: 0; }
td.number, th.number { text-align: right; }
tbody tr:hover { background: var(--raised); }
.cart-table .picture { width: 56px; border-radius: 8px; }
.cart-table input { width: 5rem; }
.status { display: inline-block; border-radius: 99px; padding: .05rem .7rem; font-size: .86rem; font-weight: 600; background: var(--raised); color: var(--quiet); }
.status[data-status="new"] { background: var(--amber-soft); color: var(--amber); }
.status[data-status="packed"] { background: var(--accent-soft); color: var(--accent); }

dialog { border: 1px solid var(--line); border-radius: 18px; padding: 1.75rem; width: min(460px, 100% - 2rem); background: var(--surface); color: var(--text); box-shadow: 0 24px 64px rgb(0 0 0 / .28); }
dialog::backdrop { background: rgb(10 14 16 / .5); backdrop-filter: blur(2px); }
dialog .row { justify-content: flex-end; margin-top: 1.25rem; }
iframe { width: 100%; height: 250px; border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface); display: block; }
.bare { display: block; padding: 1.5rem; min-height: 0; background: var(--surface); }
.bare main { padding: 0; max-width: 36rem; }
.bare h1 { font-size: 1.4rem; margin-bottom: .75rem; }
.bare button { margin-top: .25rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: .2rem 0 0; color: var(--quiet); }
code { background: var(--raised); border-radius: 5px; padding: .1rem .35rem; font-size: .92em; }

@media (max-width: 760px) {
  .product, .split, .fields, .options { grid-template-columns: minmax(0, 1fr); }
  .site-header .wrap { column-gap: .6rem; }
  .site-header nav { order: 1; width: 100%; }
  .site-header .button, .site-header button { padding: .35rem .8rem; }
  .site-header nav a { padding-inline: .6rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
