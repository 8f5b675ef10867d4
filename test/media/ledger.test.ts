import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from '../../src/store/base/group-commit.ts';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { Ledger } from '../../src/media/copying/ledger.ts';

function openLedger(groupMax = 2) {
  const db = openDatabase(':memory:');
  db.exec('CREATE TABLE a (b INTEGER CHECK (b < 1000000))');
  const insert = db.prepare('INSERT INTO a VALUES (?)');
  const put = (value: number) => () => void insert.run(value);
  const count = () => db.prepare('SELECT count(*) FROM a').pluck().get();
  return { ledger: new Ledger(new GroupCommit(db), groupMax), put, count };
}

describe('Ledger', () => {
  it('writes notes with the next intent', async () => {
    const { ledger, put, count } = openLedger(1);
    ledger.note(put(1));
    expect(count()).toBe(0);
    await ledger.before(put(2));
    expect(count()).toBe(2);
  });

  it('holds no more than some hundred notes where nothing has an intent', async () => {
    const { ledger, put, count } = openLedger();
    for (let value = 0; value < 1_200; value++) ledger.note(put(value));
    await setImmediate();
    await setImmediate();
    expect(count()).toBe(1_000);
    await ledger.close();
    expect(count()).toBe(1_200);
  });

  it('reports notes that could not be written when it closes, even if nothing follows them', async () => {
    const { ledger, put, count } = openLedger();
    ledger.note(put(1_000_000));
    for (let value = 1; value < 500; value++) ledger.note(put(value));
    await setImmediate();
    await expect(ledger.close()).rejects.toThrow('CHECK');
    expect(count()).toBe(0);
  });

  it('reports the error to all waiting and later callers', async () => {
    const { ledger, put } = openLedger(2);
    const [one, two] = [ledger.before(put(1)), ledger.before(put(1_000_000))];
    await expect(one).rejects.toThrow('CHECK');
    await expect(two).rejects.toThrow('CHECK');
    await expect(ledger.before(put(2))).rejects.toThrow('CHECK');
    await expect(ledger.close()).rejects.toThrow('CHECK');
  });
});
