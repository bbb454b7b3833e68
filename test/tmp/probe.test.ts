import { it } from 'vitest';
import { startOriel, textOf } from '../harness/oriel.ts';
it('probe', async () => {
  const oriel = await startOriel({ config: { timeouts: { actionMs: 2500 , scriptMs: 2000} } });
  const say = async (tool: string, input: unknown) => {
    const t = performance.now();
    const o = await oriel.call(tool, input);
    console.log(tool, JSON.stringify(input).slice(0,100), '->', o.status, Math.round(performance.now()-t)+'ms', o.status==='failed'?JSON.stringify(o.error):'', '\n'+textOf(o).slice(0,700));
  };
  const u = (p: string) => oriel.fixtures.url(p);
  try {
  await say('browser_navigate', { url: u('/form-50.html') });
  await say('browser_click', { target: 'css=[[[' });
  await say('browser_type', { target: 'css=input[type=password]', text: 'hunter2secret' });
  await say('browser_snapshot', { });
  await say('browser_fill', { fields: [{target:'css=input[type=date]', value:'abc'}] });
  await say('browser_fill', { fields: [{target:'css=input[type=number]', value:'abc'}] });
  await say('browser_fill', { fields: [{target:'css=input[type=range]', value:'abc'}] });
  await say('browser_fill', { fields: [{target:'css=input[type=color]', value:'abc'}] });
  await say('browser_fill', { fields: [{target:'css=h1', value:'abc'}] });
  await say('browser_press', { key: 'Nokey' });
  await say('browser_press', { key: 'Nokey', target: 'css=input[type=date]' });
  await say('browser_navigate', { url: u('/covered.html') });
  await say('browser_click', { target: 'css=#target' });
  await say('browser_navigate', { url: u('/popups.html') });
  await say('browser_click', { target: 'text=Open window' });
  await say('browser_click', { target: 'text="New tab"' });
  await say('browser_click', { target: 'text=Open two windows' });
  await say('browser_tabs', {});
  await say('browser_navigate', { url: u('/downloads.html') });
  await say('browser_click', { target: 'text="Attachment"' });
  await say('browser_click', { target: 'text="Blob URL"' });
  await say('browser_click', { target: 'text="Attachment with a dangerous name"' });
  await say('browser_navigate', { url: u('/dialogs.html') });
  await say('browser_click', { target: 'text="Guard against leaving"' });
  await say('browser_navigate', { url: u('/blank.html') });
  await say('browser_evaluate', { function: '() => { throw new Error("the shop is closed") }' });
  await say('browser_evaluate', { function: 'document.title' });
  await say('browser_evaluate', { function: '() => 12n' });
  await say('browser_evaluate', { function: '() => ({a: NaN, b: new Map([[1,2]])})' });
  await say('browser_evaluate', { function: 'while(true);' });
  await say('browser_snapshot', { });
  await say('browser_navigate', { url: u('/blank.html') });
  await say('browser_navigate', { url: u('/deep-5000.html?display=block') });
  await say('browser_snapshot', { });
  await say('browser_navigate', { url: u('/blank.html') });
  await say('browser_tabs', { });
  } finally { await oriel[Symbol.asyncDispose](); }
}, 120000);
