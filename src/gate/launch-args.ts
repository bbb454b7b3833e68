import { OrielError } from '../kernel/errors.ts';

/** Where the launch flags send a browser. */
export interface LaunchTarget {
  /** A random label of this gate; only names under it resolve in the browser. */
  readonly label: string;
  /** The port of the listener that takes what belongs to no session. */
  readonly port: number;
  /** Whether the operator asked for extensions. */
  readonly hasExtensions?: boolean;
}

/** The SOCKS server as a browser under the resolver lock can name it. */
export function proxyServer(name: string, label: string, port: number): string {
  return `socks5://${name}.${label}.invalid:${port}`;
}

/**
 * The flags that tie a browser to its gate. `--host-resolver-rules` is the lock: should anything
 * switch the browser to direct connections, no name and no literal resolves any more.
 */
export function launchArgsFor({ label, port, hasExtensions = false }: LaunchTarget): string[] {
  return [
    `--proxy-server=${proxyServer('base', label, port)}`,
    '--proxy-bypass-list=<-loopback>',
    `--host-resolver-rules=MAP *.${label}.invalid 127.0.0.1, MAP * ~NOTFOUND`,
    // The full browser reads the first, the headless shell the second.
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
    '--no-pings',
    ...(hasExtensions ? [] : ['--disable-extensions']),
  ];
}

const PROXY = 'the gate decides where connections go';
const RESOLVER = 'the resolver is locked so that nothing can go around the gate';
const WEBRTC = 'WebRTC must not send past the gate';
const QUIC = 'QUIC would go past the gate';
const CONTROL = 'the browser is controlled over a pipe, which no page or process can reach';
const LOCAL = 'pages would open outside every session';

/** Switches that a caller may not bring along, and why. */
const REFUSED_SWITCHES: Readonly<Record<string, string>> = {
  'proxy-server': PROXY,
  'proxy-bypass-list': PROXY,
  'proxy-pac-url': PROXY,
  'proxy-auto-detect': PROXY,
  'no-proxy-server': PROXY,
  'winhttp-proxy-resolver': PROXY,
  'host-resolver-rules': RESOLVER,
  'host-rules': RESOLVER,
  'dns-prefetch-disable': RESOLVER,
  'webrtc-ip-handling-policy': WEBRTC,
  'force-webrtc-ip-handling-policy': WEBRTC,
  'webrtc-udp-port-range': WEBRTC,
  'enable-quic': QUIC,
  'disable-quic': QUIC,
  'origin-to-force-quic-on': QUIC,
  'quic-version': QUIC,
  'no-pings': 'pings stay off',
  'load-extension': 'an extension can change the proxy; ask for extensions in the configuration',
  'disable-extensions': 'ask for extensions in the configuration',
  'disable-extensions-except': 'ask for extensions in the configuration',
  'remote-debugging-port': CONTROL,
  'remote-debugging-address': CONTROL,
  'remote-debugging-pipe': CONTROL,
  'remote-debugging-socket-name': CONTROL,
  'remote-allow-origins': CONTROL,
  app: LOCAL,
  'app-id': LOCAL,
  'make-default-browser': LOCAL,
};

/**
 * Refuses arguments of a caller that touch what the gate stands on. Chromium takes `--name`,
 * `-name` and, on Windows, `/name`, in any case there; and everything after `--` as URLs.
 * @throws OrielError `bad_input` naming the argument and the reason
 */
export function refuseUserArgs(args: readonly string[]): void {
  for (const arg of args) {
    const name = /^(?:--?|\/)([^=]*)/.exec(arg.trim())?.[1]?.toLowerCase();
    const isUrl = name === undefined || name === '' || !/^--?[^-]/.test(arg.trim());
    const reason = isUrl ? LOCAL : REFUSED_SWITCHES[name];
    if (reason === undefined) continue;
    throw new OrielError('bad_input', `The browser argument ${arg} is refused: ${reason}.`, {
      hint: 'Leave it out; what may be reached is set in the network section of the configuration.',
      details: { argument: arg },
    });
  }
}

const REFUSED_VARIABLE = 'PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK';

/**
 * Refuses an environment in which Playwright would let pages reach loopback past the gate.
 * @throws OrielError `setup_needed` naming the variable
 */
export function refuseEnvironment(env: Readonly<Record<string, string | undefined>>): void {
  if (env[REFUSED_VARIABLE] === undefined) return;
  throw new OrielError('setup_needed', `${REFUSED_VARIABLE} is set.`, {
    hint: 'Unset it: with it, pages reach this machine’s own servers past the gate.',
  });
}
