import { storedId } from '../lib/text/stored-id.ts';
import type { ConversationRecord } from '../model/records.ts';
import type { StagedConversation } from '../model/staged-item.ts';
import { SpilledMap } from './base/spilled-map.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';

interface ConversationNames {
  readonly sourceId: string;
  readonly name: string;
}

/** A message of a conversation, with what a destination said of it. */
export interface ConversationRow {
  readonly seq: number;
  /** In the plan: that of the first generation. */
  readonly muid: string;
  /** Ids at the source. */
  readonly conversation: string;
  readonly originId: string;
  readonly verdict: string;
  readonly state: string | null;
  readonly code: string | null;
  readonly serverId: string | null;
  readonly generation: number;
  /** `seq` of the message that a follow-up follows. */
  readonly follows: number | null;
}

interface Ordered extends ConversationRow {
  readonly sentAt: number;
  readonly sortKey: string;
}

/** A direct conversation that became a group, and the one of the same two people that stays. */
interface DuplicateDirect {
  readonly sourceId: string;
  readonly other: string;
}

const pageSize = 1_000;
const startOfConversation = { sentAt: Number.MIN_SAFE_INTEGER, sortKey: '', seq: 0 };

/** Above every time, in ms: what is named comes before what is recent. */
const namedBase = Number.MAX_SAFE_INTEGER;

/** Every row that names a conversation of the store. */
const named = `SELECT conversation FROM message WHERE conversation IS NOT NULL
  UNION ALL SELECT conversation FROM conversation_delivery
  UNION ALL SELECT conversation FROM conversation_check
  UNION ALL SELECT conversation FROM difference WHERE conversation IS NOT NULL
  UNION ALL SELECT conversation FROM export_gap
  UNION ALL SELECT subject FROM undo_call WHERE kind <> 'person'`;

/** Third people in direct conversations (needs `collectWriters`). */
const outsiders = `SELECT c.id, w.sender FROM conversation c JOIN temp.writer w ON w.conversation = c.id
  WHERE c.person_a IS NOT NULL AND c.receiver_type = 'user' AND w.sender NOT IN (c.person_a, c.person_b)`;

/** Written there at a destination, and not planned any more (after a narrower filter, say). No index finds it: it is collected once. */
const unplanned = (columns: string, isThere: string) =>
  `SELECT ${columns} FROM delivery d JOIN message m ON m.seq = d.message
   WHERE d.destination = ? AND ${isThere} AND m.verdict NOT IN ('planned', 'duplicate')`;

const columns = `m.seq, m.muid, c.source_id AS conversation, m.origin_id AS originId, m.verdict, d.state, d.code,
  d.server_id AS serverId, coalesce(d.generation, 1) AS generation, m.follows, m.sent_at AS sentAt, m.sort_key AS sortKey`;
const joined = `LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
  JOIN conversation c ON c.id = m.conversation`;

interface Page {
  readonly destination: number;
  readonly conversation: number;
  readonly sentAt: number;
  readonly sortKey: string;
  readonly seq: number;
}

const recent = `coalesce((SELECT max(m.sent_at) FROM message m WHERE m.conversation = conversation.id AND m.verdict = 'planned'), 0)`;

const statements = lateStatements({
  // An update in the same statement, or what it returns, would cost three times as much; names of parameters, a fifth more.
  add: sql<(string | number | null)[]>`
    INSERT INTO conversation (type, name, receiver_type, guid, person_a, person_b, details, record, is_placeholder, source_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source_id) DO NOTHING`,
  describe: sql<(string | number | null)[]>`
    UPDATE conversation SET (type, name, receiver_type, guid, person_a, person_b, details, record, is_placeholder) = (?, ?, ?, ?, ?, ?, ?, ?, ?)
    WHERE source_id = ? AND is_placeholder >= ?`,
  id: value<[sourceId: string], number>`SELECT id FROM conversation WHERE source_id = ?`,
  record: value<[sourceId: string], string>`SELECT record FROM conversation WHERE source_id = ?`,
  ids: value<[], number>`SELECT id FROM conversation`,
  names: sql<[id: number], ConversationNames>`SELECT source_id AS sourceId, name FROM conversation WHERE id = ?`,
  direct: value<[], number>`SELECT id FROM conversation WHERE person_a IS NOT NULL`,
  types: sql<[], ConversationTypes>`
    SELECT type, count(*) AS count, sum(iif(is_placeholder, 0, json_array_length(record, '$.members'))) AS members,
      sum(iif(is_placeholder, 1, json_array_length(record, '$.members') = 0)) AS empty FROM conversation GROUP BY type ORDER BY type`,
  shownName: value<[id: number], string>`
    SELECT iif(c.name <> '', c.name, coalesce(nullif(concat_ws(', ', a.name, b.name), ''), c.source_id)) FROM conversation c
    LEFT JOIN person a ON a.id = c.person_a LEFT JOIN person b ON b.id = c.person_b WHERE c.id = ?`,
  allNames: sql<[], ConversationNames>`SELECT source_id AS sourceId, name FROM conversation`,
  forget: sql<[ids: string]>`
    DELETE FROM conversation WHERE id IN (SELECT value FROM json_each(?)) AND id NOT IN (${named})`,
  namePriority: sql<{ priority: number; name: string }>`
    UPDATE conversation SET priority = @priority WHERE source_id = @name OR name = @name`,
  planned: sql<Page, Ordered>`
    SELECT ${columns} FROM message m ${joined}
    WHERE m.conversation = @conversation AND m.verdict = 'planned' AND ((m.vanished = 0 AND m.follows IS NULL) OR d.state IS NOT NULL)
      AND (m.sent_at, m.sort_key, m.seq) > (@sentAt, @sortKey, @seq) ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ${pageSize}`,
  unplanned: sql<Page, Ordered>`
    SELECT ${columns} FROM temp.unplanned u JOIN message m ON m.seq = u.message ${joined}
    WHERE u.conversation = @conversation AND m.seq > @seq ORDER BY m.seq LIMIT ${pageSize}`,
  collectUnplanned: sql<[destination: number]>`
    INSERT INTO temp.unplanned ${unplanned('m.conversation, m.seq', `d.state <> 'pending'`)}`,
  collectWriters: sql<[destination: number]>`
    INSERT OR IGNORE INTO temp.unplanned_writer ${unplanned('m.conversation, m.sender', `d.state = 'imported'`)}`,
  countParticipants: value<{ destination: number; conversation: number }, number>`
    SELECT count(*) FROM (
      SELECT m.sender FROM message m CROSS JOIN delivery d ON d.destination = @destination AND d.message = m.seq
      WHERE m.conversation = @conversation AND m.verdict = 'planned' AND d.state = 'imported'
      UNION SELECT sender FROM temp.unplanned_writer WHERE conversation = @conversation
      UNION SELECT a.person FROM arrival a CROSS JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
      WHERE a.kind = 'members' AND a.conversation = @conversation AND v.state IN ('imported', 'sent', 'leaving'))`,
  renew: sql<{ destination: number; message: number; muid: string }>`
    UPDATE delivery SET state = 'pending', generation = generation + 1, muid = @muid, server_id = NULL, code = NULL, detail = NULL,
      payload = NULL, is_late = 0 WHERE destination = @destination AND message = @message`,
  dropDelivery: sql<[destination: number, message: number]>`
    DELETE FROM delivery WHERE destination = ? AND message = ?`,
  reopenOutsiders: sql<[destination: number, conversation: number]>`
    UPDATE delivery SET state = 'pending', code = NULL, detail = NULL WHERE destination = ? AND code = 'late_outsider'
      AND message IN (SELECT seq FROM message WHERE conversation = ? AND verdict = 'planned')`,
  forgetAt: sql<[destination: number, conversation: number]>`
    DELETE FROM conversation_delivery WHERE destination = ? AND conversation = ?`,
  forgetArrivals: sql<[destination: number, conversation: number]>`
    DELETE FROM arrival_delivery WHERE destination = ? AND arrival IN
      (SELECT id FROM arrival WHERE kind IN ('groups', 'members') AND conversation = ?)`,
  groupOutsiders: sql<[]>`UPDATE conversation SET receiver_type = 'group' WHERE id IN (SELECT id FROM (${outsiders}))`,
  rejectOutsiders: sql<[]>`
    UPDATE message SET verdict = 'invalid', reason = 'outsider', detail = 'written by a third person in a direct conversation'
    WHERE verdict = 'planned' AND (conversation, sender) IN (${outsiders})`,
  duplicateDirects: sql<[], DuplicateDirect & { readonly id: number }>`
    SELECT id, sourceId, other FROM (
      SELECT id, source_id AS sourceId, row_number() OVER pair AS number, first_value(source_id) OVER pair AS other
      FROM conversation WHERE person_a IS NOT NULL AND receiver_type = 'user' AND id IN (SELECT conversation FROM temp.writer)
      WINDOW pair AS (PARTITION BY min(person_a, person_b), max(person_a, person_b) ORDER BY id))
    WHERE number > 1`,
  makeGroups: sql<[ids: string]>`
    UPDATE conversation SET receiver_type = 'group' WHERE id IN (SELECT value FROM json_each(?))`,
  countSilentMembers: value<[], number>`
    SELECT count(*) FROM conversation c, json_each(c.record, '$.members') AS member
    LEFT JOIN person p ON p.source_id = member.value
    WHERE c.is_placeholder = 0 AND c.receiver_type = 'group' AND +c.id IN (SELECT conversation FROM temp.writer)
      AND NOT EXISTS (SELECT 1 FROM temp.writer w WHERE w.conversation = c.id AND w.sender = p.id)`,
});

interface ConversationTypes {
  readonly type: string;
  readonly count: number;
  /** In all of them together. */
  readonly members: number;
  /** Conversations without a member. */
  readonly empty: number;
}

/** Conversations as an export describes them, and their messages at destinations. */
export class Conversations extends withStatements(statements) {
  /**
   * A description from a file wins over a placeholder, and over one that says no more than the id, whatever the order of reading.
   *
   * @param people Ids in the store of the two of a direct conversation.
   * @returns The id in the store.
   */
  save(conversation: StagedConversation, people: readonly [number, number] | null): number {
    const { type, name, receiverType, guid, details, record, isPlaceholder, isBare } = conversation;
    const sourceId = storedId(conversation.sourceId);
    const [a, b] = people ?? [null, null];
    const row = [type, name, receiverType, guid, a, b, details, record, Number(isPlaceholder), sourceId];
    const { changes, lastInsertRowid } = this.sql.add.run(...row);
    if (changes > 0) return Number(lastInsertRowid);
    this.sql.describe.run(...row, Number(isPlaceholder) + (isBare ? 1 : 0));
    return this.sql.id.get(sourceId)!;
  }

  id(sourceId: string): number | undefined {
    return this.sql.id.get(storedId(sourceId));
  }

  /** For a plan: what it knows of conversations, by their ids at the source. */
  openSpilledMap<Value>(): SpilledMap<Value> {
    return new SpilledMap(this.db, 'conversations');
  }

  /** As the latest plan read it. */
  record(sourceId: string): ConversationRecord | undefined {
    const record = this.sql.record.get(storedId(sourceId));
    return record === undefined ? undefined : (JSON.parse(record) as ConversationRecord);
  }

  names(id: number): ConversationNames | undefined {
    return this.sql.names.get(id);
  }

  /** Those of two people, by the export. */
  direct(): Iterable<number> {
    return this.sql.direct.iterate();
  }

  /** All of each type, and the members that the export gives them. */
  types(): ConversationTypes[] {
    return this.sql.types.all();
  }

  /** Where it has no name, those of its two people; else its id. */
  shownName(id: number): string {
    return this.sql.shownName.get(id) ?? '';
  }

  allNames(): Iterable<ConversationNames> {
    return this.sql.allNames.iterate();
  }

  /** Like that of people, and before it: a conversation names two of them. */
  forgetUnseen(seen: Pick<ReadonlySet<number>, 'has'>): void {
    const unseen = Array.from(Iterator.from(this.sql.ids.iterate()).filter((id) => !seen.has(id)));
    if (unseen.length > 0) this.sql.forget.run(JSON.stringify(unseen));
  }

  /**
   * Which conversations are sent before others: those that are named, in order, by id or name; then, where `byTime`, those
   * with the latest message. Equal priorities leave the choice to the uploader.
   */
  prioritize({ first, byTime }: { first: readonly string[]; byTime: boolean }): void {
    const priority = byTime ? recent : 0;
    this.db.exec(`UPDATE conversation SET priority = ${priority} WHERE priority <> ${priority}`);
    // From the last to the first: one that is named twice has its first place.
    for (const [place, name] of [...first.entries()].reverse())
      this.sql.namePriority.run({ priority: namedBase - place, name });
  }

  /** Finds what a destination has and is not planned any more: before `messages`. */
  collectUnplanned(destination: number): void {
    this.db.exec(
      'DROP TABLE IF EXISTS temp.unplanned; CREATE TEMP TABLE unplanned (conversation INTEGER, message INTEGER)',
    );
    this.sql.collectUnplanned.run(destination);
    this.db.exec('CREATE INDEX temp.unplanned_conversation ON unplanned (conversation)');
  }

  /**
   * Reads the messages of a conversation, a page at a time: planned ones in order, then delivered ones that are no longer
   * planned. Rows may be written between pages.
   */
  *messages(destination: number, conversation: number): Generator<readonly ConversationRow[]> {
    for (const select of [this.sql.planned, this.sql.unplanned]) {
      let place = startOfConversation;
      for (;;) {
        const page = select.all({ destination, conversation, ...place });
        if (page.length > 0) yield page;
        if (page.length < pageSize) break;
        const { sentAt, sortKey, seq } = page.at(-1)!;
        place = { sentAt, sortKey, seq };
      }
    }
  }

  /**
   * After a conversation was taken back (needs `collectUnplanned`): what was imported there is pending again, with the muid of its next
   * generation. May be repeated where it was interrupted.
   */
  putBack(destination: number, conversation: number, renewedMuid: (row: ConversationRow) => string): void {
    const putBack = this.db.transaction((rows: readonly ConversationRow[]) => {
      for (const row of rows) {
        // A follow-up's content is in the message itself when that is sent again.
        if (row.follows !== null) this.sql.dropDelivery.run(destination, row.seq);
        else if (row.state === 'imported')
          this.sql.renew.run({ destination, message: row.seq, muid: renewedMuid(row) });
      }
    });
    for (const page of this.messages(destination, conversation)) putBack(page);
  }

  /** A conversation is to a destination what it was before the first import. */
  forgetAt(destination: number, conversation: number): void {
    // A conversation between two that was one there may become a group now.
    this.sql.reopenOutsiders.run(destination, conversation);
    this.sql.forgetAt.run(destination, conversation);
    this.sql.forgetArrivals.run(destination, conversation);
  }

  /** Finds who wrote at a destination what is not planned any more: before `countParticipants`. */
  collectWriters(destination: number): void {
    this.db.exec(`
      CREATE TEMP TABLE IF NOT EXISTS unplanned_writer (conversation INTEGER, sender INTEGER, PRIMARY KEY (conversation, sender)) WITHOUT ROWID;
      DELETE FROM temp.unplanned_writer`);
    this.sql.collectWriters.run(destination);
  }

  /** How many people wrote in a conversation at a destination, or were imported as its members, as far as the store knows. */
  countParticipants(destination: number, conversation: number): number {
    return this.sql.countParticipants.get({ destination, conversation })!;
  }

  /**
   * Reverts the decisions of earlier plans about direct conversations in which a third person wrote, and about several
   * direct conversations of the same two people: the row that caused the decision may be gone or changed. The type that a
   * conversation has at a destination is kept there.
   */
  reopenDirect(policy: 'group' | 'reject'): void {
    this.db.exec(
      `UPDATE conversation SET receiver_type = 'user' WHERE receiver_type = 'group' AND person_a IS NOT NULL`,
    );
    if (policy === 'group') return;
    this.db.exec(`UPDATE message SET verdict = 'planned', reason = NULL, detail = NULL
      WHERE verdict IN ('skipped', 'invalid') AND verdict = 'invalid' AND reason = 'outsider' AND payload IS NOT NULL`);
  }

  /**
   * Handles direct conversations in which a third person wrote (needs `collectWriters`): they become groups, or the third
   * person's messages become invalid; their payload stays, because a later plan checks again.
   */
  placeOutsiders(policy: 'group' | 'reject'): void {
    this.sql[policy === 'group' ? 'groupOutsiders' : 'rejectOutsiders'].run();
  }

  /**
   * The service has one chat for two people (needs `collectWriters`): where an export has several direct conversations of
   * them, those behind the first become groups, so that none disturbs the order of another.
   */
  separateDuplicateDirects(): DuplicateDirect[] {
    const duplicates = this.sql.duplicateDirects.all();
    this.sql.makeGroups.run(JSON.stringify(duplicates.map(({ id }) => id)));
    return duplicates.map(({ sourceId, other }) => ({ sourceId, other }));
  }

  /** Members of groups who never wrote there: the service has no operation that adds them. */
  countSilentMembers(): number {
    return this.sql.countSilentMembers.get()!;
  }
}
