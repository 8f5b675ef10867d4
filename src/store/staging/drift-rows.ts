import type { Database } from 'better-sqlite3';
import { pagesBySeq } from '../base/pages.ts';
import type { ChangeKind, DriftPolicy } from '../../model/change.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';

/** A change at the source of a message that may be at a destination. */
export interface Drift {
  readonly destination: number;
  readonly message: number;
  readonly kind: ChangeKind;
  readonly digestBefore: string;
  /** Digest of the current record; empty if its file no longer holds it. */
  readonly digest: string;
  readonly policy: DriftPolicy;
  readonly seenAtMs: number;
  /** Number of the plan that noticed it. */
  readonly plan: number;
  /** The message that says so there. */
  readonly followUp: number | null;
}

/** The digest of a message that its file no longer holds. */
export const goneDigest = '';

/** The digest of a version of which only a destination knows. */
export const unknownDigest = '?';

/** SQL: whether a delivery says that the message may be at the destination: it is not if it is pending or failed. */
const mayBeAtDestination = (delivery: string) => `${delivery}.state IN ('imported', 'existing', 'sent')`;

/** SQL: whether a change was noted while it was uncertain: people are notified once it is certain. */
const isOwed = (drift: string) => `${drift}.digest = '' AND ${drift}.policy = 'send' AND ${drift}.follow_up IS NULL`;

/** Notes changes, and knows what was noted before. The caller begins and commits, together with the change itself. */
export function driftRows(db: Database) {
  const where = db
    .prepare<[number], number>(
      `SELECT d.destination FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = ?
       WHERE ${mayBeAtDestination('d')} ORDER BY d.destination`,
    )
    .pluck();
  const insert = db.prepare(
    `INSERT INTO drift (destination, message, kind, digest_before, digest, policy, seen_at, plan, follow_up)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const first = db
    .prepare<[number, number], string>(
      'SELECT digest_before FROM drift WHERE message = ? AND destination = ? ORDER BY id LIMIT 1',
    )
    .pluck();
  const latest = db
    .prepare<[number, number], string>(
      'SELECT digest FROM drift WHERE message = ? AND destination = ? ORDER BY id DESC LIMIT 1',
    )
    .pluck();
  const latestIfOwed = `SELECT id FROM drift x WHERE x.message = ? AND x.destination = ?
    AND ${isOwed('x')} AND x.id = (SELECT max(id) FROM drift WHERE message = x.message AND destination = x.destination)`;
  const owed = db.prepare<[number, number]>(latestIfOwed);
  const tell = db.prepare<[number, number, number]>(`UPDATE drift SET follow_up = ? WHERE id = (${latestIfOwed})`);
  const all = db
    .prepare<[number, number], string>('SELECT digest FROM drift WHERE message = ? AND destination = ? ORDER BY id')
    .pluck();
  const link = db.prepare<[Pick<Drift, 'destination' | 'message' | 'digest' | 'followUp'>]>(
    `UPDATE drift SET follow_up = @followUp, policy = 'send' WHERE id = (SELECT id FROM drift
       WHERE message = @message AND destination = @destination AND digest = @digest AND follow_up IS NULL ORDER BY id LIMIT 1)`,
  );
  return {
    /** Returns the digests of every noted version of a message, in order. */
    digests: (message: number, destination: number): string[] => all.all(message, destination),
    /** A version that was noted, and of which the destination turns out to have been notified. */
    link: (notified: Pick<Drift, 'destination' | 'message' | 'digest' | 'followUp'>): void => void link.run(notified),
    /** Returns destinations that may have a message. */
    whereItMayBe: (message: number): number[] => where.all(message),
    note({ destination, message, kind, digestBefore, digest, policy, seenAtMs, plan, followUp }: Drift): void {
      insert.run(destination, message, kind, digestBefore, digest, policy, seenAtMs, plan, followUp);
    },
    /** Whether the last that was noted of a message is that its file no longer holds it. */
    isNotedGone: (message: number, destination: number): boolean => latest.get(message, destination) === goneDigest,
    /** Returns whether the last note is that it is gone, and people had to be notified of it and were not. */
    isOwed: (message: number, destination: number): boolean => owed.get(message, destination) !== undefined,
    /** Records that the owed notification was sent. */
    tell: (message: number, destination: number, followUp: number): void =>
      void tell.run(followUp, message, destination),
    /** Digest of the record that was sent there, where it has changed since. */
    sentDigest: (message: number, destination: number): string | undefined => first.get(message, destination),
  };
}

/** A message that its file no longer holds, and that may be at a destination. */
export interface VanishedMessage {
  readonly seq: number;
  readonly muid: string;
  readonly digest: string;
  readonly sentAtMs: number;
  readonly verdict: string;
  readonly payload: string | null;
  /** 1: its file could not be read to its end, so the message may still be in it. */
  readonly isUnconfirmed: number;
}

const pageSize = 1_000;

/** Codes of invalid rows and problems that stand for the rest of a file. */
const unreadRest = [
  ...[
    'json-cut-off',
    'json-syntax',
    'json-unreadable',
    'json-encoding',
    'json-not-an-array',
    'json-no-list',
    'json-empty',
  ],
  ...['json-trailing', 'unclosed-quote', 'unreadable-file', 'damaged-entry'],
]
  .map((code) => `'${code}'`)
  .join();

/**
 * Collects files that could not be read to their end. The part of a file after its last whole line has a file of its
 * own there, with its path.
 */
function collectUnread(db: Database): void {
  db.exec(`DROP TABLE IF EXISTS temp.unread_file;
    CREATE TEMP TABLE unread_file AS SELECT DISTINCT f.input, f.path FROM source_file f WHERE f.id IN (
      SELECT r.file FROM message r INDEXED BY message_muid WHERE r.muid IS NULL AND r.reason IN (${unreadRest})
      UNION SELECT p.file FROM problem p WHERE p.code IN (${unreadRest}));
    CREATE INDEX temp.unread_file_path ON unread_file (input, path)`);
}

/**
 * Yields messages not yet noted as gone, or not yet notified, in pages; the caller may note them between pages. A
 * message that the export called deleted was noted when the export said so.
 */
export function* vanishedMessages(db: Database): Generator<readonly VanishedMessage[]> {
  if (!hasMessageIndex(db, 'message_vanished')) return;
  collectUnread(db);
  const canBeTold = `m.verdict = 'planned' AND m.payload IS NOT NULL AND isUnconfirmed = 0`;
  const select = db.prepare<[number], VanishedMessage>(
    `SELECT m.seq, m.muid, m.record_digest AS digest, m.sent_at AS sentAtMs, m.verdict, m.payload,
       EXISTS (SELECT 1 FROM source_file f JOIN temp.unread_file u ON u.input = f.input AND u.path = f.path
         WHERE f.id = m.file) AS isUnconfirmed
     FROM message m WHERE m.vanished = 1 AND m.seq > ? AND coalesce(m.part, 1) = 1 AND m.verdict <> 'duplicate'
       AND (m.facts ->> '$.deleted') IS NULL
       AND EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = m.seq
         WHERE ${mayBeAtDestination('d')} AND coalesce((SELECT x.digest <> '' OR (${isOwed('x')} AND ${canBeTold}) FROM drift x
           WHERE x.message = m.seq AND x.destination = d.destination ORDER BY x.id DESC LIMIT 1), 1))
     ORDER BY m.seq LIMIT ${pageSize}`,
  );
  yield* pagesBySeq((after) => select.all(after), pageSize);
}
