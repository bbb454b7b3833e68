import { OrielError } from '../kernel/errors.ts';
import type { Config } from '../config/schema.ts';
import { effectsOf, type AnyTool } from './declaration.ts';
import { nearest } from '../kernel/nearest.ts';
import { packsOf, selectListed } from './listed.ts';
import { fold } from './suggest.ts';

/** The tools of a server: all can be called, some are listed. */
export class ToolSet {
  readonly all: readonly AnyTool[];
  readonly #byName: ReadonlyMap<string, AnyTool>;

  constructor(tools: readonly AnyTool[]) {
    this.all = tools;
    const byName = new Map<string, AnyTool>();
    for (const tool of tools) {
      for (const name of [tool.name, ...(tool.peerNames ?? [])]) byName.set(fold(name), tool);
    }
    this.#byName = byName;
  }

  /** Packs that some tool is in. */
  get packs(): string[] {
    return packsOf(this.all);
  }

  /**
   * @throws `not_found` with the nearest name.
   */
  get(name: string): AnyTool {
    const tool = this.#byName.get(fold(name)) ?? this.#byName.get(fold(`browser_${name}`));
    if (tool) return tool;
    const names = this.all.map((known) => known.name);
    const near = nearest(name, names);
    throw new OrielError('not_found', `There is no tool ${JSON.stringify(name.slice(0, 80))}.`, {
      hint: near ? `Did you mean ${near}?` : `There are: ${names.join(', ')}.`,
    });
  }

  /**
   * The tools a client is shown.
   *
   * @throws `bad_input` for a pack that no tool is in.
   */
  listed(config: Config): AnyTool[] {
    return selectListed(
      this.all.map((tool) => ({ tool, pack: tool.pack, effects: effectsOf(tool) })),
      config,
    ).map(({ tool }) => tool);
  }
}
