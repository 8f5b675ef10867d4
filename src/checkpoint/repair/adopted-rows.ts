import type { Database } from 'better-sqlite3';
import { behind } from '../staging/follow-ups.ts';
import { createMergeIndexes, hasMessageIndex } from '../base/message-indexes.ts';
import type { UnknownThere } from './unknown-there.ts';

/** A message of the books, whatever its verdict, as a destination knows it. */
export interface AdoptingMessage {
  readonly seq: number;
  /** In the plan. */
  readonly muid: string;
  readonly conversation: number;
  /** Uid. */
  readonly sender: string;
  readonly sentAtMs: number;
  readonly recordDigest: string;
  readonly editedAtMs: number | null;
  /** JSON. */
  readonly facts: string | null;
  readonly payload: string | null;
  readonly state: string | null;
}

/** Rows for what a destination has of our making, and of which only it knows. The caller begins and commits. */
export function adoptedRows(db: Database, destination: number) {
  const columns = `m.seq, m.muid, m.conversation, p.uid AS sender, m.sent_at AS sentAtMs, m.record_digest AS recordDigest,
    m.edited_at AS editedAtMs, m.facts, m.payload, d.state`;
  const joined = `JOIN person p ON p.id = m.sender LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq`;
  const byMuid = db.prepare<[object], AdoptingMessage>(
    `SELECT ${columns} FROM message m ${joined} WHERE m.muid = @muid AND m.verdict <> 'repeated' AND d.muid IS NULL`,
  );
  const byRenewed = db.prepare<[object], AdoptingMessage>(
    `SELECT ${columns} FROM delivery r CROSS JOIN message m ON m.seq = r.message ${joined}
     WHERE r.destination = @destination AND r.muid = @muid AND m.verdict <> 'repeated'`,
  );
  const insert = (values: string) =>
    db.prepare<[object]>(
      `INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, record_digest, verdict, file, place, part, payload, follows, vanished)
       SELECT @muid, conversation, sender, origin_id, ${values} FROM message WHERE seq = @seq`,
    );
  const followUp = insert(
    `@sentAtMs, rtrim(coalesce(@sortKey, sort_key), '${behind}') || '${behind}', @muid, 'planned', file, place, 2, @payload, seq, 0`,
  );
  const part = insert(`sent_at, sort_key, record_digest, 'planned', file, place, @part, @payload, NULL, 1`);
  const followUpCount = db.prepare<[number], number>('SELECT count(*) FROM message WHERE follows = ?').pluck();
  const knownUpTo = db.prepare<[], number>('SELECT coalesce(max(seq), 0) FROM message').pluck().get()!;
  const sharesPlace = db.prepare<[number, number]>(
    `SELECT 1 FROM message added CROSS JOIN message m ON m.conversation = added.conversation AND m.sent_at = added.sent_at
       AND m.sort_key = added.sort_key AND m.verdict = 'planned' AND m.seq <= ? WHERE added.seq = ? LIMIT 1`,
  );
  const payloadThere = db
    .prepare<[number, number], string | null>('SELECT payload FROM delivery WHERE destination = ? AND message = ?')
    .pluck();
  return {
    find: (muid: string): AdoptingMessage | undefined =>
      byMuid.get({ destination, muid }) ?? byRenewed.get({ destination, muid }),
    /** @returns Its `seq`. */
    addFollowUp(seq: number, { muid, sentAtMs, sortKey, payload }: UnknownThere): number {
      // What asks for follow-ups needs their index; after a first plan there is none.
      if (!hasMessageIndex(db, 'message_follows')) createMergeIndexes(db);
      return Number(followUp.run({ seq, muid, sentAtMs, sortKey, payload }).lastInsertRowid);
    },
    /** Whether it stands where a message stood before these rows were added: nothing here says which of them comes first. */
    sharesPlace: (seq: number): boolean => sharesPlace.get(knownUpTo, seq) !== undefined,
    /** A further part that the version of now does not have. @returns Its `seq`. */
    addPart: (seq: number, muid: string, { part: number, payload }: UnknownThere): number =>
      Number(part.run({ seq, muid, part: number, payload }).lastInsertRowid),
    /** As it was sent, where the staged one is another. */
    payloadThere: (seq: number): string | null => payloadThere.get(destination, seq) ?? null,
    followUpCount: (seq: number): number => followUpCount.get(seq)!,
  };
}
