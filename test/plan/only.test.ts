import { databaseOf, openStoreToRead } from '../../src/store/open.ts';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../src/mapping/filter.ts';
import { outsideOnly } from '../../src/plan/entry-mapper.ts';
import { type FilterableRow, storedFilter } from '../../src/plan/only.ts';
import { importExport } from '../../src/commands/move.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, noonMs, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const records = [
  person('U1', { name: 'Ada Lovelace', handle: 'ada', email: 'ada@example.com' }),
  person('U2', { name: 'Bob', isBot: true }),
  channel('C1', { name: 'general' }),
  channel('C2', { name: 'random, and more' }),
  channel('C3', { name: 'general-archive', type: 'private' }),
  says(1, 'C1', 'U1', 'the first invoice'),
  says(2, 'C1', 'U2', 'deployed', { reactions: [{ emoji: '🎉', users: ['U1'], count: 1 }] }),
  says(3, 'C2', 'U1', 'an INVOICE again', { threadRoot: 'm9' }),
  says(4, 'C2', 'U3', 'who am I?', { authorDetails: { name: 'Stranger' } }),
  says(5, 'C3', 'U1', 'old things', { edited: { atMs: noonMs + 9000 } }),
  says(6, 'C3', 'U2', '', { attachments: [{ name: 'plan.pdf', url: 'https://example.com/plan.pdf' }] }),
  says(90_000, 'C1', 'U1', 'the next day', { mentions: ['U2'], isPinned: true }),
];

const request = async (only: string | undefined, folder = home.make(), mapping?: string) => {
  const exports = [writeRecords(join(folder, 'export.ndjson'), records)];
  return await sessionRequest(folder, {
    from: exports,
    ...(only !== undefined && { only: parseFilter(only) }),
    ...(mapping !== undefined && { mapping }),
  });
};

const contents = (folder: string) => byName(sandboxContents(join(folder, 'chatferry.sandbox.db')));

describe('a pilot with --only', () => {
  it('sends the messages that match the filter, and the rest once it is widened, each once', async () => {
    const folder = home.make();
    const pilot = await importExport(await request('in:general', folder));
    expect(pilot.report.totals).toMatchObject({ read: 7, planned: 3, skipped: 4, imported: 3 });
    expect(pilot.report.skipped).toMatchObject([{ code: outsideOnly, count: 4 }]);
    expect(contents(folder)).toEqual({ group_c1: ['the first invoice', 'deployed', 'the next day'] });

    const wider = await importExport(await request('in:general,general-archive', folder));
    expect(wider.report.totals).toMatchObject({ planned: 5, skipped: 2, imported: 5 });

    const all = await importExport(await request(undefined, folder));
    expect(all.exit).toBe(0);
    expect(all.report.totals).toMatchObject({ read: 7, planned: 7, skipped: 0, imported: 7, late: 0 });
    expect(all.report.verify).toMatchObject({ same: 2, missing: 0, duplicated: 0 });
    expect(contents(folder)).toMatchObject({ group_c1: ['the first invoice', 'deployed', 'the next day'] });
  });

  it('keeps sent messages in the totals when the filter is narrowed', async () => {
    const folder = home.make();
    await importExport(await request(undefined, folder));
    const { report, exit } = await importExport(await request('from:bob', folder));
    expect(exit).toBe(0);
    expect(report.totals).toMatchObject({ read: 7, planned: 7, imported: 7 });
  });

  it('reports messages as late if they are older than those already sent', async () => {
    const folder = home.make();
    await importExport(await request('after:2024-03-02', folder));
    const { report } = await importExport(await request(undefined, folder));
    expect(report.totals).toMatchObject({ imported: 7, late: 2 });
  });

  it('reports the names that match nothing', async () => {
    const { report, exit } = await planExport(await request('in:generall,general -from:nobody,Ada'));
    expect(exit).toBe(3);
    const details = report.problems
      .filter(({ code }) => code === 'only-matches-nothing')
      .flatMap(({ examples }) => examples.map(({ detail }) => detail));
    expect(details).toEqual([
      'Nothing in the export is called so: "in:generall"',
      'Nothing in the export is called so: "from:nobody"',
    ]);
  });
});

describe('storedFilter()', () => {
  const rowsOf = (path: string) => {
    const store = openStoreToRead(path);
    const rows = databaseOf(store)
      .prepare<[], FilterableRow & { readonly reason: string | null }>(
        'SELECT *, origin_id AS originId, sent_at AS sentAtMs FROM message',
      )
      .all();
    return { store, rows };
  };

  const value = (list: readonly string[]) => fc.subarray([...list], { minLength: 1, maxLength: 2 });
  const term = fc.oneof(
    value(['general', 'C2', '"random, and more"', '#General']).map((values) => `in:${values.join(',')}`),
    value(['ada', '"Ada Lovelace"', 'ADA@example.com', 'u2', 'stranger', 'U3']).map(
      (values) => `from:${values.join(',')}`,
    ),
    value(['message', 'bot', 'reply', 'edited', 'file', 'mention', 'reaction', 'pinned', 'system']).map(
      (values) => `kind:${values.join(',')}`,
    ),
    value(['m1', 'm3', 'm90000']).map((values) => `id:${values.join(',')}`),
    fc.constantFrom(
      'after:2024-03-02',
      'before:2024-03-02',
      'after:2024-03-01T12:00:04Z',
      'before:2024-03-01T12:00:05Z',
    ),
    value(['invoice', 'the', '"old things"', '"> "']).map((values) => `text:${values.join(',')}`),
  );
  const filters = fc
    .array(fc.tuple(fc.boolean(), term), { minLength: 1, maxLength: 3 })
    .map((terms) => terms.map(([isNegated, text]) => (isNegated ? `-${text}` : text)).join(' '));

  it('finds in the store what a plan with the same filter includes', async () => {
    const mapping = 'messages: { attachments: placeholder, textCharsMax: 100, overlong: split }\n';
    const folder = home.make();
    await planExport(await request(undefined, folder, mapping));
    const staged = rowsOf(join(folder, 'chatferry.db'));
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const there = home.make();
        await planExport(await request(filter, there, mapping));
        const planned = rowsOf(join(there, 'chatferry.db'));
        const inside = planned.rows.filter(({ reason }) => reason !== outsideOnly).map(({ muid }) => muid);
        planned.store.close();
        const isInside = storedFilter(staged.store, parseFilter(filter));
        expect(
          staged.rows.filter((row) => isInside(row)).map(({ muid }) => muid),
          filter,
        ).toEqual(inside);
      }),
      { numRuns: 20 },
    );
    staged.store.close();
  });
});
