import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { createMessageIndexes } from '../../src/store/base/message-indexes.ts';
import { printPlace } from '../../src/lib/text/location.ts';
import { RowAppender } from '../../src/store/messages/append.ts';
import { addCast, addDestination, addFiles, deliver, openTestStore, rowOf } from './fixture.ts';

function opened(count: number) {
  const store = openTestStore();
  const db = databaseOf(store);
  const { people, conversations } = addCast(db);
  const [file] = addFiles(db, '/a', 'day.json') as [number];
  const writer = new RowAppender(db);
  for (let id = 1; id <= count; id++)
    writer.save(rowOf(id), { file, path: 'a.json', conversation: conversations.C1!, sender: people.U1! });
  writer.flush();
  createMessageIndexes(db);
  const totals = (destination: number | null) => {
    const rows: [number, string, string | null, string | null][] = [];
    store.totals.eachMessage(destination, ({ seq, verdict, reason, state }) =>
      rows.push([seq, verdict, reason, state]),
    );
    return rows;
  };
  return { store, db, lane: { conversation: conversations.C1!, receiverType: 'group' }, totals };
}

describe('the totals of a destination', () => {
  it('hold every message, with the state that it has there', async () => {
    const { store, lane, totals } = opened(2);
    const destination = addDestination(store);
    await deliver(destination, lane, [1], 'imported');
    expect(totals(destination.id)).toEqual([
      [1, 'planned', null, 'imported'],
      [2, 'planned', null, null],
    ]);
    expect(totals(null).map(([, , , state]) => state)).toEqual([null, null]);
  });

  it('skip messages that vanished from the export and were sent only elsewhere: none stays pending', async () => {
    const { store, db, lane, totals } = opened(1);
    const [rehearsal, real] = [addDestination(store, 'sandbox:1'), addDestination(store, 'https://real')];
    await deliver(rehearsal, lane, [1], 'imported');
    db.exec('UPDATE message SET vanished = 1');
    expect(totals(rehearsal.id)).toEqual([[1, 'planned', null, 'imported']]);
    expect(totals(real.id)).toEqual([[1, 'skipped', 'gone from the export', null]]);
    expect(store.lanes.pending(real.id).pendingCount).toBe(0);
  });

  it('count sent messages as sent even if a later plan would skip them, and settle unconfirmed ones', async () => {
    const { store, db, lane, totals } = opened(2);
    const destination = addDestination(store);
    await deliver(destination, lane, [1], 'imported');
    await deliver(destination, lane, [2], 'sent');
    db.exec(`UPDATE message SET verdict = 'skipped', reason = 'deleted at the source'`);
    expect(totals(destination.id)).toEqual([
      [1, 'planned', null, 'imported'],
      [2, 'planned', null, 'sent'],
    ]);
    expect(store.lanes.pending(destination.id).doubtful()).toMatchObject([{ pending: 0, doubtful: 1 }]);
    expect(store.lanes.doubtful(destination.id, lane.conversation).map(({ seq }) => seq)).toEqual([2]);
    expect(store.lanes.openRowsByMuid(destination.id).find('m11')?.delivery).toBe('imported');
    const other = addDestination(store, 'https://other').id;
    expect(totals(other).map(([, verdict]) => verdict)).toEqual(['skipped', 'skipped']);
    expect([store.lanes.pending(other).pendingCount, store.lanes.openRowsByMuid(other).find('m11')]).toEqual([
      0,
      undefined,
    ]);
  });
});

describe('printPlace()', () => {
  it('is a path, a line or a pointer', () => {
    expect([printPlace('a.json', ''), printPlace('a.csv', '7'), printPlace('a.json', '/7')]).toEqual([
      'a.json',
      'a.csv:7',
      'a.json#/7',
    ]);
  });
});
