import Database from 'better-sqlite3';

type Value = string | number | bigint | Buffer | null;
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, Value>>[]>>;

/** Tables of a recent macOS, with the columns that have values. */
export const tables = `
CREATE TABLE message (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, text TEXT, service_center TEXT,
  handle_id INTEGER DEFAULT 0, subject TEXT, attributedBody BLOB, service TEXT, account TEXT, error INTEGER DEFAULT 0, date INTEGER,
  date_read INTEGER, date_delivered INTEGER, is_from_me INTEGER DEFAULT 0, is_read INTEGER DEFAULT 0, is_sent INTEGER DEFAULT 0,
  cache_has_attachments INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0, other_handle INTEGER DEFAULT 0, group_title TEXT,
  group_action_type INTEGER DEFAULT 0, share_status INTEGER DEFAULT 0, associated_message_guid TEXT,
  associated_message_type INTEGER DEFAULT 0, associated_message_emoji TEXT, balloon_bundle_id TEXT, payload_data BLOB,
  expressive_send_style_id TEXT, message_summary_info BLOB, is_corrupt INTEGER DEFAULT 0, is_spam INTEGER DEFAULT 0,
  reply_to_guid TEXT, thread_originator_guid TEXT, thread_originator_part TEXT, date_edited INTEGER DEFAULT 0,
  date_retracted INTEGER DEFAULT 0, schedule_type INTEGER DEFAULT 0, schedule_state INTEGER DEFAULT 0);
CREATE INDEX message_idx_associated_message ON message(associated_message_guid);
CREATE TABLE chat (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, style INTEGER, state INTEGER,
  chat_identifier TEXT, service_name TEXT, room_name TEXT, display_name TEXT, group_id TEXT, is_archived INTEGER DEFAULT 0);
CREATE TABLE handle (ROWID INTEGER PRIMARY KEY AUTOINCREMENT UNIQUE, id TEXT NOT NULL, country TEXT, service TEXT NOT NULL,
  uncanonicalized_id TEXT, person_centric_id TEXT, UNIQUE (id, service));
CREATE TABLE chat_message_join (chat_id INTEGER REFERENCES chat (ROWID), message_id INTEGER REFERENCES message (ROWID),
  message_date INTEGER DEFAULT 0, PRIMARY KEY (chat_id, message_id));
CREATE INDEX chat_message_join_idx_message_id_only ON chat_message_join(message_id);
CREATE TABLE chat_handle_join (chat_id INTEGER REFERENCES chat (ROWID), handle_id INTEGER REFERENCES handle (ROWID), UNIQUE (chat_id, handle_id));
CREATE TABLE chat_recoverable_message_join (chat_id INTEGER, message_id INTEGER, delete_date INTEGER);
CREATE TABLE attachment (ROWID INTEGER PRIMARY KEY AUTOINCREMENT, guid TEXT UNIQUE NOT NULL, filename TEXT, uti TEXT, mime_type TEXT,
  transfer_name TEXT, total_bytes INTEGER DEFAULT 0, is_sticker INTEGER DEFAULT 0, hide_attachment INTEGER DEFAULT 0);
CREATE TABLE message_attachment_join (message_id INTEGER, attachment_id INTEGER, UNIQUE (message_id, attachment_id));
`;

/** Seconds from 1970 to 2001. */
const epochS = 978_307_200;

/** An instant as newer databases write it. */
export const nanosecondsAt = (instant: string): bigint =>
  (BigInt(Date.parse(instant)) - BigInt(epochS) * 1000n) * 1_000_000n;

/** An instant as old ones do. */
export const secondsAt = (instant: string): number => Date.parse(instant) / 1000 - epochS;

/** Makes a database of these rows. The path has no file yet. */
export function makeDatabase(path: string, rows: Rows, schema = tables): void {
  const db = new Database(path);
  db.exec(schema);
  for (const [table, all] of Object.entries(rows)) insertRows(db, table, all);
  db.close();
}

export function insertRows(db: Database.Database, table: string, rows: Rows[string]): void {
  for (const row of rows) {
    const names = Object.keys(row);
    const marks = names.map(() => '?').join(', ');
    db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row));
  }
}
