import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  Agent,
  type buildConnector,
  fetch,
  Headers,
  type RequestInit,
  type Response,
} from 'undici';

import { OrielError } from '../kernel/errors.ts';
import { assertAddressesSafe, decide, type Lookup, type Target } from './decide.ts';
import { blockedError } from './explain.ts';
import { assertUrlAllowed } from './guard-url.ts';
import { type CompiledPolicy, parseUpstream } from './policy.ts';
import { type Connect, connectPinned, raceConnect } from './race.ts';
import { systemLookup } from './resolve.ts';
import { dialUpstream, UpstreamRefusal } from './upstream.ts';

const MAX_REDIRECTS = 20;
const CONNECT_TIMEOUT_MS = 15_000;
/** What must not travel to another origin with a redirect. */
const CREDENTIALS = ['authorization', 'cookie', 'cookie2', 'proxy-authorization'];
const BODY_HEADERS = ['content-length', 'content-type', 'content-encoding', 'content-language'];

export interface GuardedFetchOptions {
  readonly policy: CompiledPolicy;
  /** For tests: how names are looked up and addresses dialled. */
  readonly lookup?: Lookup;
  readonly connect?: Connect;
}

/**
 * A `fetch` for this process under a policy: the same decision as a browser's connection, made
 * where the connection is made, and every redirect judged as a URL of its own. Dispose it to
 * close its connections.
 */
export class GuardedFetch implements AsyncDisposable {
  readonly #options: GuardedFetchOptions;
  readonly #agent: Agent;

  constructor(options: GuardedFetchOptions) {
    this.#options = options;
    this.#agent = new Agent({ connect: this.#connector() });
  }

  /**
   * Fetches, following at most 20 redirects; `redirect: 'manual' | 'error'` is kept as asked.
   * @throws OrielError `blocked` naming the hop, its rule and how an operator would allow it;
   *   `upstream` for every other network failure
   */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    let current = url;
    let request: RequestInit = init;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      this.#assertAllowed(current, hop);
      const response = await this.#send(current, request, hop);
      const location = isRedirect(response) ? response.headers.get('location') : null;
      if (location === null || (init.redirect ?? 'follow') !== 'follow') return response;
      await response.body?.cancel();
      if (!URL.canParse(location, current)) {
        throw new OrielError('upstream', 'The server redirects to something that is no URL.');
      }
      const next = new URL(location, current).href;
      request = redirected(request, response.status, current, next);
      current = next;
    }
    throw new OrielError('upstream', `The server redirects more than ${MAX_REDIRECTS} times.`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  #assertAllowed(url: string, hop: number): void {
    try {
      assertUrlAllowed(url, this.#options.policy);
    } catch (thrown) {
      throw hop === 0 ? thrown : atHop(thrown as OrielError, hop);
    }
    if (/^https?:/i.test(url)) return;
    throw new OrielError('bad_input', 'Only http: and https: URLs can be fetched.');
  }

  async #send(url: string, init: RequestInit, hop: number): Promise<Response> {
    const redirect = init.redirect === 'error' ? 'error' : 'manual';
    try {
      return await fetch(url, { ...init, redirect, dispatcher: this.#agent });
    } catch (thrown) {
      init.signal?.throwIfAborted();
      const cause = (thrown as Error).cause ?? thrown;
      if (cause instanceof OrielError) throw hop === 0 ? cause : atHop(cause, hop);
      throw new OrielError('upstream', `${new URL(url).host} could not be fetched.`, {
        hint: 'Try again later, or check the URL.',
        cause,
      });
    }
  }

  #connector(): buildConnector.connector {
    return (options, callback) => {
      void this.#dial(options).then(
        (socket) => callback(null, socket),
        (failure: unknown) => callback(failure as Error, null),
      );
    };
  }

  async #dial(options: buildConnector.Options): Promise<Socket> {
    const { policy, lookup = systemLookup, connect = connectPinned } = this.#options;
    const isTls = options.protocol === 'https:';
    const target: Target = {
      host: options.hostname.replace(/^\[|\]$/g, ''),
      port: Number(options.port) || (isTls ? 443 : 80),
    };
    const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
    const decision = await decide(policy, target, lookup, signal);
    if (!decision.allow) throw blockedError(decision.refusal);
    const { upstream } = policy.source;
    const socket =
      upstream === null
        ? (
            await raceConnect(
              assertAddressesSafe(policy, target, decision.addresses),
              target.port,
              signal,
              connect,
            )
          ).socket
        : await throughUpstream(upstream, target, signal, connect);
    return isTls ? secure(socket, options.servername ?? target.host, signal) : socket;
  }
}

async function throughUpstream(
  upstream: string,
  target: Target,
  signal: AbortSignal,
  connect: Connect,
): Promise<Socket> {
  try {
    return await dialUpstream(parseUpstream(upstream), target, signal, connect);
  } catch (failure) {
    if (!(failure instanceof UpstreamRefusal)) throw failure;
    throw new OrielError(
      'upstream',
      `The upstream proxy refused ${target.host} (${failure.status}).`,
      {
        hint: 'Only whoever runs that proxy can allow it.',
        details: { host: target.host, status: failure.status },
      },
    );
  }
}

async function secure(socket: Socket, servername: string, signal: AbortSignal): Promise<Socket> {
  const tls = connectTls({
    socket,
    ...(isIP(servername) === 0 ? { servername } : {}),
    ALPNProtocols: ['http/1.1'],
  });
  return new Promise((resolve, reject) => {
    const fail = (failure: unknown) => {
      tls.destroy();
      reject(failure);
    };
    const abort = () => fail(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    tls.once('error', fail);
    tls.once('secureConnect', () => {
      signal.removeEventListener('abort', abort);
      tls.off('error', fail);
      resolve(tls);
    });
  });
}

function isRedirect({ status }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** The request that follows a redirect, as the Fetch standard has it. */
function redirected(init: RequestInit, status: number, from: string, to: string): RequestInit {
  const method = (init.method ?? 'GET').toUpperCase();
  const dropsBody =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST');
  const headers = Object.fromEntries(new Headers(init.headers));
  const dropped = [
    ...(dropsBody ? BODY_HEADERS : []),
    ...(new URL(from).origin === new URL(to).origin ? [] : CREDENTIALS),
  ];
  for (const name of dropped) delete headers[name];
  return dropsBody ? { ...init, headers, method: 'GET', body: null } : { ...init, headers };
}

function atHop(failure: OrielError, hop: number): OrielError {
  return new OrielError(failure.code, `Redirect ${hop} was refused: ${failure.message}`, {
    hint: failure.hint,
    cause: failure,
    details: { ...failure.details, hop },
  });
}
