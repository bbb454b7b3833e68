import type { PageElement } from './backend.ts';

const MAX_TEXT_CHARS = 100;
const TAGS = new Set(['a', 'button', 'input', 'select', 'textarea', 'summary']);
const ROLES = new Set(
  'button checkbox combobox link menuitem menuitemcheckbox menuitemradio option radio searchbox slider spinbutton switch tab textbox treeitem'.split(
    ' ',
  ),
);

/** A node as `browser_snapshot` gives it. */
export interface TreeNode {
  readonly role: string;
  readonly name?: string;
  readonly text?: string;
  readonly value?: string;
  readonly tag?: string;
  readonly type?: string;
  readonly href?: string;
  readonly ref?: string;
  readonly visible: boolean;
  readonly flags: readonly string[];
  readonly children: readonly TreeNode[];
}

/** An indented tree of `[role] name` lines below the line of the document. */
export function toText(title: string, tree: readonly TreeNode[]): string {
  const lines = [line('document', title, 0)];
  const add = (node: TreeNode, level: number): void => {
    const name = node.name ?? node.text ?? '';
    // What has neither role nor name says nothing; what is in it does.
    const isSilent = node.role === 'generic' && name === '';
    if (!isSilent) lines.push(line(node.role, name, level));
    for (const child of node.children) add(child, isSilent ? level : level + 1);
  };
  for (const node of tree) add(node, 1);
  return lines.join('\n');
}

/** What can be acted on, in the order of the page, with our ref of each. */
export function toElements(tree: readonly TreeNode[]): {
  readonly elements: readonly PageElement[];
  readonly refs: readonly string[];
} {
  const elements: PageElement[] = [];
  const refs: string[] = [];
  const add = (node: TreeNode): void => {
    const { ref, tag, type, href, visible } = node;
    if (ref !== undefined && tag !== undefined && isActable(node)) {
      const text = (node.name ?? node.text ?? '').slice(0, MAX_TEXT_CHARS).toWellFormed();
      elements.push({
        ref: `@e${elements.length}`,
        tag,
        text,
        visible,
        ...(type === undefined ? {} : { type }),
        ...(href === undefined ? {} : { href }),
      });
      refs.push(ref);
    }
    node.children.forEach(add);
  };
  tree.forEach(add);
  return { elements, refs };
}

function isActable({ tag = '', role, flags }: TreeNode): boolean {
  return TAGS.has(tag) || ROLES.has(role) || flags.includes('clickable');
}

function line(role: string, name: string, level: number): string {
  const text = name.replace(/\s+/g, ' ').trim();
  return `${'  '.repeat(level)}[${role}]${text === '' ? '' : ` ${text}`}`;
}
