import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { isOpen } from '../../src/decisions/decision.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { decidingScene } from './deciding-scene.ts';

const home = temporaryFolder();

/** People of two tables with the same numbers, and nothing that says which table is meant. */
function makeDatabase(folder: string): string {
  const path = join(folder, 'club.sqlite');
  const db = new Database(path);
  db.exec(`CREATE TABLE members (id INTEGER PRIMARY KEY, full_name TEXT, email TEXT);
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, phone TEXT);
    CREATE TABLE rooms (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE posts (id INTEGER PRIMARY KEY, room_id INT REFERENCES rooms, sender_id INT, body TEXT, sent_at TEXT);
    INSERT INTO rooms VALUES (1, 'Quay'), (2, 'Tide');`);
  for (let id = 1; id <= 4; id++) {
    db.prepare('INSERT INTO members VALUES (?, ?, ?)').run(id, `Mia ${id}`, `mia${id}@example.org`);
    db.prepare('INSERT INTO customers VALUES (?, ?, ?)').run(id, `Cal ${id}`, `+49 170 ${id}`);
  }
  for (let id = 1; id <= 24; id++)
    db.prepare('INSERT INTO posts VALUES (?, ?, ?, ?, ?)').run(
      ...[id, (id % 2) + 1, (id % 4) + 1, `Ship ${id} is at the quay`, `2024-03-01 09:${10 + id}:00Z`],
    );
  db.close();
  return path;
}

it('a table gets another role as an answer does: its columns are chosen again, and it has no other role', async () => {
  const folder = home.make();
  const scene = await decidingScene(folder, makeDatabase(folder));
  const source = () => parse(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8')).source;
  const role = async (name: string) =>
    (await scene.decisions.schema(scene.opened, scene.facts())).tables.find((table) => table.name === name)?.role;
  const authors = async () => {
    const { rows } = await scene.preview((await scene.cards())[0]!.id, -1);
    return rows.map(({ bubble }) => bubble?.author.name.split(' ')[0]);
  };

  await scene.answer('source.tables.users', [], '"customers"');
  expect([await role('customers'), await role('members')]).toEqual(['users', null]);
  expect(source()).toMatchObject({ tables: { users: { table: 'customers' } }, users: { name: 'name' } });
  expect(await authors()).toEqual(['Cal', 'Cal', 'Cal']);

  await scene.answer('source.tables.users', [], '"members"');
  expect([await role('customers'), await role('members')]).toEqual([null, 'users']);
  expect(source().users).toMatchObject({ name: 'full_name', email: 'email' });
  expect(await authors()).toEqual(['Mia', 'Mia', 'Mia']);

  await scene.answer('source.tables.ignored', [], '"customers"');
  expect([source().tables.ignored, await role('customers')]).toEqual([['customers'], 'ignored']);
  await scene.answer('source.tables.users', [], '"customers"');
  expect([source().tables.ignored ?? [], await role('customers')]).toEqual([[], 'users']);
  await expect(scene.answer('source.tables.users', [], '"no_such"')).rejects.toThrow('There is no table "no_such"');
  const [card] = (await scene.cards()).filter(({ id }) => id === 'source.tables.users');
  expect([isOpen(card!), card!.answer?.by]).toEqual([false, 'Ana']);
});
