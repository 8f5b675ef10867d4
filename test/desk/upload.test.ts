import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DroppedFiles, type DroppedOptions, NoRoom, type Slice } from '../../src/desk/files/dropped.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const modifiedMs = Date.UTC(2026, 2, 2) + 123;
const gibibyte = 1024 ** 3;

/** Copies in a folder of their own. */
function scene(options?: DroppedOptions, folder = home.make()) {
  const dropped = new DroppedFiles(folder, options);
  const place = (name: string) => join(folder, 'chatferry-desk.files', name);
  const staging = join(folder, 'chatferry-desk.part');
  const fileOf = (name: string, text: string) => ({ name, sizeBytes: Buffer.byteLength(text), modifiedMs });
  /** Sends a whole file, in one slice. */
  const send = (name: string, text: string, more: Partial<Slice> = {}) =>
    dropped.receive({ ...fileOf(name, text), at: 0, bytes: Buffer.from(text), ...more });
  /** Sends the first bytes of a file. */
  const begin = (name: string, text: string, length: number) =>
    send(name, text, { bytes: Buffer.from(text).subarray(0, length) });
  /** Copies files as the page does. */
  const drop = async (files: Readonly<Record<string, string>>) => {
    const all = Object.entries(files);
    for (const [name, text] of all) expect(await send(name, text)).toBe(Buffer.byteLength(text));
    return await dropped.finish(all.map(([name, text]) => fileOf(name, text)));
  };
  return { folder, dropped, place, staging, fileOf, send, begin, drop };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('DroppedFiles', () => {
  it('copies files for their owner alone, with the time of the original', async () => {
    const { folder, place, drop, dropped } = scene();
    expect(await drop({ 'acme/general/1.json': '[]' })).toBe('./chatferry-desk.files/acme');
    expect(readFileSync(place('acme/general/1.json'), 'utf8')).toBe('[]');
    const modes = ['', 'acme', 'acme/general', 'acme/general/1.json'].map((name) => modeOf(place(name)));
    expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
    expect(statSync(place('acme/general/1.json')).mtimeMs).toBe(modifiedMs);
    const copies = { folder: './chatferry-desk.files', files: 1, bytes: 2, unfinishedBytes: 0 };
    expect([await dropped.view(), readdirSync(folder)]).toEqual([copies, ['chatferry-desk.files']]);
  });

  it('takes slices in their order, and says where the next one begins', async () => {
    const { place, dropped, fileOf } = scene();
    const slice = (at: number, text: string) =>
      dropped.receive({ ...fileOf('a.txt', 'abcdef'), at, bytes: Buffer.from(text) });
    expect(await slice(2, 'cd')).toBe(0);
    expect(await slice(0, 'ab')).toBe(2);
    expect(await slice(0, 'ab')).toBe(2);
    expect(await slice(4, 'ef')).toBe(2);
    expect(await slice(2, 'cd')).toBe(4);
    expect(await slice(4, 'ef')).toBe(6);
    expect(await slice(4, 'ef')).toBe(6);
    expect(existsSync(place('a.txt'))).toBe(false);
    await dropped.finish([fileOf('a.txt', 'abcdef')]);
    expect(readFileSync(place('a.txt'), 'utf8')).toBe('abcdef');
  });

  it('writes slices that come at the same time once', async () => {
    const { place, send, drop } = scene();
    expect(await Promise.all([send('a.txt', 'abc'), send('a.txt', 'abc'), send('b.txt', 'x')])).toEqual([3, 3, 1]);
    await drop({ 'a.txt': 'abc', 'b.txt': 'x' });
    expect(readFileSync(place('a.txt'), 'utf8')).toBe('abc');
  });

  it('copies an empty file', async () => {
    const { place, send, dropped, fileOf } = scene();
    await expect(dropped.finish([fileOf('a.txt', '')])).rejects.toThrow(/not all of it/);
    expect([await send('a.txt', ''), await send('a.txt', '')]).toEqual([0, 0]);
    await dropped.finish([fileOf('a.txt', '')]);
    expect([statSync(place('a.txt')).size, await send('a.txt', '')]).toEqual([0, 0]);
  });

  it('goes on with files after the desk has ended', async () => {
    const first = scene();
    await first.send('a.txt', 'complete');
    await first.begin('b.txt', 'half and half', 5);
    const { dropped, send, place, fileOf } = scene({}, first.folder);
    expect(await dropped.view()).toMatchObject({ files: 0, bytes: 0, unfinishedBytes: 13 });
    expect(await send('a.txt', 'complete')).toBe(8);
    expect(await send('b.txt', 'half and half')).toBe(5);
    expect(await send('b.txt', 'half and half', { at: 5, bytes: Buffer.from('and half') })).toBe(13);
    await dropped.finish([fileOf('a.txt', 'complete'), fileOf('b.txt', 'half and half')]);
    expect(readFileSync(place('b.txt'), 'utf8')).toBe('half and half');
  });

  it('ends a copy that ended in the middle when the files had got their names', async () => {
    const first = scene();
    await first.send('a.txt', 'one');
    await first.send('b.txt', 'two');
    await first.dropped.finish([first.fileOf('a.txt', 'one')]);
    const { drop, place } = scene({}, first.folder);
    expect(await drop({ 'a.txt': 'one', 'b.txt': 'two' })).toBe('./chatferry-desk.files');
    expect(readFileSync(place('b.txt'), 'utf8')).toBe('two');
  });

  it('never goes on with another version of a file', async () => {
    const { place, begin, send, dropped, fileOf } = scene();
    await begin('a.txt', 'old version', 4);
    const newer = { modifiedMs: modifiedMs + 60_000 };
    expect(await send('a.txt', 'new version', newer)).toBe(11);
    await dropped.finish([{ ...fileOf('a.txt', 'new version'), ...newer }]);
    expect(readFileSync(place('a.txt'), 'utf8')).toBe('new version');
  });

  it('takes a file of the same size and another time for another one', async () => {
    const { send, drop } = scene();
    await drop({ 'a.txt': 'first' });
    await expect(send('a.txt', 'other', { modifiedMs: modifiedMs + 1 })).rejects.toThrow(/another file of this name/);
    expect(await send('a.txt', 'first')).toBe(5);
  });

  it.each([
    ['another file of a name that is taken', 'a/chat.txt', /another file of this name is here/],
    ['a name that differs from another in its case alone', 'a/CHAT.txt', /"a\/chat.txt" is here/],
    ['a folder that differs from another in its case alone', 'A/b.txt', /"a" is here/],
    ['a file with the name of a folder', 'a', /"a" is here/],
    ['a file in a file', 'a/chat.txt/b', /"a\/chat.txt" is here/],
    ['a name that leads elsewhere', '../x.txt', /leads to another folder/],
  ])('refuses %s, and changes nothing', async (_, name, words) => {
    const { folder, place, send, drop, dropped, fileOf } = scene();
    await drop({ 'a/chat.txt': 'first' });
    await expect(send(name, 'something else')).rejects.toThrow(words);
    await expect(dropped.finish([fileOf(name, 'something else')])).rejects.toThrow(words);
    expect(readFileSync(place('a/chat.txt'), 'utf8')).toBe('first');
    expect([await dropped.view(), readdirSync(folder)]).toMatchObject([
      { files: 1, bytes: 5 },
      ['chatferry-desk.files'],
    ]);
  });

  it('refuses names that are the same on some systems, if they were dropped together', async () => {
    const { send, dropped, fileOf, place } = scene();
    for (const names of [
      ['a.txt', 'A.TXT'],
      ['a.txt', 'a.txt'],
      ['x', 'x/y'],
    ]) {
      for (const name of names) await send(name, 'abc');
      await expect(dropped.finish(names.map((name) => fileOf(name, 'abc')))).rejects.toThrow(/same as/);
    }
    expect(existsSync(place(''))).toBe(false);
  });

  it('follows no link', async () => {
    const elsewhere = home.make();
    const linked = scene();
    symlinkSync(elsewhere, linked.place(''));
    await expect(linked.drop({ 'a.txt': 'x' })).rejects.toThrow(/is no folder/);
    const staged = scene();
    symlinkSync(elsewhere, staged.staging);
    await expect(staged.send('a.txt', 'x')).rejects.toThrow(/is no folder/);
    expect(await staged.dropped.view()).toBeNull();
    const inside = scene();
    mkdirSync(inside.place(''));
    symlinkSync(elsewhere, inside.place('acme'));
    symlinkSync(join(elsewhere, 'x.txt'), inside.place('x.txt'));
    await expect(inside.send('acme/a.txt', 'x')).rejects.toThrow(/"acme" is here/);
    await expect(inside.send('x.txt', 'x')).rejects.toThrow(/another file of this name/);
    for (const { dropped, folder } of [linked, staged, inside]) {
      await dropped.remove();
      expect(readdirSync(folder)).toEqual([]);
    }
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it('leaves 1 GiB of the disk free', async () => {
    let free: number | undefined = gibibyte + 5;
    const { send, dropped } = scene({ freeBytes: async () => free });
    expect(await send('a.txt', '12345')).toBe(5);
    await expect(send('b.txt', '123456')).rejects.toThrow(NoRoom);
    expect(await dropped.view()).toMatchObject({ unfinishedBytes: 5 });
    free = undefined;
    expect(await send('b.txt', '123456')).toBe(6);
  });

  it('takes 200 GiB at most, of all files together', async () => {
    const { send, begin } = scene({ freeBytes: async () => 1024 * gibibyte });
    const bytes = Buffer.from('begin');
    expect(await send('a.zip', '', { sizeBytes: 200 * gibibyte, bytes })).toBe(5);
    await expect(send('b.zip', '', { sizeBytes: 200 * gibibyte + 1, bytes })).rejects.toThrow(/200 GiB/);
    await expect(send('b.zip', '', { sizeBytes: 200 * gibibyte - 4, bytes })).rejects.toThrow(/200 GiB/);
    expect(await begin('c.txt', 'small', 5)).toBe(5);
  });

  it.each([
    ['is missing', 'b.txt', 'x'],
    ['has another size', 'a.txt', 'other size'],
    ['has not arrived to its end', 'half.txt', 'half'],
  ])('does not end a copy when a file %s', async (_, name, text) => {
    const { send, begin, dropped, fileOf, place } = scene();
    await send('a.txt', 'abc');
    await begin('half.txt', 'half', 2);
    await expect(dropped.finish([fileOf('c.txt', 'abc'), fileOf(name, text)])).rejects.toThrow(/not all of it/);
    expect(existsSync(place(''))).toBe(false);
  });

  it('copies again what was removed meanwhile', async () => {
    const { place, send, drop, dropped, fileOf } = scene();
    await drop({ 'a.txt': 'abc', 'b.txt': 'abc' });
    rmSync(place('a.txt'));
    await expect(dropped.finish([fileOf('a.txt', 'abc')])).rejects.toThrow(/not all of it/);
    expect(await send('a.txt', 'abc')).toBe(3);
    expect(await drop({ 'a.txt': 'abc', 'b.txt': 'abc' })).toBe('./chatferry-desk.files');
  });

  it.each([
    ['the file that was dropped', ['export.zip'], './chatferry-desk.files/export.zip'],
    ['the folder that was dropped', ['acme/channels.json', 'acme/a/1.json'], './chatferry-desk.files/acme'],
    ['the folder of the copies', ['a.zip', 'b.zip'], './chatferry-desk.files'],
    ['the file next to what a system leaves in folders', ['a.zip', '.DS_Store'], './chatferry-desk.files/a.zip'],
  ])('names as the export %s, without what was never copied to its end', async (_, names, wanted) => {
    const { begin, drop, folder } = scene();
    await begin('other.txt', 'never ended', 5);
    expect(await drop(Object.fromEntries(names.map((name) => [name, 'abc'])))).toBe(wanted);
    expect(readdirSync(folder)).toEqual(['chatferry-desk.files']);
  });

  it('takes nothing that was dropped before for a part of the export', async () => {
    const { drop, send, place } = scene();
    await drop({ 'wrong.zip': 'abc' });
    expect(await drop({ 'acme/1.json': 'abc' })).toBe('./chatferry-desk.files/acme');
    expect(await drop({ 'right.zip': 'abc' })).toBe('./chatferry-desk.files/right.zip');
    await expect(drop({ 'a.txt': 'abc', 'b.txt': 'abc' })).rejects.toThrow(/others were copied before/);
    await expect(drop({ 'acme/2.json': 'abc' })).rejects.toThrow(/others were copied before/);
    expect([existsSync(place('a.txt')), existsSync(place('acme/2.json'))]).toEqual([false, false]);
    expect(await send('a.txt', 'abc')).toBe(3);
  });

  it('removes all copies, and begins again', async () => {
    const { folder, begin, drop, dropped } = scene();
    await drop({ 'a.txt': 'abc' });
    await begin('b.txt', 'abc', 1);
    await dropped.remove();
    expect([readdirSync(folder), await dropped.view()]).toEqual([[], null]);
    expect(await drop({ 'A.txt': 'other' })).toBe('./chatferry-desk.files/A.txt');
  });

  it('begins again after another program has removed the copies', async () => {
    const { folder, drop, dropped } = scene();
    await drop({ 'a.txt': 'abc' });
    rmSync(join(folder, 'chatferry-desk.files'), { recursive: true });
    expect(await dropped.view()).toBeNull();
    expect(await drop({ 'A.txt': 'other' })).toBe('./chatferry-desk.files/A.txt');
  });

  it('says in words what the file system refuses', async () => {
    const { folder, send } = scene();
    writeFileSync(join(folder, 'chatferry-desk.part'), '');
    await expect(send('a.txt', 'x')).rejects.toThrow(/is no folder/);
    const gone = scene({}, join(home.make(), 'missing'));
    await expect(gone.send('a.txt', 'x')).rejects.toThrow('Cannot copy "a.txt": ENOENT');
  });
});
