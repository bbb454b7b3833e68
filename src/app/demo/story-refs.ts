/** An element as a snapshot lists it. */
export interface Listed {
  readonly role: string;
  readonly name: string;
  readonly ref: string;
}

/**
 * `role "name" … [ref=e12]`, wherever it stands in a line: indentation, quotes of YAML around the
 * key, states and marks of changes may differ.
 */
const ELEMENT = /([a-z]+) "((?:[^"\\]|\\.)*)"[^\n]*?\[ref=(\w+)\]/g;

/** Every named element of the snapshots in `text`, in their order. */
export function listElements(text: string): Listed[] {
  return Array.from(text.matchAll(ELEMENT), ([, role = '', name = '', ref = '']) => ({
    role,
    name: name.replace(/\\(.)/g, '$1'),
    ref,
  }));
}

/** The last such element whose name begins so, since the newest word of an answer comes last. */
export function findElement(text: string, role: string | null, name: string): Listed | undefined {
  return listElements(text).findLast(
    (element) => (role === null || element.role === role) && element.name.startsWith(name),
  );
}
