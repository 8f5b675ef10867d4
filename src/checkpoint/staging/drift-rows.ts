import type { Database } from 'better-sqlite3';
import type { ChangeKind, DriftPolicy } from '../../model/change.ts';

/** A change at the source of a message that may be at a destination. */
export interface Drift {
  readonly destination: number;
  readonly message: number;
  readonly kind: ChangeKind;
  readonly digestBefore: string;
  /** Of the record since; empty where its file no longer holds it. */
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

/** Where a delivery says that the message may be there: it is not where it is pending or refused. */
export const mayBeThere = (delivery: string) => `${delivery}.state IN ('imported', 'present', 'sent')`;

/** Notes changes, and knows what was noted before. The caller begins and commits, together with the change itself. */
export function driftRows(db: Database) {
  const where = db
    .prepare<[number], number>(
      `SELECT d.destination FROM destination t CROSS JOIN delivery d ON d.destination = t.id AND d.message = ?
       WHERE ${mayBeThere('d')} ORDER BY d.destination`,
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
  const all = db
    .prepare<[number, number], string>('SELECT digest FROM drift WHERE message = ? AND destination = ? ORDER BY id')
    .pluck();
  const link = db.prepare<[Pick<Drift, 'destination' | 'message' | 'digest' | 'followUp'>]>(
    `UPDATE drift SET follow_up = @followUp, policy = 'send' WHERE id = (SELECT id FROM drift
       WHERE message = @message AND destination = @destination AND digest = @digest AND follow_up IS NULL ORDER BY id LIMIT 1)`,
  );
  return {
    /** Of every version that was noted of a message, in order. */
    digests: (message: number, destination: number): string[] => all.all(message, destination),
    /** A version that was noted, and of which the destination turns out to have been told. */
    link: (told: Pick<Drift, 'destination' | 'message' | 'digest' | 'followUp'>): void => void link.run(told),
    /** Destinations where a message may be. */
    whereThere: (message: number): number[] => where.all(message),
    note({ destination, message, kind, digestBefore, digest, policy, seenAtMs, plan, followUp }: Drift): void {
      insert.run(destination, message, kind, digestBefore, digest, policy, seenAtMs, plan, followUp);
    },
    /** Whether the last that was noted of a message is that its file no longer holds it. */
    isNotedGone: (message: number, destination: number): boolean => latest.get(message, destination) === goneDigest,
    /** Digest of the record that was sent there, where it has changed since. */
    sentDigest: (message: number, destination: number): string | undefined => first.get(message, destination),
  };
}
