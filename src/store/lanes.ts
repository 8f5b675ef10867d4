import { isPending, touchedSince, unsettled } from './base/delivery-sql.ts';
import { insideConversations, insideMessages } from './base/inside-messages.ts';
import { createMergeIndexes, hasMessageIndex } from './base/message-indexes.ts';
import { inPages } from './base/pages.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';
import { purgedPayload, type RowByMuid, RowsByMuid, triedState } from './lanes/rows-by-muid.ts';
import { wholePayload } from './base/packed-payload.ts';

export interface StoredLane {
  readonly conversation: number;
  readonly sourceId: string;
  readonly guid: string;
  /** JSON. */
  readonly groupDetails: string;
  readonly personA: number | null;
  readonly personB: number | null;
  /** Fixed at the first intent there. */
  readonly receiverType: 'user' | 'group';
  readonly conversationId: string | null;
  readonly lastServerId: string | null;
  /** 1: its group was imported before its messages, or was there. */
  readonly isGroupThere: number;
  /** Greater ones are sent first. */
  readonly priority: number;
  readonly pending: number;
  readonly doubtful: number;
}

/** Conversations with something to send or unconfirmed: there may be a million of them. `Lanes.pending` asked again drops them. */
export interface PendingLanes {
  /** Of those with nothing unconfirmed. */
  readonly clearCount: number;
  /** Messages of those to send. */
  readonly clearPending: number;
  /** Messages to send or unconfirmed, of all. */
  readonly pendingCount: number;
  /** By id. At most those that were in flight when a run was killed, or that stayed without an answer. */
  readonly doubtful: () => StoredLane[];
  /** Those with nothing unconfirmed in the order of sending: by priority, then the longest first. */
  readonly clear: () => Iterable<StoredLane>;
}

/** Conversations to read back: there may be a million of them. */
interface TouchedLanes {
  /** Messages of theirs that are there as far as the store knows. */
  readonly deliveredCount: number;
  /** By id. */
  readonly all: () => Iterable<StoredLane>;
}

export interface NextRow extends Omit<RowByMuid, 'conversation'> {
  /** 1: nothing at all was ever written down of it there. */
  readonly isNew?: number;
}

/** A message as a filter is asked about it. */
export interface CandidateRow {
  readonly seq: number;
  readonly muid: string | null;
  readonly originId: string | null;
  /** Ids in the store. */
  readonly conversation: number | null;
  readonly sender: number | null;
  readonly sentAtMs: number | null;
  /** JSON. */
  readonly facts: string | null;
  /** From 1, if the text was split; the row of the first part has the facts of all. */
  readonly part: number | null;
  /** JSON; read only on request, by filters that look at texts. */
  readonly payload: string | null;
}

/** The code of a pending message whose requests got no answer. The message or the destination may be the cause. */
export const quarantinedCode = 'quarantined';

/** A place in the order of a conversation: time, sort key, `seq`. */
type Place = readonly [sentAt: number, sortKey: string, seq: number];

interface OrderKey {
  readonly sent_at: number;
  readonly sort_key: string;
  readonly seq: number;
}

/** For a query in which `m` is the message: only those that were chosen. */
const amongChosen = ' AND m.seq IN (SELECT message FROM temp.chosen)';
const isQuarantined = `d.destination = ? AND d.state = 'pending' AND d.code = '${quarantinedCode}'`;

/** The arrival of a group, where a destination has it. `orElse`: in these states as well. */
export const arrivedGroup = (destination: string, conversation: string, orElse = 'false') => `
  SELECT v.is_ours AS isOurs FROM arrival a JOIN arrival_delivery v ON v.destination = ${destination} AND v.arrival = a.id
  WHERE a.kind = 'groups' AND a.conversation = ${conversation} AND a.person = 0 AND (v.state IN ('imported', 'existing') OR ${orElse})`;

/** Columns of a conversation `c` and of its state at a destination, `cd`. */
const lane = `c.id AS conversation, c.source_id AS sourceId, c.guid, c.details AS groupDetails,
  c.person_a AS personA, c.person_b AS personB, coalesce(cd.receiver_type, c.receiver_type) AS receiverType,
  cd.conversation_id AS conversationId, cd.last_server_id AS lastServerId, c.priority,
  EXISTS (${arrivedGroup('@destination', 'c.id')}) AS isGroupThere`;
const laneJoin = 'LEFT JOIN conversation_delivery cd ON cd.destination = @destination AND cd.conversation = c.id';
const idleLane = `${lane}, 0 AS pending, 0 AS doubtful`;

const collectPending = (among: string) => `
    INSERT INTO temp.pending_lane (conversation, pending, doubtful)
    SELECT c.id, p.pending, p.doubtful
    FROM (SELECT m.conversation, sum(m.verdict = 'planned' AND m.vanished = 0 AND ${isPending}${among}) AS pending,
            coalesce(sum(d.state = 'sent'), 0) AS doubtful
          FROM message m LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
          WHERE (${isPending} OR d.state = 'sent') AND (m.verdict = 'planned' OR (m.verdict <> 'duplicate' AND d.state = 'sent'))
          GROUP BY m.conversation) p
    JOIN conversation c ON c.id = p.conversation
    WHERE p.pending > 0 OR p.doubtful > 0
    ORDER BY c.priority DESC, p.pending DESC, c.id DESC`;
const pendingLane = `
    SELECT ${lane}, t.place, t.pending, t.doubtful
    FROM temp.pending_lane t CROSS JOIN conversation c ON c.id = t.conversation ${laneJoin}`;

const isInside = `c.id IN (${insideConversations})`;
const isPlanned = `EXISTS (SELECT 1 FROM message m WHERE m.conversation = c.id AND m.verdict = 'planned')`;
const planned = (where: string) => `
    SELECT ${idleLane} FROM conversation c ${laneJoin}
    WHERE c.id > @after AND (cd.conversation IS NOT NULL OR ${isPlanned}) AND ${where} ORDER BY c.id LIMIT 200`;
const touched = (where: string) => `
    SELECT ${idleLane} FROM temp.touched t CROSS JOIN conversation c ON c.id = t.conversation ${laneJoin}
    WHERE t.conversation > @after AND ${where} ORDER BY t.conversation LIMIT 200`;
const isGood = (which: string) => `d.destination = ? AND d.state IN ('imported', 'existing') AND ${which}`;
const inTouched = `temp.touched t CROSS JOIN message m ON m.conversation = t.conversation AND m.verdict = 'planned'
      JOIN delivery d ON d.message = m.seq`;

/** As it was sent, or would be. */
const payloadAtDestination = `coalesce(d.payload, ${wholePayload('m')}, '${purgedPayload}')`;
const rowColumns = 'm.seq, coalesce(d.muid, m.muid) AS muid, m.sent_at AS sentAtMs, m.sort_key AS sortKey, m.sender';
const next = (among: string) => `
    SELECT ${rowColumns}, ${wholePayload('m')} AS payload, ${triedState} AS delivery, d.message IS NULL AS isNew, 0 AS late
    FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.conversation = ? AND m.verdict = 'planned' AND (m.sent_at, m.sort_key, m.seq) > (?, ?, ?)
      AND ${isPending} AND m.vanished = 0${among}
    ORDER BY m.sent_at, m.sort_key, m.seq LIMIT ?`;
const last = (verdicts: string) => `
    SELECT m.sent_at, m.sort_key, m.seq FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.conversation = ? AND m.verdict ${verdicts} AND d.state IN ('imported', 'existing')
    ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1`;

const candidates = (payload: string) => `
    SELECT m.seq, m.muid, m.origin_id AS originId, m.conversation, m.sender, m.sent_at AS sentAtMs, m.facts, m.part,
      ${payload} AS payload
    FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.seq > ? AND m.follows IS NULL AND (m.verdict = 'planned' OR (m.verdict <> 'duplicate' AND d.state <> 'pending'))
    ORDER BY m.seq LIMIT 1000`;

type At = { readonly destination: number };
type NextRows = [destination: number, conversation: number, ...Place, limit: number];

const statements = lateStatements({
  collectPending: sql<At>`${collectPending('')}`,
  collectPendingChosen: sql<At>`${collectPending(amongChosen)}`,
  countPending: sql<[], Pick<PendingLanes, 'clearCount' | 'clearPending' | 'pendingCount'>>`
    SELECT coalesce(sum(doubtful = 0), 0) AS clearCount, coalesce(sum(iif(doubtful = 0, pending, 0)), 0) AS clearPending,
      coalesce(sum(pending + doubtful), 0) AS pendingCount FROM temp.pending_lane`,
  clear: sql<At & { after: number }, StoredLane & { place: number }>`${pendingLane}
    WHERE t.place > @after AND t.doubtful = 0 ORDER BY t.place LIMIT 200`,
  allDoubtful: sql<At, StoredLane>`${pendingLane} WHERE t.doubtful > 0 ORDER BY t.conversation`,
  pendingConversations: sql<[after: number], { place: number; conversation: number }>`
    SELECT place, conversation FROM temp.pending_lane WHERE place > ? ORDER BY place LIMIT 1000`,
  find: sql<At & { conversation: number }, StoredLane>`
    SELECT ${idleLane} FROM conversation c ${laneJoin} WHERE c.id = @conversation`,
  ofMessage: sql<At & { muid: string }, StoredLane>`
    SELECT ${idleLane} FROM message m JOIN conversation c ON c.id = m.conversation ${laneJoin}
    WHERE m.muid = @muid AND m.verdict <> 'duplicate'`,
  toRetry: sql<At, StoredLane>`
    SELECT ${lane}, r.pending, 0 AS doubtful
    FROM (SELECT conversation, count(*) AS pending FROM temp.retried GROUP BY conversation) r
    JOIN conversation c ON c.id = r.conversation ${laneJoin} ORDER BY c.id`,
  toPurge: sql<At & { after: number }, StoredLane>`
    SELECT ${idleLane} FROM conversation c ${laneJoin}
    WHERE c.id > @after AND cd.conversation IS NOT NULL AND c.id IN (SELECT conversation FROM temp.purgeable)
    ORDER BY c.id LIMIT 200`,
  planned: sql<At & { after: number }, StoredLane>`${planned('true')}`,
  plannedInside: sql<At & { after: number }, StoredLane>`${planned(isInside)}`,
  touched: sql<At & { after: number }, StoredLane>`${touched('true')}`,
  touchedInside: sql<At & { after: number }, StoredLane>`${touched(isInside)}`,
  countGood: value<[destination: number], number>`SELECT count(*) FROM delivery d WHERE ${isGood('true')}`,
  countGoodInside: value<[destination: number], number>`
    SELECT count(*) FROM delivery d WHERE ${isGood(`d.message IN (${insideMessages})`)}`,
  countTouched: value<[destination: number], number>`SELECT count(*) FROM ${inTouched} AND ${isGood('true')}`,
  countTouchedInside: value<[destination: number], number>`
    SELECT count(*) FROM ${inTouched} AND ${isGood(`d.message IN (${insideMessages})`)}`,
  collectTouched: sql<At & { run: number }>`INSERT OR IGNORE INTO temp.touched ${touchedSince}`,
  collectUnsettled: sql<At>`INSERT OR IGNORE INTO temp.touched ${unsettled}`,
  choose: sql<[message: number]>`INSERT OR IGNORE INTO temp.chosen VALUES (?)`,
  chooseQuarantined: sql<[destination: number]>`
    INSERT INTO temp.chosen SELECT message FROM delivery d WHERE ${isQuarantined}`,
  countQuarantined: value<[destination: number], number>`SELECT count(*) FROM delivery d WHERE ${isQuarantined}`,
  next: sql<NextRows, NextRow>`${next('')}`,
  nextChosen: sql<NextRows, NextRow>`${next(amongChosen)}`,
  doubtful: sql<[destination: number, conversation: number], NextRow>`
    SELECT ${rowColumns}, ${payloadAtDestination} AS payload, d.state AS delivery, d.is_late AS late
    FROM batch b CROSS JOIN delivery d ON d.batch = b.id AND d.destination = b.destination CROSS JOIN message m ON m.seq = d.message
    WHERE b.destination = ? AND b.state = 'open' AND m.conversation = ? AND d.state = 'sent' AND m.verdict <> 'duplicate'
    ORDER BY m.sent_at, m.sort_key, m.seq`,
  hasRenewedMuids: sql<[destination: number]>`
    SELECT 1 FROM delivery WHERE destination = ? AND muid IS NOT NULL LIMIT 1`,
  // CROSS: in this order. SQLite would else go through every muid of the destination.
  currentMuid: value<[destination: number, muid: string], string>`
    SELECT d.muid FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
    WHERE m.muid = ? AND d.muid IS NOT NULL`,
  lastPlanned: sql<[destination: number, conversation: number], OrderKey>`${last(`= 'planned'`)}`,
  lastUnplanned: sql<[destination: number, conversation: number], OrderKey>`${last(`IN ('skipped', 'invalid')`)}`,
  candidates: sql<[destination: number, after: number], CandidateRow>`${candidates('NULL')}`,
  candidatesWithPayload: sql<[destination: number, after: number], CandidateRow>`
    ${candidates(`coalesce(${wholePayload('m')}, d.payload)`)}`,
  addInside: sql<[message: number]>`INSERT INTO temp.inside VALUES (?)`,
  addInsideConversation: sql<[conversation: number | null]>`INSERT OR IGNORE INTO temp.inside_conversation VALUES (?)`,
  isInside: sql<[message: number]>`SELECT 1 FROM temp.inside WHERE message = ?`,
  addFollowUps: sql<[]>`
    INSERT INTO temp.inside SELECT f.seq FROM message f WHERE f.follows IN (${insideMessages})`,
});

/** Conversations as a destination gets them, and their messages in the order of sending. */
export class Lanes extends withStatements(statements) {
  #hasUnplanned = false;

  /**
   * Conversations with something to send or unconfirmed at a destination, as they are now: a temporary table of this connection,
   * so memory stays flat whatever their number.
   *
   * @param chosenOnly Only what `choose` named counts as something to send.
   */
  pending(destination: number, chosenOnly = false): PendingLanes {
    this.#collectPending(destination, chosenOnly);
    return {
      ...this.sql.countPending.get()!,
      doubtful: () => this.sql.allDoubtful.all({ destination }),
      clear: () => inPages('place', (after) => this.sql.clear.all({ destination, after })),
    };
  }

  #collectPending(destination: number, chosenOnly = false): void {
    this.db.exec(`
      CREATE TEMP TABLE IF NOT EXISTS pending_lane (place INTEGER PRIMARY KEY, conversation INTEGER, pending INTEGER, doubtful INTEGER);
      DELETE FROM temp.pending_lane`);
    this.sql[chosenOnly ? 'collectPendingChosen' : 'collectPending'].run({ destination });
  }

  find(destination: number, conversation: number): StoredLane {
    return this.sql.find.get({ destination, conversation })!;
  }

  /** The conversation of a message. */
  ofMessage(destination: number, muid: string): StoredLane | undefined {
    return this.sql.ofMessage.get({ destination, muid });
  }

  /** The conversations of what was chosen among failures (`Failures.choose`). `pending` counts those messages alone. */
  toRetry(destination: number): StoredLane[] {
    return this.sql.toRetry.all({ destination });
  }

  /** Conversations in which a destination has something that is to be purged (`Checks.choosePurgeable`), by id. */
  toPurge(destination: number): Iterable<StoredLane> {
    return inPages('conversation', (after) => this.sql.toPurge.all({ destination, after }));
  }

  /** Everything that is planned or was ever sent to: something of ours may be there although the store, an old copy, says that nothing was sent. */
  all(destination: number, insideOnly = false): TouchedLanes {
    const page = this.sql[insideOnly ? 'plannedInside' : 'planned'];
    return {
      deliveredCount: this.sql[insideOnly ? 'countGoodInside' : 'countGood'].get(destination)!,
      all: () => inPages('conversation', (after) => page.all({ destination, after })),
    };
  }

  /**
   * Conversations that runs after this one touched, and unless `isOnlySince` those that were not found without a difference before.
   */
  touched(
    destination: number,
    run: number,
    { insideOnly, isOnlySince }: { readonly insideOnly: boolean; readonly isOnlySince: boolean },
  ): TouchedLanes {
    this.db.exec(
      'CREATE TEMP TABLE IF NOT EXISTS touched (conversation INTEGER PRIMARY KEY); DELETE FROM temp.touched',
    );
    this.sql.collectTouched.run({ destination, run });
    if (!isOnlySince) this.sql.collectUnsettled.run({ destination });
    const page = this.sql[insideOnly ? 'touchedInside' : 'touched'];
    return {
      deliveredCount: this.sql[insideOnly ? 'countTouchedInside' : 'countTouched'].get(destination)!,
      all: () => inPages('conversation', (after) => page.all({ destination, after })),
    };
  }

  /** Place of the last message of a conversation that a destination has, whether or not it would be sent today. */
  deliveredUpTo(destination: number, conversation: number): Place | undefined {
    const planned = this.sql.lastPlanned.get(destination, conversation);
    const unplanned = this.#findsUnplanned() ? this.sql.lastUnplanned.get(destination, conversation) : undefined;
    const row = planned && unplanned && isBefore(planned, unplanned) ? unplanned : (planned ?? unplanned);
    return row && [row.sent_at, row.sort_key, row.seq];
  }

  /** Of every conversation with something to send that has one. */
  *deliveredPlaces(destination: number): Generator<readonly [conversation: number, place: Place]> {
    this.#collectPending(destination);
    for (const { conversation } of inPages('place', (after) => this.sql.pendingConversations.all(after))) {
      const upTo = this.deliveredUpTo(destination, conversation);
      if (upTo) yield [conversation, upTo];
    }
  }

  /** Messages that were sent and are left out by now. Before files were read again there are none. */
  #findsUnplanned(): boolean {
    if (this.#hasUnplanned || !hasMessageIndex(this.db, 'message_follows')) return this.#hasUnplanned;
    // A store that was migrated lacks one of them.
    createMergeIndexes(this.db);
    this.#hasUnplanned = true;
    return true;
  }

  /**
   * Names the messages that a run may send, by `seq`; those of an earlier call are dropped. A temporary table of this
   * connection, so memory stays flat whatever their number.
   */
  choose(messages: Iterable<number>): void {
    this.db.exec('CREATE TEMP TABLE IF NOT EXISTS chosen (message INTEGER PRIMARY KEY); DELETE FROM temp.chosen');
    this.db.transaction(() => {
      for (const message of messages) this.sql.choose.run(message);
    })();
  }

  /** `choose` for what runs have quarantined. */
  chooseQuarantined(destination: number): void {
    this.choose([]);
    this.sql.chooseQuarantined.run(destination);
  }

  /** Messages that a destination is still to get, and that runs have quarantined. */
  countQuarantined(destination: number): number {
    return this.sql.countQuarantined.get(destination)!;
  }

  /**
   * Reads what is pending of one conversation, in order, from behind a cursor.
   *
   * @param chosenOnly Only what `choose` named.
   */
  next(
    destination: number,
    { conversation, cursor }: { readonly conversation: number; readonly cursor: Place },
    { limit, chosenOnly = false }: { readonly limit: number; readonly chosenOnly?: boolean | undefined },
  ): NextRow[] {
    return this.sql[chosenOnly ? 'nextChosen' : 'next'].all(destination, conversation, ...cursor, limit);
  }

  /**
   * Returns messages of one conversation that were sent and never answered, in order, whatever their current verdict; in
   * the version that was sent, if it differs from the staged one.
   */
  doubtful(destination: number, conversation: number): NextRow[] {
    return this.sql.doubtful.all(destination, conversation);
  }

  /** Messages by the muids that they have at a destination. */
  openRowsByMuid(destination: number): RowsByMuid {
    return new RowsByMuid(this.db, destination);
  }

  /** Whether messages were taken back at a destination, so that their muids there are no longer those of the plan. */
  hasRenewedMuids(destination: number): boolean {
    return this.sql.hasRenewedMuids.get(destination) !== undefined;
  }

  /**
   * Returns the muid under which a destination knows a message, or will know it, by its muid in the plan. A muid that the
   * store does not have is returned unchanged.
   */
  currentMuid(destination: number, muid: string): string {
    return this.sql.currentMuid.get(destination, muid) ?? muid;
  }

  /**
   * Asks of every message that is planned or was ever sent to a destination whether it is inside, and writes those down, each with
   * its follow-ups (`base/inside-messages.ts`).
   *
   * @returns How many are.
   */
  chooseInside(
    { destination, withPayload }: { readonly destination: number; readonly withPayload: boolean },
    isInside: (row: CandidateRow) => boolean,
  ): number {
    this.db.exec(`
      CREATE TEMP TABLE IF NOT EXISTS inside (message INTEGER PRIMARY KEY);
      CREATE TEMP TABLE IF NOT EXISTS inside_conversation (conversation INTEGER PRIMARY KEY);
      DELETE FROM temp.inside;
      DELETE FROM temp.inside_conversation`);
    const { addInside, addInsideConversation, addFollowUps } = this.sql;
    const select = this.sql[withPayload ? 'candidatesWithPayload' : 'candidates'];
    const write = this.db.transaction((rows: readonly CandidateRow[]) => {
      for (const row of rows) {
        addInside.run(row.seq);
        addInsideConversation.run(row.conversation);
      }
    });
    let count = 0;
    for (let page = select.all(destination, 0); page.length > 0; page = select.all(destination, page.at(-1)!.seq)) {
      const inside = page.filter(isInside);
      write(inside);
      count += inside.length;
    }
    return hasMessageIndex(this.db, 'message_follows') ? count + addFollowUps.run().changes : count;
  }

  /** Whether a message was written down by `chooseInside`. */
  isInside(message: number): boolean {
    return this.sql.isInside.get(message) !== undefined;
  }
}

const isBefore = (a: OrderKey, b: OrderKey): boolean =>
  a.sent_at !== b.sent_at ? a.sent_at < b.sent_at : a.sort_key !== b.sort_key ? a.sort_key < b.sort_key : a.seq < b.seq;
