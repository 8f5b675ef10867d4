import type { Database } from 'better-sqlite3';
import { freezeOne } from './base/message-sql.ts';
import { pagesBySeq } from './base/pages.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';
import { isPending } from './base/delivery-sql.ts';
import { type ListedFile, MediaFigures } from './media/figures.ts';
import { MediaObjects } from './media/objects.ts';
import { wholePayload } from './base/packed-payload.ts';

export type MediaObject = Parameters<MediaObjects['intend']>[0];
export type StoredObject = NonNullable<ReturnType<MediaObjects['find']>>;
/** A file of planned messages, and what became of it. */
export interface ListedMedia extends ListedFile {}
export type AttachedMedia = ReturnType<MediaFigures['attached']>;

/** Reason recorded when reading back shows that a copy is gone. */
export const missingFile = 'it is not there';

export interface NamedMedia {
  /** Its address, or its path in the export: `exportOrigin`. */
  readonly origin: string;
  /** Host of the address; empty for a file of the export. */
  readonly host: string;
  readonly name: string;
  /** As the export has them; empty, and null, where it says nothing. */
  readonly mimeType: string;
  readonly sizeBytes: number | null;
  /** Epoch ms at which the address stops working, if it says so. */
  readonly expiresAtMs: number | null;
}

export interface MediaFile extends NamedMedia {
  readonly id: number;
}

/** Returns the origin of a file in the export. */
export const exportOrigin = (input: number, path: string): string => `export:${input}/${path}`;

/** Returns the input and path of an origin made by `exportOrigin`; undefined for an address. */
export function placeInExport(origin: string): { readonly input: number; readonly path: string } | undefined {
  const match = /^export:(\d+)\/(.*)$/s.exec(origin);
  return match ? { input: Number(match[1]), path: match[2]! } : undefined;
}

/** Files of planned messages, each as often as messages have it. `copied` are different contents; `shared` what is the same as one of them. */
export interface MediaSums {
  readonly files: number;
  readonly copied: number;
  readonly shared: number;
  readonly missing: number;
  readonly refused: number;
  /** Not tried yet, or to be tried again. */
  readonly waiting: number;
  /** Bytes of copied files, and of waiting files as far as the export or the server stated them. */
  readonly copiedBytes: number;
  readonly waitingBytes: number;
}

export interface MessageWithFiles {
  readonly seq: number;
  /** The input that it was read from. */
  readonly input: number;
  /** The message whose change this one reports. */
  readonly follows: number | null;
  /** Payload in the plan. */
  readonly payload: string;
  /** JSON of the files that are in the export; null without any. */
  readonly files: string | null;
  /** Digest of the payload that was made of it when it was last looked at; null where it was not. */
  readonly made: string | null;
  /** 1: it was looked at, and nothing was made of it yet. */
  readonly isNoted: number;
  readonly planned: string | null;
}

/** A message with files whose payload has to be rebuilt if the files have changed. */
export interface NotedMessage {
  readonly seq: number;
  readonly muid: string;
  readonly sentAtMs: number;
  readonly recordDigest: string | null;
  readonly editedAtMs: number | null;
  readonly part: number | null;
  /** Payload as planned, and the current payload. */
  readonly planned: string;
  readonly payload: string;
  readonly facts: string | null;
  readonly files: string | null;
  /** Digest of the payload that was made of it; null if it is as planned. */
  readonly made: string | null;
  readonly waits: number;
  /** 1: a request for it has left, to one destination at least. */
  readonly wasSent: number;
}

/** Result of copying a file of a message. */
export interface UsedFile {
  readonly state: string;
  readonly reason: string | null;
  readonly address: string | null;
  readonly contentType: string | null;
  readonly sizeBytes: number | null;
  /** JSON of what is known of a picture. */
  readonly facts: string | null;
}

const pageSize = 500;
const fileColumns = 'id, origin, host, name, mime_type AS mimeType, size_bytes AS sizeBytes, expires_at AS expiresAtMs';
const isLeft = `state = 'waiting' AND EXISTS (SELECT 1 FROM media_use u WHERE u.file = media_file.id)`;
/** Messages that are not sent before their files are copied, and the files that they wait for. */
const countWaiting = (isToBeSent: string) => {
  const waiting = `media_message mm CROSS JOIN message m ON m.seq = mm.message AND m.verdict = 'planned' AND m.vanished = 0`;
  return `SELECT (SELECT count(*) FROM ${waiting} WHERE mm.waits = 1 AND ${isToBeSent}) AS messages,
      (SELECT count(DISTINCT u.file) FROM ${waiting} JOIN media_use u ON u.message = mm.message
       JOIN media_file f ON f.id = u.file WHERE mm.waits = 1 AND f.state <> 'copied' AND ${isToBeSent}) AS files`;
};

const wasSent = `EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = m.seq
  WHERE d.state <> 'pending')`;

interface Waiting {
  readonly messages: number;
  readonly files: number;
}

const statements = lateStatements({
  findFile: value<[origin: string], number>`SELECT id FROM media_file WHERE origin = ?`,
  addFile: sql<NamedMedia>`
    INSERT INTO media_file (origin, host, name, mime_type, size_bytes, expires_at, state)
    VALUES (@origin, @host, @name, @mimeType, @sizeBytes, @expiresAtMs, 'waiting')`,
  reopenMissing: sql<[fault: string]>`UPDATE media_object SET state = 'removed' WHERE state = 'stored' AND fault = ?`,
  reopenElsewhere: sql<[location: string]>`
    UPDATE media_file SET state = 'waiting' WHERE object IN (SELECT id FROM media_object WHERE location <> ?)`,
  countToCopy: value<[], number>`SELECT count(*) FROM media_file WHERE ${isLeft}`,
  nextFiles: sql<[isEndless: number, expiresAtMs: number, id: number], MediaFile>`
    SELECT ${fileColumns} FROM media_file
    WHERE state IN ('waiting', 'failed') AND (expires_at IS NULL, coalesce(expires_at, 0), id) > (?, ?, ?) AND ${isLeft}
    ORDER BY expires_at IS NULL, coalesce(expires_at, 0), id LIMIT 200`,
  saveOutcome: sql<[state: string, reason: string | null, object: number | null, nowMs: number, file: number]>`
    UPDATE media_file SET state = ?, reason = ?, object = ?, tries = tries + 1, tried_at = ? WHERE id = ?`,
  keepCopy: sql<[nowMs: number, file: number]>`
    UPDATE media_file SET state = 'copied', reason = NULL, tries = tries + 1, tried_at = ?
    WHERE id = ? AND object IN (SELECT id FROM media_object WHERE state = 'stored')`,
  sums: sql<[], Omit<MediaSums, 'shared' | 'copiedBytes'> & { uses: number }>`
    SELECT count(*) AS files, coalesce(sum(f.state = 'copied'), 0) AS uses,
      count(DISTINCT CASE WHEN f.state = 'copied' THEN f.object END) AS copied,
      coalesce(sum(f.state = 'missing'), 0) AS missing, coalesce(sum(f.state = 'refused'), 0) AS refused,
      coalesce(sum(f.state IN ('waiting', 'failed')), 0) AS waiting,
      coalesce(sum(CASE WHEN f.state IN ('waiting', 'failed') THEN f.size_bytes END), 0) AS waitingBytes
    FROM media_use u JOIN media_file f ON f.id = u.file`,
  copiedBytes: value<[], number>`
    SELECT coalesce(sum(size_bytes), 0) FROM media_object WHERE id IN (
      SELECT f.object FROM media_file f WHERE f.state = 'copied' AND EXISTS (SELECT 1 FROM media_use u WHERE u.file = f.id))`,
  withFiles: sql<[after: number], MessageWithFiles>`
    SELECT m.seq, f.input, m.follows, ${wholePayload('m')} AS payload, m.files, mm.made, mm.message IS NOT NULL AS isNoted, mm.planned
    FROM message m JOIN source_file f ON f.id = m.file LEFT JOIN media_message mm ON mm.message = m.seq
    WHERE m.seq > ? AND m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NOT NULL
      AND (m.files IS NOT NULL OR m.facts LIKE '%"attachments":%' OR m.follows IS NOT NULL)
    ORDER BY m.seq LIMIT ${pageSize}`,
  copyAt: value<[message: number, address: string], number>`
    SELECT u.file FROM media_use u JOIN media_file f ON f.id = u.file JOIN media_object o ON o.id = f.object
    WHERE u.message = ? AND o.address = ? LIMIT 1`,
  note: sql<[message: number, planned: string]>`
    REPLACE INTO media_message (message, planned, made, waits) VALUES (?, ?, NULL, 0)`,
  drop: sql<[message: number]>`DELETE FROM media_message WHERE message = ?`,
  dropUses: sql<[message: number]>`DELETE FROM media_use WHERE message = ?`,
  use: sql<[message: number, position: number, file: number]>`
    INSERT INTO media_use (message, position, file) VALUES (?, ?, ?)`,
  noted: sql<[after: number], NotedMessage>`
    SELECT m.seq, m.muid, m.sent_at AS sentAtMs, m.record_digest AS recordDigest, m.edited_at AS editedAtMs, m.part,
      mm.planned, ${wholePayload('m')} AS payload, m.facts, m.files, mm.made, mm.waits, ${wasSent} AS wasSent
    FROM media_message mm CROSS JOIN message m ON m.seq = mm.message WHERE mm.message > ? ORDER BY mm.message LIMIT ${pageSize}`,
  usedFiles: sql<[message: number], UsedFile>`
    SELECT CASE WHEN o.state = 'stored' THEN 'copied' ELSE f.state END AS state, f.reason, o.address, o.content_type AS contentType, o.size_bytes AS sizeBytes, o.facts
    FROM media_use u JOIN media_file f ON f.id = u.file LEFT JOIN media_object o ON o.id = f.object
    WHERE u.message = ? ORDER BY u.position`,
  freeze: sql<[message: number]>`${freezeOne}`,
  savePayload: sql<[payload: string, facts: string | null, message: number]>`
    UPDATE message SET payload = ?, facts = ? WHERE seq = ?`,
  noteMade: sql<[made: string | null, waits: number, message: number]>`
    UPDATE media_message SET made = ?, waits = ? WHERE message = ?`,
  sentOtherwise: sql<{ message: number; payload: string; digest: string }, { destination: number; payload: string }>`
    SELECT d.destination, d.payload FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = @message
    WHERE d.state IN ('imported', 'existing', 'sent') AND d.payload IS NOT NULL
      AND coalesce(d.payload -> '$.data.attachments', '[]') <> coalesce(@payload -> '$.data.attachments', '[]')
      AND @digest IS NOT (SELECT x.digest FROM drift x WHERE x.message = @message AND x.destination = d.destination
        ORDER BY x.id DESC LIMIT 1)`,
  countWaitingAt: sql<{ destination: number }, Waiting>`
    ${countWaiting(`EXISTS (SELECT 1 FROM (SELECT @destination AS id) t
      LEFT JOIN delivery d ON d.destination = t.id AND d.message = m.seq WHERE ${isPending})`)}`,
  countWaiting: sql<[], Waiting>`${countWaiting(`NOT ${wasSent}`)}`,
  anyWaiting: sql<[]>`SELECT 1 FROM media_message WHERE waits = 1 LIMIT 1`,
  collectStops: sql<[destination: number]>`
    INSERT OR IGNORE INTO temp.stop SELECT m.conversation, m.sent_at, m.sort_key, m.seq
    FROM media_message mm JOIN message m ON m.seq = mm.message
    LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE mm.waits = 1 AND m.verdict = 'planned' AND m.vanished = 0 AND ${isPending} ORDER BY m.sent_at, m.sort_key, m.seq`,
});

/** Files of messages: the files themselves, the locations they were copied to, and the messages that name them. */
export class Media extends withStatements(statements) {
  readonly figures: MediaFigures;
  readonly objects: MediaObjects;

  constructor(db: Database) {
    super(db);
    this.figures = new MediaFigures(db);
    this.objects = new MediaObjects(db);
  }

  /** Planned messages that may have files, in reading order, in pages: the caller may write between them. */
  messagesWithFiles(): Generator<readonly MessageWithFiles[]> {
    return pagesBySeq((after) => this.sql.withFiles.all(after));
  }

  /** Writes down a file, once. @returns Its number. */
  noteFile(file: NamedMedia): number {
    return this.sql.findFile.get(file.origin) ?? Number(this.sql.addFile.run(file).lastInsertRowid);
  }

  /** The file of a message whose copy people open at an address. */
  copyAt(message: number, address: string): number | undefined {
    return this.sql.copyAt.get(message, address);
  }

  /**
   * Writes down which files a message has. The caller begins and commits.
   *
   * @param files By their positions among the files of the message.
   */
  noteUses(message: number, planned: string, files: readonly number[]): void {
    this.sql.dropUses.run(message);
    if (files.length === 0) return void this.sql.drop.run(message);
    this.sql.note.run(message, planned);
    for (const [position, file] of files.entries()) this.sql.use.run(message, position, file);
  }

  /** Drops the notes of messages that are no longer planned, and files that no message has any more and that became nothing. */
  dropUnused(): void {
    const others = `NOT IN (SELECT seq FROM message WHERE verdict = 'planned' AND vanished = 0 AND payload IS NOT NULL)`;
    this.db.exec(`DELETE FROM media_use WHERE message ${others};
      DELETE FROM media_message WHERE message ${others};
      DELETE FROM media_file WHERE object IS NULL AND NOT EXISTS (SELECT 1 FROM media_use u WHERE u.file = media_file.id)`);
  }

  /**
   * Marks files to be tried again: those that failed or were missing, those whose copy is gone, and those whose copy is at another
   * location than this one, which keep that copy until then.
   */
  reopen(location: string): void {
    this.db.exec(
      `UPDATE media_file SET state = 'waiting', reason = NULL WHERE state IN ('failed', 'missing', 'refused')`,
    );
    this.reopenRemoved();
    this.sql.reopenElsewhere.run(location);
  }

  /** Files whose copy was removed, or was not there when it was read back, are copied again. */
  reopenRemoved(): void {
    this.sql.reopenMissing.run(missingFile);
    this.db.exec(`UPDATE media_file SET state = 'waiting', object = NULL
      WHERE object IN (SELECT id FROM media_object WHERE state = 'removed')`);
  }

  /** How many `filesToCopy` gives. */
  countToCopy(): number {
    return this.sql.countToCopy.get()!;
  }

  /**
   * Yields files to copy, starting with those whose address stops working first. Yields each file once, even if more are
   * added or tried in the meantime.
   */
  *filesToCopy(): Generator<MediaFile> {
    for (let after: [number, number, number] = [0, Number.MIN_SAFE_INTEGER, 0]; ; ) {
      const page = this.sql.nextFiles.all(...after);
      yield* page;
      const last = page.at(-1);
      if (!last) return;
      after = [last.expiresAtMs === null ? 1 : 0, last.expiresAtMs ?? 0, last.id];
    }
  }

  noteCopied(file: number, object: number, nowMs: number): void {
    this.sql.saveOutcome.run('copied', null, object, nowMs, file);
  }

  /** A file that was copied to another location before keeps its state. */
  noteNotCopied(file: number, state: 'missing' | 'refused' | 'failed', reason: string, nowMs: number): void {
    if (this.sql.keepCopy.run(nowMs, file).changes === 0) this.sql.saveOutcome.run(state, reason, null, nowMs, file);
  }

  sums(): MediaSums {
    const { uses, ...sums } = this.sql.sums.get()!;
    return { ...sums, shared: uses - sums.copied, copiedBytes: this.sql.copiedBytes.get()! };
  }

  /** Messages with files, in pages. */
  notedMessages(): Generator<readonly NotedMessage[]> {
    return pagesBySeq((after) => this.sql.noted.all(after));
  }

  /**
   * Returns the results for the files of a message, by position. A file that is to be copied to another location keeps
   * its copy until then.
   */
  usedFiles(message: number): UsedFile[] {
    return this.sql.usedFiles.all(message);
  }

  /** A version that was sent before stays in the store as it was sent. The caller begins and commits. */
  replacePayload(message: number, payload: string, facts: string | null): void {
    this.sql.freeze.run(message);
    this.sql.savePayload.run(payload, facts, message);
  }

  /** @param made Digest of the current payload; null if the message waits. */
  noteMade(message: number, made: string | null, waits: boolean): void {
    this.sql.noteMade.run(made, waits ? 1 : 0, message);
  }

  /**
   * Returns destinations that may have a message with other files than it has now, with the payload that was sent there,
   * if that has not been noted yet.
   */
  sentOtherwise(
    message: number,
    payload: string,
    digest: string,
  ): { readonly destination: number; readonly payload: string }[] {
    return this.sql.sentOtherwise.all({ message, payload, digest });
  }

  /**
   * Messages that are not sent before their files are copied, and the files that they wait for.
   *
   * @param destination Those that are to be sent there; without it, those that were sent nowhere.
   */
  countWaiting(destination?: number): Waiting {
    return destination === undefined ? this.sql.countWaiting.get()! : this.sql.countWaitingAt.get({ destination })!;
  }

  /** Whether any message waits for a file, wherever it is to be sent. */
  hasWaiting(): boolean {
    return this.sql.anyWaiting.get() !== undefined;
  }

  /**
   * Puts into `temp.chosen` the messages that may be sent to a destination now: everything except messages that wait for
   * a file, and messages that come after one of those in its conversation, so that the order is kept. A message that was
   * sent there before holds up no other.
   */
  chooseBeforeWaiting(destination: number): void {
    this.db.exec(`CREATE TEMP TABLE IF NOT EXISTS chosen (message INTEGER PRIMARY KEY);
      DELETE FROM temp.chosen;
      DROP TABLE IF EXISTS temp.stop;
      CREATE TEMP TABLE stop (conversation INTEGER PRIMARY KEY, sent_at INTEGER, sort_key TEXT, seq INTEGER)`);
    this.sql.collectStops.run(destination);
    this.db.exec(`INSERT INTO temp.chosen SELECT m.seq FROM message m LEFT JOIN temp.stop s ON s.conversation = m.conversation
        WHERE m.verdict = 'planned' AND m.vanished = 0
          AND (s.conversation IS NULL OR (m.sent_at, m.sort_key, m.seq) < (s.sent_at, s.sort_key, s.seq));
      DROP TABLE temp.stop`);
  }
}
