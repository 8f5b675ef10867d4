import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseCopyNumber, unitFolder, UnitCopies } from '../../src/fleet/copies/unit-copies.ts';
import { openFleetFiles } from '../../src/fleet/copies/fleet-files.ts';
import { StoreError, UsageError } from '../../src/lib/errors.ts';
import { MediaFault, type MediaLocation } from '../../src/media/media-location.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { contentOf, noSignal, someBytes } from '../scenes/media-content.ts';
import { bucketKeys, refuse, StrictBucket } from '../scenes/strict-bucket.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';

const folders = temporaryFolderInMemory();
const dayMs = 24 * 3_600_000;

interface Place {
  readonly location: MediaLocation;
  /** Makes the stored file two days old. */
  age(key: string): void;
  /** Flips a bit of it. */
  damage(key: string): void;
}

async function folderPlace(): Promise<Place> {
  const folder = folders.make();
  const location = await openFleetFiles({ files: './shared' }, { env: {}, folder });
  const path = (key: string) => join(folder, 'shared', key);
  const then = (Date.now() - 2 * dayMs) / 1000;
  return {
    location,
    age: (key) => utimesSync(path(key), then, then),
    damage: (key) => writeFileSync(path(key), flipped(readFileSync(path(key)))),
  };
}

async function bucketPlace(bucket = new StrictBucket()): Promise<Place> {
  const endpoint = await bucket.serve();
  const location = await openFleetFiles({ files: 's3://files/fleet', endpoint }, { env: bucketKeys, folder: '/' });
  const change = (key: string, now: (bytes: Buffer) => Buffer, modified = new Date()) => {
    const { bytes, headers } = bucket.objects.get(`fleet/${key}`)!;
    bucket.objects.set(`fleet/${key}`, {
      bytes: now(bytes),
      headers: { ...headers, 'last-modified': modified.toUTCString() },
    });
  };
  return {
    location,
    age: (key) => change(key, (bytes) => bytes, new Date(Date.now() - 2 * dayMs)),
    damage: (key) => change(key, flipped),
  };
}

function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[changed.length >> 1]! ^= 1;
  return changed;
}

/** Names are counted, so that those of one number are in the order in which they were put. */
function copiesAt({ location }: Pick<Place, 'location'>): UnitCopies {
  onTestFinished(() => location.close());
  let count = 0;
  return new UnitCopies(location, { clock: fastClock(), random: () => ++count / 2 ** 20 });
}

function packedFile(size: number, seed = 1) {
  const path = join(folders.make(), 'packed');
  const bytes = someBytes(size, seed);
  writeFileSync(path, bytes);
  return { path, bytes, sizeBytes: size, sha256: contentOf(bytes).sha256 };
}

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => new Error('Nothing was refused'),
    (error: unknown) => error,
  );

const unit = 'acme/Slack#1 ü';

describe.each([
  ['a folder', folderPlace],
  ['a bucket', bucketPlace],
])('UnitCopies at %s', (_, open) => {
  it('keeps a copy under a new name each time, and hands it out as it was', async () => {
    const copies = copiesAt(await open());
    const packed = packedFile(300_000);
    const keys = [await copies.put(unit, 7, packed, noSignal), await copies.put(unit, 7, packed, noSignal)];
    expect(new Set(keys).size).toBe(2);
    expect(keys[0]).toMatch(/^copies\/acme_2f_53lack_231_20_c3_bc\/0000000007-[0-9a-f]{16}\.zst$/);
    const into = join(folders.make(), 'copy');
    await copies.fetch(keys[1]!, packed.sha256, into, noSignal);
    expect(readFileSync(into)).toEqual(packed.bytes);
  });

  it('lists those of one unit, newest first', async () => {
    const place = await open();
    const copies = copiesAt(place);
    const packed = packedFile(10);
    const keys: string[] = [];
    for (const number of [9, 12, 10, 100]) keys.push(await copies.put(unit, number, packed, noSignal));
    for (const other of ['acme/Slack#1', 'acme', `${unit}0`]) await copies.put(other, 50, packed, noSignal);
    await place.location.put(`${unitFolder(unit)}notes.txt`, contentOf(someBytes(3)), noSignal);
    expect(await copies.list(unit, noSignal)).toEqual(
      [3, 1, 2, 0].map((index) => ({ key: keys[index], number: [9, 12, 10, 100][index] })),
    );
    expect(await copies.list('nobody', noSignal)).toEqual([]);
    await copies.remove(keys[3]!, noSignal);
    await copies.remove(keys[3]!, noSignal);
    expect((await copies.list(unit, noSignal))[0]).toEqual({ key: keys[1], number: 12 });
  });

  it('refuses a copy that is gone, or other bytes than were put there, and leaves nothing', async () => {
    const place = await open();
    const copies = copiesAt(place);
    const packed = packedFile(100_000);
    const key = await copies.put(unit, 1, packed, noSignal);
    const folder = folders.make();
    const fetched = () => refusal(copies.fetch(key, packed.sha256, join(folder, 'copy'), noSignal));
    place.damage(key);
    expect(await fetched()).toBeInstanceOf(StoreError);
    await copies.remove(key, noSignal);
    expect(await fetched()).toBeInstanceOf(StoreError);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps three copies and referenced ones; newer copies are removed after a day', async () => {
    const place = await open();
    const copies = copiesAt(place);
    const packed = packedFile(10);
    const keys: string[] = [];
    for (let number = 0; number <= 9; number++) keys.push(await copies.put(unit, number, packed, noSignal));
    const kept = async () => (await copies.list(unit, noSignal)).map(({ number }) => number);
    await copies.sweep(unit, [], noSignal);
    await copies.sweep(unit, ['copies/none'], noSignal);
    expect(await kept()).toHaveLength(10);
    place.age(keys[9]!);
    place.age(keys[5]!);
    await copies.sweep(unit, [keys[7]!, keys[2]!], noSignal);
    expect(await kept()).toEqual([8, 7, 6, 2]);
    await copies.sweep(unit, [keys[8]!], noSignal);
    expect(await kept()).toEqual([8, 7, 6]);
  });

  it('loses nothing that is pointed at, and never all, whatever is swept in which order', async () => {
    const copies = copiesAt(await open());
    const packed = packedFile(10);
    const steps = fc.array(fc.record({ saved: fc.boolean(), back: fc.nat(2) }), { minLength: 1, maxLength: 12 });
    let name = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (given) => {
        const own = `unit ${++name}`;
        let pointed: string[] = [];
        for (const [number, { saved, back }] of given.entries()) {
          const key = await copies.put(own, number - back + 3, packed, noSignal);
          if (saved) pointed = [key, ...pointed].slice(0, 3);
          await copies.sweep(own, pointed, noSignal);
          const there = (await copies.list(own, noSignal)).map((copy) => copy.key);
          expect(there).toEqual(expect.arrayContaining(saved ? pointed : [...pointed, key].slice(0, pointed.length)));
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe('UnitCopies', () => {
  it('tries again what may work later', async () => {
    const bucket = new StrictBucket();
    let left = 2;
    bucket.instead = () => (left-- > 0 ? (_, response) => refuse(response, 503, 'SlowDown') : undefined);
    const copies = copiesAt(await bucketPlace(bucket));
    const packed = packedFile(1000);
    const key = await copies.put(unit, 1, packed, noSignal);
    left = 3;
    await copies.fetch(key, packed.sha256, join(folders.make(), 'copy'), noSignal);
    left = 1;
    expect(await copies.list(unit, noSignal)).toEqual([{ key, number: 1 }]);
  });

  it('reports what a bucket rejects, and refers to the settings of a fleet', async () => {
    const bucket = new StrictBucket();
    bucket.secret = 'another';
    const copies = copiesAt(await bucketPlace(bucket));
    const error = await refusal(copies.list(unit, noSignal));
    expect(error).toBeInstanceOf(MediaFault);
    const { kind, message, hint } = error as MediaFault;
    expect(kind).toBe('stop');
    expect(`${message} ${hint}`).not.toContain('media.');
  });

  it.runIf(process.platform !== 'win32')(
    'lists no half and no link of a folder, and keeps copies from others',
    async () => {
      const folder = folders.make();
      const location = await openFleetFiles({ files: folder }, { env: {}, folder });
      const copies = copiesAt({ location });
      const key = await copies.put('a', 1, packedFile(10), noSignal);
      mkdirSync(join(folder, '.chatferry-partial'), { recursive: true });
      writeFileSync(join(folder, '.chatferry-partial', 'half'), '');
      symlinkSync(join(folder, key), join(folder, key.replace('0001-', '0002-')));
      symlinkSync(join(folder, 'copies'), join(folder, 'link'));
      const listed: string[] = [];
      for await (const found of location.keys(noSignal)) listed.push(found);
      expect(listed).toEqual([key]);
      expect(statSync(join(folder, key)).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, 'copies')).mode & 0o777).toBe(0o700);
    },
  );
});

describe('the folder of a unit', () => {
  it('is another for every unit, also where small and large letters are the same, and fits into a name', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(names, names, (one, other) => {
        fc.pre(Buffer.from(one).compare(Buffer.from(other)) !== 0);
        expect(unitFolder(one).toLowerCase()).not.toBe(unitFolder(other).toLowerCase());
        expect(unitFolder(one)).toMatch(/^copies\/[a-z0-9_-]{1,160}\/$/);
        expect(parseCopyNumber(other, `${unitFolder(one)}0000000001-0123456789abcdef.zst`)).toBeUndefined();
      }),
    );
  });
});

describe('openFleetFiles()', () => {
  const refused = async (files: string, more = {}) => {
    const error = await refusal(openFleetFiles({ files, ...more }, { env: {}, folder: folders.make() }));
    expect(error).toBeInstanceOf(UsageError);
    const { message, hint } = error as UsageError;
    return `${message}. ${hint ?? ''}`;
  };

  it('speaks of the settings of a fleet', async () => {
    expect(await refused('s3://X')).toContain('as fleet.files');
    expect(await refused('./here', { credentials: 'keys' })).toContain('fleet.credentials');
    expect(await refused('s3://files')).toContain('name a file with them as fleet.credentials');
    expect(await refused('file:/srv')).toContain('fleet.files');
    expect(await refused('https://user:secret@files.example/{key}')).not.toContain('secret');
  });
});
