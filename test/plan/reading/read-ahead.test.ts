import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../src/lib/errors.ts';
import { ExportReader } from '../../../src/plan/reading/export-reader.ts';
import { readAhead, type ReadingThread } from '../../../src/plan/reading/start-reading.ts';
import { makeExport } from '../../scenes/make-export.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

/** A file of that many bytes, in a folder without a store. */
function fileOf(bytes: number) {
  const folder = home.make();
  const path = join(folder, 'export.zip');
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return { exports: [path], store: join(folder, 'chatferry.db') };
}

describe('readAhead()', () => {
  it('opens a large export before anybody asks for it', async () => {
    const thread = readAhead(fileOf(6_000_000));
    await expect(thread?.opened()).rejects.toBeInstanceOf(SourceError);
    await thread?.close();
  });

  it('leaves alone what is small, or is not there', () => {
    const { store, exports } = fileOf(100);
    expect(readAhead({ store, exports })).toBeUndefined();
    expect(readAhead({ store, exports: [`${exports[0]}.not`] })).toBeUndefined();
  });

  it('leaves it alone where there is a store: not everything may have to be read', () => {
    const request = fileOf(6_000_000);
    writeFileSync(request.store, '');
    expect(readAhead(request)).toBeUndefined();
  });
});

describe('ExportReader with a thread that reads ahead', () => {
  /** Notes what is asked of it. */
  function watchedThread() {
    const asked: string[] = [];
    const thread: ReadingThread = {
      async opened() {
        asked.push('opened');
        return { source: 'slack', inputs: [] };
      },
      close: async () => void asked.push('close'),
      async *read() {
        yield* [];
      },
    };
    return { thread, asked };
  }

  it('takes it where everything is to be read', async () => {
    const { thread, asked } = watchedThread();
    const { exports } = fileOf(6_000_000);
    await new ExportReader({ exports, ahead: thread, threads: 1 }).open({ readsAll: true });
    expect(asked).toEqual(['opened']);
  });

  it('closes it where the store turned out to hold something', async () => {
    const { thread, asked } = watchedThread();
    const folder = join(home.make(), 'export');
    makeExport(folder, { seed: 5, messages: 10 });
    const reader = new ExportReader({ exports: [folder], ahead: thread, threads: 1 });
    expect((await reader.open({ readsAll: false })).source).toBe('slack');
    await reader.close();
    expect(asked).toEqual(['close']);
  });
});
