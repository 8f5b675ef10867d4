import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStore, openStoreToRead } from '../../src/store/open.ts';
import { addCast, addDestination, nowMs, openTestStore, storePath } from './fixture.ts';

/** A store with a message that was sent, and a sum that was kept of it. */
function withSum() {
  const path = storePath();
  const store = openTestStore(path);
  const db = databaseOf(store);
  const { id } = addDestination(store);
  const { conversations } = addCast(db);
  db.exec(`INSERT INTO message (seq, conversation, verdict, file, place) VALUES (1, ${conversations.C1}, 'planned', 1, '1');
    INSERT INTO conversation_delivery (destination, conversation, receiver_type) VALUES (${id}, ${conversations.C1}, 'group');
    INSERT INTO delivery (destination, message, state, batch) VALUES (${id}, 1, 'sent', 1)`);
  store.totals.keep('sum', '42');
  const sum = () => store.totals.kept('sum');
  expect(sum()).toBe('42');
  return { path, store, db, sum };
}

function sumIn(path: string): string | undefined {
  const store = openStoreToRead(path);
  const sum = store.totals.kept('sum');
  store.close();
  return sum;
}

describe('a sum that was kept', () => {
  it('is there for a session that reads while another one has the store, and afterwards for both', () => {
    const { path, store } = withSum();
    expect([sumIn(path), sumIn(path)]).toEqual(['42', '42']);
    store.close();
    const next = openStore(path, { command: 'retry', nowMs });
    expect([next.totals.kept('sum'), sumIn(path)]).toEqual(['42', '42']);
    next.close();
  });

  it.each([
    `INSERT INTO message (seq, verdict, file, place) VALUES (2, 'skipped', 1, '2')`,
    `UPDATE message SET verdict = 'skipped'`,
    'DELETE FROM message',
    'INSERT INTO delivery SELECT destination, 2, state, batch, server_id, code, detail, payload, is_late, generation, muid FROM delivery',
    `UPDATE delivery SET state = 'imported'`,
    'DELETE FROM delivery',
    'UPDATE conversation_delivery SET foreign_count = 1',
    'DELETE FROM conversation_delivery',
    `UPDATE conversation SET name = 'Another'`,
    `UPDATE person SET uid = 'another'`,
    'INSERT OR REPLACE INTO conversation_delivery SELECT * FROM conversation_delivery',
  ])('is gone after "%s", whoever wrote it', (change) => {
    const { path, store, sum } = withSum();
    const other = new Database(path);
    other.exec(change);
    other.close();
    expect([sum(), sumIn(path)]).toEqual([undefined, undefined]);
    store.totals.keep('sum', '43');
    expect([sum(), sumIn(path)]).toEqual(['43', '43']);
  });

  it('stays when something else was written, and when a write was rolled back', () => {
    const { db, sum } = withSum();
    db.exec(`INSERT INTO meta (key, value) VALUES ('other', 'fact')`);
    db.exec('BEGIN; DELETE FROM delivery; ROLLBACK');
    expect(sum()).toBe('42');
  });

  it('is part of the transaction in which it was kept', () => {
    const { store, db, sum } = withSum();
    db.exec('BEGIN; DELETE FROM delivery');
    store.totals.keep('sum', '0');
    expect(sum()).toBe('0');
    db.exec('ROLLBACK');
    expect(sum()).toBe('42');
  });

  it('is nothing to another version of the program', () => {
    const { db, sum } = withSum();
    db.exec(`UPDATE totals_cache SET name = '0.0.1 sum'`);
    expect(sum()).toBeUndefined();
  });

  it('is not written where the store is only read', () => {
    const { path, store, db } = withSum();
    db.exec('DELETE FROM delivery');
    store.close();
    const reader = openStoreToRead(path);
    reader.totals.keep('sum', '41');
    expect(reader.totals.kept('sum')).toBeUndefined();
    reader.close();
  });
});
