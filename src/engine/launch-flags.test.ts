import { expect, test } from 'vitest';
import { browserEnvironment, checkOperatorArgs } from './launch-flags.ts';

test.each([
  '--proxy-server=direct://',
  '--proxy-bypass-list=*',
  '-proxy-pac-url=x',
  '--PROXY-SERVER=x',
  '--no-proxy-server',
  '--host-resolver-rules=MAP * 1.2.3.4',
  '--webrtc-ip-handling-policy=default',
  '--force-webrtc-ip-handling-policy=default',
  '--enable-quic',
  '--dns-over-https-mode=secure',
  '--load-extension=/x',
  '--remote-debugging-port=9222',
  '--user-data-dir=/x',
  '--no-sandbox',
  '--disable-setuid-sandbox',
  '--disable-seccomp-filter-sandbox',
  '--disable-features=X',
  '--renderer-cmd-prefix=xterm',
  '--oriel-launch=x',
  'https://example.test',
])('%s is refused with a reason', (arg) => {
  expect(() => checkOperatorArgs(['--lang=de', arg])).toThrow(
    expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(arg) }),
  );
});

test('switches about looks and language pass', () => {
  expect(() =>
    checkOperatorArgs(['--lang=de', '--window-size=800,600', '--force-device-scale-factor=2']),
  ).not.toThrow();
});

test('the browser gets what it needs of the environment, and no secrets', () => {
  expect(
    browserEnvironment({
      PATH: '/usr/bin',
      LC_ALL: 'de_DE.UTF-8',
      XDG_RUNTIME_DIR: '/run/user/1',
      'ProgramFiles(x86)': 'C:\\P',
      EMPTY: undefined,
      GITHUB_TOKEN: 'secret',
      ANTHROPIC_API_KEY: 'secret',
      ORIEL_TOKEN: 'secret',
      HTTPS_PROXY: 'http://user:secret@proxy',
      NODE_OPTIONS: '--inspect',
    }),
  ).toEqual({
    PATH: '/usr/bin',
    LC_ALL: 'de_DE.UTF-8',
    XDG_RUNTIME_DIR: '/run/user/1',
    'ProgramFiles(x86)': 'C:\\P',
  });
});
