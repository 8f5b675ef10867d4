import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const sample = resolve('samples/csv/mapping-child-tables/export');
const mapping = resolve('mappings/child-tables.yaml');

/** The sample in a folder of its own, whose files may be changed. */
function copyOfSample() {
  const folder = home.make();
  const path = join(folder, 'export');
  cpSync(sample, path, { recursive: true });
  const change = (file: string, by: (text: string) => string) =>
    writeFileSync(join(path, file), by(readFileSync(join(path, file), 'utf8')));
  return { folder, path, change };
}

/** Queries a SQLite file, without Chatferry's code. */
function ask<Row>(folder: string, file: string, sql: string): Row[] {
  const db = new Database(join(folder, file), { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}

interface Stored {
  readonly text: string | null;
  readonly metadata: string;
  readonly attachments: string | null;
}

const storedIn = (folder: string) =>
  ask<Stored>(
    folder,
    'chatferry.sandbox.db',
    `SELECT data ->> '$.text' AS text, data ->> '$.metadata.chatferry' AS metadata, data ->> '$.attachments' AS attachments
     FROM message ORDER BY id`,
  );

const marksOf = (folder: string, text: string): unknown => JSON.parse(withText(folder, text).metadata);

const withText = (folder: string, text: string) => storedIn(folder).find((message) => message.text?.startsWith(text))!;

describe('an export with a table for everything, as a user plans and imports it', () => {
  it('brings members, files, reactions and edits into the service', async () => {
    const folder = home.make();
    const request = [sample, '--mapping', mapping, '--quiet'];
    const planned = await runJson(['plan', ...request], { folder });
    expect(planned.json).toMatchObject({ read: 9, planned: 8, skipped: 1, invalid: 0 });
    const imported = await runJson(['import', ...request], { folder });
    expect(imported).toMatchObject({ code: 0, json: { imported: 8, pending: 0 } });

    // Two members make a direct conversation; the others' names are that of a group without one.
    const groups = ask<{ id: string; name: string }>(
      folder,
      'chatferry.sandbox.db',
      `SELECT id, entity ->> '$.name' AS name FROM chat_group ORDER BY id`,
    );
    expect(groups).toEqual([
      { id: 'k-counter', name: 'Counter' },
      { id: 'k-errands', name: 'Cleo Marsh, Ada Brandt' },
      { id: 'k-night', name: 'Night bake' },
    ]);
    const night = `SELECT record ->> '$.members' AS members FROM conversation WHERE source_id = 'k-night'`;
    expect(ask(folder, 'chatferry.db', night)).toEqual([{ members: '["u-ben","u-dov"]' }]);

    expect(marksOf(folder, 'The rye')).toMatchObject({
      edited: Date.UTC(2026, 1, 10, 6, 30, 50) / 1000,
      reactions: [{ emoji: '👍', count: 2, by: ['u-ben', 'u-cleo'] }],
    });
    expect(storedIn(folder).filter(({ metadata }) => 'edited' in (JSON.parse(metadata) as object)).length).toBe(2);
    expect(JSON.parse(withText(folder, 'Photos').attachments!)).toMatchObject([
      { name: 'shelf-1.jpg' },
      { name: 'shelf-2.jpg' },
    ]);
    expect(storedIn(folder).filter(({ attachments }) => attachments?.includes('oven.mp4')).length).toBe(1);
  });

  it('reads the messages again when one of the tables has changed', async () => {
    const { folder, path, change } = copyOfSample();
    const request = [path, '--mapping', mapping, '--quiet'];
    await run(['plan', ...request], { folder });
    change('reactions.csv', (text) => `${text}m-07,u-ben,🥖\n`);
    const planned = await runJson(['plan', ...request], { folder });
    expect(planned.json).toMatchObject({ read: 9, planned: 8, invalid: 0 });
    await run(['import', ...request], { folder });
    expect(withText(folder, 'Can you open').metadata).toContain('🥖');

    change('edits.csv', (text) => `${text}m-08,Nope,2026-02-11T09:30:00Z\n`);
    const later = await runJson(['plan', ...request], { folder });
    expect(later.json).toMatchObject({ read: 9, imported: 8, drift: { edited: 1 } });
  });
});

describe('messages that a query makes, as a user plans and imports them', () => {
  const text = readFileSync(mapping, 'utf8').replace(
    'messages: { file: messages.csv }',
    'messages: { query: "SELECT id, conversation_id, sender_id, upper(body) AS body, reply_to_id, deleted_at, created_at FROM messages" }',
  );

  it('are planned, kept while nothing changes, and read again when a file of theirs has changed', async () => {
    const { folder, path, change } = copyOfSample();
    writeFileSync(join(folder, 'my.yaml'), text);
    const request = [path, '--mapping', 'my.yaml', '--quiet'];
    const books = { read: 9, planned: 8, skipped: 1, invalid: 0 };
    expect((await runJson(['plan', ...request], { folder })).json).toMatchObject(books);
    expect((await runJson(['plan', ...request], { folder })).json).toMatchObject(books);
    change('messages.csv', (rows) => `${rows}m-10,k-night,u-dov,Late,,,2026-02-12T10:00:00Z\n`);
    expect((await runJson(['plan', ...request], { folder })).json).toMatchObject({ read: 10, planned: 9 });
    expect((await runJson(['import', ...request], { folder })).json).toMatchObject({ imported: 9, pending: 0 });
    expect(withText(folder, 'PHOTOS').attachments).toContain('shelf-1.jpg');
    expect((await runJson(['import', ...request], { folder })).json).toMatchObject({
      read: 10,
      imported: 9,
      drift: {},
    });

    const explained = await run(['explain', 'query of messages:2'], { folder });
    expect(explained.stdout).toContain('query of messages:2');
  });

  it('leave when the mapping names the file instead', async () => {
    const { folder, path } = copyOfSample();
    writeFileSync(join(folder, 'my.yaml'), text);
    await run(['plan', path, '--mapping', 'my.yaml', '--quiet'], { folder });
    const planned = await runJson(['plan', path, '--mapping', mapping, '--quiet'], { folder });
    expect(planned.json).toMatchObject({ read: 9, planned: 8, skipped: 1, invalid: 0 });
  });

  it('are refused with the tables that there are', async () => {
    const { folder, path } = copyOfSample();
    writeFileSync(join(folder, 'my.yaml'), text.replace('FROM messages"', 'FROM massages"'));
    const refused = await run(['plan', path, '--mapping', 'my.yaml', '--quiet'], { folder });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain('no such table: massages; the tables are');
  });
});

describe('a table with a column that says who saw a row', () => {
  it('has notes, which are skipped, and sent only if the mapping keeps them', async () => {
    const folder = home.make();
    writeFileSync(
      join(folder, 'comments.csv'),
      'id,ticket,who,at,text,is_private\n1,7,ann,2026-03-02T09:15:00Z,My boat leaks,f\n2,7,bo,2026-03-02T09:16:00Z,She never pays,t\n3,7,bo,2026-03-02T09:17:00Z,Which one?,\n',
    );
    const rules = (messages: string) =>
      `version: 1\nsource:\n  messages: { id: id, conversation: ticket, author: who, time: at, text: text, internal: is_private }\n${messages}`;
    const planned = async (name: string, messages: string) => {
      writeFileSync(join(folder, name), rules(messages));
      return (await runJson(['plan', 'comments.csv', '--mapping', name, '--quiet'], { folder })).json;
    };
    expect(await planned('skip.yaml', '')).toMatchObject({ read: 3, planned: 1, skipped: 1, invalid: 1 });
    expect(await planned('keep.yaml', 'messages: { internal: keep }\n')).toMatchObject({ planned: 2, invalid: 1 });
  });
});
