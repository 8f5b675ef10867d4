import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { imessage } from '../../../src/sources/imessage/index.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { writeSamples } from './write-samples.ts';
import { insertRows, makeDatabase, nanosecondsAt, type Rows, tables } from './messages-database.ts';
import { everyNth } from '../../tier.ts';

const home = temporaryFolder();
const date = nanosecondsAt('2026-03-02T09:00:00Z');

const base: Rows = {
  handle: [{ id: 'ann@example.com', service: 'iMessage' }],
  chat: [{ guid: 'iMessage;-;ann@example.com', style: 45, chat_identifier: 'ann@example.com' }],
  chat_handle_join: [{ chat_id: 1, handle_id: 1 }],
};

/** A database with one message for each of these texts. */
function databaseOf(folder: string, messages: Rows[string]): string {
  const path = join(folder, 'chat.db');
  const joined = messages.map((_, index) => ({ chat_id: 1, message_id: index + 1 }));
  makeDatabase(path, { ...base, message: messages, chat_message_join: joined });
  return path;
}

const message = (guid: string, about: Rows[string][number]) => ({ guid, date, handle_id: 1, text: guid, ...about });

async function read(path: string, options = {}): Promise<Entry[]> {
  const [input] = await openExport([path]);
  const entries = await readAll(imessage, input!, {}, options);
  await input!.close();
  return entries;
}

const textsIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.text] : []));
const codesIn = (entries: readonly Entry[]) => entries.flatMap((entry) => ('code' in entry ? [entry.code] : []));

describe('a database of Messages', () => {
  it('is read with its log, which a copy of the folder has beside it, and nothing changes there', async () => {
    const [original, folder] = [home.make(), home.make()];
    const path = databaseOf(original, [message('one', {})]);
    const application = new Database(path);
    application.pragma('journal_mode = WAL');
    insertRows(application, 'message', [message('two', {})]);
    application.exec('INSERT INTO chat_message_join VALUES (1, 2, 0)');
    for (const end of ['', '-wal']) cpSync(`${path}${end}`, join(folder, `chat.db${end}`));
    application.close();
    const entries = await read(folder);
    expect(textsIn(entries)).toEqual(['one', 'two']);
    expect(entries).toContainEqual({ type: 'file', path: 'chat.db-wal', role: 'shared' });
    expect(readdirSync(folder)).toEqual(['chat.db', 'chat.db-wal']);
  });

  it('is recognised by its tables under any name, and not by its name alone', async () => {
    const folder = home.make();
    const path = databaseOf(folder, [message('one', {})]);
    cpSync(path, join(folder, 'copy-of-monday.bin'));
    const [named] = await openExport([join(folder, 'copy-of-monday.bin')]);
    expect(await imessage.probe(named!)).toMatchObject({ match: 'certain' });
    const other = join(home.make(), 'chat.db');
    makeDatabase(other, {}, 'CREATE TABLE message (id, body)');
    const [foreign] = await openExport([other]);
    expect(await imessage.probe(foreign!)).toEqual({ match: 'no' });
  });

  it('whose tables are views is refused: a view may compute without end', async () => {
    const path = join(home.make(), 'chat.db');
    const endless =
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS guid, i AS date FROM n';
    makeDatabase(
      path,
      {},
      tables.replace(/CREATE TABLE message [^;]*;\nCREATE INDEX [^;]*;/, `CREATE VIEW message AS ${endless};`),
    );
    expect(await read(path)).toEqual([
      expect.objectContaining({
        type: 'invalid',
        code: 'unreadable-file',
        reason: expect.stringContaining('"message.guid"'),
      }),
      expect.objectContaining({ type: 'file' }),
    ]);
  });

  it('may have values of any kind in any column, and every other row is read as before', async () => {
    const values = ['text', Buffer.from([1, 2, 3]), 7n, -1n, 9_223_372_036_854_775_807n, 1.5, '', null];
    const names = Object.keys(message('x', { associated_message_type: 0 })).concat(
      'attributedBody',
      'service',
      'item_type',
      'other_handle',
      'associated_message_guid',
      'message_summary_info',
      'date_edited',
      'is_spam',
      'subject',
      'error',
    );
    const changes = names
      .filter((column) => column !== 'guid')
      .flatMap((name) => values.map((value) => [name, value] as const));
    // Each column, and each value, some times.
    for (const [name, value] of everyNth(5, changes)) {
      const path = databaseOf(home.make(), [message('strange', { [name]: value }), message('ordinary', {})]);
      const entries = await read(path);
      const rows = entries.filter(({ type }) => type === 'invalid').length + textsIn(entries).length;
      expect([textsIn(entries).at(-1), rows <= 2], `${name} ${String(value)}`).toEqual(['ordinary', true]);
    }
  });

  it('gives a text above a mebibyte as an invalid row', async () => {
    const path = databaseOf(home.make(), [message('huge', { text: 'x'.repeat(2 ** 20 + 1) })]);
    expect(codesIn(await read(path))).toEqual(['imessage-bad-text']);
  });

  it('names a column that no known version has, and how many rows have a value in it', async () => {
    const path = databaseOf(home.make(), [message('one', {}), message('two', {})]);
    const db = new Database(path);
    db.exec("ALTER TABLE message ADD COLUMN mood TEXT; UPDATE message SET mood = 'good' WHERE ROWID = 2");
    db.close();
    expect(await read(path)).toContainEqual(
      expect.objectContaining({ code: 'column-not-migrated', column: 'mood', table: 'message', count: 1 }),
    );
  });

  it('leaves out what was not delivered where the mapping says so, and counts it', async () => {
    const path = databaseOf(home.make(), [message('failed', { is_from_me: 1, error: 22 }), message('one', {})]);
    const entries = await read(path, { notSent: 'skip' });
    expect(textsIn(entries)).toEqual(['one']);
    expect(entries).toContainEqual(
      expect.objectContaining({ reason: '1 × messages that were not delivered', count: 1 }),
    );
  });

  it.each([
    ['is to be sent later', { schedule_type: 2, schedule_state: 2 }, 'to be sent later'],
    ['has not been sent', {}, 'not sent yet'],
  ])('asks about a message that %s, or leaves it out', async (_, columns, words) => {
    const path = databaseOf(home.make(), [
      message('one', { is_from_me: 1, is_sent: 1 }),
      message('later', { is_from_me: 1, is_sent: 0, ...columns }),
    ]);
    expect(await read(path)).toContainEqual(
      expect.objectContaining({ code: 'imessage-not-sent', reason: `The message was ${words}` }),
    );
    const skipped = await read(path, { notSent: 'skip' });
    expect(textsIn(skipped)).toEqual(['one']);
    expect(skipped).toContainEqual(expect.objectContaining({ reason: `1 × messages that were ${words}`, count: 1 }));
  });

  it('counts the votes in a poll, which are no messages', async () => {
    const app = 'com.apple.messages.MSMessageExtensionBalloonPlugin:0000000000:com.apple.messages.Polls';
    const poll = { balloon_bundle_id: app, payload_data: Buffer.from('bplist00'), text: null };
    const vote = { ...poll, associated_message_type: 4000, associated_message_guid: 'poll' };
    const path = databaseOf(home.make(), [
      message('poll', poll),
      message('v1', { ...vote, handle_id: 1 }),
      message('v2', { ...vote, is_from_me: 1 }),
      message('v3', { ...vote, associated_message_guid: 'gone' }),
      message('odd', { ...vote, associated_message_type: 4711 }),
    ]);
    const entries = await read(path);
    expect(textsIn(entries)).toEqual(['Poll']);
    const reasons = entries.flatMap((entry) => ('reason' in entry ? [entry.reason] : []));
    expect(reasons).toEqual(
      expect.arrayContaining([
        '2 × votes in polls',
        '1 × reactions to messages, and votes in polls, that the database does not have',
        'Found the kind 4711 as "associated_message_type"',
      ]),
    );
  });

  it('keeps of a person one reaction of a kind: the latest state', async () => {
    const about = (type: number, second: bigint) => ({
      ...{ associated_message_type: type, associated_message_guid: 'p:0/one', text: null },
      date: date + second * 1_000_000_000n,
    });
    const path = databaseOf(home.make(), [
      message('one', {}),
      message('r1', about(2001, 1n)),
      message('r2', about(3001, 2n)),
      message('r3', about(2001, 3n)),
      message('r4', about(2003, 4n)),
      message('r5', about(3003, 5n)),
    ]);
    const [record] = (await read(path)).flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : [],
    );
    expect(record!.reactions).toEqual([{ emoji: '👍', users: ['ann@example.com'], count: 1 }]);
  });

  it('of each sample is what write-samples.ts writes', async () => {
    const folder = home.make();
    writeSamples(folder);
    for (const path of ['mac/export', 'old-phone/export.db', 'damaged-rows/export'])
      expect(await read(join(folder, path))).toEqual(await read(join('samples/imessage', path)));
  });
});
