import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/decisions/decision.ts';
import { run } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { mysql, postgres, sqlite, writeDump } from './dumps.ts';

const home = temporaryFolder();

const texts = ['Moin', 'Who cooks?', 'I do', 'She called about the invoice', 'Thanks', 'See you'];
/** Twelve messages of two people in two rooms. @param code Of each row by its index. */
const messages = (code: (index: number) => number | string) =>
  Array.from(
    { length: 12 },
    (_, index) =>
      `(${index + 1}, ${1 + (index % 2)}, ${1 + (index % 3)}, '${texts[index % 6]} ${index}', '2026-03-01 08:${10 + index}:00', ${code(index)})`,
  ).join();
const others = `CREATE TABLE users (id integer PRIMARY KEY, username text);
INSERT INTO users VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');
CREATE TABLE rooms (id integer PRIMARY KEY, title text);
INSERT INTO rooms VALUES (1, 'Quay'), (2, 'Yard');`;
const columns = 'id integer PRIMARY KEY, room_id integer, user_id integer, body text, created_at text';
const insert = (code: (index: number) => number | string) => `INSERT INTO messages VALUES ${messages(code)};`;

function makeFile(sql: string): string {
  const path = join(home.make(), 'app.sqlite');
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return path;
}

/** The open questions of `init`, by key. */
async function ask(path: string): Promise<ReadonlyMap<string, Decision>> {
  const { stdout, stderr } = await run(['init', path, '--yes', '--json'], { folder: home.make() });
  expect(stdout, stderr).not.toBe('');
  const { open } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { open: readonly Decision[] };
  return new Map(open.map((question) => [question.id.replace(/^source\./, ''), question]));
}

const options = (question: Decision | undefined) => question?.options.map(({ does }) => does);

/** One internal note, one call. */
const codes = (index: number) => (index === 3 ? 5 : index === 8 ? 2 : 1);

describe('a code is what its words say', () => {
  const made = {
    'a table of words': makeFile(`${others}
CREATE TABLE message_types (id integer PRIMARY KEY, label text, is_active integer);
INSERT INTO message_types VALUES (1, 'text', 1), (2, 'internal note', 1), (5, 'phone', 0);
CREATE TABLE messages (${columns}, type_id integer REFERENCES message_types);
${insert(codes)}`),
    'a comment behind a column of SQLite': makeFile(`${others}
CREATE TABLE messages (${columns},
  type_id integer, -- 1 text, 2 internal note, 5 phone
  extra text);
INSERT INTO messages SELECT *, NULL FROM (VALUES ${messages(codes)});`),
    'a comment before a column of a dump of SQLite': writeDump(
      sqlite(`${others}
CREATE TABLE messages (${columns},
  /* 1 => 'text', 2 => 'internal note', 5 => 'phone' */
  type_id integer
);
${insert(codes)}`),
    ),
    'a comment in a dump of MySQL': writeDump(
      mysql(`${others.replaceAll(' text', ' varchar(40)')}
CREATE TABLE messages (${columns.replaceAll(' text', ' varchar(80)')}, type_id int COMMENT '(1: text; 2: internal note; 5: phone)');
${insert(codes)}`),
    ),
    'a comment in a dump of PostgreSQL': writeDump(
      postgres(`${others}
CREATE TABLE messages (${columns}, type_id integer);
COMMENT ON COLUMN public.messages.type_id IS 'Kind of the message. 1 - text, 2 - internal note, 5 - phone.';
${insert(codes)}`),
    ),
  };

  it.each(Object.entries(made))('of %s', async (_, path) => {
    const open = await ask(path);
    expect(options(open.get('messages.only'))?.[0]).toBe('Leave out the 1 row where "type_id" is "2" (internal note)');
    const kind = open.get('messages.kind');
    expect(kind?.why).toContain('"5" (phone)');
    expect(kind?.examples).toContain('"5" (phone) in 1 row, such as "She called about the invoice 3"');
  });

  it('and values that a CHECK allows are known without a row', async () => {
    const path = makeFile(`${others}
CREATE TABLE messages (${columns}, state text CHECK (state IN ('sent', 'draft', 'it''s late')));
${insert((index) => (index === 4 ? "'draft'" : "'sent'"))}`);
    const open = await ask(path);
    const [first] = open.get('messages.only')!.options;
    expect(first!.effect).toEqual({ sets: { 'source.messages.only': `{ state: [sent, "it's late", ""] }` } });
  });

  it('but not a text of which the values are no codes, nor the names of rooms', async () => {
    const path = makeFile(`${others.replace("'Quay'", "'Internal notes'")}
CREATE TABLE messages (${columns}, -- 1 to 3 private rooms
  level integer -- see level 3 of the manual
);
${insert((index) => 1 + (index % 2))}`);
    const open = await ask(path);
    expect(open.get('messages.only')).toBeUndefined();
  });
});
