import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Caps } from '../../src/io/input/caps.ts';
import { openExport, openStored } from '../../src/io/input/open-export.ts';
import { readJsonLines } from '../../src/io/json/json-lines.ts';
import { SourceError } from '../../src/lib/errors.ts';
import { collect, failure } from '../contracts/export-input.ts';
import { makeZip } from './make-zip.ts';
import { openFileCount, temporaryFile, temporaryFolder, writeFile } from './temporary-files.ts';

const text = `[${Array.from({ length: 20_000 }, (_, index) => `{"id":${index},"text":"Größe 🌊 ${index}"}`).join(',\n')}]`;
const utf16 = (from: string) => Buffer.from(from, 'utf16le');

const stored: Readonly<Record<string, Buffer>> = {
  'le.json': utf16(text),
  'le-mark.json': utf16(`\ufeff${text}`),
  'be.json': utf16(text).swap16(),
  'be-mark.json': utf16(`\ufeff${text}`).swap16(),
  'packed.json': gzipSync(text),
  'packed-utf16.json': gzipSync(utf16(`\ufeff${text}`)),
};

async function openFolder(files: Readonly<Record<string, Uint8Array>>, caps?: Partial<Caps>) {
  const folder = temporaryFolder();
  for (const [path, bytes] of Object.entries(files)) writeFile(folder, path, bytes);
  const [input] = await openExport([folder], caps);
  onTestFinished(() => input!.close());
  return input!;
}

describe('openExport()', () => {
  it.each(Object.keys(stored))('reads %s as UTF-8, in chunks, whole, and from its beginning', async (path) => {
    const input = await openFolder(stored);
    expect((await collect(input.open(path))).toString()).toBe(text);
    expect(Buffer.from(await input.read(path, 10_000_000)).toString()).toBe(text);
    for (const byteCount of [1, 10, 100_000])
      expect(Buffer.from(await input.head(path, byteCount)).toString()).toBe(
        Buffer.from(text).subarray(0, byteCount).toString(),
      );
  });

  it('does so inside a ZIP, and for files that are named one by one', async () => {
    const entries = Object.entries(stored).map(([name, content]) => ({ name, content }));
    const folder = temporaryFolder();
    const files = Object.entries(stored).map(([path, bytes]) => writeFile(folder, path, bytes));
    for (const paths of [[temporaryFile('export.zip', makeZip(entries))], files]) {
      const [input] = await openExport(paths);
      onTestFinished(() => input!.close());
      for (const path of Object.keys(stored)) expect((await collect(input!.open(path))).toString()).toBe(text);
    }
  });

  it('leaves everything else as it is stored', async () => {
    const files = {
      'a.json': Buffer.from('\ufeff[1]'),
      'b.bin': Buffer.from([0, 0, 0, 24, 0x66, 0x74, 0x79, 0x70]),
      'c.txt': Buffer.from('\xe4\xf6', 'latin1'),
      'd.txt': Buffer.alloc(0),
    };
    const input = await openFolder(files);
    for (const [path, bytes] of Object.entries(files)) {
      expect(await collect(input.open(path))).toEqual(bytes);
      expect(Buffer.from(await input.read(path, 100))).toEqual(bytes);
      expect(Buffer.from(await input.head(path, 100))).toEqual(bytes);
    }
  });

  it('keeps the numbers of lines', async () => {
    const input = await openFolder({ 'a.jsonl': utf16('{"a":1}\r\n\r\n{"a":\r\n{"a":4}\r\n') });
    const values = (await Array.fromAsync(readJsonLines(input.open('a.jsonl')))).flat();
    expect(values.map(({ line, error }) => [line, error?.code])).toEqual([
      [1, undefined],
      [3, 'syntax'],
      [4, undefined],
    ]);
  });

  it('identifies files by their stored bytes', async () => {
    const input = await openFolder(stored);
    for (const [path, bytes] of Object.entries(stored)) expect((await input.stat(path)).sizeBytes).toBe(bytes.length);
  });

  it('returns the readable part of a damaged compressed file, then reports the damage', async () => {
    const input = await openFolder({ 'a.json': gzipSync(text).subarray(0, 20_000) });
    const pieces: Uint8Array[] = [];
    const error = await failure(
      (async () => {
        for await (const piece of input.open('a.json')) pieces.push(piece);
      })(),
    );
    expect(text.startsWith(Buffer.concat(pieces).toString().slice(0, -10))).toBe(true);
    expect(Buffer.concat(pieces).length).toBeGreaterThan(10_000);
    expect(error).toBeInstanceOf(SourceError);
    expect((error as SourceError).location).toEqual({ path: 'a.json' });
  });

  it('does not unpack more than a file may have', async () => {
    const input = await openFolder({ 'a.json': gzipSync(text) }, { ratioMax: 1, ratioFreeBytes: 1000 });
    expect(String(await failure(collect(input.open('a.json'))))).toContain('more than');
  });

  it('says of a packed file that is larger than allowed that it is, and by then how large', async () => {
    const input = await openFolder({ 'a.json': gzipSync(text) });
    expect(await failure(input.read('a.json', 500_000))).toBeInstanceOf(SourceError);
    expect((await input.stat('a.json')).sizeBytes).toBeGreaterThan(500_000);
  });

  it('leaves nothing open when the reader stops early', async () => {
    const input = await openFolder(stored);
    const before = openFileCount();
    for (const path of Object.keys(stored)) for await (const _ of input.open(path)) break;
    expect(openFileCount()).toBe(before);
  });
});

describe('openStored()', () => {
  it('gives the bytes of every file as they are stored', async () => {
    const folder = temporaryFolder();
    for (const [path, bytes] of Object.entries(stored)) writeFile(folder, path, bytes);
    const [input] = await openStored([folder]);
    onTestFinished(() => input!.close());
    for (const [path, bytes] of Object.entries(stored))
      expect((await collect(input!.open(path))).equals(bytes)).toBe(true);
    expect(gunzipSync(await input!.read('packed.json', 10_000_000)).toString()).toBe(text);
  });
});
