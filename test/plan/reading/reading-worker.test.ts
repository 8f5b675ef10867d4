import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { takeWorker, warmUp } from '../../../src/plan/reading/reading-worker.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** A large archive, as far as its size tells, and where a store would be. */
function largeExport() {
  const folder = home.make();
  const path = join(folder, 'export.zip');
  writeFileSync(path, '');
  truncateSync(path, 6_000_000);
  return { path, store: join(folder, 'chatferry.db') };
}

describe('warmUp()', () => {
  afterEach(() => takeWorker().terminate());

  it('starts a thread where a large export is planned or imported for the first time', async () => {
    const { path, store } = largeExport();
    expect(warmUp(['plan', path, '--store', store])).toBe(true);
    await takeWorker().terminate();
    expect(warmUp(['import', '--to', 'sandbox', path, '--store', store])).toBe(true);
  });

  it('starts none where there is a store, where nothing is large, and for other commands', () => {
    const { path, store } = largeExport();
    expect(warmUp(['status', path, '--store', store])).toBe(false);
    expect(warmUp(['plan', '--store', store, '--mapping', 'no.yaml'])).toBe(false);
    expect(warmUp(['plan', `${path}.not`, '--store', store])).toBe(false);
    expect(warmUp([])).toBe(false);
    writeFileSync(store, '');
    expect(warmUp(['plan', path, '--store', store])).toBe(false);
  });
});

describe('takeWorker()', () => {
  it('gives the thread that was started, and another to who comes next', async () => {
    const { path, store } = largeExport();
    warmUp(['plan', path, '--store', store]);
    const [first, second] = [takeWorker(), takeWorker()];
    expect(first.threadId).toBeLessThan(second.threadId);
    await Promise.all([first.terminate(), second.terminate()]);
  });
});
