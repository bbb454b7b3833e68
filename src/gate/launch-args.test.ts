import { describe, expect, it } from 'vitest';

import { launchArgsFor, refuseEnvironment, refuseUserArgs } from './launch-args.ts';

describe('refuseUserArgs', () => {
  it.each([
    '--proxy-server=direct://',
    '-proxy-server=direct://',
    '--PROXY-SERVER=direct://',
    '/proxy-server=direct://',
    ' --no-proxy-server',
    '--proxy-pac-url=data:,x',
    '--proxy-bypass-list=*',
    '--host-resolver-rules=',
    '--host-rules=MAP * 127.0.0.1',
    '--webrtc-ip-handling-policy=default',
    '--force-webrtc-ip-handling-policy=default',
    '--origin-to-force-quic-on=a.test:443',
    '--enable-quic',
    '--load-extension=/tmp/x',
    '--remote-debugging-port=9222',
    '--app=file:///etc/passwd',
    'file:///etc/passwd',
    'https://example.com',
    '--',
    '',
  ])('refuses %j and says why', (arg) => {
    expect(() => refuseUserArgs(['--lang=de', arg])).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(arg) }),
    );
  });

  it('lets pass what does not touch the gate', () => {
    refuseUserArgs(['--lang=de', '--window-size=800,600', '--no-sandbox', '--disable-gpu']);
  });

  it('refuses each flag that the gate itself sets', () => {
    for (const flag of launchArgsFor({ label: 'abc', port: 1 })) {
      expect(() => refuseUserArgs([flag]), flag).toThrow(/refused/);
    }
  });
});

describe('refuseEnvironment', () => {
  it('refuses the variable that opens loopback, whatever its value', () => {
    expect(() =>
      refuseEnvironment({ PLAYWRIGHT_DISABLE_FORCED_CHROMIUM_PROXIED_LOOPBACK: '1' }),
    ).toThrow(expect.objectContaining({ code: 'setup_needed' }));
    refuseEnvironment({ PATH: '/usr/bin' });
  });
});
