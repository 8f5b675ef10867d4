import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStore, openStoreToRead } from '../../src/checkpoint/open.ts';
import { nowMs, storePath } from './fixture.ts';

/** A store whose last session left a total. @returns Its path. */
function storeWithTotal(): string {
  const path = storePath();
  const store = openStore(path, { command: 'plan', nowMs });
  store.totalsCache!.save('sum', '42');
  store.close();
  return path;
}

function totalIn(path: string): string | undefined {
  const store = openStoreToRead(path);
  const total = store.readTotals('sum');
  store.close();
  return total;
}

describe('a total that a session has left', () => {
  it('is read without a lock, and again', () => {
    const path = storeWithTotal();
    expect([totalIn(path), totalIn(path)]).toEqual(['42', '42']);
  });

  it('is not read while another session has the store, and afterwards if that session has kept it', () => {
    const path = storeWithTotal();
    const store = openStore(path, { command: 'plan', nowMs });
    expect(totalIn(path)).toBeUndefined();
    store.close();
    expect(totalIn(path)).toBe('42');
  });

  it('is not read after a session of a command that changes what is counted', () => {
    const path = storeWithTotal();
    openStore(path, { command: 'retry', nowMs }).close();
    expect(totalIn(path)).toBeUndefined();
  });

  it('is not read after a session that has changed what is counted', () => {
    const path = storeWithTotal();
    const store = openStore(path, { command: 'plan', nowMs });
    store.totalsCache!.invalidate();
    store.close();
    expect(totalIn(path)).toBeUndefined();
  });

  it('is not read after another program has written to the store', () => {
    const path = storeWithTotal();
    const db = new Database(path);
    db.exec(`INSERT INTO meta (key, value) VALUES ('other', 'program')`);
    db.close();
    expect(totalIn(path)).toBeUndefined();
  });

  it('is not read from a store that was put in its place', () => {
    const path = storeWithTotal();
    const store = openStore(path, { command: 'plan', nowMs });
    const copy = `${path}.copy`;
    databaseOf(store).prepare('VACUUM INTO ?').run(copy);
    store.close();
    expect(totalIn(copy)).toBeUndefined();
  });
});
