import { describe, expect, it } from 'vitest';
import { SourceError } from '../../../../src/lib/errors.ts';
import type { Entry } from '../../../../src/model/entry.ts';
import { entriesPerList, inLists, problemEntry, invalidEntry } from '../../../../src/sources/kit/entries.ts';
import { readRowFiles, readSharedFiles } from '../../../../src/sources/kit/files/read-files.ts';

const { signal } = new AbortController();
const entry = (path: string) => problemEntry('x', 'X', { path });
const words = (entry: Entry) =>
  [entry.type, 'code' in entry && entry.code, 'reason' in entry && entry.reason].join(' ');

async function* twoLists(path: string) {
  yield [entry(path)];
  yield [entry(path), entry(path)];
}

async function all(lists: AsyncIterable<readonly Entry[]>): Promise<Entry[]> {
  return (await Array.fromAsync(lists)).flat();
}

describe('readRowFiles()', () => {
  it('closes each wanted file after its entries, and does not open the others', async () => {
    const opened: string[] = [];
    const read = (path: string) => {
      opened.push(path);
      return twoLists(path);
    };
    const context = { signal, wants: (path: string) => path !== 'b' };
    const entries = await all(readRowFiles({ paths: ['a', 'b', 'c'], context, read }));
    expect(opened).toEqual(['a', 'c']);
    expect(
      entries.map((found) => (found.type === 'file' ? `${found.role} ${found.path}` : found.location.path)),
    ).toEqual(['a', 'a', 'a', 'rows a', 'c', 'c', 'c', 'rows c']);
  });

  it('makes one invalid row of the unreadable part of a file, and reads the next', async () => {
    async function* read(path: string) {
      if (path !== 'a') yield [entry(path)];
      if (path !== 'c') throw new SourceError('Cannot read the file: it is gone');
    }
    const entries = await all(readRowFiles({ paths: ['a', 'b', 'c'], context: { signal, wants: () => true }, read }));
    expect(entries.filter(({ type }) => type === 'invalid').map(words)).toEqual([
      'invalid unreadable-file Cannot read the file: it is gone',
      'invalid unreadable-file Cannot read the file from here on: Cannot read the file: it is gone',
    ]);
    expect(entries.filter(({ type }) => type === 'file').length).toBe(3);
  });

  it('throws errors that are not caused by the export', async () => {
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    const read = () => {
      throw full;
    };
    await expect(all(readRowFiles({ paths: ['a'], context: { signal, wants: () => true }, read }))).rejects.toBe(full);
  });

  it('ends between two lists once it is aborted', async () => {
    const controller = new AbortController();
    const lists = readRowFiles({
      paths: ['a'],
      context: { signal: controller.signal, wants: () => true },
      read: twoLists,
    });
    await lists.next();
    controller.abort(new Error('stopped'));
    await expect(lists.next()).rejects.toThrow('stopped');
  });
});

describe('readSharedFiles()', () => {
  it('reads unwanted files, and turns unreadable content into a problem', async () => {
    const read = () => {
      throw new SourceError('Cannot read the file');
    };
    const entries = await all(readSharedFiles({ paths: ['a'], context: { signal, wants: () => false }, read }));
    expect(entries.map(words)).toEqual(['problem unreadable-file Cannot read the file', 'file false false']);
  });
});

describe('inLists()', () => {
  it('hands on lists of some hundred, and no empty one', async () => {
    const entries = Array.from({ length: entriesPerList + 1 }, () => invalidEntry('x', 'X', { path: 'a' }));
    expect((await Array.fromAsync(inLists(entries))).map(({ length }) => length)).toEqual([entriesPerList, 1]);
    expect(await Array.fromAsync(inLists([]))).toEqual([]);
  });
});
