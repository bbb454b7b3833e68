import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOrielError } from '../kernel/errors.ts';
import { listFields } from './fields.ts';
import { listMisspelled, loadConfig } from './load.ts';

describe('loadConfig', () => {
  it('gives every default and resolves the folders', () => {
    const { config, sources } = loadConfig({ env: { HOME: '/home/ada' } });
    expect(config.network.blockPrivate).toBe(true);
    expect(config.viewport).toEqual({ width: 1280, height: 720 });
    expect(path.isAbsolute(config.dataDir)).toBe(true);
    expect(sources).toEqual({});
  });

  it('lets flags beat the environment, and the environment the file', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'oriel-config-')), 'oriel.json');
    writeFileSync(
      file,
      JSON.stringify({ mode: 'readonly', viewport: { width: 800, height: 600 } }),
    );
    const { config, sources } = loadConfig({
      file,
      env: { ORIEL_MODE: 'full', ORIEL_VIEWPORT_WIDTH: '900' },
      flags: { 'viewport.width': '1000' },
    });
    expect(config.mode).toBe('full');
    expect(config.viewport).toEqual({ width: 1000, height: 600 });
    expect(sources).toEqual({
      mode: 'environment',
      'viewport.width': 'flag',
      'viewport.height': 'file',
    });
  });

  it('reads lists and numbers from text', () => {
    const { config } = loadConfig({
      env: {
        ORIEL_NETWORK_EXEMPT_HOSTS: '127.0.0.1:*, intranet',
        ORIEL_NETWORK_ALLOWED_PORTS: '80,443',
      },
    });
    expect(config.network.exemptHosts).toEqual(['127.0.0.1:*', 'intranet']);
    expect(config.network.allowedPorts).toEqual([80, 443]);
  });

  it.each([
    [{ ORIEL_VIEWPORT_WIDTH: '0x10' }, 'ORIEL_VIEWPORT_WIDTH'],
    [{ ORIEL_VIEWPORT_WIDTH: '1e3' }, 'ORIEL_VIEWPORT_WIDTH'],
    [{ ORIEL_BROWSER_HEADLESS: 'maybe' }, 'ORIEL_BROWSER_HEADLESS'],
    [{ ORIEL_MODE: 'fast' }, 'mode'],
    [{ ORIEL_NETWORK_ALLOWED_PORTS: '80,http' }, 'network.allowedPorts'],
  ])('refuses %j and names it', (env, name) => {
    try {
      loadConfig({ env });
      expect.unreachable();
    } catch (error) {
      expect(isOrielError(error, 'bad_input')).toBe(true);
      expect((error as Error).message).toContain(name);
    }
  });

  it('refuses an unknown setting by its path', () => {
    expect(() => loadConfig({ values: { network: { blockPrivat: false } } })).toThrow(
      'network.blockPrivat is not a setting',
    );
  });

  it('names the setting that an unknown one was meant to be', () => {
    expect(() => loadConfig({ values: { viewport: { widht: 1 } } })).toThrow(
      'viewport.widht is not a setting (did you mean viewport.width?)',
    );
  });

  it('finds slips in names of the environment, and leaves what is not ours', () => {
    const env = { ORIEL_VIEWPORT_WIDHT: '1', ORIEL_MODE: 'full', ORIEL_PRESS_LAMP: 'x', MODE: 'y' };
    expect(listMisspelled(env)).toEqual([
      { name: 'ORIEL_VIEWPORT_WIDHT', meant: 'ORIEL_VIEWPORT_WIDTH' },
    ]);
  });

  it('gives every field one environment name and at least one flag', () => {
    const fields = listFields();
    expect(new Set(fields.map((field) => field.env)).size).toBe(fields.length);
    const flags = fields.flatMap((field) => field.flags);
    expect(new Set(flags).size).toBe(flags.length);
    expect(fields.every((field) => field.description !== '')).toBe(true);
    expect(fields.find((field) => field.path === 'network.exemptHosts')).toMatchObject({
      env: 'ORIEL_NETWORK_EXEMPT_HOSTS',
      flags: ['--exempt-hosts', '--network-exempt-hosts'],
      kind: 'list',
    });
  });
});
