import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Caps, defaultCaps } from '../../src/io/input/caps.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { makeTar } from './make-tar.ts';
import { makeZip, type ZipPart } from './make-zip.ts';
import { openFileCount, openFilesIn, temporaryFile, temporaryFolder, writeFile } from './temporary-files.ts';
import { OpenZips } from '../../src/io/input/inner-zips.ts';
import { tenthOf } from '../tier.ts';

const inner = (...names: string[]) => makeZip(names.map((name) => ({ name, content: `of ${name}` })));
const open = async (parts: readonly ZipPart[], caps: Partial<Caps> = {}) =>
  (await openExport([temporaryFile('export.zip', makeZip(parts))], caps))[0]!;

describe('a ZIP in an archive', () => {
  it('is a part of the export if there is nothing but ZIPs', async () => {
    const input = await open([
      { name: 'b.zip', content: inner('x.json') },
      { name: 'parts/a.zip', content: inner('y.json', 'folder/z.json') },
      { name: '__MACOSX/._b.zip', content: 'fork' },
    ]);
    expect(await input.paths()).toEqual(['b.zip/x.json', 'parts/a.zip/folder/z.json', 'parts/a.zip/y.json']);
    expect(Buffer.from(await input.read('parts/a.zip/y.json', 100)).toString()).toBe('of y.json');
    await input.close();
  });

  it('is opened in a tar archive too', async () => {
    const tar = await makeTar([{ name: 'a.zip', content: inner('x.json') }]);
    const [input] = await openExport([temporaryFile('export.tar', tar)]);
    expect(await input!.paths()).toEqual(['a.zip/x.json']);
    await input!.close();
  });

  it('stays a file next to other files: it may be an attachment', async () => {
    const input = await open([
      { name: 'chat.txt', content: 'Ines: see a.zip' },
      { name: 'a.zip', content: inner('x.json') },
    ]);
    expect(await input.paths()).toEqual(['a.zip', 'chat.txt']);
    await input.close();
  });

  /** A file in so many ZIPs, each in the next. */
  const nested = (depth: number): ZipPart =>
    depth === 0 ? { name: 'x.json', content: 'deep' } : { name: 'a.zip', content: makeZip([nested(depth - 1)]) };

  it('is opened inside other ZIPs, up to four deep, and named if it is deeper', async () => {
    const input = await open([nested(4)]);
    const path = 'a.zip/a.zip/a.zip/a.zip/x.json';
    expect(await input.paths()).toEqual([path]);
    expect(Buffer.from(await input.read(path, 100)).toString()).toBe('deep');
    expect(readFileSync(await input.materialise(path), 'utf8')).toBe('deep');
    await input.close();
    const deeper = await open([nested(5), { name: 'b.zip', content: inner('y.json') }]);
    expect(await deeper.paths()).toEqual(['b.zip/y.json']);
    expect(deeper.problems).toEqual([
      {
        code: 'unsupported-method',
        reason: 'a ZIP inside 4 other archives is not opened',
        location: { path: 'a.zip/a.zip/a.zip/a.zip/a.zip' },
      },
    ]);
    await deeper.close();
  });

  it('in a folder with the name of another ZIP is named, and not taken for a part of that one', async () => {
    const input = await open([
      { name: 'a.zip', content: makeZip([{ name: 'x.zip', content: inner('y.json') }]) },
      { name: 'a.zip/x.zip', content: inner('z.json') },
      { name: 'a.zip.zip', content: inner('y.json') },
    ]);
    expect(await input.paths()).toEqual(['a.zip.zip/y.json', 'a.zip/x.zip/y.json']);
    expect(input.problems).toMatchObject([{ code: 'duplicate-name', location: { path: 'a.zip/x.zip' } }]);
    await input.close();
  });

  it('is read as one of many more than may be open, while another one is read', async () => {
    const names = Array.from({ length: tenthOf(1_000) }, (_, index) => `${index + 1_000}.zip`);
    const input = await open(names.map((name) => ({ name, content: inner(`of-${name}.json`) })));
    const paths = await input.paths();
    expect(paths).toHaveLength(names.length);
    const stream = input.open(paths[0]!)[Symbol.asyncIterator]();
    for (const path of paths) expect((await input.read(path, 100)).length).toBeGreaterThan(0);
    expect((await stream.next()).done).toBe(false);
    expect((await stream.next()).done).toBe(true);
    await input.close();
  });

  it.skipIf(process.platform !== 'linux')('is one of 32 that are open', async () => {
    const folder = temporaryFolder();
    const zips = new OpenZips(defaultCaps);
    const names = Array.from({ length: 100 }, (_, index) => `${index}.zip`);
    for (const name of names) {
      zips.add(name, writeFile(folder, name, inner('x.json')));
      expect((await (await zips.take(name)).read('x.json', 100)).length).toBeGreaterThan(0);
      zips.giveBack(name);
    }
    expect(openFilesIn(folder)).toBe(32);
    await zips.close();
    expect(openFilesIn(folder)).toBe(0);
  });

  it('is refused if the archives of all levels together are larger than the caps', async () => {
    const unpackedBytesMax = makeZip([nested(3)]).length;
    await expect(open([nested(4)], { unpackedBytesMax })).rejects.toThrow(/the archives inside it have more than/);
  });

  it('is named if it is damaged, as are problems inside it', async () => {
    const input = await open([
      { name: 'a.zip', content: 'no archive' },
      { name: 'b.zip', content: makeZip([{ name: '../x' }, { name: 'y.json', content: 'y', crc: 7 }]) },
    ]);
    expect(input.problems.map(({ code, location }) => [code, location.path])).toEqual([
      ['damaged-entry', 'a.zip'],
      ['unsafe-name', 'b.zip/../x'],
    ]);
    await expect(input.read('b.zip/y.json', 100)).rejects.toMatchObject({
      location: { path: 'b.zip/y.json' },
      message: expect.stringMatching(/^Cannot read from "b.zip": [^(]* \(b.zip\/y.json\)$/),
    });
    await input.close();
  });

  it('counts with the others against the caps, and nothing stays open', async () => {
    const before = openFileCount();
    const parts = ['a.zip', 'b.zip'].map((name) => ({ name, content: inner('x', 'y') }));
    await expect(open(parts, { entryCountMax: 3 })).rejects.toThrow(/more than 3 files/);
    expect(openFileCount()).toBe(before);
  });
});
