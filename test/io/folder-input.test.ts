import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultCaps } from '../../src/io/input/caps.ts';
import { openFolder } from '../../src/io/input/folder-input.ts';
import { SourceError } from '../../src/lib/errors.ts';
import { collect, failure } from '../contracts/export-input.ts';
import { makeFifo, temporaryFolder, writeFile } from './temporary-files.ts';

describe('openFolder()', () => {
  it('lists links and FIFOs as problems, and opens neither', async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    writeFile(outside, 'secret.json', 'secret');
    writeFile(folder, 'general/a.json', 'a');
    symlinkSync(join(outside, 'secret.json'), join(folder, 'general', 'b.json'));
    symlinkSync(outside, join(folder, 'linked'));
    symlinkSync('..', join(folder, 'general', 'loop'));
    symlinkSync('nowhere', join(folder, 'dangling'));
    makeFifo(join(folder, 'fifo'));
    const input = await openFolder(folder, defaultCaps);
    expect(await input.paths()).toEqual(['general/a.json']);
    expect(input.problems.map(({ code, location }) => `${code} ${location.path}`).sort()).toEqual([
      'not-a-file fifo',
      'symlink dangling',
      'symlink general/b.json',
      'symlink general/loop',
      'symlink linked',
    ]);
  });

  it('does not follow a file that has become a link since', async () => {
    const folder = temporaryFolder();
    writeFile(folder, 'a.json', 'a');
    const input = await openFolder(folder, defaultCaps);
    rmSync(join(folder, 'a.json'));
    symlinkSync('/etc/passwd', join(folder, 'a.json'));
    for (const attempt of [input.read('a.json', 1e6), input.stat('a.json'), collect(input.open('a.json'))]) {
      const error = (await failure(attempt)) as SourceError;
      expect(error).toBeInstanceOf(SourceError);
      expect(error.message).toMatch(/it is a symbolic link \(a.json\)$/);
    }
  });

  it('does not follow a folder that has become a link since', async () => {
    const folder = temporaryFolder();
    const outside = temporaryFolder();
    writeFile(outside, 'a.json', 'secret');
    writeFile(folder, 'general/a.json', 'a');
    writeFile(folder, 'random/a.json', 'a');
    const input = await openFolder(folder, defaultCaps);
    await input.read('random/a.json', 10);
    rmSync(join(folder, 'general'), { recursive: true });
    symlinkSync(outside, join(folder, 'general'));
    expect(await failure(input.read('general/a.json', 10))).toMatchObject({
      message: expect.stringContaining('its folder now leads out of the export (general/a.json)'),
    });
  });

  it('does not wait for a file that has become a FIFO since', async () => {
    const folder = temporaryFolder();
    writeFile(folder, 'a.json', 'a');
    const input = await openFolder(folder, defaultCaps);
    rmSync(join(folder, 'a.json'));
    makeFifo(join(folder, 'a.json'));
    expect(await failure(input.read('a.json', 10))).toBeInstanceOf(SourceError);
  });

  it('says which file has vanished', async () => {
    const folder = temporaryFolder();
    writeFile(folder, 'a.json', 'a');
    const input = await openFolder(folder, defaultCaps);
    rmSync(join(folder, 'a.json'));
    const error = (await failure(input.read('a.json', 10))) as SourceError;
    expect(error.message).toBe(`Cannot read from "${input.label}": it does not exist (a.json)`);
  });

  it('leaves out what operating systems add, without a word', async () => {
    const folder = temporaryFolder();
    const added = [
      '.DS_Store',
      'general/.DS_Store',
      '__MACOSX/._a.json',
      '._a.json',
      'Thumbs.db',
      'general/desktop.ini',
    ];
    for (const path of ['a.json', ...added]) writeFile(folder, path, 'x');
    const input = await openFolder(folder, defaultCaps);
    expect(await input.paths()).toEqual(['a.json']);
    expect(input.problems).toEqual([]);
  });

  it('keeps names as the file system spells them', async () => {
    const folder = temporaryFolder();
    const names = ['e\u0301.json', '\u00e9.json', 'a\\b.json', 'C:', ' ', '…', '\ufffd.json', '𝒳/\u{1f600}.json'];
    for (const name of names) writeFile(folder, name, name);
    const input = await openFolder(folder, defaultCaps);
    expect(await input.paths()).toEqual([...names].sort());
    expect(input.problems).toEqual([]);
    for (const name of names) expect(Buffer.from(await input.read(name, 100)).toString()).toBe(name);
  });

  it('makes a problem of a name that is not valid UTF-8', async () => {
    const folder = temporaryFolder();
    writeFile(folder, 'a.json', 'a');
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/b`), Buffer.from([0xff]), Buffer.from('.json')]), 'b');
    const input = await openFolder(folder, defaultCaps);
    expect(await input.paths()).toEqual(['a.json']);
    expect(input.problems).toMatchObject([{ code: 'unreadable-name' }]);
  });

  it.skipIf(process.getuid?.() === 0)(
    'makes a problem of a folder that may not be read (not shown to root, who may)',
    async () => {
      const folder = temporaryFolder();
      writeFile(folder, 'a.json', 'a');
      mkdirSync(join(folder, 'locked'), { mode: 0 });
      const input = await openFolder(folder, defaultCaps);
      chmodSync(join(folder, 'locked'), 0o700);
      expect(await input.paths()).toEqual(['a.json']);
      expect(input.problems).toMatchObject([{ code: 'unreadable-folder', location: { path: 'locked' } }]);
    },
  );

  it('refuses more files than allowed', async () => {
    const folder = temporaryFolder();
    for (const name of ['a', 'b', 'c']) writeFile(folder, name, name);
    await expect(openFolder(folder, { ...defaultCaps, entryCountMax: 2 })).rejects.toThrow('it has more than 2 files');
    expect((await (await openFolder(folder, { ...defaultCaps, entryCountMax: 3 })).paths()).length).toBe(3);
  });

  it('returns the original file if a local file is needed', async () => {
    const folder = temporaryFolder();
    const path = writeFile(folder, 'chat.db', 'SQLite');
    expect(await (await openFolder(folder, defaultCaps)).materialise('chat.db')).toBe(path);
  });
});

describe('the fingerprint of a file', () => {
  const folderWith = async (bytes: Uint8Array, modified: Date) => {
    const folder = temporaryFolder();
    const path = writeFile(folder, 'a', bytes);
    utimesSync(path, modified, modified);
    return (await (await openFolder(folder, defaultCaps)).stat('a')).fingerprint;
  };
  const [monday, tuesday] = [new Date('2024-03-04'), new Date('2024-03-05')];

  it('is the content alone up to 128 KiB: unpacking an export again changes nothing', async () => {
    for (const size of [0, 1, 128 * 1024]) {
      const bytes = Buffer.alloc(size, 'x');
      expect(await folderWith(bytes, monday)).toBe(await folderWith(bytes, tuesday));
      if (size === 0) continue;
      const other = Buffer.from(bytes);
      other[size >> 1] = 0;
      expect(await folderWith(other, monday)).not.toBe(await folderWith(bytes, monday));
    }
  });

  it('is size, time, head and tail above that', async () => {
    const bytes = Buffer.alloc(200_000, 'x');
    const before = await folderWith(bytes, monday);
    expect(await folderWith(bytes, monday)).toBe(before);
    expect(await folderWith(bytes, tuesday)).not.toBe(before);
    for (const at of [0, 65_535, 200_000 - 65_536, 199_999]) {
      const other = Buffer.from(bytes);
      other[at] = 0;
      expect(await folderWith(other, monday), `byte ${at}`).not.toBe(before);
    }
    expect(await folderWith(Buffer.alloc(200_001, 'x'), monday)).not.toBe(before);
  });

  it('does not depend on the path of the file', async () => {
    const folder = temporaryFolder();
    writeFile(folder, 'a/b.json', 'x');
    const before = await (await openFolder(folder, defaultCaps)).stat('a/b.json');
    renameSync(join(folder, 'a'), join(folder, 'c'));
    expect(await (await openFolder(folder, defaultCaps)).stat('c/b.json')).toEqual(before);
  });
});
