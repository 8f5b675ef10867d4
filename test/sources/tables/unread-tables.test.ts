import { mkdirSync, writeFileSync } from 'node:fs';
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

describe('tables that nothing reads', () => {
  it('are named one by one with their rows, also those with the same columns', async () => {
    const folder = home.make();
    const path = database(folder, { messages, users, colours: words(20), sizes: words(1), sorts: words(1_200) });
    expect(await unread(folder, path)).toBe('colours (20 rows), sizes (1 row), sorts (at least 1,000 rows)');
  });

  it('are named as far as it can be read, if there are many with the same columns', async () => {
    const folder = home.make();
    const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`list_${name}`, words(2)]));
    expect(await unread(folder, database(folder, { messages, users, ...many }))).toBe(
      'list_a (2 rows), list_b (2 rows), list_c (2 rows), list_d (2 rows), 2 more with the same columns',
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
