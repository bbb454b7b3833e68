const MESSAGE =
  'A fixed wait is too long on most machines and too short on some. Wait for an event, or until a condition holds.';

/**
 * Refuses `waitForTimeout`, `sleep(500, …)` and promises around a `setTimeout` of a fixed time. The
 * pause of a loop that looks again until something holds is none of these.
 */
export const noFixedSleep = {
  meta: { type: 'problem' },
  create(context) {
    return {
      CallExpression(node) {
        const { callee } = node;
        const name = callee.type === 'MemberExpression' ? callee.property.name : callee.name;
        const report = () => context.report({ node, message: MESSAGE });
        if (name === 'waitForTimeout') report();
        else if (isInLoop(node)) return;
        else if (/^(sleep|delay)$/.test(name ?? '') && isNumber(node.arguments[0])) report();
        else if (name === 'setTimeout' && isNumber(node.arguments[1]) && isBare(node)) report();
      },
    };
  },
};

function isInLoop(node) {
  for (let at = node.parent; at; at = at.parent) {
    if (/^(While|DoWhile|For)/.test(at.type)) return true;
    if (/Function/.test(at.type) && at.async) return false;
  }
  return false;
}

function isNumber(node) {
  return node?.type === 'Literal' && typeof node.value === 'number';
}

/** True for `new Promise((resolve) => setTimeout(resolve, 500))`, with or without braces. */
function isBare(node) {
  const resolve = node.arguments[0];
  let { parent } = node;
  if (parent.type === 'ExpressionStatement') parent = parent.parent;
  if (parent.type === 'BlockStatement' && parent.body.length === 1) parent = parent.parent;
  return (
    /Function/.test(parent.type) &&
    parent.parent.type === 'NewExpression' &&
    parent.parent.callee.name === 'Promise' &&
    resolve?.type === 'Identifier' &&
    resolve.name === parent.params[0]?.name
  );
}
