import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();

/** Columns that mean nothing for what is sent, by reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the row, and the person of its handle': ['ROWID', 'handle_id', 'other_handle', 'is_from_me'],
  'instants: that of the payload, of an edit, and of reading, which is counted': [
    'date',
    'date_edited',
    'date_read',
    'date_delivered',
  ],
  'what an event is: its text says so': ['item_type', 'group_action_type'],
  'the kind of a sticker, and the part that is meant': [
    'associated_message_type',
    'associated_message_guid',
    'thread_originator_part',
  ],
  'who made the balloon: the app is its end': ['balloon_bundle_id', 'expressive_send_style_id'],
  'the quoted message, which the payload names by the id that it gets': ['thread_originator_guid'],
  'the usual service': ['service'],
};

it('the totals of a database of Messages account for every value of its rows', async () => {
  const { rows: planned } = await planOf(
    home.make(),
    'samples/imessage/mac/export',
    'messages: { system: keep, deleted: keep }',
  );
  const db = new Database('samples/imessage/mac/export/chat.db', { readonly: true });
  db.defaultSafeIntegers();
  const raw = db.prepare('SELECT * FROM message').all() as Record<string, unknown>[];
  db.close();
  const rows = new Map<string, unknown>();
  for (const { conversation, id } of planned) {
    const row = raw.find(({ guid }) => guid === id)!;
    const values = Object.entries(row).filter(([, value]) => !Buffer.isBuffer(value) && value !== 0n);
    rows.set(`${conversation} ${id}`, Object.fromEntries(values));
  }
  // One that was unsent has nothing left.
  expect(planned).toHaveLength(26);
  expect(missingIn({ rows, planned, meaningless, losses: {} })).toEqual({});
});
