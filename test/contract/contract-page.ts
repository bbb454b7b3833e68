/** One page with something for every tool to do. */
export const CONTRACT_PAGE = `<!doctype html>
<html lang="en">
<title>Contract</title>
<style>
  body { font: 16px sans-serif; margin: 8px; caret-color: transparent; }
  #tip { visibility: hidden; }
  #help:hover + #tip { visibility: visible; }
  .box { width: 80px; height: 40px; background: #ccc; margin: 4px; }
  #tall { height: 3000px; }
</style>
<h1>Contract</h1>
<p id="log" role="status">nothing yet</p>
<button id="save">Save</button>
<button id="twin">Twin</button><button>Twin</button>
<button id="ask">Ask</button>
<button id="help">Help</button><span id="tip">Here to help</span>
<a href="/contract?second">Second</a>
<form id="form">
  <label>Name <input id="name"></label>
  <label>Size <select id="size"><option value="s">Small</option><option value="l">Large</option></select></label>
  <label><input type="checkbox" id="terms"> Terms</label>
</form>
<input type="file" id="file" aria-label="File">
<div class="box" id="from" draggable="true">Drag me</div>
<div class="box" id="to">Drop here</div>
<div id="tall"></div>
<script>
  const log = (text) => (document.getElementById('log').textContent = text);
  save.onclick = () => log('saved');
  ask.onclick = () => log(confirm('Really?') ? 'yes' : 'no');
  document.getElementById('name').onkeydown = ({ key }) => log('key ' + key);
  to.ondragover = (event) => event.preventDefault();
  to.ondrop = (event) => { event.preventDefault(); log('dropped'); };
  form.onsubmit = (event) => { event.preventDefault(); log('submitted'); };
</script>
</html>`;
