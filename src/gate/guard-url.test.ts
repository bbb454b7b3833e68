import { mkdtempSync, rmSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { networkPolicySchema } from '../model/network.ts';
import { checkUrl } from './check-url.ts';
import { assertUrlAllowed, guardUrl } from './guard-url.ts';
import { compilePolicy } from './policy.ts';
import { verifies } from '../../test/harness/verifies.ts';

const policy = (over: object = {}, workspace?: string) =>
  compilePolicy(networkPolicySchema.parse(over), { ownAddresses: () => [], workspace });

describe('guardUrl', () => {
  it.each([
    ['http://10.0.0.5/', '10.0.0.5 is a private address.', '--exempt-hosts 10.0.0.5'],
    ['http://[fd00::1]/', 'fd00::1 is a private address.', '--exempt-hosts [fd00::1]'],
    ['http://localhost:3000/', 'localhost', '--local'],
    ['http://127.0.0.1:5173/', '127.0.0.1', '--local'],
    ['http://localhost/', 'localhost is this machine.', '--exempt-hosts localhost'],
    ['http://example.com:22/', 'Port 22', '--exempt-hosts example.com:22'],
    ['http://169.254.169.254/', 'metadata', '--exempt-hosts 169.254.169.254'],
    ['http://printer.local/', 'local network', '--exempt-hosts printer.local'],
    ['file:///etc/passwd', 'Local files', 'fileAccess'],
    ['chrome://settings/', '"chrome:"', 'http, https'],
  ])('says of %s what is wrong and how to allow it', (url, reason, remedy) => {
    const verdict = guardUrl(url, policy());
    expect(verdict).toMatchObject({ verdict: 'block', url });
    expect(verdict.reason).toContain(reason);
    expect(verdict.remedy).toContain(remedy);
  });

  it('names a way to allow a refused URL that really allows it', () => {
    const urls = [
      'http://10.0.0.5/',
      'http://[fd00::1]/',
      'http://localhost/',
      'http://localhost:3000/',
      'http://example.com:22/',
      'http://169.254.169.254/',
      'http://10.0.0.5:3000/',
      'http://[::1]:3000/',
      'http://router/',
    ];
    for (const url of urls) {
      const { remedy } = guardUrl(url, policy());
      const entry = /--exempt-hosts (\S+?)[.,]?(?:\s|$)/.exec(remedy)?.[1] ?? '';
      expect(guardUrl(url, policy({ exemptHosts: [entry] })), url).toMatchObject({
        verdict: 'allow',
      });
    }
  });

  it('navigates to literals and listed names alone when strict', () => {
    verifies('C-090');
    const strict = policy({ strict: true, allowlist: ['listed.test', '93.184.216.34'] });
    expect(guardUrl('https://listed.test/', strict).verdict).toBe('allow');
    expect(guardUrl('https://93.184.216.34/', strict).verdict).toBe('allow');
    const open = policy({ strict: true });
    expect(guardUrl('https://93.184.216.34/', open).verdict).toBe('allow');
    expect(guardUrl('https://example.com/', open).rule).toBe('strict');
    expect(guardUrl('http://10.0.0.5/', open).rule).toBe('not_public');
  });

  it('lets a page stand where a load failed or on a blob of its own, not on inner pages', () => {
    const from = { from: 'page' } as const;
    expect(guardUrl('chrome-error://chromewebdata/', policy(), from).verdict).toBe('allow');
    expect(guardUrl('blob:https://example.com/1-2', policy(), from).verdict).toBe('allow');
    expect(guardUrl('blob:http://10.0.0.5/1-2', policy(), from).verdict).toBe('block');
    expect(guardUrl('blob:null/1-2', policy(), from).verdict).toBe('block');
    expect(guardUrl('view-source:http://example.com/', policy(), from).verdict).toBe('block');
    expect(guardUrl('file:///etc/passwd', policy(), from).verdict).toBe('block');
    expect(guardUrl(`https://example.com/#${'a'.repeat(9000)}`, policy(), from).verdict).toBe(
      'allow',
    );
  });

  it('throws blocked, with the rule, where an assertion is wanted', () => {
    expect(() => assertUrlAllowed('http://10.0.0.5/', policy())).toThrow(
      expect.objectContaining({ code: 'blocked', details: { rule: 'not_public' } }),
    );
  });
});

describe('file access', () => {
  let root = '';
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'oriel-guard-'));
    mkdirSync(join(root, 'work'));
    mkdirSync(join(root, 'workshop'));
    writeFileSync(join(root, 'work', 'page.html'), 'inside');
    writeFileSync(join(root, 'work', '..odd.html'), 'inside');
    writeFileSync(join(root, 'workshop', 'page.html'), 'beside');
    writeFileSync(join(root, 'secret.html'), 'outside');
    symlinkSync(join(root, 'secret.html'), join(root, 'work', 'link.html'));
    symlinkSync(root, join(root, 'work', 'up'));
  });
  afterAll(() => rmSync(root, { recursive: true }));
  const url = (...parts: string[]) => pathToFileURL(join(root, ...parts)).href;

  it('opens the workspace and no link that leads out of it', () => {
    const workspace = policy({ fileAccess: 'workspace' }, join(root, 'work'));
    expect(guardUrl(url('work', 'page.html'), workspace).verdict).toBe('allow');
    expect(guardUrl(url('work', '..odd.html'), workspace).verdict).toBe('allow');
    const outside = [
      url('secret.html'),
      url('workshop', 'page.html'),
      url('work', 'link.html'),
      url('work', 'up', 'secret.html'),
      url('work', 'missing.html'),
      `${url('work')}/../secret.html`,
      `${url('work')}/%2e%2e/secret.html`,
      `${url('work')}/..%2fsecret.html`,
      'file://attacker.test/share/x',
    ];
    for (const entry of outside) expect(guardUrl(entry, workspace).verdict, entry).toBe('block');
  });

  it('is not refused by an allowlist, and opens nothing without a workspace', () => {
    verifies('B-050');
    const listed = policy({ fileAccess: 'workspace', allowlist: ['a.test'] }, join(root, 'work'));
    expect(guardUrl(url('work', 'page.html'), listed).verdict).toBe('allow');
    const none = policy({ fileAccess: 'workspace' });
    expect(guardUrl(url('work', 'page.html'), none).verdict).toBe('block');
    const all = policy({ fileAccess: 'all' });
    expect(guardUrl(url('secret.html'), all).verdict).toBe('allow');
    expect(guardUrl('file://attacker.test/share/x', all).verdict).toBe('block');
  });
});

describe('checkUrl', () => {
  const lookup = () => Promise.resolve(['10.9.8.7']);

  it('looks names up only when asked to, and never shows what they resolved to', async () => {
    const url = 'https://intra.test/';
    expect(await checkUrl(url, policy(), { dns: false, lookup })).toMatchObject({
      verdict: 'allow',
    });
    const verdict = await checkUrl(url, policy(), { dns: true, lookup });
    expect(verdict).toMatchObject({ url, verdict: 'block', rule: 'not_public' });
    expect(JSON.stringify(verdict)).not.toContain('10.9.8.7');
    expect(verdict.remedy).toContain('--exempt-hosts intra.test');
  });
});
