import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ExportInput } from '../../../src/io/input/export-input.ts';
import { openStored } from '../../../src/io/input/open-export.ts';
import { fetchFromExport } from '../../../src/media/fetch/fetch-from-export.ts';
import { SmallBuffers } from '../../../src/media/fetch/small-buffers.ts';
import { openLocation } from '../../../src/media/open-location.ts';
import { makeZip, type ZipPart } from '../../io/make-zip.ts';
import { assertFetched, bytesOf, makeFolder, never, picture, pngOf } from './scene.ts';

const png = pngOf(300_000);
const buffers = new SmallBuffers();
const limits = { maxBytes: 1024 ** 2, buffers, signal: never };

async function opened(path: string): Promise<ExportInput> {
  const [input] = await openStored([path]);
  onTestFinished(() => input!.close());
  return input!;
}

function folderExport(): string {
  const folder = makeFolder();
  mkdirSync(join(folder, 'media'));
  writeFileSync(join(folder, 'media/cat.png'), png);
  writeFileSync(join(folder, 'messages.json'), '[]');
  return folder;
}

function zipExport(parts: readonly ZipPart[]): string {
  const path = join(makeFolder(), 'export.zip');
  writeFileSync(path, makeZip(parts));
  return path;
}

const exports = [
  ['a folder', folderExport],
  [
    'a ZIP',
    () =>
      zipExport([
        { name: 'media/cat.png', content: png },
        { name: 'messages.json', content: '[]' },
      ]),
  ],
  ['a ZIP that packs nothing', () => zipExport([{ name: 'media/cat.png', content: png, method: 0 }])],
] as const;

describe.each(exports)('a file in %s', (_, make) => {
  it('is hashed, identified by its bytes, and can be read again, even in parallel', async () => {
    const fetched = await fetchFromExport(await opened(make()), 'media/cat.png', { ...picture, mimeType: '' }, limits);
    assertFetched(fetched);
    expect(fetched.content).toMatchObject({
      sizeBytes: 300_000,
      sha256: createHash('sha256').update(png).digest('hex'),
      foundType: 'image/png',
    });
    for (const bytes of await Promise.all([bytesOf(fetched.content), bytesOf(fetched.content)]))
      expect(bytes.equals(png)).toBe(true);
    await fetched.release();
  });

  it('is missing if the listing does not include it', async () => {
    const input = await opened(make());
    for (const path of [
      'media/dog.png',
      '../export.zip',
      'media',
      '',
      '/etc/passwd',
      'media/../messages.json',
      './media/cat.png',
    ])
      expect(await fetchFromExport(input, path, picture, limits)).toEqual({
        kind: 'missing',
        why: 'it is not in the export',
      });
  });

  it('is refused if it is too large', async () => {
    expect(
      await fetchFromExport(await opened(make()), 'media/cat.png', picture, { ...limits, maxBytes: 299_999 }),
    ).toEqual({
      kind: 'refused',
      why: 'it is larger than 299,999 bytes (media.maxBytes)',
    });
  });

  it('is abandoned on a stop', async () => {
    const input = await opened(make());
    const stopped = { ...limits, signal: AbortSignal.abort(new Error('stopped')) };
    await expect(fetchFromExport(input, 'media/cat.png', picture, stopped)).rejects.toThrow('stopped');
  });
});

describe('a file of a folder that changes', () => {
  const changes: readonly (readonly [string, (path: string) => void])[] = [
    ['grows', (path) => appendFileSync(path, 'more')],
    ['becomes shorter', (path) => writeFileSync(path, png.subarray(0, 200_000))],
    ['has other bytes', (path) => writeFileSync(path, Buffer.from(png).fill(1, 150_000))],
    ['is gone', (path) => rmSync(path)],
  ];

  it.each(changes)('is not copied half: it %s', async (_, change) => {
    const folder = folderExport();
    const path = join(folder, 'media/cat.png');
    const fetched = await fetchFromExport(await opened(folder), 'media/cat.png', picture, limits);
    assertFetched(fetched);
    change(path);
    await expect(bytesOf(fetched.content)).rejects.toThrow(/changed after it was inspected|does not exist/);
  });

  it('is detected at the end if it changed while it was read', async () => {
    const folder = folderExport();
    const fetched = await fetchFromExport(await opened(folder), 'media/cat.png', picture, limits);
    assertFetched(fetched);
    const reading = fetched.content.open()[Symbol.asyncIterator]();
    await reading.next();
    appendFileSync(join(folder, 'media/cat.png'), 'more');
    const rest = async () => {
      while (!(await reading.next()).done);
    };
    await expect(rest()).rejects.toThrow('changed after it was inspected');
  });

  it('is noticed where its bytes alone say so', async () => {
    const folder = folderExport();
    const path = join(folder, 'media/cat.png');
    utimesSync(path, 1000, 1000);
    const fetched = await fetchFromExport(await opened(folder), 'media/cat.png', picture, limits);
    assertFetched(fetched);
    writeFileSync(path, Buffer.from(png).fill(1, 150_000, 150_001));
    utimesSync(path, 1000, 1000);
    const place = await openLocation(
      {
        to: makeFolder(),
        address: 'https://files.example',
        key: '{sha256}',
        endpoint: undefined,
        region: 'us-east-1',
        credentials: undefined,
      },
      { env: {} },
    );
    const { sizeBytes, sha256, open } = fetched.content;
    const content = { sizeBytes, sha256, open, contentType: 'image/png', disposition: 'inline' };
    await expect(place.put('cat.png', content, never)).rejects.toThrow('changed while it was being copied');
    expect(await place.head('cat.png', never)).toBeUndefined();
  });

  it('is missing if it was removed before it was opened, and a link is not followed', async () => {
    const folder = folderExport();
    symlinkSync('/etc/passwd', join(folder, 'link.png'));
    const input = await opened(folder);
    expect(await fetchFromExport(input, 'link.png', picture, limits)).toMatchObject({ kind: 'missing' });
    rmSync(join(folder, 'media/cat.png'));
    symlinkSync('/etc/passwd', join(folder, 'media/cat.png'));
    expect(await fetchFromExport(input, 'media/cat.png', picture, limits)).toMatchObject({ kind: 'missing' });
  });
});

describe('a damaged entry of a ZIP', () => {
  it.each<[string, Partial<ZipPart>]>([
    ['has another checksum', { crc: 1 }],
    ['is cut off', { packed: Buffer.from([1, 2, 3]) }],
    ['unpacks to less than it says', { sizeBytes: 300_001 }],
    ['unpacks to more than it says', { sizeBytes: 1000 }],
  ])('is missing, in the words of the archive: it %s', async (_, lie) => {
    const input = await opened(zipExport([{ name: 'media/cat.png', content: png, ...lie }]));
    const fetched = await fetchFromExport(input, 'media/cat.png', picture, limits);
    expect(fetched).toMatchObject({ kind: 'missing', why: expect.stringContaining('Cannot read from "export.zip"') });
  });
});

describe('memory for small files', () => {
  it('is reused for the next file, but never while its content may still be read', async () => {
    const folder = makeFolder();
    for (const name of ['a', 'b', 'c']) writeFileSync(join(folder, name), name.repeat(5000));
    const input = await opened(folder);
    const few = { ...limits, buffers: new SmallBuffers() };
    const about = { name: 'a', mimeType: '', sizeBytes: 5000 };
    const first = await fetchFromExport(input, 'a', about, few);
    assertFetched(first);
    const begun = first.content.open()[Symbol.asyncIterator]();
    const held = (await begun.next()).value as Uint8Array;
    await first.release();
    const second = await fetchFromExport(input, 'b', about, few);
    assertFetched(second);
    expect(Buffer.from(held).toString()).toBe('a'.repeat(5000));
    const read = (await second.content.open()[Symbol.asyncIterator]().next()).value as Uint8Array;
    expect(read.buffer).not.toBe(held.buffer);
    expect((await bytesOf(second.content)).toString()).toBe('b'.repeat(5000));
    await second.release();
  });

  it('goes from file to file where each was read to its end', async () => {
    const folder = makeFolder();
    for (const name of ['a', 'b']) writeFileSync(join(folder, name), name.repeat(5000));
    const input = await opened(folder);
    const few = { ...limits, buffers: new SmallBuffers() };
    const buffersOf: ArrayBufferLike[] = [];
    for (const name of ['a', 'b']) {
      const fetched = await fetchFromExport(input, name, { name, mimeType: '', sizeBytes: 5000 }, few);
      assertFetched(fetched);
      for await (const chunk of fetched.content.open()) {
        expect(Buffer.from(chunk).toString()).toBe(name.repeat(5000));
        buffersOf.push(chunk.buffer);
      }
      await fetched.release();
    }
    expect(buffersOf[1]).toBe(buffersOf[0]);
  });
});
