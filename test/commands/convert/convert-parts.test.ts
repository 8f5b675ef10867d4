import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../src/commands/convert/convert.ts';
import { convertParts } from '../../../src/commands/convert/convert-parts.ts';
import { loadMapping } from '../../../src/mapping/rules/load-rules.ts';
import { addBooks, noBooks } from '../../../src/model/books.ts';
import { onePerSource, type Sample } from '../../contracts/samples.ts';
import { everyNth } from '../../tier.ts';
import { partsOf, type Planned, planPart } from '../../scenes/parts-scene.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../../scenes/write-records.ts';

const home = temporaryFolder();

const samples = everyNth(3, onePerSource());

const readingOf = async ({ folder, source }: Sample) => {
  const mapping = join(folder, 'mapping.yaml');
  const names = readdirSync(folder).filter((name) => name.startsWith('export'));
  return {
    from: names.sort().map((name) => join(folder, name)),
    source,
    mapping: await loadMapping(existsSync(mapping) ? mapping : undefined),
  };
};

/** Rows without the place where they stand in their file. */
const rowsWithoutPlaces = (planned: readonly Planned[]) =>
  planned
    .flatMap(({ rows }) => rows)
    .map((row) =>
      JSON.stringify((JSON.parse(row) as unknown[]).map((value, at) => (at > 2 && at < 7 && at !== 4 ? 0 : value))),
    )
    .sort();

describe('convertParts()', () => {
  it.each(samples)('writes files of $source/$name that are each the plan of a part', async (sample) => {
    const folder = home.make();
    const reading = await readingOf(sample);
    const path = join(folder, 'whole.ndjson');
    const converted = await convert({ ...reading, to: { path, mayReplace: false } });
    const parts = await convertParts({
      ...reading,
      parts: { of: 3 },
      folder: join(folder, 'parts'),
      mayReplace: false,
    });
    expect(parts).toMatchObject({ read: converted.read, messages: converted.messages, rejected: converted.rejected });

    const whole = await planPart(folder, undefined, { from: [path] });
    const alone: Planned[] = [];
    const named: Planned[] = [];
    const books = noBooks();
    for (const [index, file] of parts.partFiles.entries()) {
      alone.push(await planPart(folder, undefined, { from: [file.path], store: join(folder, `${index}.db`) }));
      named.push(await planPart(folder, { index, of: 3 }, { from: [file.path] }));
      addBooks(books, alone.at(-1)!.report.books);
    }
    expect(rowsWithoutPlaces(alone)).toEqual(rowsWithoutPlaces([whole]));
    expect(rowsWithoutPlaces(named)).toEqual(rowsWithoutPlaces([whole]));
    expect(books).toEqual(whole.report.books);
  });

  it('is the plan of the same part of the export itself', async () => {
    const folder = home.make();
    const records = [person('ann'), ...['a', 'b', 'c', 'd', 'e'].map((id) => channel(id))];
    for (let number = 1; number <= 40; number++)
      records.push(says(number, 'abcde'[number % 5]!, 'ann', `Hello ${number}`) as never);
    const from = [writeRecords(join(folder, 'export.ndjson'), records)];
    const mapping = await loadMapping(undefined);
    const { partFiles } = await convertParts({
      from,
      mapping,
      parts: { of: 4 },
      folder: join(folder, 'x'),
      mayReplace: false,
    });
    for (const part of partsOf(4)) {
      const direct = await planPart(folder, part, { from });
      const split = await planPart(home.make(), part, { from: [partFiles[part.index]!.path] });
      expect(rowsWithoutPlaces([split])).toEqual(rowsWithoutPlaces([direct]));
    }
  });

  it('leaves no file where it is stopped, and one that may not be replaced as it was', async () => {
    const folder = home.make();
    const records = [channel('a'), says(1, 'a', 'ann', 'x')];
    const from = [writeRecords(join(folder, 'export.ndjson'), records)];
    const options = {
      from,
      mapping: await loadMapping(undefined),
      parts: { of: 2 },
      folder: join(folder, 'x'),
      mayReplace: false,
    };
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(convertParts({ ...options, signal })).rejects.toThrow('stopped');
    expect(readdirSync(join(folder, 'x'))).toEqual([]);

    mkdirSync(join(folder, 'y'));
    writeFileSync(join(folder, 'y', 'part-2-of-2.ndjson'), 'mine');
    await expect(convertParts({ ...options, folder: join(folder, 'y') })).rejects.toThrow('it exists already');
    expect(readFileSync(join(folder, 'y', 'part-2-of-2.ndjson'), 'utf8')).toBe('mine');
  });
});
