import { describe, expect, it } from 'vitest';
import { createMessageIndexes } from '../../src/checkpoint/base/message-indexes.ts';
import { databaseOf } from '../../src/checkpoint/open.ts';
import { appendRows } from '../../src/checkpoint/staging/append-rows.ts';
import { tallyAfterSending, tallyOf } from '../../src/report/collect-report.ts';
import { addCast, addDestination, addFiles, deliver, openTestStore, rowOf } from '../checkpoint/fixture.ts';

/** Planned, skipped and invalid messages of two conversations, one of them in two parts; and what the plan counted. */
function planned() {
  const store = openTestStore();
  const db = databaseOf(store);
  const { people, conversations } = addCast(db);
  const [file] = addFiles(db, '/a', 'day.json') as [number];
  const rows = [
    rowOf(1, 'one', { facts: '{"reactions":2}' }),
    rowOf(2, 'two'),
    rowOf(3, 'skipped', { verdict: 'skipped', reason: 'a rule', payload: null }),
    rowOf(4, 'invalid', { verdict: 'invalid', reason: 'bad-time', payload: null, sentAtMs: null }),
    rowOf(5, 'long', { part: 1 }),
    rowOf(6, 'long', { part: 2, muid: 'm15p2' }),
    rowOf(7, 'direct', { facts: '{"reactions":1,"mentions":1}' }),
  ];
  const writer = appendRows(db);
  for (const row of rows) {
    const conversation = row.originId === '7' ? conversations.D1! : conversations.C1!;
    writer.save(row, { file, path: 'a.json', conversation, sender: people.U1! });
  }
  writer.flush();
  createMessageIndexes(db);
  const destination = addDestination(store);
  const c1 = { conversation: conversations.C1!, receiverType: 'group' };
  return { store, db, destination, c1, tally: tallyOf(store, null) };
}

describe('tallyAfterSending()', () => {
  it('is what counting again comes to, if everything was imported', async () => {
    const { store, destination, c1, tally } = planned();
    await deliver(destination, c1, [1, 2, 5, 6, 7], 'imported');
    const after = tallyAfterSending(store, destination.id, tally);
    expect(after).toBe(tally);
    expect(after.totals).toMatchObject({ planned: 4, imported: 4, pending: 0 });
    expect(after.toText()).toBe(tallyOf(store, destination.id).toText());
  });

  it.each([
    ['failed', [2], 'failed'],
    ['is unconfirmed', [2], 'sent'],
    ['is still pending', [2], 'pending'],
    ['is a second part that failed', [6], 'failed'],
  ] as const)('counts again if a message %s', async (_, odd, state) => {
    const { store, destination, c1, tally } = planned();
    const others = [1, 2, 5, 6, 7].filter((seq) => !odd.some((one) => one === seq));
    await deliver(destination, c1, others, 'imported');
    await deliver(destination, c1, odd, state);
    const before = tally.toText();
    expect(tallyAfterSending(store, destination.id, tally).toText()).toBe(tallyOf(store, destination.id).toText());
    expect(tally.toText()).toBe(before);
  });

  it.each([
    ['was not sent', `DELETE FROM delivery WHERE message = 6`],
    ['was late', 'UPDATE delivery SET is_late = 1 WHERE message = 2'],
    ['was already there', `UPDATE delivery SET state = 'existing' WHERE message = 2`],
  ])('counts again if a message %s', async (_, change) => {
    const { store, db, destination, c1, tally } = planned();
    await deliver(destination, c1, [1, 2, 5, 6, 7], 'imported');
    db.exec(change);
    expect(tallyAfterSending(store, destination.id, tally)).not.toBe(tally);
  });
});
