import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RowBuffer } from '../../src/store/base/row-buffer.ts';

function opened() {
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, kind TEXT) STRICT');
  const all = () => db.prepare('SELECT name, kind FROM t ORDER BY id').raw().all();
  return { db, all };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index));

describe('RowBuffer', () => {
  it.each([0, 1, 9, 10, 11, 25])('writes %i rows in the order in which they came', (count) => {
    const { db, all } = opened();
    const rows = new RowBuffer(db, (values) => `INSERT INTO t (name, kind) VALUES ${values}`);
    for (const name of numbers(count)) rows.add([name, null]);
    rows.flush();
    expect(all()).toEqual(numbers(count).map((name) => [name, null]));
  });

  it('writes nothing twice, however often it is flushed', () => {
    const { db, all } = opened();
    const rows = new RowBuffer(db, (values) => `INSERT INTO t (name, kind) VALUES ${values}`);
    for (const name of numbers(13)) {
      rows.add([name, 'a']);
      if (name.endsWith('2')) rows.flush();
      rows.flush();
    }
    expect(all()).toEqual(numbers(13).map((name) => [name, 'a']));
  });

  it('takes a row with something between its placeholders', () => {
    const { db, all } = opened();
    const rows = new RowBuffer(db, (values) => `INSERT INTO t (name, kind) VALUES ${values}`, "(?, 'usual')");
    for (const name of numbers(12)) rows.add([name]);
    rows.flush();
    expect(all()).toEqual(numbers(12).map((name) => [name, 'usual']));
  });

  it('writes rows as they are, whichever columns are null in all that go together, of more kinds than statements are kept', () => {
    const db = new Database(':memory:');
    onTestFinished(() => void db.close());
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, ${names.join(' INTEGER, ')} INTEGER) STRICT`);
    const rows = new RowBuffer(db, (values) => `INSERT INTO t (${names.join()}) VALUES ${values}`);
    const kindOf = (kind: number, number: number) => names.map((_, bit) => ((kind >> bit) & 1 ? number : null));
    const given = Array.from({ length: 64 * 10 }, (_, number) => kindOf(((number * 7) % 64) & ~(number % 3), number));
    const sorted = Array.from({ length: 64 * 10 }, (_, number) => kindOf(Math.floor(number / 10), number));
    for (const row of [...sorted, ...given]) rows.add(row);
    rows.flush();
    expect(db.prepare(`SELECT ${names.join()} FROM t ORDER BY id`).raw().all()).toEqual([...sorted, ...given]);
  });
});
