import { rename, rm } from 'node:fs/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { OrielError } from '../kernel/errors.ts';
import type { Artifact, ArtifactStore } from '../model/artifact.ts';
import { AviWriter } from './avi.ts';
import { keepRecording, workingFile } from './recorded-file.ts';

export interface VideoOptions {
  /** Most frames a second. */
  readonly fps: number;
  /** Largest width and height; pictures keep their proportions. */
  readonly width: number;
  readonly height: number;
  readonly maxMs: number;
  readonly maxBytes: number;
}

/** What ended a film: a call, its longest time or size, or its page that closed. */
export type VideoEnd = 'stop' | 'time' | 'size' | 'close';

export interface Video {
  readonly file: Artifact;
  readonly durationMs: number;
  /** Pictures in the film, repeated ones included. */
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly endedBy: VideoEnd;
}

/** A page to be filmed, and where the film goes. */
export interface Filmed {
  readonly page: Page;
  /** The id that its agent knows the page by. */
  readonly id: string;
  readonly session: string;
}

/** Films of pages, at most one of a page at a time. */
export class Videos {
  readonly #films = new WeakMap<BrowserContext, Film[]>();
  readonly #artifacts: ArtifactStore;

  constructor(artifacts: ArtifactStore) {
    this.#artifacts = artifacts;
  }

  /** @throws `busy` when the page is being filmed already. */
  async start(filmed: Filmed, options: VideoOptions, signal: AbortSignal): Promise<void> {
    const context = filmed.page.context();
    const films = this.#films.get(context) ?? [];
    if (films.some((film) => film.page === filmed.page)) {
      throw new OrielError('busy', `${filmed.id} is being filmed already.`, {
        hint: 'End that film with browser_video {"action": "stop"}.',
      });
    }
    const film = await Film.start(this.#artifacts, filmed, options, signal);
    this.#films.set(context, [...films, film]);
  }

  /**
   * Ends the film of a page, or the newest one of the session; also of a page that has closed.
   *
   * @throws `not_found` when there is none, `upstream` when the page never showed a picture.
   */
  async stop(context: BrowserContext, id: string | undefined, signal: AbortSignal): Promise<Video> {
    const films = this.#films.get(context) ?? [];
    const film = films.findLast((one) => id === undefined || one.id === id);
    if (!film) {
      throw new OrielError('not_found', 'No such page is being filmed.', {
        hint: 'Begin with browser_video {"action": "start"}.',
      });
    }
    this.#films.set(
      context,
      films.filter((one) => one !== film),
    );
    return within(signal, film.end('stop'));
  }
}

/** One film; it owns its working file until it has become an artifact. */
class Film {
  readonly page: Page;
  readonly id: string;
  readonly #artifacts: ArtifactStore;
  readonly #session: string;
  readonly #options: VideoOptions;
  readonly #path: string;
  readonly #avi: AviWriter;
  readonly #startedAt = Date.now();
  readonly #timer: NodeJS.Timeout;
  /** Writes run one after the other. */
  #writing: Promise<void> = Promise.resolve();
  /** The newest picture, until the next one shows that it was the last of its slot. */
  #newest: { readonly jpeg: Buffer; readonly at: number } | null = null;
  #ending: Promise<Video> | null = null;

  private constructor(
    artifacts: ArtifactStore,
    filmed: Filmed,
    options: VideoOptions,
    path: string,
    avi: AviWriter,
  ) {
    this.page = filmed.page;
    this.id = filmed.id;
    this.#artifacts = artifacts;
    this.#session = filmed.session;
    this.#options = options;
    this.#path = path;
    this.#avi = avi;
    this.#timer = setTimeout(() => this.#endItself('time'), options.maxMs);
    this.#timer.unref();
  }

  static async start(
    artifacts: ArtifactStore,
    filmed: Filmed,
    options: VideoOptions,
    signal: AbortSignal,
  ): Promise<Film> {
    const path = await workingFile(artifacts, filmed.session, 'avi');
    const avi = await AviWriter.open(path, options.fps);
    const film = new Film(artifacts, filmed, options, path, avi);
    filmed.page.once('close', () => film.#endItself('close'));
    try {
      const size = { width: options.width, height: options.height };
      const onFrame = ({ data, timestamp }: { data: Buffer; timestamp: number }) =>
        film.#onFrame(data, timestamp);
      await within(signal, filmed.page.screencast.start({ size, fps: options.fps, onFrame }));
    } catch (thrown) {
      film.#endItself('stop');
      throw thrown;
    }
    return film;
  }

  /** Ending it again gives the same film. */
  end(by: VideoEnd): Promise<Video> {
    return (this.#ending ??= this.#finish(by));
  }

  /** Nobody waits for the outcome; the next `stop` is told of it. */
  #endItself(by: VideoEnd): void {
    this.end(by).catch(() => {});
  }

  async #finish(endedBy: VideoEnd): Promise<Video> {
    clearTimeout(this.#timer);
    const durationMs = Date.now() - this.#startedAt;
    try {
      if (!this.page.isClosed()) await this.page.screencast.stop().catch(() => {});
      this.#writeNewest();
      await this.#writing;
      const facts = await this.#avi.finish(Math.ceil((durationMs / 1_000) * this.#options.fps));
      if (facts.frames === 0) {
        throw new OrielError('upstream', 'The page showed no picture while it was filmed.', {
          hint: 'Film it for longer, while something changes.',
        });
      }
      const as = { prefix: 'video', extension: 'avi', mimeType: 'video/x-msvideo' };
      const file = await keepRecording(
        this.#artifacts,
        { session: this.#session, ...as },
        (working) => rename(this.#path, working),
      );
      return { file, durationMs, ...facts, endedBy };
    } finally {
      await rm(this.#path, { force: true });
    }
  }

  #onFrame(jpeg: Buffer, timestamp: number): void {
    if (this.#ending) return;
    const { fps, maxBytes } = this.#options;
    const at = Math.floor((Math.max(0, timestamp - this.#startedAt) / 1_000) * fps);
    if (this.#newest && at > this.#newest.at) this.#writeNewest();
    this.#newest = { jpeg, at };
    if (this.#avi.bytes > maxBytes) this.#endItself('size');
  }

  #writeNewest(): void {
    const picture = this.#newest;
    if (!picture) return;
    this.#newest = null;
    this.#writing = this.#writing
      .then(() => this.#avi.add(picture.jpeg, picture.at))
      // A full disk ends the film with what it holds.
      .catch(() => this.#endItself('size'));
  }
}
