import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStoreToRead } from '../../src/store/open.ts';
import { findingSample, outcomesUnder } from '../../src/rows/finding-rows.ts';
import type { WhatIf } from '../../src/rows/trial.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { findCheck } from '../../src/mapping/checks.ts';
import { merged, parseSettings, type Settings } from '../../src/lib/settings.ts';
import { never } from '../scenes/bench.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();
const samples = join(import.meta.dirname, '../../samples');

/** A sample with the rules of its own mapping, if it has one. */
function sampleOf(name: string) {
  const folder = join(samples, name);
  const from = join(folder, readdirSync(folder).find((file) => file.startsWith('export'))!);
  const path = join(folder, 'mapping.yaml');
  return { from, rules: existsSync(path) ? (parse(readFileSync(path, 'utf8')) as Settings) : {} };
}

/** Plans an export into a folder of its own. */
async function planned(from: string, source: string, rules: Settings) {
  const folder = home.make();
  const request = await sessionRequest(folder, { from: [from], source, mapping: JSON.stringify(rules) });
  await planExport(request);
  return { ...request, mapping: request.mapping! };
}

/** What a plan made of the message at a location. */
function verdictsOf(
  storePath: string,
): ReadonlyMap<string, Pick<WhatIf, 'verdict' | 'reason'> & { text: string | null }> {
  const store = openStoreToRead(storePath);
  const rows = databaseOf(store)
    .prepare<[], { location: string; verdict: WhatIf['verdict']; reason: string | null; text: string | null }>(
      `SELECT f.path || iif(m.place LIKE '/%', '#', ':') || m.place AS location, verdict, m.reason, payload ->> '$.data.text' AS text
       FROM message m JOIN source_file f ON f.id = m.file WHERE coalesce(part, 1) = 1`,
    )
    .all();
  store.close();
  return new Map(rows.map(({ location, ...row }) => [location, row]));
}

/** A row that a source leaves out is in no plan. */
const notRead = { verdict: 'skipped', reason: 'not read as a message', text: null } as const;

const cases = [
  ['slack/every-feature', 'author-not-described', 3],
  ['slack/every-feature', 'attachment-without-address', 1],
  ['imessage/old-phone', 'no-author', 1],
  ['imessage/mac', 'imessage-not-sent', 2],
  ['imessage/mac', 'message-only-file', 1],
  ['whatsapp/android', 'message-only-file', 3],
  ['whatsapp/damaged-lines', 'whatsapp-date-order', 3],
  ['whatsapp/damaged-lines', 'whatsapp-other-form', 3],
  ['messenger/damaged-threads', 'third-writer', 3],
  ['csv/mapping-three-tables', 'text-html', 1],
  ['csv/mapping-one-table', 'author-not-described', 3],
  ['json/mapping-django', 'no-author', 1],
] as const;

describe('outcomesUnder()', () => {
  it.each(cases)(
    'says of messages of %s with %s what a plan with each answer makes of them',
    async (name, code, count) => {
      const { from, rules } = sampleOf(name);
      const source = name.split('/', 1)[0]!;
      const request = await planned(from, source, rules);
      const sample = await findingSample(request.store, code, { max: 3, exports: [], signal: never });
      expect(sample.length).toBe(count);
      for (const { row, why, record } of sample) expect([row ?? why, record]).not.toContain(null);
      const check = findCheck(code)!;
      const options = check.severity === 'decision' ? check.options : [];
      const settings = options.flatMap(({ effect }) => ('sets' in effect ? [effect.sets] : []));
      const changes = [{}, ...settings].map((sets) =>
        parseSettings(Object.entries(sets).map(([key, value]) => `${key}=${value}`)),
      );
      const { mapping } = request;
      const outcomes = await outcomesUnder(request.store, sample, { mapping, changes, exports: [], signal: never });
      const verdicts = new Set<string>();
      for (const [index, change] of changes.entries()) {
        const plan = verdictsOf((await planned(from, source, merged(rules, change))).store);
        for (const [at, { location }] of sample.entries()) {
          const outcome = outcomes[index]![at]!;
          const { text, ...verdict } = plan.get(location) ?? notRead;
          expect([location, change, { verdict: outcome.verdict, reason: outcome.reason }]).toEqual([
            location,
            change,
            verdict,
          ]);
          if (verdict.verdict === 'planned')
            expect(new Map(outcome.parts).get('text')).toBe(text?.replaceAll('\n', '\\n'));
        }
        verdicts.add(JSON.stringify(outcomes[index]));
      }
      // An answer that changes nothing would prove nothing.
      expect(verdicts.size).toBeGreaterThan(1);
    },
  );
});

describe('outcomesUnder() of a server, whose tables of files are read in part', () => {
  it('cannot tell what becomes of a message that seems to be empty', async () => {
    const { from, rules } = sampleOf('slack/every-feature');
    const { store, mapping } = await planned(from, 'slack', rules);
    const again = { mapping, changes: [{}], exports: [], signal: never };
    const [found] = await findingSample(store, 'author-not-described', { max: 1, exports: [], signal: never });
    const verdictOf = async (input: string, text: string) => {
      const message = { ...found!, input, record: { ...found!.record!, text, attachments: [] } };
      return (await outcomesUnder(store, [message], again))[0]![0]?.verdict ?? null;
    };
    const server = 'postgres://db.example.com/app';
    expect([await verdictOf(server, 'Hi'), await verdictOf(server, ' '), await verdictOf(from, ' ')]).toEqual([
      ...['planned', null, 'invalid'],
    ]);
  });
});

describe('findingSample()', () => {
  const ghosts = [1, 2, 3, 4].map((id) => says(id, 'C1', id < 3 ? 'GHOST1' : `GHOST${id}`, `text ${id}`));

  async function scene() {
    const folder = home.make();
    const from = writeRecords(join(folder, 'export.ndjson'), [person('U1'), channel('C1'), ...ghosts]);
    const request = await sessionRequest(folder, { from: [from] });
    await planExport(request);
    return { from, store: request.store };
  }
  const sampled = (store: string, max = 3) =>
    findingSample(store, 'author-not-described', { max, exports: [], signal: never });

  it('takes messages of different people first, with their rows', async () => {
    const { store } = await scene();
    const texts = (await sampled(store)).map(({ record }) => record?.text);
    expect(texts).toEqual(['text 1', 'text 3', 'text 4']);
    expect((await sampled(store, 4)).map(({ record }) => record?.text)).toEqual([...texts, 'text 2']);
    const [first] = await sampled(store);
    expect(first!.row).toContainEqual(['text', 'text 1']);
    expect(first).toMatchObject({ location: 'export.ndjson:4', why: null, isHidden: false });
  });

  it('has no rows of an export that changed, and none of a code that nothing has', async () => {
    const { from, store } = await scene();
    writeFileSync(from, 'gone\n');
    const [first] = await sampled(store);
    expect(first).toMatchObject({ row: null, record: null });
    expect(first!.why).toContain('missing or has changed');
    const code = 'no-author';
    expect(await findingSample(store, code, { max: 3, exports: [], signal: never })).toEqual([]);
  });

  it('shows neither row nor text of what few may read', async () => {
    const folder = home.make();
    const record = { ...says(1, 'C1', 'U1', 'secret-4711'), isDeleted: true };
    const from = writeRecords(join(folder, 'export.ndjson'), [person('U1'), channel('C1'), record]);
    const rules = { messages: { deleted: 'keep' } };
    const { store, mapping } = await planned(from, 'chatferry', rules);
    const sample = await findingSample(store, 'deleted-messages', { max: 3, exports: [], signal: never });
    expect(sample).toMatchObject([{ row: null, isHidden: true, why: 'The row has something that few may read.' }]);
    const outcomes = await outcomesUnder(store, sample, { mapping, changes: [{}], exports: [], signal: never });
    expect(outcomes[0]![0]!.verdict).toBe('planned');
    expect(JSON.stringify(outcomes)).not.toContain('secret-4711');
  });

  it.each([
    ['internal-messages', 'note,'],
    ['deleted-messages', 'visible,yes'],
  ])('shows no row of %s that cannot be read again', async (code, marks) => {
    const from = join(home.make(), 'messages.csv');
    const write = (id: string) =>
      writeFileSync(
        from,
        `id,room,who,sent,kind,gone,body\n${id},quay,ann,2025-06-15T12:00:00Z,${marks},secret-4711\n`,
      );
    write('1');
    const messages = {
      ...{ id: 'id', conversation: 'room', author: 'who', time: 'sent', text: 'body' },
      ...{ internal: 'kind', deleted: 'gone' },
    };
    const { store } = await planned(from, 'csv', { source: { messages } });
    write('2');
    const sample = await findingSample(store, code, { max: 3, exports: [], signal: never });
    expect(sample).toMatchObject([{ record: null, row: null, isHidden: true }]);
    expect(JSON.stringify(sample)).not.toContain('secret-4711');
  });

  it('shows rows that cannot be read, which stay so under any rules', async () => {
    const { from, rules } = sampleOf('telegram/damaged-rows');
    const { store, mapping } = await planned(from, 'telegram', rules);
    const sample = await findingSample(store, 'bad-time', { max: 3, exports: [], signal: never });
    expect(sample).toMatchObject([{ record: null }]);
    expect(sample[0]!.row).not.toBeNull();
    const changes = [parseSettings(['people.unknownAuthors=skip'])];
    expect(await outcomesUnder(store, sample, { mapping, changes, exports: [], signal: never })).toEqual([
      [{ verdict: 'invalid', reason: sample[0]!.detail, parts: [], payload: null, names: {} }],
    ]);
  });
});
