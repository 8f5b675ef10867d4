import { chmodSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openExport } from '../../src/io/input/open-export.ts';
import { type SourceError, UsageError } from '../../src/lib/errors.ts';
import { failure } from '../contracts/export-input.ts';
import { makeZip } from './make-zip.ts';
import { makeFifo, openFileCount, temporaryFile, temporaryFolder, writeFile } from './temporary-files.ts';

async function open(...paths: string[]) {
  const inputs = await openExport(paths);
  onTestFinished(async () => {
    for (const input of inputs) await input.close();
  });
  return inputs;
}

async function refusal(...paths: string[]): Promise<SourceError> {
  return (await failure(openExport(paths))) as SourceError;
}

describe('openExport()', () => {
  it('makes one input of each folder and archive, and one of all other files, in the order in which they were named', async () => {
    const folder = temporaryFolder();
    const a = writeFile(folder, 'a.csv', 'a');
    const b = writeFile(folder, 'b.csv.gz', gzipSync('b'));
    const inner = writeFile(folder, 'export/c.json', 'c');
    const zip = writeFile(folder, 'd.zip', makeZip([{ name: 'd.json', content: 'd' }]));
    const inputs = await open(zip, a, join(inner, '..'), b);
    expect(inputs.map(({ label }) => label)).toEqual(['d.zip', '2 files', 'export']);
    expect(await Promise.all(inputs.map((input) => input.paths()))).toEqual([
      ['d.json'],
      ['a.csv', 'b.csv'],
      ['c.json'],
    ]);
    expect(inputs.map(({ key }) => key)).toEqual([zip, a, join(inner, '..')]);
  });

  it('lists nothing but the asked files, also if one is in an archive inside, and reads them', async () => {
    const asked = ['a/1.json', 'b.zip/c/2.json', 'none.json'];
    const inner = makeZip(['c/2.json', 'c/3.json'].map((name) => ({ name, content: name })));
    const parts = { 'a/1.json': 'a/1.json', 'a/2.json': 'x', 'b/1.json': 'x' };
    const zip = makeZip(Object.entries(parts).map(([name, content]) => ({ name, content })));
    const zips = makeZip([
      { name: 'b.zip', content: inner },
      { name: 'd.zip', content: inner },
    ]);
    const folder = temporaryFolder();
    for (const [name, content] of Object.entries(parts)) writeFile(folder, name, content);
    const found: (readonly string[])[] = [];
    for (const path of [folder, temporaryFile('one.zip', zip), temporaryFile('two.zip', zips)]) {
      const [input] = await openExport([path], {}, asked);
      onTestFinished(() => input!.close());
      found.push(await input!.paths());
    }
    expect(found).toEqual([['a/1.json'], ['a/1.json'], ['b.zip/c/2.json', 'b.zip/c/3.json']]);
    await expect(openExport([folder], {}, ['none.json'])).rejects.toThrow('it holds no files');
  });

  it('knows an archive by its content', async () => {
    const [zip] = await open(temporaryFile('export.bin', makeZip([{ name: 'a', content: 'a' }])));
    expect(await zip!.paths()).toEqual(['a']);
    const [gzip] = await open(temporaryFile('messages', gzipSync('a')));
    expect(await gzip!.paths()).toEqual(['messages']);
    const [plain] = await open(temporaryFile('PK.txt', 'PK is no archive'));
    expect(await plain!.paths()).toEqual(['PK.txt']);
  });

  it.each([false, true])('reads an archive that unpacks itself, behind a program (ZIP64: %s)', async (isZip64) => {
    const program = Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(5000, 7)]);
    const parts = ['a/1.json', 'b/2.json'].map((name) => ({ name, content: `content of ${name}`, isZip64 }));
    const archive = makeZip(parts, { hasZip64End: isZip64 });
    for (const path of [
      temporaryFile('export.exe', Buffer.concat([program, archive])),
      temporaryFile('export.zip', Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), archive])),
    ]) {
      const [input] = await open(path);
      expect(await input!.paths()).toEqual(['a/1.json', 'b/2.json']);
      for (const name of ['a/1.json', 'b/2.json'])
        expect(Buffer.from(await input!.read(name, 100)).toString()).toBe(`content of ${name}`);
    }
  });

  it('reads an archive behind a program if its offsets include the program', async () => {
    const program = Buffer.from('#!/bin/sh\nexec unzip "$0"\n');
    const content = 'content';
    const archive = makeZip([{ name: 'a.json', content }]);
    const behind = makeZip([{ name: 'a.json', content, offset: program.length }], {
      directoryOffset: program.length + archive.indexOf('PK\x01\x02'),
    });
    const [input] = await open(temporaryFile('export.run', Buffer.concat([program, behind])));
    expect(Buffer.from(await input!.read('a.json', 100)).toString()).toBe(content);
  });

  it('takes a program without an archive for a file', async () => {
    const [input] = await open(temporaryFile('setup.exe', Buffer.concat([Buffer.from('MZ'), Buffer.alloc(1000, 7)])));
    expect(await input!.paths()).toEqual(['setup.exe']);
  });

  it('opens a path that is named twice only once', async () => {
    const path = temporaryFile('a.json', 'a');
    const link = join(temporaryFolder(), 'link.json');
    symlinkSync(path, link);
    const inputs = await open(path, link, path);
    expect(inputs.length).toBe(1);
    expect(await inputs[0]!.paths()).toEqual(['a.json']);
  });

  it('distinguishes files with the same name by their folders', async () => {
    const folder = temporaryFolder();
    const paths = ['2023/a/users.csv', '2024/a/users.csv', '2024/b/other.csv'].map((path) =>
      writeFile(folder, path, path),
    );
    const [input] = await open(...paths);
    expect(await input!.paths()).toEqual(['2023/a/users.csv', '2024/a/users.csv', 'other.csv']);
    expect(Buffer.from(await input!.read('2023/a/users.csv', 100)).toString()).toBe('2023/a/users.csv');
  });

  it('refuses a file and the same file packed', async () => {
    const folder = temporaryFolder();
    const both = [writeFile(folder, 'a.json', 'a'), writeFile(folder, 'a.json.gz', gzipSync('a'))];
    expect((await refusal(...both)).message).toBe(
      'Cannot read "a.json" and "a.json.gz" together: they are the same file, packed and not',
    );
  });

  it('follows a link that the user names', async () => {
    const folder = temporaryFolder();
    writeFile(folder, 'a.json', 'a');
    const link = join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    const [input] = await open(link);
    expect(input!.key).toBe(folder);
    expect(input!.label).toBe(basename(folder));
  });

  it('refuses no path at all', async () => {
    expect(await failure(openExport([]))).toBeInstanceOf(UsageError);
  });

  it('says that a path does not exist', async () => {
    const path = join(temporaryFolder(), 'missing.zip');
    const error = await refusal(path);
    expect(error.message).toBe(`Cannot read "${path}": it does not exist`);
    expect(error.hint).toBe('Check the path');
    expect((await refusal(join(temporaryFile('a.json', 'a'), 'b'))).message).toContain('is not a folder');
  });

  it('refuses a FIFO, a socket and a device, and does not wait for them', async () => {
    const folder = temporaryFolder();
    const fifo = makeFifo(join(folder, 'fifo'));
    const socket = join(folder, 'socket');
    const server = createServer().listen(socket);
    onTestFinished(() => void server.close());
    for (const path of [fifo, socket, '/dev/null', '/dev/zero']) {
      const error = await refusal(path);
      expect(error.message).toBe(
        `Cannot read "${path}": expected a folder, an archive or a file, found a device, FIFO or socket`,
      );
    }
  });

  it.skipIf(process.getuid?.() === 0)('says that it may not read a file (not shown to root, who may)', async () => {
    const path = temporaryFile('a.json', 'a');
    chmodSync(path, 0);
    expect((await refusal(path)).message).toBe(`Cannot read "${path}": permission denied`);
  });

  it('refuses what holds nothing', async () => {
    expect((await refusal(temporaryFolder())).message).toMatch(/^Cannot read ".*": it holds no files$/);
    expect((await refusal(temporaryFile('a.zip', makeZip([])))).message).toBe('Cannot read "a.zip": it holds no files');
    expect((await refusal(temporaryFile('a.json', ''))).message).toBe('Cannot read "a.json": the file is empty');
  });

  it('refuses an archive in which everything is encrypted, and says what to do', async () => {
    const zip = makeZip([
      { name: 'a.json', flags: 1 },
      { name: 'b.json', flags: 1 },
    ]);
    const error = await refusal(temporaryFile('a.zip', zip));
    expect(error.message).toBe('Cannot read "a.zip": none of its 2 files can be read: it is encrypted (a.json)');
    expect(error.hint).toBe('Unpack it with its password and pass the folder');
  });

  it('refuses an error page that was saved as an archive', async () => {
    const path = temporaryFile('export.zip', '<!DOCTYPE html><title>Sign in</title>');
    const error = await refusal(path);
    expect(error.message).toBe(`Cannot read "${path}": expected a ZIP archive, as its name says, found something else`);
  });

  it.each([
    ['export.7z', Buffer.from('377abcaf271c', 'hex'), '7z'],
    ['export.rar', Buffer.from('Rar!\x1a\x07\x01'), 'RAR'],
    ['export.xz', Buffer.from('fd377a585a00', 'hex'), 'xz'],
    ['export.zst', Buffer.from('28b52ffd', 'hex'), 'Zstandard'],
    ['export.bz2', Buffer.from('BZh9'), 'bzip2'],
  ])('refuses %s, and says what to do', async (name, bytes, kind) => {
    const path = temporaryFile(name, bytes);
    const error = await refusal(path);
    expect(error.message).toBe(`Cannot read "${path}": ${kind} archives are not supported`);
    expect(error.hint).toBe('Unpack it and pass the folder');
  });

  it('leaves nothing open when one of several cannot be opened', async () => {
    const zip = temporaryFile('a.zip', makeZip([{ name: 'a', content: 'a' }]));
    const empty = temporaryFile('b.zip', makeZip([]));
    const before = openFileCount();
    for (let round = 0; round < 20; round += 1) await failure(openExport([zip, empty]));
    expect(openFileCount()).toBeLessThan(before + 10);
  });
});
