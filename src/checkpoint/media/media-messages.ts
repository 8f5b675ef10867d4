import type { Database } from 'better-sqlite3';
import { payloadFreezer } from '../staging/stage-rows.ts';

/** A planned message that may have files. */
export interface MessageWithFiles {
  readonly seq: number;
  /** The input that it was read from. */
  readonly input: number;
  /** Of one that says how another changed: that one. */
  readonly follows: number | null;
  /** As it stands in the plan. */
  readonly payload: string;
  /** JSON of those that stand in the export; null without any. */
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
  for (let after = 0; ; ) {
    const page = select.all(after);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)!.seq;
  }
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
    /** Of messages that are planned no more. */
    dropOthers(): void {
      const others = `NOT IN (SELECT seq FROM message WHERE verdict = 'planned' AND vanished = 0 AND payload IS NOT NULL)`;
      db.exec(`DELETE FROM media_use WHERE message ${others}; DELETE FROM media_message WHERE message ${others}`);
    },
  };
}

/** A message with files that is to be made anew where they have become something else. */
export interface NotedMessage {
  readonly seq: number;
  readonly muid: string;
  readonly sentAtMs: number;
  readonly recordDigest: string | null;
  readonly editedAtMs: number | null;
  readonly part: number | null;
  /** As it was planned, and as it stands. */
  readonly planned: string;
  readonly payload: string;
  readonly facts: string | null;
  readonly files: string | null;
  readonly waits: number;
  /** 1: a request for it has left, to one destination at least. */
  readonly wasSent: number;
}

/** What a file of a message has become. */
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
       mm.planned, m.payload, m.facts, m.files, mm.waits,
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

/** What became of the files of a message, by position. */
export function usedFilesReader(db: Database): (message: number) => UsedFile[] {
  const select = db.prepare<[number], UsedFile>(
    `SELECT f.state, f.reason, o.address, o.content_type AS contentType, o.size_bytes AS sizeBytes, o.facts
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
    /** What was sent before stays in the books as it was sent. */
    replace(seq: number, payload: string, facts: string | null): void {
      freeze(seq);
      save.run(payload, facts, seq);
    },
    /** @param made Digest of the payload as it stands; null where it waits. */
    note: (seq: number, made: string | null, waits: boolean): void => void note.run(made, waits ? 1 : 0, seq),
  };
}

/** Messages that are not sent before their files are copied, and the files that they wait for. */
export function countWaiting(db: Database): { readonly messages: number; readonly files: number } {
  return db
    .prepare<[], { messages: number; files: number }>(
      `SELECT (SELECT count(*) FROM media_message WHERE waits = 1) AS messages,
         (SELECT count(DISTINCT u.file) FROM media_message mm JOIN media_use u ON u.message = mm.message
          JOIN media_file f ON f.id = u.file WHERE mm.waits = 1 AND f.state <> 'copied') AS files`,
    )
    .get()!;
}

/**
 * Names in `temp.chosen` what may be sent now: everything but messages that wait for a file, and what comes behind one in its
 * conversation, so that the order stays.
 */
export function chooseBeforeWaiting(db: Database): void {
  db.exec(`CREATE TEMP TABLE IF NOT EXISTS chosen (message INTEGER PRIMARY KEY);
    DELETE FROM temp.chosen;
    DROP TABLE IF EXISTS temp.stop;
    CREATE TEMP TABLE stop (conversation INTEGER PRIMARY KEY, sent_at INTEGER, sort_key TEXT, seq INTEGER);
    INSERT OR IGNORE INTO temp.stop SELECT m.conversation, m.sent_at, m.sort_key, m.seq
      FROM media_message mm JOIN message m ON m.seq = mm.message
      WHERE mm.waits = 1 AND m.verdict = 'planned' AND m.vanished = 0 ORDER BY m.sent_at, m.sort_key, m.seq;
    INSERT INTO temp.chosen SELECT m.seq FROM message m LEFT JOIN temp.stop s ON s.conversation = m.conversation
      WHERE m.verdict = 'planned' AND m.vanished = 0
        AND (s.conversation IS NULL OR (m.sent_at, m.sort_key, m.seq) < (s.sent_at, s.sort_key, s.seq));
    DROP TABLE temp.stop`);
}
