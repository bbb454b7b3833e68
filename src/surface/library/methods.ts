import type { z } from 'zod';
import type { Effect } from '../../model/effect.ts';
import type { AnyTool } from '../../tool/declaration.ts';

/** Second argument of every method. */
export interface CallOptions {
  /** Ends the call with `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** Told of slow steps, such as the start of a browser. */
  readonly onProgress?: ((message: string) => void) | undefined;
  /**
   * Id of a session in the host's own words: the call goes to the browser session of that id, or
   * of its root by `rootOf`, which is made at first need. Without it, to the client's own.
   */
  readonly hostSession?: string | undefined;
}

/** What every result says beside the output of its tool. */
export interface CallFacts {
  /** What the call did to the page and around it; absent where it changed nothing. */
  readonly effect?: Effect;
  /** Id of the page it was about. */
  readonly page?: string;
  /** Handle of the session it was about. */
  readonly session?: string;
}

/** The output of a tool as data, with {@link CallFacts}; what the output itself names wins. */
export type ResultOf<Tool extends AnyTool> = z.output<Tool['output']> &
  Omit<CallFacts, keyof z.output<Tool['output']>>;

/** The arguments of a tool, without those in `Bound`. */
export type InputOf<Tool extends AnyTool, Bound extends string = never> = Omit<
  z.input<Tool['input']>,
  Bound
>;

/** A tool as a method; the input may be left out where all of it is optional. */
export type Method<Tool extends AnyTool, Bound extends string = never> =
  Partial<InputOf<Tool, Bound>> extends InputOf<Tool, Bound>
    ? (input?: InputOf<Tool, Bound>, options?: CallOptions) => Promise<ResultOf<Tool>>
    : (input: InputOf<Tool, Bound>, options?: CallOptions) => Promise<ResultOf<Tool>>;

/** Tools by the names of their methods: `browser_scroll_to` is `scrollTo`. */
export type Toolbox = Readonly<Record<string, AnyTool>>;

export type Methods<Tools extends Toolbox, Bound extends string = never> = {
  readonly [Name in keyof Tools]: Method<Tools[Name], Bound>;
};

/** The name of the method that calls the tool. */
export function methodName(tool: string): string {
  return tool
    .replace(/^browser_/, '')
    .replace(/_([a-z0-9])/g, (_, char: string) => char.toUpperCase());
}
