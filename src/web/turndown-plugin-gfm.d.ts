declare module '@joplin/turndown-plugin-gfm' {
  import type { Plugin } from 'turndown';
  /** Tables, strikethrough and task lists. */
  export const gfm: Plugin;
  /** The same names once more, where the module is bundled. */
  const names: { readonly gfm: Plugin } | undefined;
  export default names;
}
