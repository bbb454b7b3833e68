import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { parseHost } from './host.ts';
import { type HandshakeStep, MAX_HANDSHAKE_BYTES, SocksHandshake } from './socks.ts';

/** Feeds bytes in pieces and returns the step that ended it, with all that was answered. */
function feed(bytes: Uint8Array, cuts: readonly number[]): HandshakeStep & { answers: Buffer } {
  const handshake = new SocksHandshake();
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((a, b) => a - b);
  const answers: Buffer[] = [];
  let step: HandshakeStep = { state: 'more', answer: undefined };
  let start = 0;
  for (const end of [...ends, bytes.length]) {
    step = handshake.push(Buffer.from(bytes.subarray(start, end)));
    if (step.answer) answers.push(step.answer);
    if (step.state !== 'more') break;
    start = end;
  }
  return { ...step, answers: Buffer.concat(answers) };
}

const greeting = fc
  .uint8Array({ maxLength: 254 })
  .map((methods) => [5, methods.length + 1, ...methods, 0]);
const address = fc.oneof(
  fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => [1, ...bytes]),
  fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => [4, ...bytes]),
  fc.uint8Array({ minLength: 1, maxLength: 255 }).map((bytes) => [3, bytes.length, ...bytes]),
);

describe('SocksHandshake', () => {
  it('neither throws nor goes on past its limit, whatever the bytes and however they are cut', () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 2000 }),
      fc.uint8Array({ maxLength: 1500 }).map((rest) => new Uint8Array([5, 1, 0, ...rest])),
      fc
        .uint8Array({ maxLength: 1500 })
        .map((rest) => new Uint8Array([5, 1, 0, 5, 1, 0, 3, ...rest])),
    );
    fc.assert(
      fc.property(anything, fc.array(fc.nat(2000), { maxLength: 20 }), (bytes, cuts) => {
        const step = feed(bytes, cuts);
        expect(step.answers.length).toBeLessThanOrEqual(12);
        if (step.state === 'more') expect(bytes.length).toBeLessThanOrEqual(MAX_HANDSHAKE_BYTES);
      }),
      { numRuns: 3000 },
    );
  });

  it('reads every well-formed request the same, however it is cut, and keeps what follows', () => {
    fc.assert(
      fc.property(
        greeting,
        address,
        fc.integer({ min: 1, max: 65_535 }),
        fc.uint8Array({ maxLength: 50 }),
        fc.array(fc.nat(2000), { maxLength: 6 }),
        (hello, where, port, rest, cuts) => {
          const request = [...hello, 5, 1, 0, ...where, port >> 8, port & 0xff];
          const step = feed(new Uint8Array(request), cuts);
          expect(step.state).toBe('connect');
          expect(step.answers).toEqual(Buffer.from([5, 0]));
          const whole = feed(new Uint8Array([...request, ...rest]), []);
          if (step.state !== 'connect' || whole.state !== 'connect') return;
          expect(step.target.port).toBe(port);
          expect(whole.target).toEqual(step.target);
          expect([...whole.rest]).toEqual([...rest]);
          if (where[0] !== 3) expect(parseHost(step.target.host)?.address).toBeDefined();
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('takes the longest honest handshake', () => {
    const hello = [5, 255, ...Array<number>(254).fill(2), 0];
    const name = [3, 255, ...Buffer.from('a'.repeat(255))];
    const step = feed(new Uint8Array([...hello, 5, 1, 0, ...name, 0, 80]), [1, 100, 300, 500]);
    expect(step.state).toBe('connect');
  });
});
