import Database from 'better-sqlite3';

type Value = string | number | bigint | Buffer | null;
export type Row = Readonly<Record<string, Value>>;
export type Rows = Readonly<Record<string, readonly Row[]>>;

/** Tables of a recent version, with the columns that matter. */
export const tables = `
CREATE TABLE Contact (ContactID INTEGER PRIMARY KEY AUTOINCREMENT, Name TEXT, ABContact SMALLINT DEFAULT 0, Number TEXT UNIQUE, MID TEXT UNIQUE,
  EncryptedMID TEXT UNIQUE, ClientName TEXT, DownloadID TEXT, ContactFlags LONG DEFAULT 0, SortName TEXT, Timestamp LONGINT DEFAULT 0, DateOfBirth TEXT);
CREATE TABLE ChatInfo (ChatID INTEGER PRIMARY KEY AUTOINCREMENT, Name VARCHAR(200), Token VARCHAR(50) UNIQUE, Flags INTEGER DEFAULT 0,
  TimeStamp LONGINT NOT NULL DEFAULT 0, IconID VARCHAR(255), PGType INTEGER, PGTags VARCHAR(255));
CREATE TABLE ChatRelation (ChatID INTEGER NOT NULL, ContactID INTEGER NOT NULL, PGRole INTEGER, PRIMARY KEY (ChatID, ContactID));
CREATE TABLE Events (EventID INTEGER PRIMARY KEY AUTOINCREMENT, TimeStamp LONGINT NOT NULL, Direction UNSIGNED INTEGER NOT NULL,
  Type SMALLINT NOT NULL, ContactLongitude SIGNED LONG DEFAULT 0, ContactLatitude SIGNED LONG DEFAULT 0, ChatID INTEGER, ContactID INTEGER,
  IsSessionLifeTime UNSIGNED INTEGER DEFAULT 0, Flags INTEGER DEFAULT 0, Token UNSIGNED LONG NOT NULL, IsRead SMALLINT NOT NULL DEFAULT 0,
  SortOrder UNSIGNED LONG NOT NULL DEFAULT 0, Seq INTEGER NOT NULL DEFAULT 0);
CREATE TABLE Messages (EventID INTEGER PRIMARY KEY, Type UNSIGNED INTEGER NOT NULL, Status INTEGER NOT NULL DEFAULT 0, Subject VARCHAR(500),
  Body VARCHAR(5000), Flag UNSIGNED INTEGER DEFAULT 0, PayloadPath VARCHAR(1000), ThumbnailPath VARCHAR(100), StickerID UNSIGNED LONG DEFAULT 0,
  PttID VARCHAR(100), PttStatus UNSIGNED SHORT DEFAULT 0, Duration SIGNED DEFAULT 0, PGMessageId UNSIGNED LONG DEFAULT 0, PGIsLiked INTEGER,
  Info VARCHAR(7000), AppId INTEGER DEFAULT 0, ClientFlag UNSIGNED INTEGER DEFAULT 0, AdminsReactions VARCHAR(255),
  MembersReactions VARCHAR(255), PrevReaction INTEGER, SelfReaction VARCHAR(10), PrevSelfReaction VARCHAR(10));
CREATE TABLE LikeRelation (MessageToken INTEGER NOT NULL, LikeEventID INTEGER NOT NULL, PRIMARY KEY (MessageToken, LikeEventID));
`;

/** Tables of 2014, in which people are numbers. */
export const oldTables = `
CREATE TABLE ChatInfo (ChatID INTEGER PRIMARY KEY, Name VARCHAR(200) NOT NULL, Token VARCHAR(50) NOT NULL, Flags INTEGER DEFAULT 0, TimeStamp LONGINT);
CREATE TABLE ChatRelation (ChatID INTEGER NOT NULL, Number VARCHAR(30) NOT NULL, PRIMARY KEY (ChatID, Number));
CREATE TABLE Contact (ContactID INTEGER PRIMARY KEY, FirstName VARCHAR(40) NOT NULL, SecondName VARCHAR(40) NOT NULL, AvatarPath VARCHAR(500));
CREATE TABLE ContactRelation (ContactID INTEGER NOT NULL, Number VARCHAR(30) NOT NULL, TypeName VARCHAR(80), PRIMARY KEY (ContactID, Number));
CREATE TABLE Events (EventID INTEGER PRIMARY KEY, TimeStamp LONGINT NOT NULL, Direction UNSIGNED INTEGER NOT NULL, Type SMALLINT NOT NULL,
  ContactLongitude SIGNED LONG DEFAULT 0, ContactLatitude SIGNED LONG DEFAULT 0, ChatID INTEGER, Number VARCHAR(30), Flags INTEGER DEFAULT 0,
  Token UNSIGNED LONG NOT NULL, IsRead SMALLINT NOT NULL DEFAULT 0);
CREATE TABLE Messages (EventID INTEGER PRIMARY KEY, Type UNSIGNED INTEGER NOT NULL, Status INTEGER NOT NULL DEFAULT 0, Subject VARCHAR(500),
  Body VARCHAR(5000), PayloadPath VARCHAR(1000), ThumbnailPath VARCHAR(100), StickerID UNSIGNED LONG DEFAULT 0, PttID VARCHAR(100),
  PttDuration UNSIGNED LONG DEFAULT 0);
CREATE TABLE OriginNumberInfo (Number VARCHAR(30) PRIMARY KEY, ClientName VARCHAR(1000), AvatarPath VARCHAR(2000));
`;

/** Makes a database of these rows. The path has no file yet. */
export function makeDatabase(path: string, rows: Rows, schema = tables): void {
  const db = new Database(path);
  db.exec(schema);
  for (const [table, all] of Object.entries(rows)) {
    for (const row of all) {
      const names = Object.keys(row);
      const marks = names.map(() => '?').join(', ');
      db.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(...Object.values(row));
    }
  }
  db.close();
}

/** The nth second of a morning, in ms. */
export const at = (second: number): number => Date.UTC(2026, 2, 2, 9, 0, second);

/** An event with its message, as two rows. */
export interface MadeEvent {
  readonly event: Row;
  readonly message?: Row;
}

/** Numbers events one by one. */
export function eventRows(made: readonly MadeEvent[]): {
  readonly Events: readonly Row[];
  readonly Messages: readonly Row[];
} {
  const Events = made.map(({ event }, index) => ({ EventID: index + 1, Type: 0, ...event }));
  const Messages = made.flatMap(({ message }, index) => (message ? [{ EventID: index + 1, Type: 1, ...message }] : []));
  return { Events, Messages };
}
