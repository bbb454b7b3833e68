import { z } from 'zod';

export const MAX_ID_CHARS = 200;

export const sessionIdArg = z
  .string()
  .min(1)
  .max(MAX_ID_CHARS)
  .describe('Session id that browser_navigate returned.');

/** Makes ids of the form `browser_{milliseconds}`, never the same twice. */
export class SessionIds {
  #last = 0;

  next(): string {
    this.#last = Math.max(Date.now(), this.#last + 1);
    return `browser_${this.#last}`;
  }
}
