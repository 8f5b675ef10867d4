import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { confirmReading } from '../scenes/confirm-reading.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolderInMemory();

const schema = `
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE rooms (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE messages (id INTEGER PRIMARY KEY, room_id INTEGER NOT NULL REFERENCES rooms(id), user_id INTEGER NOT NULL REFERENCES users(id),
  body TEXT NOT NULL, sort TEXT NOT NULL, created_at TIMESTAMP WITH TIME ZONE NOT NULL);
INSERT INTO users VALUES (1, 'Ann'), (2, 'Bo'), (3, 'Cy');
INSERT INTO rooms VALUES (1, 'Harbour'), (2, 'Kitchen');`;

function change(folder: string, sql: string): void {
  const db = new Database(join(folder, 'app.sqlite'));
  db.exec(sql);
  db.close();
}

const row = (id: number, sort = 'text') =>
  `INSERT INTO messages VALUES (${id}, ${1 + (id % 2)}, ${1 + (id % 3)}, 'Message number ${id}', '${sort}', '2026-11-0${1 + (id % 9)}T10:00:00Z');`;

const filter = [
  '--set',
  'source.messages.only.sort=[text]',
  '--set',
  'source.conversations.type={ constant: private }',
];

/** A database with a mapping of `init` that nobody has confirmed. */
async function proposed(): Promise<string> {
  const folder = home.make();
  change(folder, schema + Array.from({ length: 12 }, (_, id) => row(id, id === 5 ? 'system' : 'text')).join('\n'));
  const { code, stdout } = await run(['init', 'app.sqlite', '--yes', ...filter], { folder });
  expect(code, stdout).toBe(0);
  return folder;
}

const readMapping = (folder: string) => readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8');

describe('a reading of tables that nobody has confirmed', () => {
  it('is shown by a plan on one screen, with who wrote how much and where, and how to confirm it', async () => {
    const folder = await proposed();
    const { code, stdout } = await run(['plan', '--quiet'], { folder });
    expect(code).toBe(2);
    const [, picture = ''] = /What becomes of the rows\n([\s\S]*?)\n\n/.exec(stdout) ?? [];
    const lines = picture.split('\n');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(picture).toMatch(/Messages +messages: .*11 messages; 1 left out/);
    expect(picture).toMatch(/Written by user_id in users: 3 people/);
    expect(picture).toContain('Ann 4');
    expect(picture).toMatch(/Harbour 6 · Kitchen 5|Kitchen 6 · Harbour 5/);
    expect(picture).toMatch(/--confirm-reading [0-9a-f]{12}$/);
  });

  it('has the picture at the end of init, by whose digest a plan confirms it', async () => {
    const folder = await proposed();
    const again = await run(['init', 'app.sqlite', '--yes'], { folder });
    const [, digest] = /confirm it: --confirm-reading (\w+)/.exec(again.stdout) ?? [];
    expect(again.stdout).toMatch(/What becomes of the rows\n {2}Messages +messages: .*11 messages/);
    expect(await run(['plan', '--confirm-reading', digest!], { folder })).toMatchObject({ code: 0 });
  });

  it.each([
    ['--yes', ['--yes']],
    ['the digest of another', ['--yes', '--confirm-reading', 'aaaaaaaaaaaa']],
  ])('is not sent, nor confirmed by %s', async (_, flags) => {
    const folder = await proposed();
    const { code, stdout } = await run(['import', '--quiet', ...flags], { folder });
    expect({ code, stdout }).toMatchObject({ code: 2, stdout: expect.stringContaining('Nobody has confirmed yet') });
    expect(existsSync(join(folder, 'chatferry.sandbox.db'))).toBe(false);
    expect(readMapping(folder)).toContain('proposed: true');
  });

  it('is confirmed by the digest of its picture: mapping, log and report say who saw what', async () => {
    const folder = await proposed();
    await confirmReading(folder);
    const { reading } = parse(readMapping(folder));
    expect(reading.confirmed).toMatchObject({
      by: expect.any(String),
      tables: { messages: { body: 'text' } },
      words: { 'messages.sort': ['system', 'text'] },
    });
    const log = JSON.parse(readFileSync(join(folder, 'chatferry.decisions.json'), 'utf8'));
    expect(log.decisions.at(-1)).toMatchObject({
      key: 'reading',
      answer: reading.confirmed.digest,
      by: reading.confirmed.by,
    });
    expect(await runJson(['import', '--yes'], { folder })).toMatchObject({
      code: 0,
      json: { imported: 11, skipped: 1 },
    });
  });

  it('needs no confirmation where a person wrote the mapping', async () => {
    const folder = await proposed();
    const path = join(folder, 'chatferry.mapping.yaml');
    writeFileSync(path, readMapping(folder).replace(/^reading:\n {2}proposed: true\n/m, ''));
    expect(await runJson(['import', '--yes'], { folder })).toMatchObject({ code: 0, json: { imported: 11 } });
  });
});

describe('a reading that was confirmed', () => {
  it.each([
    ['CREATE TABLE audit (id INTEGER); INSERT INTO audit VALUES (1)', 'The table "audit" is new, and is not read.'],
    ['ALTER TABLE messages ADD COLUMN colour TEXT', 'The column "messages.colour" is new, and is not read.'],
  ])('goes on after "%s", and names it', async (sql, words) => {
    const folder = await proposed();
    await confirmReading(folder);
    change(folder, sql);
    expect(await run(['plan'], { folder })).toMatchObject({ code: 0, stdout: expect.stringContaining(words) });
  });

  it.each([
    ['ALTER TABLE messages ADD COLUMN is_private INTEGER', 'The new column "messages.is_private" may say who sees'],
    [row(20, 'note'), 'The column "messages.sort" has new values: "note".'],
    [
      'ALTER TABLE users RENAME TO old; CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT); INSERT INTO users SELECT * FROM old',
      'The column "users.id" was "integer", and is "text".',
    ],
  ])('stops after "%s" with the difference, until it is confirmed again', async (sql, words) => {
    const folder = await proposed();
    await confirmReading(folder);
    change(folder, sql);
    expect(await run(['import', '--yes'], { folder })).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(words),
    });
    await confirmReading(folder);
    expect((await run(['import', '--yes'], { folder })).code).toBe(0);
  });

  it('stops when its mapping is changed to read something else', async () => {
    const folder = await proposed();
    await confirmReading(folder);
    const path = join(folder, 'chatferry.mapping.yaml');
    writeFileSync(
      path,
      readMapping(folder).replace(/^( *)text: body$|from: body/m, (found) => found.replace('body', 'sort')),
    );
    expect(await run(['plan'], { folder })).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('The section source of the mapping was changed since it was confirmed.'),
    });
  });
});

describe('a job of tables', () => {
  /** One run of the job, as an operator sees it. */
  const runJob = async (folder: string) => {
    const { code, json } = await runJson(['sync', '--once', '--config', './jobs.yaml'], { folder });
    const [job] = json.jobs as { readonly stopped: { code: string; message: string; hint: string } | null }[];
    return { code, ...job };
  };

  it('goes on after an unrelated change, needs a person after one that counts, and sends once that was confirmed', async () => {
    const folder = await proposed();
    writeFileSync(
      join(folder, 'jobs.yaml'),
      'jobs: [{ name: a, to: sandbox, export: ./app.sqlite, mapping: ./chatferry.mapping.yaml, store: ./job.db }]\n',
    );
    expect(await runJob(folder)).toMatchObject({ code: 8, stopped: { code: 'reading-unconfirmed' } });
    await confirmReading(folder, '--store', 'job.db');
    expect(await runJob(folder)).toMatchObject({ code: 0, added: { imported: 11 }, stopped: null });
    change(folder, `ALTER TABLE messages ADD COLUMN colour TEXT; ${row(30).replace(');', ", 'red');")}`);
    expect(await runJob(folder)).toMatchObject({ code: 0, added: { imported: 1 } });
    change(folder, `ALTER TABLE messages ADD COLUMN is_private INTEGER; ${row(31).replace(');', ", 'red', 1);")}`);
    const stopped = await runJob(folder);
    expect(stopped).toMatchObject({
      code: 8,
      added: { imported: 0 },
      stopped: { hint: expect.stringContaining('--confirm-reading') },
    });
    expect(stopped.stopped!.message).toContain('The new column "messages.is_private" may say who sees');
    await confirmReading(folder, '--store', 'job.db');
    expect(await runJob(folder)).toMatchObject({ code: 0, added: { imported: 1 } });
  });
});

describe('files of each day', () => {
  const header = 'id,room,who,sent_at,body';
  const rows = (first: number, more = '') =>
    Array.from(
      { length: 8 },
      (_, at) => `${first + at},r${at % 2},p${at % 3},2026-11-0${1 + at}T10:00:00Z,Message ${first + at}${more}`,
    );

  it('go on under other names with the columns that were confirmed, and stop at one that may hide rows', async () => {
    const folder = home.make();
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(folder, name), `${lines.join('\n')}\n`);
    const keys = 'messages: { id: id, conversation: room, author: who, time: sent_at, text: body }';
    write('m.yaml', [
      'reading: { proposed: true, seen: { nobody: yes, split: yes, numbers-for-names: yes } }',
      `source: { tables: { messages: { file: "chat-*.csv" } }, zone: UTC, ${keys} }`,
    ]);
    const plan = (day: number) => [
      'plan',
      `chat-${day}.csv`,
      '--mapping',
      'm.yaml',
      '--store',
      `${day}.db`,
      '--source',
      'csv',
    ];
    write('chat-1.csv', [header, ...rows(1)]);
    await confirmReading(folder, ...plan(1).slice(1));
    write('chat-2.csv', [header, ...rows(20)]);
    expect((await run(plan(2), { folder })).code).toBe(0);
    write('chat-3.csv', [`${header},is_private`, ...rows(40, ',1')]);
    expect(await run(plan(3), { folder })).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('The new column "chat-3.csv.is_private" may say who sees'),
    });
  });
});

describe('a confirmed job of tables whose rows trip an alarm later', () => {
  const more = (sql: (id: number) => string) => Array.from({ length: 12 }, (_, at) => sql(100 + at)).join('\n');
  const message = (id: number, { author = 1 + (id % 3), body = `Message number ${id}` } = {}) =>
    `INSERT INTO messages VALUES (${id}, ${1 + (id % 2)}, ${author}, '${body}', 'text', '2026-11-1${id % 9}T10:00:00Z');`;
  const cipher = (id: number) => createHash('sha256').update(String(id)).digest('base64');

  const job = async () => {
    const folder = await proposed();
    writeFileSync(
      join(folder, 'jobs.yaml'),
      'jobs: [{ name: a, to: sandbox, export: ./app.sqlite, mapping: ./chatferry.mapping.yaml, store: ./job.db }]\n',
    );
    await confirmReading(folder, '--store', 'job.db');
    const sync = async () => {
      const { code, json } = await runJson(['sync', '--once', '--config', './jobs.yaml'], { folder });
      const [result] = json.jobs as Record<string, unknown>[];
      return { code, ...result };
    };
    expect(await sync()).toMatchObject({ code: 0, added: { imported: 11 }, notes: [] });
    return { folder, sync };
  };

  it.each([
    [
      'nobody',
      more((id) => message(id, id % 3 === 0 ? { author: 77 } : {})),
      8,
      'name an author whom no list of people has',
    ],
    ['cipher', more((id) => message(id, { body: cipher(id) })), 0, 'look encrypted'],
  ])(
    'of %s keeps back their messages and no others, names them, and sends them once they are confirmed',
    async (name, sql, sent, words) => {
      const { folder, sync } = await job();
      change(folder, `PRAGMA foreign_keys = OFF; ${sql}`);
      expect(await sync()).toMatchObject({
        code: 0,
        added: { imported: sent },
        stopped: null,
        notes: [{ code: `alarm-${name}`, message: expect.stringContaining(words) }],
      });
      change(folder, `PRAGMA foreign_keys = OFF; ${message(300)}`);
      expect(await sync()).toMatchObject({ code: 0, added: { imported: 1 }, notes: [{ code: `alarm-${name}` }] });
      const { stdout } = await run(['plan', '--store', 'job.db'], { folder });
      expect(stdout).toContain(words);
      const [, digest] = /kept back until you confirm them with --confirm-reading (\w+)/.exec(stdout) ?? [];
      expect((await run(['plan', '--store', 'job.db', '--confirm-reading', digest!], { folder })).code).toBe(0);
      expect(await sync()).toMatchObject({ code: 0, added: { imported: 12 - sent }, notes: [] });
    },
  );

  it('of two people with one id keeps back what they write from then on', async () => {
    const { folder, sync } = await job();
    change(
      folder,
      `PRAGMA foreign_keys = OFF; ALTER TABLE users RENAME TO old; CREATE TABLE users (id INTEGER, name TEXT NOT NULL);
       INSERT INTO users SELECT * FROM old; INSERT INTO users VALUES (2, 'Another Bo'); DROP TABLE old; ${more((id) => message(id))}`,
    );
    const result = await sync();
    expect(result).toMatchObject({ notes: [{ code: 'alarm-two-in-one' }], added: { imported: 8 } });
  });
});
