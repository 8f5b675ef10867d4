import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addBooks, noBooks } from '../../../src/model/books.ts';
import { type Part, placeOf } from '../../../src/model/part.ts';
import { listSamples, type Sample } from '../../contracts/samples.ts';
import { message, user, userId, writeFiles } from '../../scenes/make-export.ts';
import { partsOf, planPart, planSample } from '../../scenes/parts-scene.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { threadsHere } from '../../scenes/threads-here.ts';

const home = temporaryFolder();

const sampleOf = (wanted: string): Sample => listSamples().find(({ source, name }) => `${source}/${name}` === wanted)!;

const channels = ['C00000001', 'C00000002', 'C00000003', 'C00000004'];
const nameOf = (id: string) => `room-${id.at(-1)}`;

/** A Slack export of four channels; `days` files in each, with two messages. */
function slackExport(days: number, left: readonly string[] = []): Record<string, unknown> {
  const rowsOf = (channel: number, day: number) =>
    [1, 2].map((number) => message(`17093${channel}${day}000.00010${number}`, userId(1), `Hello ${number}`));
  return {
    'users.json': [user(userId(1))],
    'channels.json': channels.map((id) => ({ id, name: nameOf(id), members: [userId(1)] })),
    ...Object.fromEntries(
      channels.flatMap((id, channel) =>
        left.includes(id)
          ? []
          : Array.from({ length: days }, (_, day) => [`${nameOf(id)}/2024-03-0${day + 1}.json`, rowsOf(channel, day)]),
      ),
    ),
  };
}

describe('a part of an export', () => {
  it('has the conversations that were placed in it, and of the others those whose hash says so', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), slackExport(2));
    const placed = { C00000001: 1, C00000002: 1 };
    const found = [];
    for (const part of partsOf(2)) {
      const { report } = await planPart(folder, { ...part, placed });
      found.push(report.conversations.map(({ id }) => id).sort());
    }
    const expected = [0, 1].map((index) => channels.filter((id) => placeOf(id, { of: 2, placed }) === index));
    expect(found).toEqual(expected);
    expect(found[1]).toEqual(expect.arrayContaining(['C00000001', 'C00000002']));
  });

  it('opens no file of another part, and knows only its own', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), slackExport(3));
    const part = { index: 0, of: 2, placed: Object.fromEntries(channels.map((id, at) => [id, at === 0 ? 0 : 1])) };
    const { report } = await planPart(folder, part);
    expect(report.files).toEqual({ shared: 2, rows: 3, skipped: 0, unknown: 0 });
    expect(report.exports).toEqual(['export (part 1 of 2)']);
  });

  it('is the same one where the export has grown, and reads nothing where only others have', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), slackExport(2, ['C00000004']));
    const placed = Object.fromEntries(channels.map((id, at) => [id, at % 2]));
    const plan = async (part: Part) => (await planPart(folder, part)).report;
    for (const part of partsOf(2)) expect((await plan({ ...part, placed })).books.read).toBe(part.index === 0 ? 8 : 4);

    writeFiles(join(folder, 'export'), slackExport(2));
    // Where conversations were placed is in the store.
    const grown = await plan({ index: 1, of: 2 });
    expect(grown.books.read).toBe(8);
    const others = await plan({ index: 0, of: 2 });
    expect(others.books).toMatchObject({ read: 8, planned: 8 });
    expect(others.changedSince).toEqual([]);
  });

  it('holds conversations that the mapping merges together, in every number of parts', async () => {
    const mapping = 'conversations: { merge: [[C00000001, C00000003, C00000004]] }';
    const folder = home.make();
    writeFiles(join(folder, 'export'), slackExport(2));
    for (const of of [2, 3, 5, 8]) {
      const read = [];
      for (const part of partsOf(of))
        read.push((await planPart(home.make(), part, { from: [join(folder, 'export')], mapping })).report.books.read);
      expect(read.reduce((sum, count) => sum + count)).toBe(16);
      expect(Math.max(...read)).toBeGreaterThanOrEqual(12);
    }
  });

  it('keeps what the mapping merges, for it says where conversations are', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), slackExport(1));
    const mapping = 'conversations: { merge: [[C00000001, C00000003]] }';
    await planPart(folder, { index: 0, of: 2 }, { mapping });
    await planPart(folder, { index: 0, of: 2 }, { mapping: `${mapping}\nmessages: { threads: flat }` });
    await expect(planPart(folder, { index: 0, of: 2 })).rejects.toMatchObject({
      name: 'StoreError',
      hint: 'Keep conversations.merge as it was, or plan all parts into new stores',
    });
  });

  it('is the same however many threads read', async () => {
    const sample = sampleOf('slack/every-feature');
    for (const part of partsOf(3)) {
      const alone = await planSample(sample, home.make(), part);
      const [folder, from] = [home.make(), [join(sample.folder, 'export')]];
      const threaded = await planPart(folder, part, { from, source: 'slack', threads: threadsHere(3) });
      expect(threaded.rows).toEqual(alone.rows);
    }
  });

  it('is not planned into the store of another part, or of all, and all not into that of a part', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), slackExport(1));
    const store = join(folder, 'one.db');
    await planPart(folder, { index: 1, of: 8 }, { store });
    for (const part of [{ index: 0, of: 8 }, { index: 1, of: 7 }, undefined])
      await expect(planPart(folder, part, { store })).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringContaining('it holds part 2 of 8 of its export, and '),
        hint: 'Pass --part 2/8, or --store with another file',
      });
    const otherwise = { index: 1, of: 8, placed: { C00000001: 3 } };
    await expect(planPart(folder, otherwise, { store })).rejects.toThrow('placed in parts otherwise');
    await planPart(folder, undefined);
    await expect(planPart(folder, { index: 0, of: 2 }, { store: join(folder, 'whole.db') })).rejects.toThrow(
      'it holds all of its export, and part 1 of 2 was asked for',
    );
  });

  it('is refused where there is no such part', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), slackExport(1));
    for (const part of [
      { index: 2, of: 2 },
      { index: -1, of: 2 },
      { index: 0, of: 0.5 },
      { index: 0, of: 2, placed: { C00000001: 2 } },
    ])
      await expect(planPart(folder, part)).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('holds in the first what belongs to no conversation', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), { ...slackExport(1), 'what.bin': 'nothing known' });
    const unknown = [];
    const books = noBooks();
    for (const part of partsOf(3)) {
      const { report } = await planPart(folder, part);
      unknown.push(report.files.unknown);
      addBooks(books, report.books);
    }
    expect(unknown).toEqual([1, 0, 0]);
    expect(books.read).toBe(8);
  });
});
