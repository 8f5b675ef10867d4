import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();

/** Columns that mean nothing for what is sent, by reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the row, its chat and its author': ['EventID', 'ChatID', 'ContactID', 'Direction'],
  'what an event and a message are: their text, file or mark says so': ['Type', 'messageType'],
  'the instant of the payload': ['TimeStamp'],
  'whether it was read, and how far it came': ['IsRead', 'Status'],
  'a preview of the file, and its folder on the computer that it is from': ['ThumbnailPath', 'PayloadPath'],
  'the id of a voice message at Viber': ['PttID'],
  'what a file is: its name says so': ['Info.fileInfo.ContentType'],
  'the quoted or pinned message, which the payload names by the id that it gets': [
    ...['Info.quote.token', 'Info.quote.text', 'Info.pin.token', 'Info.pin.action'],
  ],
  'that the message was edited': ['Info.desktop_info.edit_token'],
  'where a mention is, and whom it means: the text shows it': ['memberId', 'start', 'end'],
  'counts of reactions by code': ['MembersReactions.*'],
  'that a message was forwarded': ['Info.generalFwdInfo.origin'],
  'places, of which the text says that of a location in degrees': ['ContactLatitude', 'ContactLongitude'],
  'counted as viber-not-migrated': ['Info.poll.id'],
  'counted as previews of links': ['Info.Title'],
};

const parsed = (value: unknown) => (typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value);

it('the totals of a database of Viber account for every value of its rows', async () => {
  const { rows: planned } = await planOf(
    home.make(),
    'samples/viber/desktop/export',
    'messages: { system: keep, deleted: keep, calls: keep, attachments: placeholder }',
  );
  const db = new Database('samples/viber/desktop/export/viber.db', { readonly: true });
  db.defaultSafeIntegers();
  const raw = db
    .prepare('SELECT m.*, e.*, m.Type AS messageType FROM Events e LEFT JOIN Messages m ON m.EventID = e.EventID')
    .all() as Record<string, unknown>[];
  db.close();
  const rows = new Map<string, unknown>();
  for (const { conversation, id } of planned) {
    const row = raw.find(({ Token, EventID }) => String(Token) === id || `event-${EventID}` === id)!;
    const values = Object.entries(row).filter(([, value]) => value !== 0n);
    rows.set(`${conversation} ${id}`, Object.fromEntries(values.map(([key, value]) => [key, parsed(value)])));
  }
  expect(planned.length).toBeGreaterThanOrEqual(19);
  expect(missingIn({ rows, planned, meaningless, losses: {} })).toEqual({});
});
