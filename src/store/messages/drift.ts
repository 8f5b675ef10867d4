import { type ChangeKind, type DriftPolicy, goneDigest } from '../../model/change.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';
import { pagesBySeq } from '../base/pages.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import { wholePayload } from '../base/packed-payload.ts';

/** A change at the source of a message that may be at a destination. */
interface DriftRow {
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

/** A message that its file no longer holds, and that may be at a destination. */
interface VanishedMessage {
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

/** SQL: whether a delivery says that the message may be at the destination: it is not if it is pending or failed. */
const mayBeAtDestination = (delivery: string) => `${delivery}.state IN ('imported', 'existing', 'sent')`;

/** SQL: whether a change was noted while it was uncertain: people are notified once it is certain. */
const isOwed = (drift: string) => `${drift}.digest = '' AND ${drift}.policy = 'send' AND ${drift}.follow_up IS NULL`;

const canBeTold = `m.verdict = 'planned' AND m.payload IS NOT NULL AND isUnconfirmed = 0`;

/** The latest change that was noted, if it is owed. */
const latestIfOwed = `SELECT id FROM drift x WHERE x.message = ? AND x.destination = ?
  AND ${isOwed('x')} AND x.id = (SELECT max(id) FROM drift WHERE message = x.message AND destination = x.destination)`;

type Place = [message: number, destination: number];
type Link = Pick<DriftRow, 'destination' | 'message' | 'digest' | 'followUp'>;

const statements = lateStatements({
  places: value<[message: number], number>`
    SELECT d.destination FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = ?
    WHERE ${mayBeAtDestination('d')} ORDER BY d.destination`,
  note: sql<DriftRow>`
    INSERT INTO drift (destination, message, kind, digest_before, digest, policy, seen_at, plan, follow_up)
    VALUES (@destination, @message, @kind, @digestBefore, @digest, @policy, @seenAtMs, @plan, @followUp)`,
  sentDigest: value<Place, string>`
    SELECT digest_before FROM drift WHERE message = ? AND destination = ? ORDER BY id LIMIT 1`,
  latest: value<Place, string>`SELECT digest FROM drift WHERE message = ? AND destination = ? ORDER BY id DESC LIMIT 1`,
  digests: value<Place, string>`SELECT digest FROM drift WHERE message = ? AND destination = ? ORDER BY id`,
  owed: sql<Place>`${latestIfOwed}`,
  tell: sql<[followUp: number, ...Place]>`UPDATE drift SET follow_up = ? WHERE id = (${latestIfOwed})`,
  link: sql<Link>`
    UPDATE drift SET follow_up = @followUp, policy = 'send' WHERE id = (SELECT id FROM drift
      WHERE message = @message AND destination = @destination AND digest = @digest AND follow_up IS NULL ORDER BY id LIMIT 1)`,
  vanished: sql<[after: number], VanishedMessage>`
    SELECT m.seq, m.muid, m.record_digest AS digest, m.sent_at AS sentAtMs, m.verdict, ${wholePayload('m')} AS payload,
      EXISTS (SELECT 1 FROM source_file f JOIN temp.unread_file u ON u.input = f.input AND u.path = f.path
        WHERE f.id = m.file) AS isUnconfirmed
    FROM message m WHERE m.vanished = 1 AND m.seq > ? AND coalesce(m.part, 1) = 1 AND m.verdict <> 'duplicate'
      AND (m.facts ->> '$.deleted') IS NULL
      AND EXISTS (SELECT 1 FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = m.seq
        WHERE ${mayBeAtDestination('d')} AND coalesce((SELECT x.digest <> '' OR (${isOwed('x')} AND ${canBeTold}) FROM drift x
          WHERE x.message = m.seq AND x.destination = d.destination ORDER BY x.id DESC LIMIT 1), 1))
    ORDER BY m.seq LIMIT ${pageSize}`,
});

/** Changes at the source, and what was noted of them before. The caller begins and commits, together with the change itself. */
export class Drift extends withStatements(statements) {
  /** Destinations that may have a message. */
  places(message: number): number[] {
    return this.sql.places.all(message);
  }

  note(drift: DriftRow): void {
    this.sql.note.run(drift);
  }

  /** The digests of every noted version of a message, in order. */
  digests(message: number, destination: number): string[] {
    return this.sql.digests.all(message, destination);
  }

  /** Digest of the record that was sent there, where it has changed since. */
  sentDigest(message: number, destination: number): string | undefined {
    return this.sql.sentDigest.get(message, destination);
  }

  /** Whether the last that was noted of a message is that its file no longer holds it. */
  isNotedGone(message: number, destination: number): boolean {
    return this.sql.latest.get(message, destination) === goneDigest;
  }

  /** Whether the last note is that it is gone, and people had to be notified of it and were not. */
  isOwed(message: number, destination: number): boolean {
    return this.sql.owed.get(message, destination) !== undefined;
  }

  /** Records that the owed notification was sent. */
  tell(message: number, destination: number, followUp: number): void {
    this.sql.tell.run(followUp, message, destination);
  }

  /** A version that was noted, and of which the destination turns out to have been notified. */
  link(notified: Link): void {
    this.sql.link.run(notified);
  }

  /**
   * Yields messages not yet noted as gone, or not yet notified, in pages; the caller may note them between pages. A
   * message that the export called deleted was noted when the export said so.
   */
  *vanished(): Generator<readonly VanishedMessage[]> {
    if (!hasMessageIndex(this.db, 'message_vanished')) return;
    // Files that could not be read to their end. The part of a file after its last whole line has a file of its own there, with its path.
    this.db.exec(`DROP TABLE IF EXISTS temp.unread_file;
      CREATE TEMP TABLE unread_file AS SELECT DISTINCT f.input, f.path FROM source_file f WHERE f.id IN (
        SELECT r.file FROM message r INDEXED BY message_muid WHERE r.muid IS NULL AND r.reason IN (${unreadRest})
        UNION SELECT p.file FROM problem p WHERE p.code IN (${unreadRest}));
      CREATE INDEX temp.unread_file_path ON unread_file (input, path)`);
    yield* pagesBySeq((after) => this.sql.vanished.all(after));
  }
}
