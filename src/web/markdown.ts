/**
 * HTML as GitHub-flavoured Markdown. The converter is loaded on first use.
 *
 * @param html - A fragment or a document; scripts and styles are dropped.
 */
export async function toMarkdown(html: string): Promise<string> {
  const [{ default: Turndown }, plugin] = await Promise.all([
    import('turndown'),
    import('@joplin/turndown-plugin-gfm'),
  ]);
  // Both are CommonJS: in a bundle such a module has its names on `default` alone.
  const { gfm } = plugin.default ?? plugin;
  const converter = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
  });
  converter.use(gfm);
  converter.remove(['script', 'style', 'noscript']);
  return converter
    .turndown(html)
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
