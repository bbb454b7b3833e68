import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { readHostFacts } from '../../src/engine/host-facts.ts';
import { LocalEngine, type LocalEngineOptions } from '../../src/engine/local.ts';
import { type ProcessRow, listProcesses } from '../../src/engine/process-table.ts';

/**
 * A data folder and a temp folder of one test. Disposing asserts that no browser that was started
 * with them runs any more and that no temporary folder is left.
 */
export class EngineFixture implements AsyncDisposable {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'oriel-test-data-'));
  readonly tempDir = mkdtempSync(join(tmpdir(), 'oriel-test-temp-'));
  readonly #engines: LocalEngine[] = [];

  engine(options: Partial<LocalEngineOptions> = {}): LocalEngine {
    const engine = new LocalEngine({
      headless: true,
      dataDir: this.dataDir,
      host: { ...readHostFacts(process.env), tempDir: this.tempDir },
      ...options,
    });
    this.#engines.push(engine);
    return engine;
  }

  /** An executable script in the data folder. */
  script(name: string, text: string): string {
    const path = join(this.dataDir, name);
    writeFileSync(path, text, { mode: 0o755 });
    return path;
  }

  /** Browser processes whose owner noted them in this data folder, by their mark. */
  async browsers(): Promise<ProcessRow[]> {
    const marks = this.records().map((name) => `--oriel-launch=${name.replace('.json', '')}`);
    return (await listProcesses()).filter(({ command }) =>
      marks.some((mark) => command.includes(mark)),
    );
  }

  records(): string[] {
    try {
      return readdirSync(join(this.dataDir, 'run/browsers'));
    } catch {
      return [];
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const engine of this.#engines) await engine[Symbol.asyncDispose]();
    const left = await this.browsers();
    const folders = readdirSync(this.tempDir);
    rmSync(this.dataDir, { recursive: true, force: true });
    rmSync(this.tempDir, { recursive: true, force: true });
    expect(left.map(({ command }) => command)).toEqual([]);
    expect(folders).toEqual([]);
  }
}

/** Waits until `condition` holds, at most `limitMs`; resolves to the time it took. */
export async function until(
  condition: () => Promise<boolean> | boolean,
  limitMs: number,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > limitMs) throw new Error(`Not so within ${limitMs} ms`);
    await delay(50);
  }
  return performance.now() - startedAt;
}

export const never = new AbortController().signal;
