import { databaseOf } from '../../src/store/open.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowAppender } from '../../src/store/messages/append.ts';
import { maybe, rowChanges, stagedRow as row, texts } from '../scenes/staged-rows.ts';
import { insertSql, oneRow, type RowHome, valuesOf } from '../../src/store/messages/rows.ts';
import { openTestStore } from './fixture.ts';

describe('RowAppender', () => {
  it('writes what rows say, one behind the other, whatever they say, however many wait', () => {
    const [packed, single] = [databaseOf(openTestStore()), databaseOf(openTestStore())];
    const content = (db: typeof packed) => db.prepare('SELECT * FROM message ORDER BY seq').all();
    fc.assert(
      fc.property(fc.array(fc.tuple(rowChanges, maybe(fc.nat()), maybe(texts)), { maxLength: 60 }), (given) => {
        const writer = new RowAppender(packed);
        const insert = single.prepare(insertSql(oneRow));
        for (const db of [packed, single]) db.exec('DELETE FROM message');
        for (const [index, [some, sender, reactions]] of given.entries()) {
          const home: RowHome = { file: index, path: 'a.json', conversation: 1, sender, reactions };
          writer.save(row(index, some), home);
          insert.run(...valuesOf(row(index, some), home));
        }
        writer.flush();
        expect(content(packed)).toEqual(content(single));
      }),
      { numRuns: 40 },
    );
  });

  it('counts on the way what collectWriters() would count of the rows, and names every conversation with two messages in a second', () => {
    const store = openTestStore();
    const db = databaseOf(store);
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
        const rows = new RowAppender(db);
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
        store.messages.collectWriters();
        const found = asked();
        store.messages.collectWriters(rows.counts);
        expect(asked()).toEqual(found);
      }),
      { numRuns: 100 },
    );
  });
});
