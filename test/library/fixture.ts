import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createOriel,
  type ConfigInput,
  type Oriel,
  type OrielOptions,
} from '../../src/app/library.ts';

/** Settings under which pages of loopback may be reached, whatever the port. */
export const LOOPBACK: ConfigInput['network'] = { exemptHosts: ['127.0.0.1:*', 'localhost:*'] };

/** Opens Oriel with a data folder of its own, which goes when it is closed. */
export async function openOriel(config: ConfigInput = {}, options?: OrielOptions): Promise<Oriel> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'oriel-test-library-'));
  const oriel = await createOriel({ network: LOOPBACK, ...config, dataDir }, options);
  const close = oriel.close;
  const closeAll = async () => {
    await close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return Object.assign(oriel, { close: closeAll, [Symbol.asyncDispose]: closeAll });
}
