import fc from 'fast-check';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { MIN_BUDGET, refsIn, render } from './render.ts';
import type { RestOfPage, SnapshotNode } from './snapshot.ts';

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom(
    'a\nb',
    '"quoted"',
    "it's",
    '[ref=e1]',
    'x" [ref=e2] "',
    'a: b',
    '# c',
    'true',
    'null',
    '~',
    '-',
    '- x',
    '? y',
    '\u202eabc',
    '\ud800',
    'x\udfff',
    '\u0000',
    '\u2028',
    '  lead',
    'trail  ',
    '\t',
    '{a: 1}',
    '&anchor',
    '*alias',
    '!tag',
    '|',
    '>',
    '%x',
    '@at',
    '`',
    '… 5 more rows (expand=r1)',
    '\ufeff',
    '1',
    '1e3',
    '0x1',
    '2020-01-01',
    "'",
    '\\',
    '\\u0041',
    ': ',
    ' #',
    'key:',
  ),
);

const role = fc.constantFrom(
  'button',
  'link',
  'textbox',
  'row',
  'cell',
  'list',
  'listitem',
  'heading',
  'generic',
  'paragraph',
  'dialog',
  'combobox',
  'table',
  'closed-shadow-root',
  'iframe',
);

let counter = 0;
const leafFields = {
  role,
  name: fc.option(nasty, { nil: undefined }),
  value: fc.option(nasty, { nil: undefined }),
  href: fc.option(nasty, { nil: undefined }),
  placeholder: fc.option(nasty, { nil: undefined }),
  text: fc.option(nasty, { nil: undefined }),
  note: fc.option(nasty, { nil: undefined }),
  states: fc.subarray(['checked', 'level=2', 'expanded=false']),
  flags: fc.subarray(['active', 'new', 'covered', 'offscreen', 'clickable', 'guessed'] as const),
  hasRef: fc.boolean(),
  isSelect: fc.boolean(),
};

const { tree } = fc.letrec<{ tree: SnapshotNode[]; node: SnapshotNode }>((tie) => ({
  tree: fc.array(tie('node'), { maxLength: 6, depthIdentifier: 'tree' }),
  node: fc.oneof(
    { depthIdentifier: 'tree', maxDepth: 8 },
    nasty.map((text): SnapshotNode => ({
      role: 'text',
      text,
      states: [],
      flags: [],
      visible: true,
      children: [],
    })),
    fc.record({ ...leafFields, children: fc.constant([] as SnapshotNode[]) }).map(build),
    fc.record({ ...leafFields, children: tie('tree') }).map(build),
    fc
      .tuple(fc.array(tie('node'), { minLength: 1, maxLength: 15 }), fc.nat(1_000))
      .map(([items, more]): SnapshotNode => {
        const handle = `r${++counter}`;
        return {
          role: 'list',
          states: [],
          flags: [],
          visible: true,
          children: [
            ...items.map((item, index) => ({ ...item, run: { handle, index, noun: 'items' } })),
            ...(more > 0 ? [fold(handle, items.length, more)] : []),
          ],
        };
      }),
  ),
}));

function fold(handle: string, from: number, count: number): SnapshotNode {
  return {
    role: 'fold',
    states: [],
    flags: [],
    visible: true,
    children: [],
    fold: { handle, from, count, noun: 'items' },
  };
}

function build(fields: {
  role: string;
  name: string | undefined;
  value: string | undefined;
  href: string | undefined;
  placeholder: string | undefined;
  text: string | undefined;
  note: string | undefined;
  states: string[];
  flags: SnapshotNode['flags'][number][];
  hasRef: boolean;
  isSelect: boolean;
  children: SnapshotNode[];
}): SnapshotNode {
  const { name, value, href, placeholder, text, note } = fields;
  return {
    role: fields.role,
    states: fields.states,
    flags: fields.flags,
    visible: true,
    children: fields.children,
    ...(name === undefined ? {} : { name }),
    ...(value === undefined ? {} : { value }),
    ...(href === undefined ? {} : { href }),
    ...(placeholder === undefined ? {} : { placeholder }),
    ...(text === undefined ? {} : { text }),
    ...(note === undefined ? {} : { note }),
    ...(fields.isSelect ? { tag: 'select' } : {}),
    ...(fields.hasRef ? { ref: `e${++counter}` } : {}),
  };
}

const rest = fc.array(
  fc.record({
    handle: fc.nat(99).map((n) => `r${n}`),
    where: fc.constantFrom('above', 'below', 'beside', 'behind', 'rest'),
    links: fc.nat(500),
    buttons: fc.nat(5),
    fields: fc.nat(5),
    elements: fc.nat(9_000),
    outline: fc.array(nasty, { maxLength: 80 }).map((names) =>
      names.map((name, i): SnapshotNode => ({
        role: 'heading',
        name,
        ref: `e${90_000 + i}`,
        states: ['level=2'],
        flags: ['offscreen'],
        visible: true,
        children: [],
      })),
    ),
    moreOutline: fc.nat(50),
  }) as fc.Arbitrary<RestOfPage>,
  { maxLength: 3 },
);

/** Every key and scalar of parsed YAML, keys as they stand. */
function entries(value: unknown, found: string[] = []): string[] {
  if (typeof value === 'string') found.push(value);
  else if (Array.isArray(value)) for (const item of value) entries(item, found);
  else if (value !== null && typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      found.push(key);
      if (!key.startsWith('/') && key !== 'text') entries(inner, found);
    }
  }
  return found;
}

/** The ref of an entry `role "name" [a] [ref=e1]`, read as a reader of the format would. */
function refOfEntry(entry: string): string | undefined {
  const match = /^[a-z-]+(?: "(?:[^"\\]|\\.)*")?((?: \[[^\]]*\])*)$/.exec(entry);
  return match?.[1] === undefined ? undefined : /\[ref=((?:f\d+)?e\d+)\]/.exec(match[1])?.[1];
}

function allRefs(nodes: readonly SnapshotNode[]): string[] {
  return nodes.flatMap((node) => [
    ...(node.ref === undefined ? [] : [node.ref]),
    ...allRefs(node.children),
  ]);
}

describe('any tree', () => {
  test('renders in full as valid YAML from which every ref is read back', () => {
    fc.assert(
      fc.property(tree, (nodes) => {
        const { text, truncated } = render(nodes, [], { budget: Infinity });
        if (nodes.length === 0) return;
        const parsed: unknown = parse(text, { strict: true, uniqueKeys: true });
        const refs = entries(parsed).flatMap((entry) => refOfEntry(entry) ?? []);
        expect(refs.toSorted()).toEqual(allRefs(nodes).toSorted());
        expect([...refsIn(text)].toSorted()).toEqual(refs.toSorted());
        expect(truncated).toBe(/expand=/.test(text.replace(/"(?:[^"\\]|\\.)*"/g, '')));
      }),
      { numRuns: 300 },
    );
  });

  test('stays within any budget as valid YAML whose refs are those of the tree', () => {
    fc.assert(
      fc.property(
        tree,
        rest,
        fc.integer({ min: MIN_BUDGET, max: 8_000 }),
        (nodes, parts, budget) => {
          const { text, leftOut, truncated } = render(nodes, parts, { budget });
          expect(text.length).toBeLessThanOrEqual(budget);
          if (text === '') return;
          const parsed: unknown = parse(text, { strict: true, uniqueKeys: true });
          expect(Array.isArray(parsed)).toBe(true);
          const known = new Set([
            ...allRefs(nodes),
            ...parts.flatMap((part) => allRefs(part.outline)),
          ]);
          const refs = entries(parsed).flatMap((entry) => refOfEntry(entry) ?? []);
          for (const ref of refs) expect(known.has(ref)).toBe(true);
          expect([...refsIn(text)].toSorted()).toEqual(refs.toSorted());
          const isWhole = allRefs(nodes).every((ref) => refs.includes(ref));
          if (!isWhole) expect(truncated).toBe(true);
          if (truncated) expect(leftOut.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('never holds a control character, a direction override or a lone surrogate', () => {
    fc.assert(
      fc.property(tree, rest, (nodes, parts) => {
        const { text } = render(nodes, parts, { budget: 6_000 });
        expect(text).not.toMatch(
          /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/,
        );
        expect(text).not.toMatch(/\p{Cs}/u);
        // Nor does a reader get one back: JSON writes a lone surrogate as an escape.
        if (text !== '') expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i);
      }),
      { numRuns: 200 },
    );
  });
});

test('a run of like items folds into its first ones and says how to open the rest', () => {
  const items = Array.from({ length: 60 }, (_, index): SnapshotNode => ({
    role: 'listitem',
    text: `Item number ${index} with some words`,
    states: [],
    flags: [],
    visible: true,
    children: [],
    run: { handle: 'r3', index, noun: 'items' },
  }));
  const { text, handles } = render([...items, fold('r3', 60, 940)], [], { budget: 1_000 });
  expect(text.length).toBeLessThanOrEqual(1_000);
  const match = /… (\d+) more items \(expand=r3\.(\d+)\)/.exec(text);
  expect(Number(match?.[1]) + Number(match?.[2])).toBe(1_000);
  expect(handles).toEqual([`r3.${match?.[2]}`]);
  expect(text).toContain('- listitem: Item number 0 with some words');
});
