/** Objects of Playwright whose `request` and `fetch` go out from our own process. */
const HOLDERS = { request: /(context|page|raw|browser)$/i, fetch: /route$/i };

/**
 * Playwright's API requests leave from this process: no proxy of the browser, no address policy,
 * no record. A page's own network is the only way out.
 */
export const noWayPastTheGate = {
  meta: { type: 'problem' },
  create(context) {
    return {
      MemberExpression(node) {
        if (node.computed) return;
        const { name } = node.property;
        const holder = Object.hasOwn(HOLDERS, name) ? HOLDERS[name] : undefined;
        if (!holder?.test(nameOf(node.object))) return;
        if (isEventName(node)) return;
        context.report({
          node,
          message: `\`${nameOf(node.object)}.${node.property.name}\` goes past the network gate. Let the page load it, or use the fetch that the gate hands in.`,
        });
      },
    };
  },
};

function nameOf(node) {
  switch (node.type) {
    case 'Identifier':
      return node.name;
    case 'MemberExpression':
      return node.property.name ?? '';
    case 'CallExpression':
      return nameOf(node.callee);
    case 'TSNonNullExpression':
    case 'AwaitExpression':
      return nameOf(node.expression ?? node.argument);
    default:
      return '';
  }
}

/** Something may be stored under that name in an object of ours; only reading it is refused. */
function isEventName(node) {
  return node.parent.type === 'AssignmentExpression' && node.parent.left === node;
}
