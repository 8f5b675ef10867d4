import type { Database } from 'better-sqlite3';
import type { ChangeKind } from '../model/change.ts';

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

/** Holds such messages while conversations are read, several at once: a temporary table, so memory stays flat. */
export function unknownThere(db: Database) {
  db.exec(`DROP TABLE IF EXISTS temp.unknown_there; CREATE TEMP TABLE unknown_there (
    conversation INTEGER, about TEXT, kind TEXT, place INTEGER, muid TEXT, serverId TEXT, sender TEXT, payload TEXT,
    sentAtMs INTEGER, sortKey TEXT, change TEXT, part INTEGER, PRIMARY KEY (conversation, about, kind, place)) WITHOUT ROWID`);
  const insert = db.prepare<[UnknownThere & { readonly conversation: number }]>(
    `INSERT OR IGNORE INTO temp.unknown_there VALUES
     (@conversation, @about, @kind, @place, @muid, @serverId, @sender, @payload, @sentAtMs, @sortKey, @change, @part)`,
  );
  const followed = db
    .prepare<[number], string>(
      `SELECT DISTINCT about FROM temp.unknown_there WHERE conversation = ? AND kind = 'follow-up'`,
    )
    .pluck();
  const about = db.prepare<[number, string, string], UnknownThere>(
    'SELECT * FROM temp.unknown_there WHERE conversation = ? AND about = ? AND kind = ? ORDER BY place',
  );
  const clear = db.prepare('DELETE FROM temp.unknown_there WHERE conversation = ?');
  return {
    add: (conversation: number, unknown: UnknownThere): void => void insert.run({ ...unknown, conversation }),
    /** Muids of messages that have follow-ups among them. Some 50 bytes each. */
    followed: (conversation: number): string[] => followed.all(conversation),
    /** In the order of the listing. */
    about: (conversation: number, muid: string, kind: UnknownThere['kind']): UnknownThere[] =>
      about.all(conversation, muid, kind),
    clear: (conversation: number): void => void clear.run(conversation),
  };
}
