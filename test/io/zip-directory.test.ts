import { describe, expect, it, onTestFinished } from 'vitest';
import { defaultCaps } from '../../src/io/input/caps.ts';
import { openZip } from '../../src/io/zip/zip-input.ts';
import { makeZip, type ZipPart } from './make-zip.ts';
import { temporaryFile } from './temporary-files.ts';
import { tenthOf } from '../tier.ts';

function open(zip: Uint8Array) {
  const input = openZip(temporaryFile('export.zip', zip), defaultCaps);
  onTestFinished(() => input.close());
  return input;
}

function* days(count: number): Generator<ZipPart> {
  for (let index = 0; index < count; index += 1) {
    yield {
      name: `channel-${index % 7}/${index}.json`,
      content: `${index}`,
      method: 0,
      extra: Buffer.alloc(index % 5),
    };
  }
}

describe('listArchive()', () => {
  it('lists many entries in the ZIP64 form', async () => {
    const count = tenthOf(70_000);
    const input = open(makeZip(days(count), { hasZip64End: true }));
    const paths = await input.paths();
    expect(paths.length).toBe(count);
    expect(paths).toEqual([...paths].sort());
    expect(Buffer.from(await input.read('channel-6/6999.json', 10)).toString()).toBe('6999');
  });

  it('lists 70,000 entries if the count has wrapped to 4,464, as macOS writes it', async () => {
    const input = open(makeZip(days(70_000)));
    expect((await input.paths()).length).toBe(70_000);
    for (const index of [0, 4465, 65_535, 69_999]) {
      expect(Buffer.from(await input.read(`channel-${index % 7}/${index}.json`, 10)).toString()).toBe(`${index}`);
    }
  });

  it('reads records that lie across two blocks, and those that are as long as they can be', async () => {
    const parts = Array.from({ length: 30 }, (_, index) => ({
      name: `${'x'.repeat(60_000)}${index}`,
      content: `${index}`,
      extra: Buffer.alloc(60_000),
    }));
    const input = open(makeZip(parts));
    expect((await input.paths()).length).toBe(30);
    expect(Buffer.from(await input.read(`${'x'.repeat(60_000)}17`, 10)).toString()).toBe('17');
  });
});
