import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caps } from '../../src/io/input/caps.ts';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { makeTar, type TarPart } from './make-tar.ts';
import { openFileCount, temporaryFile, temporaryFolder } from './temporary-files.ts';

const open = async (bytes: Uint8Array, { name = 'export.tar', ...caps }: Partial<Caps> & { name?: string } = {}) =>
  (await openExport([temporaryFile(name, bytes)], caps))[0]!;

const textOf = async (input: ExportInput, path: string) =>
  Buffer.from(await input.read(path, 1_000_000)).toString('utf8');

const problemsOf = ({ problems }: ExportInput) => problems.map(({ code, location }) => [code, location.path]);

/** Temporary folders that are there; each test has a place of its own for them. */
const ours = () => readdirSync(tmpdir()).filter((name) => !name.startsWith('chatferry-test-'));

beforeEach(() => void vi.stubEnv('TMPDIR', temporaryFolder()));
afterEach(() => void vi.unstubAllEnvs());

const a: TarPart = { name: 'a.json', content: '[1]' };

describe('a tar archive', () => {
  it.each(['export.tar', 'export', 'export.zip.part'])('is known by its content, called %s', async (name) => {
    const tar = await makeTar([a]);
    for (const bytes of [tar, gzipSync(tar)]) {
      const input = await open(bytes, { name });
      expect(await input.paths()).toEqual(['a.json']);
      expect(await textOf(input, 'a.json')).toBe('[1]');
      await input.close();
    }
  });

  it('has names without "./", long ones and those of other scripts as they are, and no folders and clutter', async () => {
    const long = `${'folder/'.repeat(40)}ü 船.json`;
    const input = await open(
      await makeTar([
        { name: './', type: 'directory' },
        { name: './b.json', content: 'b' },
        { name: long, content: 'long' },
        { name: './._b.json', content: 'fork' },
      ]),
    );
    expect(await input.paths()).toEqual(['b.json', long]);
    expect(input.problems).toEqual([]);
    await input.close();
  });

  it('reports entries that are not followed, and reads the rest', async () => {
    const input = await open(
      await makeTar([
        { name: '../up.json', content: 'x' },
        { name: '/etc/passwd', content: 'x' },
        { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
        { name: 'hard', type: 'link', linkname: 'a.json' },
        { name: 'pipe', type: 'fifo' },
        { name: 'disk', type: 'block-device' },
        a,
      ]),
    );
    expect(await input.paths()).toEqual(['a.json']);
    expect(problemsOf(input)).toEqual([
      ['unsafe-name', '../up.json'],
      ['unsafe-name', '/etc/passwd'],
      ['symlink', 'link'],
      ['symlink', 'hard'],
      ['not-a-file', 'pipe'],
      ['not-a-file', 'disk'],
    ]);
    await input.close();
  });

  it('gives the last of two files of one name, and says so', async () => {
    const input = await open(await makeTar([a, { name: './a.json', content: '[2]' }]));
    expect(await textOf(input, 'a.json')).toBe('[2]');
    expect(problemsOf(input)).toEqual([['duplicate-name', 'a.json']]);
    await input.close();
  });

  it.each([
    ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 100_000)],
    ['damaged', (bytes: Buffer) => bytes.fill(7, bytes.length - 3000, bytes.length - 1500)],
  ])('that is %s returns the entries before the damage, and reports the missing ones', async (_, harm) => {
    const many = Array.from({ length: 500 }, (_none, index) => ({ name: `${index}.json`, content: `[${index}]` }));
    const input = await open(harm(await makeTar(many)));
    expect(await textOf(input, '0.json')).toBe('[0]');
    expect(input.problems).toMatchObject([
      { code: 'unreadable-file', reason: expect.stringMatching(/everything after "\d+\.json" is missing/) },
    ]);
    await input.close();
  });

  it.each([
    ['export.tar', Buffer.from('<!DOCTYPE html>')],
    ['export.tgz', gzipSync('x')],
  ])('%s that is none is refused, and leaves nothing behind', async (name, bytes) => {
    const before = openFileCount();
    await expect(open(bytes, { name })).rejects.toThrow(/expected a tar archive, found one that is damaged/);
    expect([ours(), openFileCount()]).toEqual([[], before]);
  });

  it.each([
    [{ entryCountMax: 2 }, /more than 2 files/],
    [{ unpackedBytesMax: 5 }, /unpacks to more than 5 bytes/],
  ])('that is larger than the caps %o is refused', async (caps, message) => {
    const tar = await makeTar([a, { ...a, name: 'b' }, { ...a, name: 'c' }]);
    const before = openFileCount();
    await expect(open(tar, caps)).rejects.toThrow(message);
    expect([ours(), openFileCount()]).toEqual([[], before]);
  });

  it('that unpacks to far too much is refused', async () => {
    const bomb = gzipSync(await makeTar([{ name: 'zeros', content: Buffer.alloc(1_000_000) }]));
    await expect(open(bomb, { ratioFreeBytes: 10_000 })).rejects.toThrow(/it has more than \d+ bytes/);
  });

  it('is copied to a file that others cannot read, which is removed when it is closed', async () => {
    const input = await open(await makeTar([a]));
    const path = join(tmpdir(), ours()[0]!);
    expect([path, join(path, 'contents')].map((name) => statSync(name).mode & 0o777)).toEqual([0o700, 0o600]);
    await input.close();
    expect(ours()).toEqual([]);
  });
});

describe('an entry of a type that is no plain file', () => {
  /** The archive with the type of one entry changed, and blocks behind its header. */
  async function withType(name: string, type: string, blocks: readonly Uint8Array[] = []): Promise<Buffer> {
    const tar = await makeTar([a, { name: 'b.json', content: '[2]' }, { name: 'c.json', content: '[3]' }]);
    const at = tar.indexOf(`${name}\0`);
    const header = tar.subarray(at, at + 512);
    header.write(type, 156, 'latin1');
    if (blocks.length > 0) header[482] = 1;
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return Buffer.concat([tar.subarray(0, at + 512), ...blocks, tar.subarray(at + 512)]);
  }

  it.each([
    ['S', 'unsupported-method', 'a file with holes'],
    ['M', 'unsupported-method', 'the end of a file that begins in another volume'],
    ['Z', 'unsupported-method', 'an entry of a type that is not known'],
    ['V', 'not-a-file', 'neither a file nor a folder'],
  ])('%s is left out by name, as %s', async (type, code, words) => {
    const input = await open(await withType('b.json', type));
    expect(await input.paths()).toEqual(['a.json', 'c.json']);
    expect(input.problems).toEqual([{ code, reason: expect.stringContaining(words), location: { path: 'b.json' } }]);
    expect(await textOf(input, 'c.json')).toBe('[3]');
    await input.close();
  });

  it('may have a longer header, of a file with many holes, even if a gzip chunk ends anywhere in it', async () => {
    const more = Buffer.alloc(512, 7);
    const last = Buffer.alloc(512);
    const tar = await withType('b.json', 'S', [more, last]);
    for (const bytes of [tar, gzipSync(tar)]) {
      const input = await open(bytes);
      expect(await input.paths()).toEqual(['a.json', 'c.json']);
      expect(problemsOf(input)).toEqual([['unsupported-method', 'b.json']]);
      await input.close();
    }
  });

  it('that is "7", or of before there were types, is a file', async () => {
    for (const type of ['7', '\0']) {
      const input = await open(await withType('b.json', type));
      expect(await textOf(input, 'b.json')).toBe('[2]');
      await input.close();
    }
  });

  it('is read with the size from its own attributes', async () => {
    const named = { name: `${'long/'.repeat(60)}b.json`, content: 'x'.repeat(700) };
    const input = await open(await makeTar([named, { name: 'c.json', content: '[3]' }]));
    expect(await input.paths()).toEqual(['c.json', named.name]);
    expect(input.problems).toEqual([]);
    await input.close();
  });
});
