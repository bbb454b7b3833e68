import type { Target } from './decide.ts';

/** All a client may send before its tunnel stands. The longest honest handshake has 519 bytes. */
export const MAX_HANDSHAKE_BYTES = 600;

const VERSION = 5;
const NO_AUTHENTICATION = 0;
const NONE_ACCEPTABLE = 0xff;
const CONNECT = 1;

/** Reply codes of RFC 1928. Chromium shows a page the same error for each but `succeeded`. */
export const SOCKS_REPLY = {
  succeeded: 0,
  failed: 1,
  refused: 2,
  unreachable: 4,
  connectionRefused: 5,
  unsupportedCommand: 7,
  unsupportedAddress: 8,
} as const;

/** What to do after some bytes: send `answer`, then go on, give up, or connect. */
export type HandshakeStep =
  | { readonly state: 'more'; readonly answer: Buffer | undefined }
  | { readonly state: 'failed'; readonly answer: Buffer | undefined }
  | {
      readonly state: 'connect';
      readonly answer: Buffer | undefined;
      readonly target: Target;
      /** Bytes of the tunnel that came along with the request. */
      readonly rest: Buffer;
    };

/** A SOCKS5 reply with an empty bound address. */
export function socksReply(code: number): Buffer {
  return Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0]);
}

/**
 * The server's half of a SOCKS5 handshake: CONNECT without authentication, and nothing else.
 * Pure: bytes in, steps out. After `failed` or `connect` it takes no more.
 */
export class SocksHandshake {
  #bytes: Buffer = Buffer.alloc(0);
  #received = 0;
  #hasGreeted = false;

  push(chunk: Buffer): HandshakeStep {
    this.#received += chunk.length;
    // A client may send tunnel bytes early; only what the handshake itself needs is counted.
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    let answer: Buffer | undefined;
    if (!this.#hasGreeted) {
      const greeted = this.#readGreeting();
      if (greeted === 'more') return this.#more(undefined);
      answer = Buffer.from([VERSION, greeted]);
      if (greeted === NONE_ACCEPTABLE) {
        const isSocks = this.#bytes[0] === VERSION;
        return { state: 'failed', answer: isSocks ? answer : undefined };
      }
      this.#hasGreeted = true;
    }
    const request = this.#readRequest();
    if (request === 'more') return this.#more(answer);
    if (typeof request === 'number') return failed(answer, socksReply(request));
    return { state: 'connect', answer, target: request.target, rest: request.rest };
  }

  #more(answer: Buffer | undefined): HandshakeStep {
    return this.#received > MAX_HANDSHAKE_BYTES
      ? { state: 'failed', answer }
      : { state: 'more', answer };
  }

  #readGreeting(): number | 'more' {
    const bytes = this.#bytes;
    if (bytes.length > 0 && bytes[0] !== VERSION) return NONE_ACCEPTABLE;
    const count = bytes[1];
    if (count === undefined || bytes.length < 2 + count) return 'more';
    if (!bytes.subarray(2, 2 + count).includes(NO_AUTHENTICATION)) return NONE_ACCEPTABLE;
    this.#bytes = bytes.subarray(2 + count);
    return NO_AUTHENTICATION;
  }

  #readRequest(): { target: Target; rest: Buffer } | number | 'more' {
    const bytes = this.#bytes;
    const [version, command, reserved, type] = bytes;
    if (version !== undefined && version !== VERSION) return SOCKS_REPLY.failed;
    if (command !== undefined && command !== CONNECT) return SOCKS_REPLY.unsupportedCommand;
    if (reserved !== undefined && reserved !== 0) return SOCKS_REPLY.failed;
    if (type === undefined) return 'more';
    if (type !== 1 && type !== 3 && type !== 4) return SOCKS_REPLY.unsupportedAddress;
    const start = type === 3 ? 5 : 4;
    const length = type === 1 ? 4 : type === 4 ? 16 : bytes[4];
    if (length === 0) return SOCKS_REPLY.unsupportedAddress;
    if (length === undefined || bytes.length < start + length + 2) return 'more';
    const raw = bytes.subarray(start, start + length);
    const end = start + length + 2;
    return {
      target: { host: hostText(type, raw), port: bytes.readUInt16BE(end - 2) },
      rest: bytes.subarray(end),
    };
  }
}

function failed(answer: Buffer | undefined, reply: Buffer): HandshakeStep {
  return { state: 'failed', answer: answer ? Buffer.concat([answer, reply]) : reply };
}

function hostText(type: 1 | 3 | 4, raw: Buffer): string {
  if (type === 1) return raw.join('.');
  if (type === 3) return raw.toString('latin1');
  return Array.from({ length: 8 }, (_, index) => raw.readUInt16BE(index * 2).toString(16)).join(
    ':',
  );
}
