import { fileURLToPath } from 'node:url';

const hostPid = process.ppid;

// Each part alone: the process inside a namespace needs none of the policy, and a browser waits
// for it to start.
if (process.argv[2] === 'namespace') {
  const { serveNamespace } = await import('./namespace-inside.ts');
  await serveNamespace();
} else {
  const { serveGate } = await import('./serve-gate.ts');
  serveGate(fileURLToPath(import.meta.url), hostPid);
}
