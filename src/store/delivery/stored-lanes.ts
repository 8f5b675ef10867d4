import type { Database } from 'better-sqlite3';
import { insideConversations, insideMessages } from '../base/inside-messages.ts';
import { createMergeIndexes, hasMessageIndex } from '../base/message-indexes.ts';
import { inPages } from '../base/pages.ts';
import { touchedSince, unsettled } from './unverified.ts';
import { amongChosen, isPending } from './next-rows.ts';

/** A conversation as a destination gets it. */
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
  /** Greater ones are sent first. */
  readonly priority: number;
  readonly pending: number;
  readonly doubtful: number;
}

/** Columns of a conversation `c` and of its state at a destination, `cd`. */
export const laneColumns = `c.id AS conversation, c.source_id AS sourceId, c.guid, c.details AS groupDetails,
  c.person_a AS personA, c.person_b AS personB, coalesce(cd.receiver_type, c.receiver_type) AS receiverType,
  cd.conversation_id AS conversationId, cd.last_server_id AS lastServerId, c.priority`;

/** Joins `cd` to a conversation `c`; its parameter is the destination. */
export const laneJoin = 'LEFT JOIN conversation_delivery cd ON cd.destination = ? AND cd.conversation = c.id';

const nothingPending = '0 AS pending, 0 AS doubtful';

/**
 * Conversations with something to send or unconfirmed at a destination.
 *
 * @param chosenOnly Only what `chooseMessages` named counts as something to send.
 */
export function pendingLanes(db: Database, destination: number, chosenOnly = false): StoredLane[] {
  return db
    .prepare<[number, number], StoredLane>(
      `SELECT ${laneColumns}, p.pending, p.doubtful
       FROM (SELECT m.conversation,
               sum(m.verdict = 'planned' AND m.vanished = 0 AND ${isPending}${chosenOnly ? amongChosen : ''}) AS pending,
               coalesce(sum(d.state = 'sent'), 0) AS doubtful
             FROM message m LEFT JOIN delivery d ON d.destination = ? AND d.message = m.seq
             WHERE (${isPending} OR d.state = 'sent') AND (m.verdict = 'planned' OR (m.verdict <> 'duplicate' AND d.state = 'sent'))
             GROUP BY m.conversation) p
       JOIN conversation c ON c.id = p.conversation ${laneJoin}
       WHERE p.pending > 0 OR p.doubtful > 0`,
    )
    .all(destination, destination);
}

/** The conversation of a message. */
export function laneOfMessage(db: Database, destination: number, muid: string): StoredLane | undefined {
  return db
    .prepare<[number, string], StoredLane>(
      `SELECT ${laneColumns}, ${nothingPending} FROM message m JOIN conversation c ON c.id = m.conversation ${laneJoin}
       WHERE m.muid = ? AND m.verdict <> 'duplicate'`,
    )
    .get(destination, muid);
}

/** Some conversations by id. */
export function laneReader(db: Database, destination: number): (conversation: number) => StoredLane {
  const select = db.prepare<[number, number], StoredLane>(
    `SELECT ${laneColumns}, ${nothingPending} FROM conversation c ${laneJoin} WHERE c.id = ?`,
  );
  return (conversation) => select.get(destination, conversation)!;
}

/** Conversations to read back: there may be a million of them. */
export interface TouchedLanes {
  /** Messages of theirs that are there as far as the store knows. */
  readonly deliveredCount: number;
  /** By id. */
  readonly all: () => Iterable<StoredLane>;
}

/**
 * @param since Only conversations that runs after this one touched, and unless `isOnlySince` those that were not found
 *   without a difference before. Without it all that are planned or were ever sent to:
 *   something of ours may be there although the store, an old copy, says that nothing was sent.
 * @param insideOnly Only conversations and messages that `chooseInside` wrote down.
 */
export function touchedLanes(
  db: Database,
  destination: number,
  {
    since,
    insideOnly,
    isOnlySince = false,
  }: { readonly since: number | undefined; readonly insideOnly: boolean; readonly isOnlySince?: boolean },
): TouchedLanes {
  const isInside = insideOnly ? `c.id IN (${insideConversations})` : 'true';
  const isCounted = insideOnly ? `d.message IN (${insideMessages})` : 'true';
  const isGood = `d.destination = ? AND d.state IN ('imported', 'existing') AND ${isCounted}`;
  const lanes = ({
    from,
    id,
    where = 'true',
    counted,
  }: Record<'from' | 'id' | 'counted', string> & { where?: string }) => {
    const page = db.prepare<[number, number], StoredLane>(
      `SELECT ${laneColumns}, ${nothingPending} FROM ${from} ${laneJoin}
       WHERE ${id} > ? AND ${where} AND ${isInside} ORDER BY ${id} LIMIT 200`,
    );
    return {
      deliveredCount: db.prepare<[number], number>(`SELECT count(*) FROM ${counted}`).pluck().get(destination)!,
      all: () => inPages('conversation', (after) => page.all(destination, after)),
    };
  };
  if (since === undefined) {
    const isPlanned = `EXISTS (SELECT 1 FROM message m WHERE m.conversation = c.id AND m.verdict = 'planned')`;
    return lanes({
      from: 'conversation c',
      id: 'c.id',
      where: `(cd.conversation IS NOT NULL OR ${isPlanned})`,
      counted: `delivery d WHERE ${isGood}`,
    });
  }
  collectTouched(db, destination, since, isOnlySince);
  return lanes({
    from: 'temp.touched t CROSS JOIN conversation c ON c.id = t.conversation',
    id: 't.conversation',
    counted: `temp.touched t CROSS JOIN message m ON m.conversation = t.conversation AND m.verdict = 'planned'
       JOIN delivery d ON d.message = m.seq AND ${isGood}`,
  });
}

function collectTouched(db: Database, destination: number, since: number, isOnlySince: boolean): void {
  db.exec('CREATE TEMP TABLE IF NOT EXISTS touched (conversation INTEGER PRIMARY KEY); DELETE FROM temp.touched');
  const insert = 'INSERT OR IGNORE INTO temp.touched';
  db.prepare(`${insert} ${touchedSince}`).run(destination, since, destination, since);
  if (!isOnlySince) db.prepare(`${insert} ${unsettled}`).run(destination);
}

interface OrderKey {
  readonly sent_at: number;
  readonly sort_key: string;
  readonly seq: number;
}

/** Order key of the last message of a conversation that a destination has, whether or not it would be sent today. */
export function deliveredUpToReader(db: Database, destination: number) {
  const last = (verdicts: string) =>
    db.prepare<[number, number], OrderKey>(
      `SELECT m.sent_at, m.sort_key, m.seq FROM message m CROSS JOIN delivery d ON d.destination = ? AND d.message = m.seq
       WHERE m.conversation = ? AND m.verdict ${verdicts} AND d.state IN ('imported', 'existing')
       ORDER BY m.sent_at DESC, m.sort_key DESC, m.seq DESC LIMIT 1`,
    );
  const selects = [last(`= 'planned'`)];
  // Messages that were sent and are left out by now. Before files were read again there are none.
  if (hasMessageIndex(db, 'message_follows')) {
    // A store that was migrated lacks one of them.
    createMergeIndexes(db);
    selects.push(last(`IN ('skipped', 'invalid')`));
  }
  return (conversation: number): [number, string, number] | undefined => {
    const [first, ...others] = selects.flatMap((select) => select.get(destination, conversation) ?? []);
    const row = others.reduce((later, other) => (later && isBefore(later, other) ? other : later), first);
    return row && [row.sent_at, row.sort_key, row.seq];
  };
}

const isBefore = (a: OrderKey, b: OrderKey): boolean =>
  a.sent_at !== b.sent_at ? a.sent_at < b.sent_at : a.sort_key !== b.sort_key ? a.sort_key < b.sort_key : a.seq < b.seq;
