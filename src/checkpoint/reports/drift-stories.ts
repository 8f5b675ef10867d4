import type { Database } from 'better-sqlite3';

/** A change of a message at the source after it was sent to a destination. */
export interface DriftStory {
  readonly destination: string;
  readonly kind: string;
  readonly policy: string;
  readonly seenAtMs: number;
  /** Muid of the message that says so there. */
  readonly followUp: string | null;
}

/** Reads how messages changed, by their `seq`, in the order in which it was noticed. */
export function driftStories(db: Database): (message: number) => DriftStory[] {
  const select = db.prepare<[number], DriftStory>(
    `SELECT t.name AS destination, x.kind, x.policy, x.seen_at AS seenAtMs, f.muid AS followUp
     FROM drift x JOIN destination t ON t.id = x.destination LEFT JOIN message f ON f.seq = x.follow_up
     WHERE x.message = ? ORDER BY x.id`,
  );
  return (message) => select.all(message);
}
