import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

const messages = Array.from({ length: 30 }, (_, index) => ({
  ...{ id: `m${index}`, user_id: `u${index % 3}`, room_id: `r${index % 2}`, text: `Hello number ${index}` },
  created_at: `2026-03-02T10:${String(index).padStart(2, '0')}:00Z`,
}));
const users = ['u0', 'u1', 'u2'].map((id) => ({ id, name: `Person ${id}` }));
const words = (length: number) =>
  Array.from({ length }, (_, index) => ({ id: index, label: `w${index}`, made: '2026-01-01', changed: '2026-01-01' }));

/** Words of `init` about tables that are not read. */
async function unread(folder: string, path: string): Promise<string | undefined> {
  const sets = ['--set', 'source.messages.conversation=room_id', '--set', 'source.zone=UTC'];
  const { stdout } = await run(['init', path, '--yes', '--no-count', ...sets], { folder });
  return /not read: (.*)/.exec(stdout)?.[1]?.trim();
}

function database(folder: string, tables: Readonly<Record<string, readonly object[]>>): string {
  const db = new Database(join(folder, 'app.db'));
  for (const [name, rows] of Object.entries(tables)) {
    const columns = Object.keys(rows[0]!);
    db.exec(`CREATE TABLE ${name} (${columns.join(', ')})`);
    const add = db.prepare(`INSERT INTO ${name} VALUES (${columns.map((column) => `@${column}`).join(', ')})`);
    for (const row of rows) add.run(row);
  }
  db.close();
  return 'app.db';
}

describe('rows far behind the first ones of a database', () => {
  it('are found by the database itself: a deleted row, and the people who wrote', async () => {
    const folder = home.make();
    const db = new Database(join(folder, 'app.db'));
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)';
    db.exec(`CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE messages (id INTEGER PRIMARY KEY, room_id INT, user_id INT, text TEXT, created_at TEXT, removed TEXT);
      ${numbers} INSERT INTO users SELECT i, 'Person ' || i FROM n;
      ${numbers} INSERT INTO messages SELECT i, i % 7, 60001 - (i * 7) % 500, 'The tide at ' || i, strftime('%Y-%m-%dT%H:%M:%SZ', 1700000000 + i, 'unixepoch'),
        iif(i = 59999, 'by a moderator', NULL) FROM n`);
    db.close();
    const { stdout } = await run(['init', 'app.db', '--yes', '--no-count', '--json'], { folder });
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1)!)).toMatchObject({ open: [] });
    const mapping = readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8');
    expect(mapping).toContain('  # "removed"; 1 of 1,001 rows have it\n    deleted: removed\n');
    expect(mapping).toContain('    users:\n      table: users\n');
  });
});

describe('tables that nothing reads', () => {
  it('are named one by one with their rows, also those with the same columns', async () => {
    const folder = home.make();
    const path = database(folder, { messages, users, colours: words(20), sizes: words(1), sorts: words(1_200) });
    expect(await unread(folder, path)).toBe('colours (20 rows), sizes (1 row), sorts (at least 1,000 rows)');
  });

  it('are named as far as a line holds, those with texts first', async () => {
    const folder = home.make();
    const letters = [...'abcdefghijklmnop'];
    const many = Object.fromEntries(letters.map((name) => [`list_${name}`, words(2)]));
    const notes = words(3).map((row, index) => ({ ...row, note: `a note of many words ${index}` }));
    const shown = letters.slice(0, 11).map((name) => `list_${name} (2 rows)`);
    expect(await unread(folder, database(folder, { messages, users, ...many, notes }))).toBe(
      ['notes (3 rows)', ...shown, '5 more tables'].join(', '),
    );
  });

  it('say of files of JSON how many rows they have at least', async () => {
    const folder = home.make();
    const weights = Array.from({ length: 1_200 }, (_, index) => ({ code: `k${index % 4}`, weight: index }));
    mkdirSync(join(folder, 'export'));
    for (const [name, rows] of Object.entries({ messages, users, colours: words(20), weights }))
      writeFileSync(join(folder, `export/${name}.json`), JSON.stringify(rows));
    expect(await unread(folder, 'export')).toBe('colours (20 rows), weights (at least 1,000 rows)');
  });
});

it('a database of hundreds of tables is asked about on one screen', async () => {
  const folder = home.make();
  const rows = messages.slice(0, 3);
  const notes = Array.from({ length: 300 }, (_, index) => [
    `note_${String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!)}`,
    rows.map((row) => ({ ...row, [`own_${index}`]: 'x' })),
  ]);
  const path = database(folder, { users, ...(Object.fromEntries(notes) as Record<string, object[]>) });
  const { stdout } = await run(['init', path, '--yes', '--no-count', '--json'], { folder });
  const { open } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
    open: { id: string; why: string; options: unknown[] }[];
  };
  const { why, options } = open.find(({ id }) => id === 'source.tables.messages')!;
  expect(options.length).toBeLessThanOrEqual(12);
  expect(why).toMatch(/^300 tables have texts and times; 294 more tables may be typed: .{1,200} \(282 more\)$/);
});
