import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../../src/lib/hash.ts';
import { openLocation } from '../../../src/media/open-location.ts';
import { allOf, contentOf, noSignal, someBytes } from '../../scenes/media-content.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const folders = temporaryFolderInMemory();
const openAt = (folder: string) =>
  openLocation({ to: folder, address: 'https://files.example.com', key: '{sha256}', region: 'us-east-1' }, { env: {} });

/** A number that no process has. */
const nobody = 2 ** 30;

describe('a folder', () => {
  it('has nothing of ours in it but the files once it is closed', async () => {
    const folder = folders.make();
    const location = await openAt(folder);
    await location.put('a/b/c.png', contentOf(someBytes(10)), noSignal);
    await location.close();
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(
      ['a', 'a/b', 'a/b/c.png'].map((path) => join(path)),
    );
  });

  it.runIf(process.platform !== 'win32')(
    'has files that a web server of another user may read, as the umask says',
    async () => {
      const folder = folders.make();
      const location = await openAt(folder);
      await location.put('a/b.png', contentOf(someBytes(10)), noSignal);
      expect(statSync(join(folder, 'a/b.png')).mode & 0o777).toBe(0o666 & ~process.umask());
      expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o777 & ~process.umask());
      await location.close();
    },
  );

  it('loses what runs that were killed left half written, and nothing of those that go on', async () => {
    const folder = folders.make();
    const partial = join(folder, '.chatferry-partial');
    mkdirSync(partial);
    const here = sha256Hex(hostname()).slice(0, 8);
    const dayBefore = Date.now() / 1000 - 90_000;
    const leave = (name: string, time = Date.now() / 1000) => {
      writeFileSync(join(partial, name), 'half');
      utimesSync(join(partial, name), time, time);
    };
    leave(`${here}-${nobody}-dead`);
    leave(`${here}-${process.pid}-before`, dayBefore);
    leave(`${here}-${process.pid}-mine`);
    leave(`${here}-${process.ppid}-alive`, dayBefore);
    leave('elsewhere-1-new');
    leave('elsewhere-1-old', dayBefore);
    await openAt(folder);
    expect(readdirSync(partial).sort()).toEqual(
      [`${here}-${process.pid}-mine`, `${here}-${process.ppid}-alive`, 'elsewhere-1-new'].sort(),
    );
  });

  it.runIf(process.platform !== 'win32')('is not left through a link', async () => {
    const [folder, outside] = [folders.make(), folders.make()];
    writeFileSync(join(outside, 'a.png'), 'theirs');
    symlinkSync(outside, join(folder, 'way'));
    symlinkSync(join(outside, 'a.png'), join(folder, 'a.png'));
    const location = await openAt(folder);
    const content = contentOf(someBytes(10));
    await expect(location.put('way/a.png', content, noSignal)).rejects.toMatchObject({ kind: 'stop' });
    expect(await location.head('way/a.png', noSignal)).toBeUndefined();
    expect(await location.head('a.png', noSignal)).toBeUndefined();
    await expect(allOf(location.read('way/a.png', noSignal))).rejects.toMatchObject({ kind: 'never' });
    await expect(allOf(location.read('a.png', noSignal))).rejects.toMatchObject({ kind: 'never' });
    await location.remove('way/a.png', noSignal);
    await location.put('a.png', content, noSignal);
    expect(readFileSync(join(folder, 'a.png'))).toEqual(someBytes(10));
    expect(readFileSync(join(outside, 'a.png'), 'utf8')).toBe('theirs');
    await location.close();
  });

  it('reports a folder in place of the file, and a file in its path', async () => {
    const folder = folders.make();
    mkdirSync(join(folder, 'a.png'));
    writeFileSync(join(folder, 'b'), '');
    const location = await openAt(folder);
    const content = contentOf(someBytes(10));
    await expect(location.put('a.png', content, noSignal)).rejects.toMatchObject({ kind: 'never' });
    await expect(location.put('b/a.png', content, noSignal)).rejects.toMatchObject({ kind: 'stop' });
    await location.close();
    expect(existsSync(join(folder, '.chatferry-partial'))).toBe(false);
  });
});
