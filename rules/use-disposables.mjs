/** What opens something that has to be disposed, by how the call reads. */
function opens(node) {
  if (node.type === 'NewExpression') return node.callee.name === 'Deadline';
  const { callee } = node;
  if (callee.type !== 'MemberExpression') return false;
  const method = callee.property.name;
  if (method === 'onInterruption') return true;
  const { object } = callee;
  const owner = object.type === 'MemberExpression' ? object.property.name : object.name;
  return method === 'acquire' && /mutex/i.test(owner ?? '');
}

const TRANSPARENT = new Set([
  'AwaitExpression',
  'ConditionalExpression',
  'LogicalExpression',
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
]);

/** Whether what `node` gives is disposed by its block, or handed to one who will. */
function isOwned(node) {
  let child = node;
  let { parent } = node;
  while (TRANSPARENT.has(parent.type)) [child, parent] = [parent, parent.parent];
  switch (parent.type) {
    case 'VariableDeclarator':
      return parent.parent.kind.endsWith('using');
    case 'ReturnStatement':
    case 'Property':
      return true;
    case 'ArrowFunctionExpression':
      return parent.body === child;
    case 'AssignmentExpression':
      return parent.left.type === 'MemberExpression';
    case 'CallExpression':
      return parent.arguments.includes(child) && /^(own|use|adopt)$/.test(calledName(parent));
    default:
      return false;
  }
}

function calledName({ callee }) {
  return (callee.type === 'MemberExpression' ? callee.property.name : callee.name) ?? '';
}

/** A deadline, a lock or a listener that nobody disposes outlives its call. */
export const useDisposables = {
  meta: { type: 'problem' },
  create(context) {
    const check = (node) => {
      if (!opens(node) || isOwned(node)) return;
      context.report({
        node,
        message:
          'Nothing disposes this on every path. Declare it with `using`, or hand it to a Scope by `own()`.',
      });
    };
    return { NewExpression: check, CallExpression: check };
  },
};
