import { formatCount } from '../../src/lib/text/count.ts';
import { truncateSync, writeFileSync } from 'node:fs';
import { constants, deflateRawSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Caps, defaultCaps } from '../../src/io/input/caps.ts';
import { openZip } from '../../src/io/zip/zip-input.ts';
import { SourceError } from '../../src/lib/errors.ts';
import { collect, failure } from '../contracts/export-input.ts';
import { makeZip, type ZipPart } from './make-zip.ts';
import { openFileCount, temporaryFile } from './temporary-files.ts';

const good: ZipPart = { name: 'good.json', content: '[{"text":"hello"}]' };
const long = Buffer.from(Array.from({ length: 100_000 }, (_, index) => `line ${index}\n`).join(''));

function open(zip: Uint8Array, caps: Partial<Caps> = {}) {
  const input = openZip(temporaryFile('export.zip', zip), { ...defaultCaps, ...caps });
  onTestFinished(() => input.close());
  return input;
}

/** Packed data that go on with a block of a type that does not exist. */
function damagedAfter(bytes: Uint8Array): Buffer {
  return Buffer.concat([deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }), Buffer.from([0x07])]);
}

/** Bytes that `open` yields before it fails, and how it fails. */
async function readUntilFault(chunks: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  const error = await failure(
    (async () => {
      for await (const chunk of chunks) pieces.push(chunk);
    })(),
  );
  return { bytes: Buffer.concat(pieces), error: error as SourceError };
}

describe('openZip()', () => {
  it('lets no name lead out by backslashes', async () => {
    const input = open(
      makeZip([{ name: '..\\a.json' }, { name: '\\etc\\passwd' }, { name: 'C:\\a.json', host: 0 }, good]),
    );
    expect(await input.paths()).toEqual(['good.json']);
    expect(input.problems.map(({ code }) => code)).toEqual(['unsafe-name', 'unsafe-name', 'unsafe-name']);
  });

  it.each<readonly [what: string, part: ZipPart, code: string]>([
    ['a name that leads out', { name: '../../etc/passwd' }, 'unsafe-name'],
    ['a name that leads out half-way', { name: 'a/../../b.json' }, 'unsafe-name'],
    ['an absolute name', { name: '/etc/passwd' }, 'unsafe-name'],
    ['a drive letter', { name: 'C:/windows/a.json' }, 'unsafe-name'],
    ['a drive letter in upper or lower case', { name: 'd:a.json', host: 0 }, 'unsafe-name'],
    ['a NUL in the name', { name: 'a.json\0.txt' }, 'unsafe-name'],
    ['no name', { name: '', content: 'x' }, 'unsafe-name'],
    ['a symbolic link', { name: 'link', content: '/etc/passwd', mode: 0o120777 }, 'symlink'],
    ['a FIFO', { name: 'pipe', mode: 0o010644 }, 'not-a-file'],
    ['a device', { name: 'null', mode: 0o020666 }, 'not-a-file'],
    ['an encrypted entry', { name: 'secret.json', flags: 1 }, 'encrypted'],
    ['a strongly encrypted entry', { name: 'secret.json', flags: 0x41 }, 'encrypted'],
    ['an unknown method', { name: 'new.json', method: 93 }, 'unsupported-method'],
    ['a stored entry of two sizes', { name: 'a', method: 0, content: 'abc', sizeBytes: 5 }, 'damaged-entry'],
    ['an entry beyond the end', { name: 'a', content: 'abc', packedBytes: 10_000 }, 'damaged-entry'],
    ['an offset beyond the end', { name: 'a', content: 'abc', offset: 10_000 }, 'damaged-entry'],
    ['missing ZIP64 sizes', { name: 'a', content: 'abc', sizeBytes: 0xffffffff }, 'damaged-entry'],
  ])('makes a problem of %s, and reads the other files', async (_what, part, code) => {
    const input = open(makeZip([part, good]));
    expect(await input.paths()).toEqual(['good.json']);
    expect(input.problems).toMatchObject([{ code, location: { path: Buffer.from(part.name).toString() } }]);
    expect(Buffer.from(await input.read('good.json', 100)).toString()).toBe(good.content);
  });

  it('names the method that it cannot unpack', () => {
    const [problem] = open(makeZip([{ name: 'a', method: 9 }, good])).problems;
    expect(problem?.reason).toBe('it is packed with Deflate64, which is not supported');
  });

  it('leaves out folders and what operating systems add, without a word', async () => {
    const parts: ZipPart[] = [
      { name: 'general/', mode: 0o040755 },
      { name: 'random', mode: 0o040755 },
      { name: '__MACOSX/general/._a.json', content: 'x' },
      { name: 'export/__MACOSX/._b', content: 'x' },
      { name: 'general/.DS_Store', content: 'x' },
      { name: 'general/._good.json', content: 'x' },
      { name: 'Thumbs.db', content: 'x' },
      good,
    ];
    const input = open(makeZip(parts));
    expect(await input.paths()).toEqual(['good.json']);
    expect(input.problems).toEqual([]);
  });

  it('takes an archive inside the archive as a file like any other', async () => {
    const inner = makeZip([good]);
    const input = open(makeZip([{ name: 'inner.zip', content: inner }]));
    expect(await input.paths()).toEqual(['inner.zip']);
    expect(Buffer.from(await input.read('inner.zip', 1000)).equals(inner)).toBe(true);
  });

  it('keeps the first of two files of one name, and says whether they were the same', async () => {
    const input = open(
      makeZip([
        { name: 'b.json', content: 'first' },
        { name: 'a.json', content: 'same' },
        { name: 'b.json', content: 'second' },
        { name: 'a.json', content: 'same' },
      ]),
    );
    expect(await input.paths()).toEqual(['a.json', 'b.json']);
    expect(Buffer.from(await input.read('b.json', 100)).toString()).toBe('first');
    expect(input.problems.map(({ code, reason, location }) => `${code} ${location.path}: ${reason}`)).toEqual([
      'duplicate-name a.json: the archive has this file twice with the same content; the first one is read',
      'duplicate-name b.json: the archive has another file of this name; the first one is read, this one is not',
    ]);
  });

  it('refuses entries that share bytes: the better zip bomb', () => {
    const zip = makeZip([
      { name: 'a', content: long },
      { name: 'b', content: 'b' },
      { name: 'c', content: 'b', offset: 0 },
    ]);
    expect(() => open(zip)).toThrow(/its entries "c" and "a" share bytes|its entries "a" and "c" share bytes/);
  });

  it('refuses an entry that reaches into the next one', () => {
    const zip = makeZip([
      { name: 'a', method: 0, content: 'abc', packedBytes: 20, sizeBytes: 20 },
      { name: 'b', method: 0, content: 'def' },
    ]);
    expect(() => open(zip)).toThrow('Cannot read "export.zip": its entries "a" and "b" share bytes of the archive');
  });

  it('finds entries that lie in another order than they are listed', async () => {
    const [a, b] = [makeZip([{ name: 'a', content: '1' }]), makeZip([{ name: 'b', content: '2' }])];
    const localA = a.subarray(0, a.indexOf('PK\x01\x02'));
    const localB = b.subarray(0, b.indexOf('PK\x01\x02'));
    const recordA = a.subarray(a.indexOf('PK\x01\x02'), a.indexOf('PK\x05\x06'));
    const recordB = Buffer.from(b.subarray(b.indexOf('PK\x01\x02'), b.indexOf('PK\x05\x06')));
    recordB.writeUInt32LE(localA.length, 42);
    const end = Buffer.from(a.subarray(a.indexOf('PK\x05\x06')));
    end.writeUInt16LE(2, 8);
    end.writeUInt16LE(2, 10);
    end.writeUInt32LE(recordA.length + recordB.length, 12);
    end.writeUInt32LE(localA.length + localB.length, 16);
    const input = open(Buffer.concat([localA, localB, recordB, recordA, end]));
    expect(Buffer.from(await input.read('a', 10)).toString()).toBe('1');
    expect(Buffer.from(await input.read('b', 10)).toString()).toBe('2');
  });

  it('refuses what unpacks to far more than it should, before unpacking it', async () => {
    const bomb = { name: 'bomb.json', content: Buffer.alloc(11 * 2 ** 20) };
    const input = open(makeZip([bomb, good]));
    expect(await input.paths()).toEqual(['good.json']);
    expect(input.problems).toMatchObject([{ code: 'bomb', location: { path: 'bomb.json' } }]);
    const generous = open(makeZip([bomb, good]), { ratioMax: 2000 });
    expect(await generous.paths()).toEqual(['bomb.json', 'good.json']);
  });

  it('lets small files have any ratio', async () => {
    const input = open(makeZip([{ name: 'zeros', content: Buffer.alloc(9 * 2 ** 20) }]));
    expect((await input.read('zeros', 10 * 2 ** 20)).length).toBe(9 * 2 ** 20);
  });

  it('refuses archives above a cap, with the cap that they are above', () => {
    const zip = makeZip([good, { name: 'b', content: 'b' }, { name: 'c', content: 'c' }]);
    expect(() => open(zip, { entryCountMax: 2 })).toThrow('it has more than 2 entries');
    expect(() => open(zip, { directoryBytesMax: 100 })).toThrow('it has a central directory of 149 bytes');
    expect(() => open(zip, { unpackedBytesMax: 19 })).toThrow('it has 20 bytes when unpacked');
    expect(() => open(zip, { entryCountMax: 3, directoryBytesMax: 149, unpackedBytesMax: 20 })).not.toThrow();
  });

  it('lists the first 10,000 problems, and counts the others', () => {
    const parts = Array.from({ length: 10_002 }, (_, index) => ({ name: `../${index}` }));
    const { problems } = open(makeZip([...parts, good]));
    expect(problems.length).toBe(10_001);
    expect(problems.at(-1)).toEqual({
      code: 'more-problems',
      reason: '2 more files cannot be read; the first 10,000 are listed',
      location: { path: 'export.zip' },
    });
  });

  it('closes the archive when listing fails', () => {
    const path = temporaryFile('export.zip', makeZip([good]).subarray(0, 40));
    const before = openFileCount();
    for (let round = 0; round < 20; round += 1) expect(() => openZip(path, defaultCaps)).toThrow(SourceError);
    expect(openFileCount()).toBeLessThan(before + 10);
  });
});

describe('the end of an archive', () => {
  const zip = makeZip([good, { name: 'b.json', content: long }]);

  it('is missing: the archive is cut off', () => {
    const cutOff = 'Cannot read "export.zip": the archive is cut off (no central directory at its end)';
    for (const length of [4, 21, 22, 23, zip.length >> 1, zip.length - 23]) {
      expect(() => open(zip.subarray(0, length)), `${length} bytes`).toThrow(cutOff);
    }
  });

  it('is cut off at every byte: never a crash, never a listing that has lost something', () => {
    for (let length = zip.length - 200; length < zip.length; length += 1) {
      expect(() => open(zip.subarray(0, length)), `${length} of ${zip.length} bytes`).toThrow(SourceError);
    }
  });

  it('may be followed by a comment or by bytes that do not belong to it', async () => {
    for (const more of [
      { comment: 'PK, said the comment' },
      { behind: Buffer.from('\r\n') },
      { behind: Buffer.alloc(1000) },
    ]) {
      expect(await open(makeZip([good], more)).paths()).toEqual(['good.json']);
    }
  });

  it('is distinguished from an end record inside a comment', async () => {
    const comment = makeZip([]).toString('latin1');
    expect(await open(makeZip([good], { comment })).paths()).toEqual(['good.json']);
  });

  it('points to a place without a directory', () => {
    for (const lie of [{ directoryOffset: 1 }, { directoryOffset: 1e6 }, { directorySize: 1e6 }]) {
      expect(() => open(makeZip([good], lie))).toThrow(
        'its central directory is not at the position given at the end of the archive',
      );
      const zip64 = { ...lie, hasZip64End: true };
      expect(() => open(makeZip([good], zip64))).toThrow(
        'its central directory is not at the position given at the end of the archive',
      );
    }
  });

  it('names another number of entries than there are', () => {
    for (const entryCount of [0, 1, 3]) {
      for (const hasZip64End of [false, true]) {
        const lying = makeZip([good, { name: 'b', content: 'b' }], { entryCount, hasZip64End });
        expect(() => open(lying)).toThrow('Cannot read "export.zip": its central directory is damaged');
      }
    }
  });

  it('belongs to one of several files', () => {
    for (const hasZip64End of [false, true]) {
      expect(() => open(makeZip([good], { diskNumber: 1, hasZip64End }))).toThrow(
        'one part of an archive that was split',
      );
    }
  });

  it('points to a directory with damaged records', () => {
    const damaged = Buffer.from(zip);
    damaged[damaged.lastIndexOf('PK\x01\x02')] = 0;
    expect(() => open(damaged)).toThrow('its central directory is damaged');
  });

  it('is in the ZIP64 form, with entries above 4 GiB that are not there', () => {
    const parts: ZipPart[] = [
      { ...good, isZip64: true },
      { name: 'b', content: 'b', isZip64: true, sizeBytes: 2 ** 40 },
    ];
    const input = open(makeZip(parts, { hasZip64End: true }));
    expect(input.problems).toMatchObject([{ code: 'bomb', location: { path: 'b' } }]);
  });
});

describe('an entry that is broken inside', () => {
  const broken: ZipPart = { name: 'broken.json', content: long };

  async function bothWays(part: ZipPart) {
    const input = open(makeZip([part, good]));
    const whole = (await failure(input.read(part.name as string, 1e7))) as SourceError;
    const streamed = await readUntilFault(input.open(part.name as string));
    expect(Buffer.from(await input.read('good.json', 100)).toString()).toBe(good.content);
    for (const error of [whole, streamed.error]) {
      expect(error).toBeInstanceOf(SourceError);
      expect(error.location).toEqual({ path: part.name });
    }
    return { whole, streamed };
  }

  it('has another checksum: all of it is yielded, then the error', async () => {
    const { whole, streamed } = await bothWays({ ...broken, crc: 0x12345678 });
    expect(whole.message).toMatch(
      /^Cannot read from "export.zip": expected checksum 12345678, found [0-9a-f]{8} \(broken.json\)$/,
    );
    expect(streamed.error.message).toBe(whole.message);
    expect(streamed.bytes.equals(long)).toBe(true);
  });

  it('is shorter than it says: all of it is yielded, then the error', async () => {
    const { whole, streamed } = await bothWays({ ...broken, sizeBytes: long.length + 5 });
    expect(whole.message).toContain(
      `expected ${formatCount(long.length + 5)} bytes, found ${formatCount(long.length)}`,
    );
    expect(streamed.bytes.equals(long)).toBe(true);
  });

  it('is longer than it says: no more than it says is yielded', async () => {
    for (const less of [1, 2, 70_000]) {
      const { streamed } = await bothWays({ ...broken, sizeBytes: long.length - less });
      expect(streamed.bytes.equals(long.subarray(0, long.length - less))).toBe(true);
    }
  });

  it('has damaged data: yields the part before the damage, then the error', async () => {
    for (const byteCount of [10, 1000, 100_000, 1_000_000]) {
      const { whole, streamed } = await bothWays({ ...broken, packed: damagedAfter(long.subarray(0, byteCount)) });
      expect(whole.message).toContain('its packed data is damaged');
      expect(streamed.error.message).toContain('its packed data is damaged');
      expect(streamed.bytes.equals(long.subarray(0, byteCount)), `${byteCount} bytes`).toBe(true);
    }
  });

  it('has data that ends too early: yields the available part, then the error', async () => {
    const zip = makeZip([broken]);
    const packed = zip.subarray(30 + 'broken.json'.length, zip.indexOf('PK\x01\x02') >> 1);
    const { whole, streamed } = await bothWays({ ...broken, packed });
    expect(whole.message).toContain('its packed data ends too early');
    expect(streamed.bytes.length).toBeGreaterThan(long.length / 4);
    expect(streamed.bytes.equals(long.subarray(0, streamed.bytes.length))).toBe(true);
  });

  it('has no local header', async () => {
    const { whole } = await bothWays({ ...broken, localSignature: 0x1234 });
    expect(whole.message).toContain('there is no local header at its place');
  });

  it('reaches into the next one by the extra fields of its local header', async () => {
    const zip = Buffer.from(makeZip([{ ...broken, method: 0, content: 'abc' }, good]));
    zip.writeUInt16LE(50, 28);
    const input = open(zip);
    expect(((await failure(input.read('broken.json', 100))) as SourceError).message).toContain(
      'reaches into the next entry',
    );
  });

  it('gives its head as far as it can be read', async () => {
    const input = open(makeZip([{ ...broken, crc: 1 }]));
    expect(Buffer.from(await input.head('broken.json', 6)).toString()).toBe('line 0');
  });
});

describe('an archive that changes while it is open', () => {
  it('has become shorter: an error, not a crash', async () => {
    const path = temporaryFile('export.zip', makeZip([{ name: 'a', content: long, method: 0 }]));
    const input = openZip(path, defaultCaps);
    onTestFinished(() => input.close());
    truncateSync(path, 1000);
    expect(await failure(input.read('a', 1e7))).toBeInstanceOf(SourceError);
    expect((await readUntilFault(input.open('a'))).error).toBeInstanceOf(SourceError);
  });

  it('has other content: an error', async () => {
    const path = temporaryFile('export.zip', makeZip([{ name: 'a', content: long, method: 0 }]));
    const input = openZip(path, defaultCaps);
    onTestFinished(() => input.close());
    writeFileSync(path, makeZip([{ name: 'b', content: long.toReversed(), method: 0 }]));
    expect(await failure(input.read('a', 1e7))).toBeInstanceOf(SourceError);
    expect((await readUntilFault(input.open('a'))).error).toBeInstanceOf(SourceError);
  });
});

describe('a closed archive', () => {
  it('says that it is closed', async () => {
    const input = open(makeZip([good]));
    await input.close();
    await expect(input.read('good.json', 100)).rejects.toThrow('it is closed');
    await expect(collect(input.open('good.json'))).rejects.toThrow('it is closed');
  });
});
