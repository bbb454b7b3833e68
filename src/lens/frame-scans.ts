import type { Frame } from 'playwright-core';
import { within } from '../kernel/deadline.ts';
import { iframesIn, toNodes } from './assemble.ts';
import type { FrameContent } from './assemble.ts';
import type { Channel } from './channel.ts';
import type { Frames } from './frames.ts';
import { scanCommandOf } from './scan-command.ts';
import type { SnapshotNode, SnapshotOptions } from './snapshot.ts';
import type { ScanCommand, ScanResult, WireNode } from './wire.ts';

/** How long a frame may take to answer, unless the caller says otherwise. */
export const FRAME_TIMEOUT_MS = 1_500;
/** A frame smaller than this holds nothing a person could use. */
const MIN_FRAME_SIDE = 8;
const MAX_FRAME_DEPTH = 6;

/** The scans of one snapshot, over all its frames. */
export class FrameScans {
  pageMs = 0;
  visited = 0;
  frames = 0;
  silent = 0;
  hidden = 0;
  matches = 0;
  readonly alive = new Set<string>();
  readonly #channel: Channel;
  readonly #frames: Frames;
  readonly #options: SnapshotOptions;
  readonly #known: readonly string[];
  readonly #signal: AbortSignal;

  constructor(
    channel: Channel,
    frames: Frames,
    options: SnapshotOptions,
    known: readonly string[],
    signal: AbortSignal,
  ) {
    this.#channel = channel;
    this.#frames = frames;
    this.#options = options;
    this.#known = known;
    this.#signal = signal;
  }

  async frame(frame: Frame, command: Omit<ScanCommand, 'base'>): Promise<ScanResult> {
    const state = this.#frames.state(frame);
    const known = this.#known.flatMap((ref) => {
      const match = /^((?:f\d+)?)e(\d+)$/.exec(ref);
      return match && match[1] === state.prefix ? [Number(match[2])] : [];
    });
    state.scanning++;
    try {
      const result = await this.#channel.run<ScanResult>(
        frame,
        { ...command, base: state.top, ...(known.length > 0 ? { known } : {}) },
        this.#options.frameTimeoutMs ??
          (frame.parentFrame() ? FRAME_TIMEOUT_MS : FRAME_TIMEOUT_MS * 10),
        this.#signal,
      );
      state.top = Math.max(state.top, result.top);
      for (const number of result.alive ?? []) this.alive.add(`${state.prefix}e${number}`);
      return result;
    } finally {
      state.scanning--;
    }
  }

  /** Puts the contents of child frames into their parents, level by level, all of a level at once. */
  async assemble(frame: Frame, result: ScanResult, level: number): Promise<SnapshotNode[]> {
    this.frames++;
    this.pageMs = Math.round((this.pageMs + result.stats.ms) * 10) / 10;
    this.visited += result.stats.visited;
    this.hidden += result.stats.hidden;
    this.matches += result.stats.matches;
    const contents = new Map<WireNode, FrameContent>();
    const places = iframesIn(result.nodes).filter(isRoomy);
    if (level < MAX_FRAME_DEPTH && places.length > 0) {
      await Promise.all(
        frame.childFrames().map((child) => this.#child(child, places, contents, level + 1)),
      );
    }
    return toNodes(result.nodes, this.#frames.state(frame).prefix, result.url, contents);
  }

  async #child(
    frame: Frame,
    places: readonly WireNode[],
    contents: Map<WireNode, FrameContent>,
    level: number,
  ): Promise<void> {
    this.#frames.state(frame);
    const { command } = scanCommandOf({ ...this.#options, target: undefined, expand: undefined });
    try {
      const result = await this.frame(frame, command);
      const place =
        places.find((node) => result.frameIndex >= 0 && node.frame === result.frameIndex) ??
        (await within(this.#signal, placeOf(frame, places)).catch(() => undefined));
      if (place) contents.set(place, { nodes: await this.assemble(frame, result, level) });
    } catch {
      this.#signal.throwIfAborted();
      this.silent++;
      const place = await within(this.#signal, placeOf(frame, places)).catch(() => undefined);
      if (place)
        contents.set(place, {
          nodes: [],
          note: 'this frame did not answer; it may still be loading',
        });
    }
  }
}

function isRoomy(node: WireNode): boolean {
  const [, , width, height] = node.box ?? [0, 0, 0, 0];
  return width >= MIN_FRAME_SIDE && height >= MIN_FRAME_SIDE;
}

/** By its box: windows in shadow trees are in nobody's list, and a silent frame tells nothing. */
async function placeOf(child: Frame, nodes: readonly WireNode[]): Promise<WireNode | undefined> {
  const element = await child.frameElement();
  try {
    const facts = await element.evaluate((node) => {
      const box = (
        node as unknown as {
          getBoundingClientRect(): { x: number; y: number; width: number; height: number };
        }
      ).getBoundingClientRect();
      return [Math.round(box.x), Math.round(box.y), Math.round(box.width), Math.round(box.height)];
    });
    return nodes.find(
      (node) =>
        node.box !== undefined &&
        node.box.every((side, index) => Math.abs(side - (facts[index] ?? 0)) <= 1),
    );
  } finally {
    await element.dispose();
  }
}
