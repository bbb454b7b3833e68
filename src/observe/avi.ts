import { type FileHandle, open } from 'node:fs/promises';

const HEADER_BYTES = 224;
const KEY_FRAME = 0x10;

/**
 * Writes JPEG pictures as a Motion JPEG film in an AVI file (Microsoft AVI RIFF 1.0): the one film
 * format that needs no encoder, and that common players open. Frames go to the disk as they come;
 * the file can be played once {@link finish} has written its head and index.
 */
export class AviWriter {
  readonly #file: FileHandle;
  readonly #fps: number;
  readonly #index: Buffer[] = [];
  #width = 0;
  #height = 0;
  #largest = 0;
  /** Bytes of the `movi` list so far, its own name included. */
  #moviBytes = 4;

  private constructor(file: FileHandle, fps: number) {
    this.#file = file;
    this.#fps = fps;
  }

  static async open(path: string, fps: number): Promise<AviWriter> {
    const file = await open(path, 'wx', 0o600);
    await file.write(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    return new AviWriter(file, fps);
  }

  /** How many frames of film there are. */
  get frames(): number {
    return this.#index.length;
  }

  get bytes(): number {
    return HEADER_BYTES + this.#moviBytes;
  }

  /** Adds a picture; before it the last one stands until the film has `at` frames. */
  async add(jpeg: Buffer, at: number): Promise<void> {
    if (this.#width === 0) [this.#width, this.#height] = sizeOfJpeg(jpeg);
    // An empty chunk means that the picture has not changed.
    while (this.#index.length > 0 && this.#index.length < at) await this.#write(Buffer.alloc(0));
    await this.#write(jpeg);
  }

  /** Holds the last picture until the film has `frames` frames, and completes the file. */
  async finish(frames: number): Promise<{ width: number; height: number; frames: number }> {
    try {
      while (this.#index.length > 0 && this.#index.length < frames) {
        await this.#write(Buffer.alloc(0));
      }
      const index = Buffer.concat([chunkHead('idx1', this.#index.length * 16), ...this.#index]);
      await this.#file.write(index, 0, index.byteLength, HEADER_BYTES - 4 + this.#moviBytes);
      const head = this.#head(HEADER_BYTES - 4 + this.#moviBytes + index.byteLength);
      await this.#file.write(head, 0, HEADER_BYTES, 0);
    } finally {
      await this.#file.close();
    }
    return { width: this.#width, height: this.#height, frames: this.#index.length };
  }

  async #write(jpeg: Buffer): Promise<void> {
    const padding = jpeg.byteLength % 2;
    const chunk = Buffer.concat([chunkHead('00dc', jpeg.byteLength), jpeg, Buffer.alloc(padding)]);
    const entry = Buffer.alloc(16);
    entry.write('00dc', 0, 'latin1');
    entry.writeUInt32LE(jpeg.byteLength > 0 ? KEY_FRAME : 0, 4);
    entry.writeUInt32LE(this.#moviBytes, 8);
    entry.writeUInt32LE(jpeg.byteLength, 12);
    this.#index.push(entry);
    await this.#file.write(chunk, 0, chunk.byteLength, HEADER_BYTES - 4 + this.#moviBytes);
    this.#moviBytes += chunk.byteLength;
    this.#largest = Math.max(this.#largest, jpeg.byteLength);
  }

  #head(fileBytes: number): Buffer {
    const head = Buffer.alloc(HEADER_BYTES);
    let at = 0;
    const text = (word: string) => void (at += head.write(word, at, 'latin1'));
    const numbers = (...values: number[]) => {
      for (const value of values) at = head.writeUInt32LE(value, at);
    };
    const frames = this.#index.length;
    text('RIFF');
    numbers(fileBytes - 8);
    text('AVI LIST');
    numbers(192);
    text('hdrlavih');
    // Microseconds a frame, most bytes a second, no padding, flag: has an index.
    numbers(56, Math.round(1_000_000 / this.#fps), this.#largest * this.#fps, 0, KEY_FRAME);
    numbers(frames, 0, 1, this.#largest, this.#width, this.#height, 0, 0, 0, 0);
    text('LIST');
    numbers(116);
    text('strlstrh');
    numbers(56);
    text('vidsMJPG');
    // Flags, priority, initial frames; then frames a second as rate / scale, start, length.
    numbers(0, 0, 0, 1, this.#fps, 0, frames, this.#largest, 0xffffffff, 0);
    at = head.writeUInt16LE(this.#width, at + 4);
    at = head.writeUInt16LE(this.#height, at);
    text('strf');
    // A BITMAPINFOHEADER: its size, width, height, one plane of 24 bits, compression.
    numbers(40, 40, this.#width, this.#height, 1 | (24 << 16));
    text('MJPG');
    numbers(this.#width * this.#height * 3, 0, 0, 0, 0);
    text('LIST');
    numbers(this.#moviBytes);
    text('movi');
    if (at !== HEADER_BYTES) throw new RangeError(`the AVI head has ${at} bytes`);
    return head;
  }
}

function chunkHead(name: string, bytes: number): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(bytes, 4);
  return head;
}

/** Width and height stand in the start-of-frame segment (ITU T.81, B.2.2). */
function sizeOfJpeg(jpeg: Buffer): [width: number, height: number] {
  let at = 2;
  while (at + 9 < jpeg.byteLength && jpeg[at] === 0xff) {
    const marker = jpeg[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [jpeg.readUInt16BE(at + 7), jpeg.readUInt16BE(at + 5)];
    at += 2 + jpeg.readUInt16BE(at + 2);
  }
  throw new RangeError('the picture is no JPEG');
}
