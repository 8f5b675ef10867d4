import type { Database } from 'better-sqlite3';
import { pagesBySeq } from '../base/pages.ts';
import { isPending } from '../delivery/next-rows.ts';
import { payloadFreezer } from '../staging/stage-rows.ts';

/** A planned message that may have files. */
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

const pageSize = 500;

/** Planned messages that may have files, in reading order, in pages: the caller may write between them. */
export function* messagesWithFiles(db: Database): Generator<readonly MessageWithFiles[]> {
  const select = db.prepare<[number], MessageWithFiles>(
    `SELECT m.seq, f.input, m.follows, m.payload, m.files, mm.made, mm.message IS NOT NULL AS isNoted, mm.planned
     FROM message m JOIN source_file f ON f.id = m.file LEFT JOIN media_message mm ON mm.message = m.seq
     WHERE m.seq > ? AND m.verdict = 'planned' AND m.vanished = 0 AND m.payload IS NOT NULL
       AND (m.files IS NOT NULL OR m.facts LIKE '%"attachments":%' OR m.follows IS NOT NULL)
     ORDER BY m.seq LIMIT ${pageSize}`,
  );
  yield* pagesBySeq((after) => select.all(after), pageSize);
}

/** Finds the file of a message whose copy people open at an address. */
export function copyFinder(db: Database): (message: number, address: string) => number | undefined {
  const select = db
    .prepare<[number, string], number>(
      `SELECT u.file FROM media_use u JOIN media_file f ON f.id = u.file JOIN media_object o ON o.id = f.object
       WHERE u.message = ? AND o.address = ? LIMIT 1`,
    )
    .pluck();
  return (message, address) => select.get(message, address);
}

/** Writes down which messages have which files. The caller begins and commits. */
export function mediaUses(db: Database) {
  const note = db.prepare('REPLACE INTO media_message (message, planned, made, waits) VALUES (?, ?, NULL, 0)');
  const dropUses = db.prepare('DELETE FROM media_use WHERE message = ?');
  const drop = db.prepare('DELETE FROM media_message WHERE message = ?');
  const use = db.prepare('INSERT INTO media_use (message, position, file) VALUES (?, ?, ?)');
  return {
    /** @param files By their positions among the files of the message. */
    note(message: number, planned: string, files: readonly number[]): void {
      dropUses.run(message);
      if (files.length === 0) return void drop.run(message);
      note.run(message, planned);
      for (const [position, file] of files.entries()) use.run(message, position, file);
    },
    /** Drops the notes of messages that are no longer planned. */
    dropOthers(): void {
      const others = `NOT IN (SELECT seq FROM message WHERE verdict = 'planned' AND vanished = 0 AND payload IS NOT NULL)`;
      db.exec(`DELETE FROM media_use WHERE message ${others}; DELETE FROM media_message WHERE message ${others}`);
    },
  };
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

/** Messages with files, in pages. */
export function* notedMessages(db: Database): Generator<readonly NotedMessage[]> {
  const select = db.prepare<[number], NotedMessage>(
    `SELECT m.seq, m.muid, m.sent_at AS sentAtMs, m.record_digest AS recordDigest, m.edited_at AS editedAtMs, m.part,
       mm.planned, m.payload, m.facts, m.files, mm.made, mm.waits,
       EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = m.seq
         WHERE d.state <> 'pending') AS wasSent
     FROM media_message mm CROSS JOIN message m ON m.seq = mm.message WHERE mm.message > ? ORDER BY mm.message LIMIT ${pageSize}`,
  );
  for (let after = 0; ; ) {
    const page = select.all(after);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)!.seq;
  }
}

/**
 * Returns the results for the files of a message, by position. A file that is to be copied to another location keeps
 * its copy until then.
 */
export function usedFilesReader(db: Database): (message: number) => UsedFile[] {
  const select = db.prepare<[number], UsedFile>(
    `SELECT CASE WHEN o.state = 'stored' THEN 'copied' ELSE f.state END AS state, f.reason, o.address, o.content_type AS contentType, o.size_bytes AS sizeBytes, o.facts
     FROM media_use u JOIN media_file f ON f.id = u.file LEFT JOIN media_object o ON o.id = f.object
     WHERE u.message = ? ORDER BY u.position`,
  );
  return (message) => select.all(message);
}

/** Writes the payloads that were made. The caller begins and commits. */
export function madePayloads(db: Database) {
  const freeze = payloadFreezer(db);
  const save = db.prepare('UPDATE message SET payload = ?, facts = ? WHERE seq = ?');
  const note = db.prepare('UPDATE media_message SET made = ?, waits = ? WHERE message = ?');
  return {
    /** A version that was sent before stays in the store as it was sent. */
    replace(seq: number, payload: string, facts: string | null): void {
      freeze(seq);
      save.run(payload, facts, seq);
    },
    /**
     * @param made Digest of the current payload; null if the message waits.
     */
    note: (seq: number, made: string | null, waits: boolean): void => void note.run(made, waits ? 1 : 0, seq),
  };
}

/**
 * Returns destinations that may have a message with other files than it has now, with the payload that was sent there,
 * if that has not been noted yet.
 */
export function sentWithOtherFiles(db: Database) {
  const select = db.prepare<
    { message: number; payload: string; digest: string },
    { readonly destination: number; readonly payload: string }
  >(
    `SELECT d.destination, d.payload FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = @message
     WHERE d.state IN ('imported', 'existing', 'sent') AND d.payload IS NOT NULL
       AND coalesce(d.payload -> '$.data.attachments', '[]') <> coalesce(@payload -> '$.data.attachments', '[]')
       AND @digest IS NOT (SELECT x.digest FROM drift x WHERE x.message = @message AND x.destination = d.destination
         ORDER BY x.id DESC LIMIT 1)`,
  );
  return (message: number, payload: string, digest: string) => select.all({ message, payload, digest });
}

/**
 * Messages that are not sent before their files are copied, and the files that they wait for.
 *
 * @param destination Those that are to be sent there; without it, those that were sent nowhere.
 */
export function countWaiting(
  db: Database,
  destination?: number,
): { readonly messages: number; readonly files: number } {
  const isToBeSent =
    destination === undefined
      ? `NOT EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = m.seq
           WHERE d.state <> 'pending')`
      : `EXISTS (SELECT 1 FROM (SELECT @destination AS id) t LEFT JOIN delivery d ON d.destination = t.id AND d.message = m.seq
           WHERE ${isPending})`;
  const waiting = `media_message mm CROSS JOIN message m ON m.seq = mm.message AND m.verdict = 'planned' AND m.vanished = 0`;
  return db
    .prepare<{ destination?: number }, { messages: number; files: number }>(
      `SELECT (SELECT count(*) FROM ${waiting} WHERE mm.waits = 1 AND ${isToBeSent}) AS messages,
         (SELECT count(DISTINCT u.file) FROM ${waiting} JOIN media_use u ON u.message = mm.message
          JOIN media_file f ON f.id = u.file WHERE mm.waits = 1 AND f.state <> 'copied' AND ${isToBeSent}) AS files`,
    )
    .get(destination === undefined ? {} : { destination })!;
}

/** Whether any message waits for a file, wherever it is to be sent. */
export const hasWaiting = (db: Database): boolean =>
  db.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM media_message WHERE waits = 1)').pluck().get() === 1;

/**
 * Puts into `temp.chosen` the messages that may be sent to a destination now: everything except messages that wait for
 * a file, and messages that come after one of those in its conversation, so that the order is kept. A message that was
 * sent there before holds up no other.
 */
export function chooseBeforeWaiting(db: Database, destination: number): void {
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS chosen (message INTEGER PRIMARY KEY);
    DELETE FROM temp.chosen;
    DROP TABLE IF EXISTS temp.stop;
    CREATE TEMP TABLE stop (conversation INTEGER PRIMARY KEY, sent_at INTEGER, sort_key TEXT, seq INTEGER)`);
  db.prepare(
    `INSERT OR IGNORE INTO temp.stop SELECT m.conversation, m.sent_at, m.sort_key, m.seq
     FROM media_message mm JOIN message m ON m.seq = mm.message
     LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
     WHERE mm.waits = 1 AND m.verdict = 'planned' AND m.vanished = 0 AND ${isPending} ORDER BY m.sent_at, m.sort_key, m.seq`,
  ).run(destination);
  db.exec(`INSERT INTO temp.chosen SELECT m.seq FROM message m LEFT JOIN temp.stop s ON s.conversation = m.conversation
      WHERE m.verdict = 'planned' AND m.vanished = 0
        AND (s.conversation IS NULL OR (m.sent_at, m.sort_key, m.seq) < (s.sent_at, s.sort_key, s.seq));
    DROP TABLE temp.stop`);
}
