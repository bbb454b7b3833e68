import { OrielError } from '../kernel/errors.ts';

/**
 * What every browser of ours is started with, on top of Playwright's own list: nothing talks to
 * the network by itself, and no page leaves the way that the gate lays.
 */
export const BASE_FLAGS: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
];

/** Switch (a trailing `*` stands for any ending) → why the operator cannot set it by `args`. */
const PROTECTED: readonly (readonly [pattern: string, reason: string])[] = [
  ['proxy-*', 'all traffic goes through the network gate'],
  ['no-proxy-server', 'all traffic goes through the network gate'],
  ['winhttp-proxy-resolver', 'all traffic goes through the network gate'],
  ['host-resolver-rules', 'the network gate resolves names'],
  ['host-rules', 'the network gate resolves names'],
  ['dns-*', 'the network gate resolves names'],
  ['webrtc-*', 'WebRTC must not pass the network gate by'],
  ['force-webrtc-*', 'WebRTC must not pass the network gate by'],
  ['enable-quic', 'QUIC would pass the network gate by'],
  ['disable-quic', 'it is set already'],
  ['origin-to-force-quic-on', 'QUIC would pass the network gate by'],
  ['no-pings', 'it is set already'],
  ['disable-extensions*', 'extensions are off unless the configuration asks for them'],
  ['load-extension', 'extensions are off unless the configuration asks for them'],
  ['remote-debugging-*', 'the browser is driven through a pipe that nobody else can reach'],
  ['remote-allow-origins', 'the browser is driven through a pipe that nobody else can reach'],
  ['user-data-dir', 'each browser has a temporary profile of its own'],
  ['no-sandbox', 'use the setting `sandbox`'],
  ['disable-*sandbox', 'use the setting `sandbox`'],
  ['no-zygote-sandbox', 'use the setting `sandbox`'],
  ['headless', 'use the setting `headless`'],
  ['enable-features', 'a second list would replace the one that is set'],
  ['disable-features', 'a second list would replace the one that is set'],
  ['single-process', 'a page that crashes would take the browser with it'],
  ['renderer-cmd-prefix', 'it runs programs'],
  ['utility-cmd-prefix', 'it runs programs'],
  ['gpu-launcher', 'it runs programs'],
  ['oriel-*', 'it marks the browser as ours'],
];

/** Refuses, with `bad_input`, operator arguments that would undo what the engine relies on. */
export function checkOperatorArgs(args: readonly string[]): void {
  for (const arg of args) {
    const name = arg.match(/^--?([^=]+)/)?.[1]?.toLowerCase();
    if (name === undefined) {
      throw new OrielError('bad_input', `Not a browser switch: ${arg}`, {
        hint: 'Browser arguments begin with `--`.',
      });
    }
    const rule = PROTECTED.find(([pattern]) => matches(pattern, name));
    if (rule !== undefined) {
      throw new OrielError('bad_input', `The browser argument ${arg} is not allowed: ${rule[1]}.`, {
        hint: 'Remove it from the browser arguments.',
        details: { arg },
      });
    }
  }
}

function matches(pattern: string, name: string): boolean {
  const [before = '', after] = pattern.split('*');
  return after === undefined
    ? name === pattern
    : name.startsWith(before) &&
        name.endsWith(after) &&
        name.length >= before.length + after.length;
}

/** The variables that a browser needs; tokens and secrets of our own environment stay with us. */
export function browserEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && ENVIRONMENT.test(entry[0]),
    ),
  );
}

const ENVIRONMENT = new RegExp(
  `^(${[
    'PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\\w+|TZ|TMPDIR|TMP|TEMP',
    'DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_\\w+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION',
    'FONTCONFIG_\\w+|LD_LIBRARY_PATH|CHROME_DEVEL_SANDBOX|LIBGL_\\w+|MESA_\\w+',
    '__CF\\w+|SystemRoot|windir|SystemDrive|ComSpec|PATHEXT|OS|LOCALAPPDATA|APPDATA|USERPROFILE',
    'HOMEDRIVE|HOMEPATH|ProgramFiles\\S*|ProgramW6432|ProgramData|CommonProgram\\S*|PUBLIC',
    'ALLUSERSPROFILE|USERNAME|USERDOMAIN|COMPUTERNAME|SESSIONNAME|NUMBER_OF_PROCESSORS',
    'PROCESSOR_\\w+',
  ].join('|')})$`,
  'i',
);
