import { describe, expect, it } from 'vitest';
import type { Caps } from '../../src/io/input/caps.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { makeTar } from './make-tar.ts';
import { makeZip, type ZipPart } from './make-zip.ts';
import { openFileCount, temporaryFile } from './temporary-files.ts';

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

  it('stays a file beside others: somebody may have sent it', async () => {
    const input = await open([
      { name: 'chat.txt', content: 'Ines: see a.zip' },
      { name: 'a.zip', content: inner('x.json') },
    ]);
    expect(await input.paths()).toEqual(['a.zip', 'chat.txt']);
    await input.close();
  });

  it('is opened one level deep', async () => {
    const input = await open([{ name: 'a.zip', content: makeZip([{ name: 'b.zip', content: inner('x.json') }]) }]);
    expect(await input.paths()).toEqual(['a.zip/b.zip']);
    await input.close();
  });

  it('is named if it is damaged, and so is what is wrong inside', async () => {
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
