import { expect, test } from 'vitest';
import { clientConfigs } from './client-config.ts';

test('each client gets lines that its own format reads', () => {
  const start = { command: '/opt/my node/node', args: ['/home/a b/oriel.js', 'mcp'] };
  const [code, desktop, cursor, vscode] = clientConfigs(start);
  expect(code?.text).toBe('claude mcp add oriel -- "/opt/my node/node" "/home/a b/oriel.js" mcp');
  expect(JSON.parse(desktop?.text ?? '')).toEqual({ mcpServers: { oriel: start } });
  expect(cursor?.text).toBe(desktop?.text);
  expect(JSON.parse(vscode?.text ?? '')).toEqual({
    servers: { oriel: { type: 'stdio', ...start } },
  });
});
