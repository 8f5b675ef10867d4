import type { Database } from 'better-sqlite3';
import type { ChangeKind } from '../../model/change.ts';
import { createMergeIndexes, hasMessageIndex } from '../base/message-indexes.ts';
import { inPages } from '../base/pages.ts';
import { lateStatements, sql, value, withStatements } from '../base/statements.ts';
import { behind } from '../base/message-sql.ts';
import { wholePayload } from '../base/packed-payload.ts';
/** A message of the store, whatever its verdict, as a destination knows it. */
interface AdoptingMessage {
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

/** A message made by Chatferry that a conversation shows and the store does not have, or has with other content. */
interface UnknownMessage {
  /** By which it is listed. */
  readonly muid: string;
  /** Its place in the listing. */
  readonly place: number;
  readonly serverId: string;
  /** Uid. */
  readonly sender: string;
  /** Its content, as a payload would have it. */
  readonly payload: string;
  /** Time in the listing, in epoch ms; and the order key of a message of the store, if that message precedes it in the same second. */
  readonly sentAtMs: number;
  readonly sortKey: string | null;
  /** Kind that it declares. A version: a message itself, or a further part (from 2) of the message `about`. */
  readonly kind: 'version' | 'follow-up';
  /** Muid, at the destination, of the message that it follows or is a part of. */
  readonly about: string;
  readonly change: ChangeKind | null;
  readonly part: number | null;
}

/** A message, by its muid at the destination, and the sender of its follow-ups. */
type Followed = Pick<UnknownMessage, 'about' | 'sender'>;

type ByMuid = { readonly destination: number; readonly muid: string };

const adopting = `m.seq, m.muid, m.conversation, p.uid AS sender, m.sent_at AS sentAtMs, m.record_digest AS recordDigest,
  m.edited_at AS editedAtMs, m.facts, ${wholePayload('m')} AS payload, d.state`;
const joined = `JOIN person p ON p.id = m.sender LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq`;
const insert = (values: string) => `
    INSERT INTO message (muid, conversation, sender, origin_id, sent_at, sort_key, record_digest, verdict, file, place, part, payload, follows, vanished)
    SELECT @muid, conversation, sender, origin_id, ${values} FROM message WHERE seq = @seq`;

const rowStatements = lateStatements({
  byMuid: sql<ByMuid, AdoptingMessage>`
    SELECT ${adopting} FROM message m ${joined} WHERE m.muid = @muid AND m.verdict <> 'duplicate' AND d.muid IS NULL`,
  byRenewed: sql<ByMuid, AdoptingMessage>`
    SELECT ${adopting} FROM delivery r CROSS JOIN message m ON m.seq = r.message ${joined}
    WHERE r.destination = @destination AND r.muid = @muid AND m.verdict <> 'duplicate'`,
  addFollowUp: sql<{ seq: number; muid: string; sentAtMs: number; sortKey: string | null; payload: string }>`${insert(
    `@sentAtMs, rtrim(coalesce(@sortKey, sort_key), '${behind}') || '${behind}', @muid, 'planned', file, place, 2, @payload, seq, 0`,
  )}`,
  addPart: sql<{ seq: number; muid: string; part: number | null; payload: string }>`${insert(
    `sent_at, sort_key, record_digest, 'planned', file, place, @part, @payload, NULL, 1`,
  )}`,
  countFollowUps: value<[seq: number], number>`SELECT count(*) FROM message WHERE follows = ?`,
  knownUpTo: value<[], number>`SELECT coalesce(max(seq), 0) FROM message`,
  sharesPlace: sql<[knownUpTo: number, added: number]>`
    SELECT 1 FROM message added CROSS JOIN message m ON m.conversation = added.conversation AND m.sent_at = added.sent_at
      AND m.sort_key = added.sort_key AND m.verdict = 'planned' AND m.seq <= ? WHERE added.seq = ? LIMIT 1`,
  payload: value<[destination: number, message: number], string | null>`
    SELECT payload FROM delivery WHERE destination = ? AND message = ?`,
});

/** Rows for what a destination has of our making, and of which only it knows. The caller begins and commits. */
export class AdoptedRows extends withStatements(rowStatements) {
  readonly #destination: number;
  readonly #knownUpTo: number;

  constructor(db: Database, destination: number) {
    super(db);
    this.#destination = destination;
    this.#knownUpTo = this.sql.knownUpTo.get()!;
  }

  find(muid: string): AdoptingMessage | undefined {
    const asked = { destination: this.#destination, muid };
    return this.sql.byMuid.get(asked) ?? this.sql.byRenewed.get(asked);
  }

  /** @returns Its `seq`. */
  addFollowUp(seq: number, { muid, sentAtMs, sortKey, payload }: UnknownMessage): number {
    // Queries for follow-ups need their index; after a first plan there is none.
    if (!hasMessageIndex(this.db, 'message_follows')) createMergeIndexes(this.db);
    return Number(this.sql.addFollowUp.run({ seq, muid, sentAtMs, sortKey, payload }).lastInsertRowid);
  }

  /**
   * Returns whether it has the same position as a message that was in the store before these rows were added: nothing
   * here says which of the two comes first.
   */
  sharesPlace(seq: number): boolean {
    return this.sql.sharesPlace.get(this.#knownUpTo, seq) !== undefined;
  }

  /** A further part that the version of now does not have. @returns Its `seq`. */
  addPart(seq: number, muid: string, { part, payload }: UnknownMessage): number {
    return Number(this.sql.addPart.run({ seq, muid, part, payload }).lastInsertRowid);
  }

  /** Payload that was sent, if it differs from the staged one. */
  payloadAtDestination(seq: number): string | null {
    return this.sql.payload.get(this.#destination, seq) ?? null;
  }

  followUpCount(seq: number): number {
    return this.sql.countFollowUps.get(seq)!;
  }
}

const unknown = 'SELECT * FROM temp.unknown_there WHERE conversation = ?';

const unknownStatements = lateStatements({
  add: sql<UnknownMessage & { readonly conversation: number }>`
    INSERT OR IGNORE INTO temp.unknown_there VALUES
    (@conversation, @about, @kind, @place, @muid, @serverId, @sender, @payload, @sentAtMs, @sortKey, @change, @part)`,
  followed: sql<[conversation: number], Followed>`
    SELECT DISTINCT about, sender FROM temp.unknown_there WHERE conversation = ? AND kind = 'follow-up'`,
  versions: sql<[conversation: number, about: string], UnknownMessage>`
    ${unknown} AND about = ? AND kind = 'version' ORDER BY place`,
  followUps: sql<[conversation: number, after: number], UnknownMessage>`
    ${unknown} AND kind = 'follow-up' AND place > ? ORDER BY place LIMIT 200`,
  latest: sql<[conversation: number, about: string, sender: string], UnknownMessage>`
    ${unknown} AND about = ? AND sender = ? AND kind = 'follow-up' ORDER BY place DESC LIMIT 1`,
  clear: sql<[conversation: number]>`DELETE FROM temp.unknown_there WHERE conversation = ?`,
});

/** Holds such messages while conversations are read, several at once: a temporary table, so memory stays flat. */
export class UnknownMessages extends withStatements(unknownStatements) {
  constructor(db: Database) {
    super(db);
    db.exec(`DROP TABLE IF EXISTS temp.unknown_there; CREATE TEMP TABLE unknown_there (
      conversation INTEGER, about TEXT, kind TEXT, place INTEGER, muid TEXT, serverId TEXT, sender TEXT, payload TEXT,
      sentAtMs INTEGER, sortKey TEXT, change TEXT, part INTEGER, PRIMARY KEY (conversation, kind, place)) WITHOUT ROWID;
      CREATE INDEX temp.unknown_about ON unknown_there (conversation, about, kind, place)`);
  }

  add(conversation: number, message: UnknownMessage): void {
    this.sql.add.run({ ...message, conversation });
  }

  /** Messages that have follow-ups among them. Some 100 bytes each. */
  followed(conversation: number): Followed[] {
    return this.sql.followed.all(conversation);
  }

  /** A message with its further parts, as they are listed. */
  versions(conversation: number, muid: string): UnknownMessage[] {
    return this.sql.versions.all(conversation, muid);
  }

  /** In the order of the listing. */
  followUps(conversation: number): Iterable<UnknownMessage> {
    return inPages('place', (after) => this.sql.followUps.all(conversation, after));
  }

  latestFollowUp(conversation: number, { about, sender }: Followed): UnknownMessage {
    return this.sql.latest.get(conversation, about, sender)!;
  }

  clear(conversation: number): void {
    this.sql.clear.run(conversation);
  }
}
