import type { Database } from 'better-sqlite3';
import type { ChangeKind } from '../../model/change.ts';

/** Something of our making that a conversation shows and the books do not have, or have otherwise. */
export interface UnknownThere {
  /** By which it is listed. */
  readonly muid: string;
  /** The how-manieth of the listing. */
  readonly place: number;
  readonly serverId: string;
  /** Uid. */
  readonly sender: string;
  /** Its content, as a payload would have it. */
  readonly payload: string;
  /** As it is listed, in epoch ms; where a message of the books stands before it in the same second, the order key of that one. */
  readonly sentAtMs: number;
  readonly sortKey: string | null;
  /** What it says that it is. A version: a message itself, or a further part (from 2) of the message `about`. */
  readonly kind: 'version' | 'follow-up';
  /** Muid, at the destination, of the message that it follows or is a part of. */
  readonly about: string;
  readonly change: ChangeKind | null;
  readonly part: number | null;
}

/** A message, by its muid at the destination, that has follow-ups by somebody. */
export type Followed = Pick<UnknownThere, 'about' | 'sender'>;

/** Holds such messages while conversations are read, several at once: a temporary table, so memory stays flat. */
export function unknownThere(db: Database) {
  db.exec(`DROP TABLE IF EXISTS temp.unknown_there; CREATE TEMP TABLE unknown_there (
    conversation INTEGER, about TEXT, kind TEXT, place INTEGER, muid TEXT, serverId TEXT, sender TEXT, payload TEXT,
    sentAtMs INTEGER, sortKey TEXT, change TEXT, part INTEGER, PRIMARY KEY (conversation, kind, place)) WITHOUT ROWID;
    CREATE INDEX temp.unknown_about ON unknown_there (conversation, about, kind, place)`);
  const insert = db.prepare<[UnknownThere & { readonly conversation: number }]>(
    `INSERT OR IGNORE INTO temp.unknown_there VALUES
     (@conversation, @about, @kind, @place, @muid, @serverId, @sender, @payload, @sentAtMs, @sortKey, @change, @part)`,
  );
  const followed = db.prepare<[number], Followed>(
    `SELECT DISTINCT about, sender FROM temp.unknown_there WHERE conversation = ? AND kind = 'follow-up'`,
  );
  const versions = db.prepare<[number, string], UnknownThere>(
    `SELECT * FROM temp.unknown_there WHERE conversation = ? AND about = ? AND kind = 'version' ORDER BY place`,
  );
  const followUps = db.prepare<[number, number], UnknownThere>(
    `SELECT * FROM temp.unknown_there WHERE conversation = ? AND kind = 'follow-up' AND place > ? ORDER BY place LIMIT 200`,
  );
  const latest = db.prepare<[number, string, string], UnknownThere>(
    `SELECT * FROM temp.unknown_there WHERE conversation = ? AND about = ? AND sender = ? AND kind = 'follow-up' ORDER BY place DESC LIMIT 1`,
  );
  const clear = db.prepare('DELETE FROM temp.unknown_there WHERE conversation = ?');
  return {
    add: (conversation: number, unknown: UnknownThere): void => void insert.run({ ...unknown, conversation }),
    /** Messages that have follow-ups among them. Some 100 bytes each. */
    followed: (conversation: number): Followed[] => followed.all(conversation),
    /** A message with its further parts, as they are listed. */
    versions: (conversation: number, muid: string): UnknownThere[] => versions.all(conversation, muid),
    /** In the order of the listing. */
    *followUps(conversation: number): Generator<UnknownThere> {
      for (let place = -1; ; ) {
        const page = followUps.all(conversation, place);
        if (page.length === 0) return;
        yield* page;
        place = page.at(-1)!.place;
      }
    },
    latestFollowUp: (conversation: number, { about, sender }: Followed): UnknownThere =>
      latest.get(conversation, about, sender)!,
    clear: (conversation: number): void => void clear.run(conversation),
  };
}
