import type { NodeFlag, WireNode } from '../wire.ts';
import { squeeze } from './text.ts';

/** Where a level of the walk puts what it finds; text of neighbours runs together until a break. */
export class Out {
  readonly nodes: WireNode[] = [];
  #pending = '';
  readonly #flags = new Set<NodeFlag>();

  text(data: string, flags: readonly NodeFlag[]): void {
    this.#pending += data;
    for (const flag of flags) this.#flags.add(flag);
  }

  /** A block boundary: what follows is another line. */
  flush(): void {
    if (this.#pending === '') return;
    const text = squeeze(this.#pending);
    this.#pending = '';
    if (text !== '')
      this.nodes.push({
        role: 'text',
        text,
        ...(this.#flags.size > 0 ? { flags: [...this.#flags] } : {}),
      });
    this.#flags.clear();
  }

  push(node: WireNode): void {
    this.flush();
    this.nodes.push(node);
  }
}
