import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { isClutter } from '../../src/io/input/clutter.ts';
import type { ExportInput } from '../../src/io/input/export-input.ts';
import { openExport } from '../../src/io/input/open-export.ts';
import { collect } from '../contracts/export-input.ts';
import { makeZip, type ZipPart } from './make-zip.ts';
import { temporaryFolder, writeFile } from './temporary-files.ts';
import { countOf } from '../tier.ts';

const name = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9_ äß東.-]{1,12}$/), { minLength: 1, maxLength: 3 })
  .filter((segments) => segments.every((segment) => segment !== '.' && segment !== '..'))
  .map((segments) => `${segments.join('/')}.json`)
  .filter((path) => !isClutter(path));
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  // Beyond two pieces of 64 KiB.
  fc.integer({ min: 0, max: 140_000 }).map((size) => Buffer.alloc(size, 'hello ')),
);
const part: fc.Arbitrary<ZipPart> = fc.record({
  name,
  content,
  method: fc.constantFrom(0, 8),
  flags: fc.constant(0x800),
  isZip64: fc.boolean(),
  hasDescriptor: fc.boolean(),
  extra: fc.integer({ min: 0, max: 3 }).map((size) => Buffer.alloc(size)),
  localExtra: fc.integer({ min: 0, max: 40 }).map((size) => Buffer.alloc(size)),
});
const parts = fc.uniqueArray(part, { selector: ({ name }) => name, minLength: 1, maxLength: 12 });

async function contents(input: ExportInput): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const path of await input.paths()) {
    const whole = Buffer.from(await input.read(path, 1e7));
    expect((await collect(input.open(path))).equals(whole)).toBe(true);
    expect((await input.stat(path)).sizeBytes).toBe(whole.length);
    found.set(path, whole.toString('base64'));
  }
  await input.close();
  return found;
}

function expected(from: readonly ZipPart[]): ReadonlyMap<string, string> {
  return new Map(from.map(({ name, content }) => [String(name), Buffer.from(content!).toString('base64')]));
}

describe('any bytes', () => {
  it('survive a ZIP', async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(parts, fc.boolean(), fc.string(), async (all, hasZip64End, comment) => {
        const path = writeFile(folder, 'export.zip', makeZip(all, { hasZip64End, comment }));
        const [input] = await openExport([path]);
        expect(await contents(input!)).toEqual(expected(all));
      }),
      { numRuns: countOf({ ci: 15, nightly: 50 }) },
    );
  });

  it('survive a gzip file', async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 4 }), async (members) => {
        const path = writeFile(folder, 'a.json.gz', Buffer.concat(members.map((member) => gzipSync(member))));
        const [input] = await openExport([path]);
        expect(await contents(input!)).toEqual(new Map([['a.json', Buffer.concat(members).toString('base64')]]));
      }),
      { numRuns: countOf({ ci: 15, nightly: 50 }) },
    );
  });

  it('survive a folder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: 1, maxLength: 10 }), async (all) => {
        const folder = temporaryFolder();
        const files = all.map((bytes, index) => ({ name: `${index % 3}/${index}.json`, content: bytes }));
        for (const file of files) writeFile(folder, file.name, file.content);
        const [input] = await openExport([folder]);
        expect(await contents(input!)).toEqual(expected(files));
      }),
      { numRuns: countOf({ ci: 15, nightly: 30 }) },
    );
  });
});

describe('a ZIP', () => {
  it('is read the same as by another reader', async () => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(parts, fc.boolean(), async (all, hasZip64End) => {
        const zip = makeZip(all, { hasZip64End });
        const theirs = new Map<string, string>();
        const reader = await fromBufferPromise(zip);
        for await (const entry of reader.eachEntry()) {
          const bytes = await collect(await reader.openReadStreamPromise(entry));
          theirs.set(entry.fileName, bytes.toString('base64'));
        }
        const [input] = await openExport([writeFile(folder, 'export.zip', zip)]);
        expect(await contents(input!)).toEqual(theirs);
      }),
      { numRuns: countOf({ ci: 15, nightly: 50 }) },
    );
  });
});
