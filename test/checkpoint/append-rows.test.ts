import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { appendRows } from '../../src/checkpoint/staging/append-rows.ts';
import { collectWriters } from '../../src/checkpoint/staging/row-counts.ts';
import type { StagedRow } from '../../src/checkpoint/staging/staged-item.ts';
import { insertSql, type RowHome, valuesOf } from '../../src/checkpoint/staging/stage-rows.ts';
import { openTestStore } from './fixture.ts';

const muid = (number: number) => `m1${String(number).padStart(25, 'x')}`;

/** As nearly all rows are, and what some of them have otherwise. */
const row = (number: number, changes: Partial<StagedRow> = {}): StagedRow => ({
  muid: muid(number),
  source: 'slack',
  workspace: 'T1',
  conversation: 'C1',
  sender: 'U1',
  originId: `1700000${number}.000100`,
  sentAtMs: 1_700_000_000_000 + number,
  sortKey: `1700000${number}.000100`,
  editedAtMs: null,
  recordDigest: 'd'.repeat(22),
  verdict: 'planned',
  reason: null,
  detail: null,
  payload: `{"data":{"text":"message ${number}"}}`,
  rootMuid: null,
  facts: null,
  place: `/${number}`,
  ...changes,
});

const texts = fc.oneof(
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.string({ minLength: 1 }),
  fc.constantFrom('\ud83d', '\ude00', '日本\0', '🎉'),
);
const maybe = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: null });
const changes: fc.Arbitrary<Partial<StagedRow>> = fc.oneof(
  fc.constant({}),
  fc.record({ sortKey: texts, originId: texts, place: fc.string({ unit: 'binary' }) }),
  fc.record({ rootMuid: maybe(texts), facts: maybe(texts), editedAtMs: maybe(fc.integer()) }),
  fc.record({ verdict: fc.constant('skipped' as const), reason: texts, payload: maybe(texts) }),
  fc.record({ verdict: fc.constant('rejected' as const), reason: texts, detail: texts, payload: fc.constant(null) }),
  fc.record({ payload: texts.map((text) => text.repeat(fc.sample(fc.constantFrom(1, 40_000), 1)[0]!)) }),
  fc.record({ muid: texts, recordDigest: texts }),
  fc.record({ part: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ originId: fc.constant(null), sortKey: fc.constant(null), muid: fc.constant(null) }),
);

describe('appendRows()', () => {
  it('writes what rows say, one behind the other, whatever they say', () => {
    const [packed, single] = [openTestStore().db, openTestStore().db];
    const content = (db: typeof packed) => db.prepare('SELECT * FROM message ORDER BY seq').all();
    fc.assert(
      fc.property(fc.array(fc.tuple(changes, maybe(fc.nat()), maybe(texts)), { maxLength: 60 }), (given) => {
        const writer = appendRows(packed);
        const insert = single.prepare(insertSql);
        for (const db of [packed, single]) db.exec('DELETE FROM message');
        for (const [index, [some, sender, reactions]] of given.entries()) {
          const home: RowHome = { file: index, path: 'a.json', conversation: 1, sender, reactions };
          const bytes = writer.save(row(index, some), home);
          insert.run(...valuesOf(row(index, some), home));
          expect(bytes).toBe(row(index, some).payload === null ? null : Buffer.byteLength(row(index, some).payload!));
        }
        writer.flush();
        expect(content(packed)).toEqual(content(single));
      }),
      { numRuns: 40 },
    );
  });

  it('counts on the way what collectWriters() would count of the rows, and names every conversation with two messages in a second', () => {
    const { db } = openTestStore();
    const one = fc.record({
      conversation: fc.integer({ min: 1, max: 4 }),
      sender: fc.integer({ min: 1, max: 3 }),
      sentAtMs: fc.integer({ min: -3000, max: 60_000 }),
      verdict: fc.constantFrom('planned' as const, 'skipped' as const),
      part: fc.constantFrom(undefined, undefined, 1, 2),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 40 }), (given) => {
        db.exec('DELETE FROM message');
        const rows = appendRows(db);
        for (const [index, { conversation, sender, ...some }] of given.entries())
          rows.save(row(index, { ...some, reason: some.verdict === 'planned' ? null : 'rule' }), {
            file: 1,
            path: '',
            conversation,
            sender,
          });
        rows.flush();
        const asked = () => [
          db.prepare('SELECT * FROM temp.writer').all(),
          db
            .prepare(
              `SELECT DISTINCT conversation FROM message WHERE verdict = 'planned' AND coalesce(part, 1) = 1
               AND conversation IN (SELECT conversation FROM temp.tied)
               GROUP BY conversation, sent_at / 1000 HAVING count(*) > 1 ORDER BY 1`,
            )
            .all(),
        ];
        collectWriters(db);
        const found = asked();
        collectWriters(db, rows.counts);
        expect(asked()).toEqual(found);
      }),
      { numRuns: 100 },
    );
  });
});
