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
const modifiedMs = Date.UTC(2026, 2, 2);
const gibibyte = 1024 ** 3;

/** Copies in a folder of their own. */
function scene(options?: DroppedOptions, folder = home.make()) {
  const dropped = new DroppedFiles(folder, options);
  const place = (name: string) => join(folder, 'chatferry-desk.files', name);
  /** Sends a whole file, in one slice. */
  const send = (name: string, text: string, more: Partial<Slice> = {}) =>
    dropped.receive({ name, at: 0, sizeBytes: Buffer.byteLength(text), modifiedMs, bytes: Buffer.from(text), ...more });
  const listed = (name: string, text: string) => ({ name, sizeBytes: Buffer.byteLength(text) });
  return { folder, dropped, place, send, listed };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('DroppedFiles', () => {
  it('copies files for their owner alone, with the time of the original', async () => {
    const { folder, place, send, dropped } = scene();
    expect(await send('acme/general/1.json', '[]')).toBe(2);
    expect(readFileSync(place('acme/general/1.json'), 'utf8')).toBe('[]');
    expect(['', 'acme', 'acme/general', 'acme/general/1.json'].map((name) => modeOf(place(name)))).toEqual([
      0o700, 0o700, 0o700, 0o600,
    ]);
    expect(statSync(place('acme/general/1.json')).mtimeMs).toBe(modifiedMs);
    expect(await dropped.view()).toEqual({
      folder: './chatferry-desk.files',
      files: 1,
      bytes: 2,
      unfinishedBytes: 0,
    });
    expect(readdirSync(join(folder, 'chatferry-desk.part'))).toEqual([]);
  });

  it('takes slices in their order, and says where the next one begins', async () => {
    const { place, dropped } = scene();
    const slice = (at: number, text: string) =>
      dropped.receive({ name: 'a.txt', at, sizeBytes: 6, modifiedMs, bytes: Buffer.from(text) });
    expect(await slice(2, 'cd')).toBe(0);
    expect(await slice(0, 'ab')).toBe(2);
    expect(await slice(0, 'ab')).toBe(2);
    expect(await slice(4, 'ef')).toBe(2);
    expect(await slice(2, 'cd')).toBe(4);
    expect(existsSync(place('a.txt'))).toBe(false);
    expect(await slice(4, 'ef')).toBe(6);
    expect(readFileSync(place('a.txt'), 'utf8')).toBe('abcdef');
  });

  it('writes slices that come at the same time once', async () => {
    const { place, send } = scene();
    expect(await Promise.all([send('a.txt', 'abc'), send('a.txt', 'abc'), send('b.txt', 'x')])).toEqual([3, 3, 1]);
    expect(readFileSync(place('a.txt'), 'utf8')).toBe('abc');
  });

  it('copies an empty file', async () => {
    const { place, send, dropped, listed } = scene();
    expect(await send('a/empty.txt', '')).toBe(0);
    expect(statSync(place('a/empty.txt')).size).toBe(0);
    expect(await send('a/empty.txt', '')).toBe(0);
    expect(await dropped.finish([listed('a/empty.txt', '')])).toBe('./chatferry-desk.files/a');
  });

  it('goes on with a file after the desk has ended, and leaves those alone that are complete', async () => {
    const first = scene();
    await first.send('a.txt', 'complete');
    await first.send('b.txt', 'half and half', { bytes: Buffer.from('half ') });
    const { dropped, send, place, listed } = scene({}, first.folder);
    expect(await dropped.view()).toMatchObject({ files: 1, bytes: 8, unfinishedBytes: 5 });
    expect(await send('a.txt', 'complete')).toBe(8);
    expect(await send('b.txt', 'half and half')).toBe(5);
    expect(await send('b.txt', 'half and half', { at: 5, bytes: Buffer.from('and half') })).toBe(13);
    expect(readFileSync(place('b.txt'), 'utf8')).toBe('half and half');
    expect(await dropped.finish([listed('a.txt', 'complete'), listed('b.txt', 'half and half')])).toBe(
      './chatferry-desk.files',
    );
  });

  it('gives a file its name if the desk ended just before', async () => {
    const first = scene();
    await first.send('a.txt', 'abc', { bytes: Buffer.from('ab') });
    const [name] = readdirSync(join(first.folder, 'chatferry-desk.part'));
    writeFileSync(join(first.folder, 'chatferry-desk.part', name!), 'abc');
    const { send, place } = scene({}, first.folder);
    expect(await send('a.txt', 'abc')).toBe(3);
    expect(readFileSync(place('a.txt'), 'utf8')).toBe('abc');
    expect(statSync(place('a.txt')).mtimeMs).toBe(modifiedMs);
  });

  it('takes a file of the same size and another time for another one', async () => {
    const { send } = scene();
    await send('a.txt', 'first', { modifiedMs: modifiedMs + 1 });
    await expect(send('a.txt', 'other', { modifiedMs: modifiedMs + 2 })).rejects.toThrow(/another file of this name/);
    expect(await send('a.txt', 'first', { modifiedMs: modifiedMs + 1 })).toBe(5);
  });

  it('never goes on with another version of a file', async () => {
    const { place, send } = scene();
    await send('a.txt', 'old version', { bytes: Buffer.from('old ') });
    expect(await send('a.txt', 'new version', { modifiedMs: modifiedMs + 60_000 })).toBe(11);
    expect(readFileSync(place('a.txt'), 'utf8')).toBe('new version');
  });

  it.each([
    ['another file of a name that is taken', 'a/chat.txt', 'longer', /another file of this name is here/],
    ['a name that differs from another in its case alone', 'a/CHAT.txt', 'x', /"a\/chat.txt" is here/],
    ['a folder that differs from another in its case alone', 'A/b.txt', 'x', /"a" is here/],
    ['a file with the name of a folder', 'a', 'x', /"a" is here/],
    ['a file in a file', 'a/chat.txt/b', 'x', /"a\/chat.txt" is here/],
    ['a name that leads elsewhere', '../x.txt', 'x', /leads to another folder/],
  ])('refuses %s, and changes nothing', async (_, name, text, words) => {
    const { folder, place, send, dropped } = scene();
    await send('a/chat.txt', 'first');
    await expect(send(name, text)).rejects.toThrow(words);
    expect(readFileSync(place('a/chat.txt'), 'utf8')).toBe('first');
    expect(await dropped.view()).toMatchObject({ files: 1, bytes: 5, unfinishedBytes: 0 });
    expect(readdirSync(folder).sort()).toEqual(['chatferry-desk.files', 'chatferry-desk.part']);
  });

  it('follows no link', async () => {
    const elsewhere = home.make();
    const linked = scene();
    symlinkSync(elsewhere, linked.place(''));
    await expect(linked.send('a.txt', 'x')).rejects.toThrow(/is no folder/);
    expect(await linked.dropped.view()).toBeNull();
    const inside = scene();
    mkdirSync(inside.place(''));
    symlinkSync(elsewhere, inside.place('acme'));
    symlinkSync(join(elsewhere, 'x.txt'), inside.place('x.txt'));
    await expect(inside.send('acme/a.txt', 'x')).rejects.toThrow(/"acme" is here/);
    await expect(inside.send('x.txt', 'x')).rejects.toThrow(/another file of this name/);
    await linked.dropped.remove();
    await inside.dropped.remove();
    expect([readdirSync(elsewhere), readdirSync(linked.folder)]).toEqual([[], []]);
    expect(existsSync(elsewhere)).toBe(true);
  });

  it('leaves 1 GiB of the disk free', async () => {
    let free: number | undefined = gibibyte + 5;
    const { send, dropped } = scene({ freeBytes: async () => free });
    expect(await send('a.txt', '12345')).toBe(5);
    await expect(send('b.txt', '123456')).rejects.toThrow(NoRoom);
    expect(await dropped.view()).toMatchObject({ files: 1, unfinishedBytes: 0 });
    free = undefined;
    expect(await send('b.txt', '123456')).toBe(6);
  });

  it('takes 200 GiB at most', async () => {
    const { send } = scene({ freeBytes: async () => 1024 * gibibyte });
    const bytes = Buffer.from('begin');
    expect(await send('a.zip', '', { sizeBytes: 200 * gibibyte, bytes })).toBe(5);
    await expect(send('b.zip', '', { sizeBytes: 200 * gibibyte + 1, bytes })).rejects.toThrow(/200 GiB/);
  });

  it.each([
    ['is missing', 'b.txt', 'x'],
    ['has another size', 'a.txt', 'other size'],
    ['has not arrived to its end', 'half.txt', 'half'],
    ['is a folder', 'acme', ''],
  ])('does not end a copy when a file %s', async (_, name, text) => {
    const { send, dropped, listed } = scene();
    await send('a.txt', 'abc');
    await send('acme/1.txt', 'abc');
    await send('half.txt', 'half', { bytes: Buffer.from('ha') });
    await expect(dropped.finish([listed('a.txt', 'abc'), listed(name, text)])).rejects.toThrow(/not all of it/);
  });

  it('notices at the end of a copy that a file was removed meanwhile, and copies it again', async () => {
    const { place, send, dropped, listed } = scene();
    await send('a.txt', 'abc');
    await send('b.txt', 'abc');
    rmSync(place('a.txt'));
    await expect(dropped.finish([listed('a.txt', 'abc')])).rejects.toThrow(/not all of it/);
    expect(await send('a.txt', 'abc')).toBe(3);
    expect(await dropped.finish([listed('a.txt', 'abc')])).toBe('./chatferry-desk.files');
  });

  it.each([
    ['the file that was dropped', ['export.zip'], './chatferry-desk.files/export.zip'],
    ['the folder that was dropped', ['acme/channels.json', 'acme/a/1.json'], './chatferry-desk.files/acme'],
    ['the folder of the copies', ['a.zip', 'b.zip'], './chatferry-desk.files'],
    ['the file next to what a system leaves in folders', ['a.zip', '.DS_Store'], './chatferry-desk.files/a.zip'],
  ])('names as the export %s', async (_, names, wanted) => {
    const { send, dropped, listed, folder } = scene();
    await send('other.txt', 'never ended', { bytes: Buffer.from('never') });
    for (const name of names) await send(name, 'abc');
    expect(await dropped.finish(names.map((name) => listed(name, 'abc')))).toBe(wanted);
    expect(readdirSync(folder)).toEqual(['chatferry-desk.files']);
  });

  it('removes all copies, and begins again', async () => {
    const { folder, send, dropped } = scene();
    await send('a.txt', 'abc');
    await send('b.txt', 'abc', { bytes: Buffer.from('a') });
    await dropped.remove();
    expect([readdirSync(folder), await dropped.view()]).toEqual([[], null]);
    expect(await send('A.txt', 'other')).toBe(5);
  });

  it('begins again after another program has removed the copies', async () => {
    const { folder, send, dropped } = scene();
    await send('a.txt', 'abc');
    rmSync(join(folder, 'chatferry-desk.files'), { recursive: true });
    expect(await dropped.view()).toBeNull();
    expect(await send('A.txt', 'other')).toBe(5);
  });
});
