import { join } from 'node:path';
import { cpSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import type { Entry } from '../../../src/model/entry.ts';
import { viber } from '../../../src/sources/viber/index.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { at, eventRows, type MadeEvent, makeDatabase, type Row, type Rows } from './viber-database.ts';
import { writeSamples } from './write-samples.ts';

const home = temporaryFolder();

const base: Rows = {
  Contact: [
    { ContactID: 1, Number: '+15555550100', MID: 'me' },
    { ContactID: 2, Number: '+15555550101', MID: 'ann', Name: 'Ann' },
  ],
  ChatInfo: [{ ChatID: 1 }],
  ChatRelation: [
    { ChatID: 1, ContactID: 1 },
    { ChatID: 1, ContactID: 2 },
  ],
};

let token = 100;
const event = (about: Row, message?: Row): MadeEvent => ({
  event: { TimeStamp: at(0), Direction: 0, ChatID: 1, ContactID: 2, Token: token++, ...about },
  ...(message && { message }),
});
const sent = (about: Row, message?: Row) => event({ Direction: 1, ContactID: 1, ...about }, message);

/** A database with these events, which are the only ones. */
function databaseOf(events: readonly MadeEvent[], more: Rows = {}): string {
  const path = join(home.make(), 'viber.db');
  makeDatabase(path, { ...base, ...eventRows(events), ...more });
  return path;
}

async function read(path: string, options = {}): Promise<Entry[]> {
  const [input] = await openExport([path]);
  const entries = await readAll(viber, input!, {}, options);
  await input!.close();
  return entries;
}

const messagesIn = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : []));
const codesIn = (entries: readonly Entry[]) => entries.flatMap((entry) => ('code' in entry ? [entry.code] : []));

describe('a database of Viber', () => {
  it('is recognised by its tables under any name, and an encrypted one is not', async () => {
    const path = databaseOf([event({}, { Body: 'Hello' })]);
    const copy = join(home.make(), 'decrypted.sqlite');
    cpSync(path, copy);
    const [named] = await openExport([copy]);
    expect(await viber.probe(named!)).toMatchObject({ match: 'certain' });
    const encrypted = join(home.make(), 'viber.db');
    writeFileSync(encrypted, Buffer.alloc(4096, 7));
    const [foreign] = await openExport([encrypted]);
    expect(await viber.probe(foreign!)).toEqual({ match: 'no' });
    expect(await read(encrypted)).toContainEqual(
      expect.objectContaining({
        code: 'unreadable-file',
        reason: expect.stringContaining('expected a SQLite database'),
      }),
    );
  });

  it('has one person for the contact that wrote what was sent, and for nobody else', async () => {
    const [own] = messagesIn(await read(databaseOf([sent({}, { Body: 'Mine' }), event({}, { Body: 'Hers' })])));
    expect(own).toMatchObject({ author: 'self', origin: { conversation: '+15555550101' } });
    const withBoth = [sent({}, { Body: 'Mine' }), sent({ ContactID: 2 }, { Body: 'Also mine' })];
    expect(codesIn(await read(databaseOf(withBoth)))).toContain('viber-own-contact');
    const told = await read(databaseOf(withBoth), { number: '1 555 555 0100' });
    expect(codesIn(told)).not.toContain('viber-own-contact');
    expect(messagesIn(told).map(({ author, origin }) => [author, origin.conversation])).toEqual([
      ['self', '+15555550101'],
      ['self', '+15555550101'],
    ]);
  });

  it('keeps the last reaction of a person, and drops one that was taken back', async () => {
    const like = (second: number, PGIsLiked: number, about: Row = {}) =>
      event({ TimeStamp: at(second), Type: 3, ...about }, { Type: 0, PGIsLiked });
    const path = databaseOf(
      [
        sent({ Token: 7 }, { Body: 'Liked' }),
        like(1, 1),
        like(2, 3),
        like(3, 2, { Direction: 1, ContactID: 1 }),
        like(4, 0, { Direction: 1, ContactID: 1 }),
      ],
      { LikeRelation: [2, 3, 4, 5].map((LikeEventID) => ({ MessageToken: 7, LikeEventID })) },
    );
    const [message] = messagesIn(await read(path));
    expect(message!.reactions).toEqual([{ emoji: '😮', users: ['+15555550101'], count: 1 }]);
    expect(message!.version).toEqual({ markedAtMs: at(4) });
  });

  it('counts a reaction whose emoji no source is sure of instead of guessing it', async () => {
    const entries = await read(databaseOf([event({}, { Body: 'Liked', MembersReactions: '{"6":2}' })]));
    expect(messagesIn(entries)[0]!.reactions).toBeUndefined();
    expect(entries).toContainEqual(expect.objectContaining({ reason: '2 × reactions whose emoji is not known' }));
  });

  it('has the edit of a message that is not there as a message of its own', async () => {
    const path = databaseOf([event({}, { Body: 'The new text', Info: '{"edit":{"token":12345}}' })]);
    expect(messagesIn(await read(path))).toMatchObject([{ text: 'The new text', edited: {} }]);
  });

  it('has the text of the last edit where the message still has the old one', async () => {
    const edit = (second: number, Body: string) =>
      event({ TimeStamp: at(second) }, { Body, Info: '{"edit":{"token":7000}}' });
    const path = databaseOf([event({ Token: 7000 }, { Body: 'Old' }), edit(1, 'Newer'), edit(2, 'Newest')]);
    expect(messagesIn(await read(path))).toMatchObject([{ text: 'Newest', edited: { atMs: at(2) } }]);
    const same = databaseOf([event({ Token: 7000 }, { Body: 'New' }), edit(1, 'New'), edit(2, '')]);
    expect(messagesIn(await read(same))).toMatchObject([{ text: 'New', edited: { atMs: at(2) } }]);
  });

  it('has an edit by somebody else, or in another chat, as a message of its own', async () => {
    const Info = '{"edit":{"token":7000}}';
    const target = event({ Token: 7000 }, { Body: 'Hers' });
    const mine = databaseOf([target, sent({}, { Body: 'Mine', Info })]);
    expect(messagesIn(await read(mine)).map(({ text }) => text)).toEqual(['Hers', 'Mine']);
    const chats: Rows = { ChatInfo: [{ ChatID: 1 }, { ChatID: 2, Token: '77', Name: 'Pier' }] };
    const elsewhere = databaseOf([target, event({ ChatID: 2 }, { Body: 'There', Info })], chats);
    expect(messagesIn(await read(elsewhere)).map(({ text }) => text)).toEqual(['Hers', 'There']);
  });

  it('has an event with a text as a message, also where reactions name it', async () => {
    const events = [event({ Token: 7001 }, { Body: 'One' }), event({}, { Body: 'Two' }), event({}, { PGIsLiked: 1 })];
    const LikeRelation = [2, 3].map((LikeEventID) => ({ MessageToken: 7001, LikeEventID }));
    const messages = messagesIn(await read(databaseOf(events, { LikeRelation })));
    expect(messages.map(({ text }) => text)).toEqual(['One', 'Two']);
    expect(messages[0]!.reactions).toHaveLength(1);
  });

  it('never says where somebody was who only wrote a text', async () => {
    const path = databaseOf([event({ ContactLatitude: 541_234_567, ContactLongitude: 1 }, { Body: 'Here' })]);
    const entries = await read(path);
    expect(JSON.stringify(messagesIn(entries))).not.toContain('54.1');
    expect(entries).toContainEqual(expect.objectContaining({ reason: '1 × places from which messages were sent' }));
  });

  it('gives a text above a mebibyte as an invalid row', async () => {
    expect(codesIn(await read(databaseOf([sent({}, { Body: 'x'.repeat(2 ** 20 + 1) })])))).toEqual(['viber-bad-text']);
  });

  it('may have values of any kind in any column, and every other row is read as before', async () => {
    const values = ['text', Buffer.from([1, 2, 3]), 7n, -1n, 9_223_372_036_854_775_807n, 1.5, '', '{"a":[1]}', '[]'];
    const ofEvent = ['Direction', 'Type', 'ContactLatitude', 'ChatID', 'ContactID', 'Token', 'TimeStamp'];
    const ofMessage = [
      ...['Type', 'Subject', 'Body', 'PayloadPath', 'StickerID', 'Duration', 'PGIsLiked', 'Info', 'AdminsReactions'],
      ...['MembersReactions', 'SelfReaction'],
    ];
    for (const name of [...ofEvent.map((column) => `e.${column}`), ...ofMessage.map((column) => `m.${column}`)])
      for (const value of values) {
        const strange = { [name.slice(2)]: value };
        const made = name.startsWith('e.')
          ? event(strange, { Body: 'strange' })
          : event({}, { Body: 'strange', ...strange });
        const entries = await read(databaseOf([made, sent({}, { Body: 'ordinary' })]));
        const rows = entries.filter(({ type }) => type === 'invalid').length + messagesIn(entries).length;
        expect([messagesIn(entries).at(-1)?.text, rows <= 2], `${name} ${String(value)}`).toEqual(['ordinary', true]);
      }
  });

  it('of each sample is what write-samples.ts writes', async () => {
    const folder = home.make();
    writeSamples(folder);
    for (const path of ['desktop/export', 'tables-of-2014/export.db', 'damaged-rows/export'])
      expect(await read(join(folder, path))).toEqual(await read(join('samples/viber', path)));
  });
});
