import type { Frame } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import type { Command } from './wire.ts';

/** Speaks to the in-page half of one frame, through Playwright's selector engine. */
export class Channel {
  /** Name under which the engine is registered. */
  readonly engine: string;

  constructor(engine: string) {
    this.engine = engine;
  }

  /** One round trip. Rejects with Playwright's error, which may hold a refusal. */
  async run<T>(frame: Frame, command: Command, timeoutMs: number, signal: AbortSignal): Promise<T> {
    const body = encodeURIComponent(JSON.stringify(command)).replaceAll("'", '%27');
    const text = await within(
      signal,
      frame.locator(`${this.engine}=${body}`).textContent({ timeout: timeoutMs }),
    );
    return JSON.parse(text ?? 'null') as T;
  }
}
