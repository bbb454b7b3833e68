import type { Request, Response } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import type { Found } from '../model/console.ts';
import type { Exchange, TrafficQuery } from '../model/traffic.ts';
import { redactUrl } from './secrets.ts';
import { type Sequence, Track } from './track.ts';

const MAX_URL_CHARS = 2_000;

/** Requests that stay open for as long as the page likes; they say nothing about its rest. */
const ENDLESS = new Set(['eventsource', 'websocket', 'ping']);

/** A request with what became of it so far. */
export interface Traced {
  readonly request: Request;
  readonly entry: Exchange;
}

/** What one page has asked the network for. */
export class NetworkLog {
  readonly #traced: Track<Traced>;
  readonly #byRequest = new WeakMap<Request, Traced>();
  readonly #open = new Set<Request>();
  readonly #listeners = new Set<() => void>();
  #numbered = 0;
  #changedAt = performance.now();

  constructor(sequence: Sequence) {
    this.#traced = new Track(sequence);
  }

  /** @param worker - Address of the service worker that asks, if one does. */
  noteRequest(request: Request, worker?: string): void {
    if (this.#byRequest.has(request)) return;
    const entry: Exchange = {
      id: `r${++this.#numbered}`,
      method: request.method(),
      url: redactUrl(request.url().slice(0, MAX_URL_CHARS)),
      status: null,
      resourceType: request.resourceType(),
      timestamp: Date.now(),
      ...(worker === undefined ? {} : { worker: worker.slice(0, 500) }),
    };
    const traced = { request, entry };
    this.#byRequest.set(request, traced);
    this.#traced.note(traced);
    if (!ENDLESS.has(entry.resourceType)) this.#open.add(request);
    this.#changed();
    // A popup's first request may be over before the popup is there to have it noted.
    const response = request.existingResponse();
    if (response) this.noteResponse(response);
    if (request.timing().responseEnd >= 0 || request.failure()) this.noteEnd(request);
  }

  noteResponse(response: Response): void {
    const entry = this.#byRequest.get(response.request())?.entry;
    if (!entry) return;
    entry.status = response.status();
    const length = response.headers()['content-length'];
    if (length !== undefined && /^\d+$/.test(length)) entry.sizeBytes = Number(length);
    this.#changed();
  }

  noteEnd(request: Request): void {
    this.#open.delete(request);
    const entry = this.#byRequest.get(request)?.entry;
    if (entry) {
      const { startTime, responseEnd } = request.timing();
      if (startTime > 0) entry.timestamp = Math.round(startTime);
      if (responseEnd >= 0) entry.durationMs = Math.round(responseEnd * 10) / 10;
      const failure = request.failure()?.errorText;
      if (failure !== undefined) entry.failure = failure.slice(0, 200);
    }
    this.#changed();
  }

  query({ containsUrl, status, method, resourceType, limit }: TrafficQuery): Found<Exchange> {
    const matching = this.#traced
      .all()
      .filter(
        ({ entry, request }) =>
          (containsUrl === undefined || request.url().includes(containsUrl)) &&
          (status === undefined || hasStatus(entry, status)) &&
          (method === undefined || entry.method === method.toUpperCase()) &&
          (resourceType === undefined || entry.resourceType === resourceType),
      );
    return {
      total: matching.length,
      returned: (limit === 0 ? [] : matching.slice(-limit)).map(({ entry }) => ({ ...entry })),
      dropped: this.#traced.dropped,
    };
  }

  /** The request of that id, while the buffer holds it. */
  find(id: string): Traced | null {
    return this.#traced.all().find(({ entry }) => entry.id === id) ?? null;
  }

  /** What is under way, of what can end: ids of the oldest first. */
  get pending(): Exchange[] {
    return [...this.#open].flatMap((request) => this.#byRequest.get(request)?.entry ?? []);
  }

  /**
   * Waits until nothing has been under way, and nothing began, for `quietMs`. Streams that the
   * server keeps open do not count.
   */
  async untilIdle(quietMs: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    let listener: (() => void) | undefined;
    const idle = new Promise<void>((resolve) => {
      listener = () => {
        clearTimeout(timer);
        if (this.#open.size > 0) return;
        const left = quietMs - (performance.now() - this.#changedAt);
        if (left <= 0) resolve();
        else timer = setTimeout(() => listener?.(), left);
      };
      this.#listeners.add(listener);
      listener();
    });
    try {
      await within(signal, idle);
    } finally {
      clearTimeout(timer);
      if (listener) this.#listeners.delete(listener);
    }
  }

  #changed(): void {
    this.#changedAt = performance.now();
    for (const listener of this.#listeners) listener();
  }
}

function hasStatus(entry: Exchange, pattern: string): boolean {
  if (pattern === 'failed') return entry.failure !== undefined;
  if (pattern === 'pending') return entry.status === null && entry.failure === undefined;
  const status = String(entry.status);
  return pattern.endsWith('xx') ? status.startsWith(pattern.charAt(0)) : status === pattern;
}
