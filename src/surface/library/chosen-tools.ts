import { OrielError } from '../../kernel/errors.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { ClientBase, ListedTool } from './client.ts';
import { methodName } from './methods.ts';

export interface AdapterOptions {
  /**
   * Names of the tools to hand over, as `browser_click` or `click`; by default those that the
   * configuration lists.
   */
  readonly tools?: readonly string[] | undefined;
}

/** @throws `bad_input` for a name that no tool has. */
export function chosenTools(client: ClientBase, { tools }: AdapterOptions): ListedTool[] {
  if (!tools) return client.tools.filter((tool) => tool.isListed);
  return tools.map((name) => {
    const tool = client.tools.find((one) => one.name === name || methodName(one.name) === name);
    if (tool) return tool;
    const near = nearest(
      name,
      client.tools.map((one) => one.name),
    );
    throw new OrielError('bad_input', `There is no tool ${JSON.stringify(name)}.`, {
      hint: near ? `Did you mean ${near}?` : 'The tools of a client are in `client.tools`.',
    });
  });
}
