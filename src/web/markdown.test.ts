import { describe, expect, it } from 'vitest';
import { toMarkdown } from './markdown.ts';

describe('toMarkdown', () => {
  it('turns headings, links, lists, code and tables into GitHub’s Markdown', async () => {
    const markdown = await toMarkdown(
      '<h2>Title</h2><p>See <a href="https://a.test/">this</a>, <del>old</del>.</p>' +
        '<ul><li>one</li></ul><pre><code>x = 1</code></pre>' +
        '<table><thead><tr><th>a</th><th>b</th></tr></thead><tr><td>1</td><td>2</td></tr></table>',
    );
    expect(markdown).toContain('## Title');
    expect(markdown).toContain('[this](https://a.test/)');
    expect(markdown).toMatch(/-\s+one/);
    expect(markdown).toContain('```\nx = 1\n```');
    expect(markdown).toMatch(/\| a +\| b +\|\n\| -+ \| -+ \|\n\| 1 +\| 2 +\|/);
  });

  it('drops scripts and styles', async () => {
    const markdown = await toMarkdown('<p>Text</p><script>bad()</script><style>p{}</style>');
    expect(markdown).toBe('Text');
  });
});
