import type { Database } from 'better-sqlite3';
import { type ArrivalKind, arrivalKinds, type ArrivalRules, type ReadArrivals } from '../model/arrival.ts';
import { reopenFormer } from './arrivals/former.ts';
import { leaveOutFormer, stageArrivals } from './arrivals/stage.ts';
import type { GroupCommit } from './base/group-commit.ts';
import { inPages } from './base/pages.ts';
import { lateStatements, sql, value, withStatements } from './base/statements.ts';
import { arrivedGroup } from './lanes.ts';

/** A person, a group or a membership, as its request needs it. */
export interface ArrivalRow {
  readonly id: number;
  readonly kind: ArrivalKind;
  readonly person: number;
  readonly conversation: number;
  /** Under which the request holds it: uid, guid, or `<guid>_member_<uid>`. */
  readonly key: string;
  /** JSON: the item of the request. */
  readonly payload: string;
  /** 1: a request of ours may have made it: one for it, or the one for its group, whose owner becomes a member. */
  readonly isDoubtful: number;
}

/** The answer about an arrival. `isOurs`: the destination said that it made it at our request, or surely did not; absent: it may have. */
export interface ArrivalReceipt {
  readonly row: Pick<ArrivalRow, 'id' | 'kind' | 'person'>;
  readonly state: 'pending' | 'imported' | 'existing' | 'failed' | 'sent';
  readonly isOurs?: boolean;
  readonly code?: string;
  readonly detail?: string;
}

/**
 * Totals of one kind at a destination: `read = planned + skipped + invalid`, `planned = imported + existing + failed + pending + unconfirmed`.
 */
export interface ArrivalCount {
  readonly kind: ArrivalKind;
  readonly planned: number;
  readonly imported: number;
  readonly existing: number;
  readonly failed: number;
  readonly pending: number;
  readonly unconfirmed: number;
  /** Brought there once, and not wanted any more: who left since. Outside the sum. */
  readonly withdrawn: number;
  /** Brought there, and changed in the export since: the service has no operation for that. Outside the sum. */
  readonly changed: number;
  /** Memberships for the time of the import: to be taken back, refused when that was tried last, and taken back. Outside the sum. */
  readonly leaving: number;
  readonly staying: number;
  readonly left: number;
  /** Memberships whose beginning the export does not say. */
  readonly assumed: number;
  /** Bytes of the items that are pending or unconfirmed. */
  readonly leftBytes: number;
}

type CountRow = { readonly kind: ArrivalKind; readonly state: string; readonly wanted: number } & Record<
  'count' | 'changed' | 'assumed' | 'bytes' | 'leaving' | 'staying',
  number
>;

/** How many members a group has at least, by what arrived. */
export interface ArrivedMembers {
  readonly conversation: number;
  readonly guid: string;
  readonly count: number;
}

/** A membership that is taken back. */
export interface LeavingMember {
  readonly id: number;
  readonly guid: string;
  readonly uid: string;
}

/** SQL: our import made the membership `a`, or the group before it. One that may have been there before stays. */
const isMadeByUs = `(v.is_ours = 1 OR (v.is_ours IS NULL AND EXISTS (SELECT 1 FROM arrival g
  JOIN arrival_delivery gv ON gv.destination = v.destination AND gv.arrival = g.id
  WHERE g.kind = 'groups' AND g.conversation = a.conversation AND g.person = 0 AND gv.is_ours = 1)))`;
/** SQL: the membership was imported as a ban, before its author was to become a member. */
const isBan = `coalesce(v.payload ->> '$.isBanned', 0)`;
const isToLeave = `a.leaves = 1 AND NOT ${isBan} AND (v.state = 'leaving' OR (v.state = 'imported' AND ${isMadeByUs}))`;

/** SQL: who has messages in which conversation that are still to be sent. */
const openWriters = `SELECT m.conversation, m.sender FROM message m LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
  WHERE m.verdict = 'planned' AND m.sender IS NOT NULL AND coalesce(d.state, 'pending') IN ('pending', 'sent')`;

/** SQL: someone is banned whose messages are still to be sent: those of a banned person may be refused. */
const isEarlyBan = `(a.kind = 'members' AND coalesce(a.payload ->> '$.isBanned', 0) AND EXISTS (
  SELECT 1 FROM message m LEFT JOIN delivery d ON d.destination = @destination AND d.message = m.seq
  WHERE m.conversation = a.conversation AND m.sender = a.person AND m.verdict = 'planned' AND m.vanished = 0
    AND coalesce(d.state, 'pending') IN ('pending', 'sent')))`;

const leavingMembers = `arrival a JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
  WHERE a.kind = 'members' AND a.leaves = 1`;

const there = 'arrival a LEFT JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id';

/** The service said no, and an earlier request may have stored it all the same. */
export const failedInDoubt = `v.state = 'failed' AND v.is_ours IS NULL`;

export type ArrivalIntent = Record<'destination' | 'run' | 'arrival' | 'nowMs', number>;

export const intendArrival = `
    INSERT INTO arrival_delivery (destination, arrival, state, attempts, sent_at, run)
    VALUES (@destination, @arrival, 'sent', 1, @nowMs, @run)
    ON CONFLICT (destination, arrival) DO UPDATE SET state = 'sent', attempts = attempts + 1, sent_at = excluded.sent_at,
      run = excluded.run, code = NULL, detail = NULL`;

const statements = lateStatements({
  any: sql<[]>`SELECT 1 FROM arrival LIMIT 1`,
  count: sql<{ destination: number }, CountRow>`
    SELECT a.kind, coalesce(v.state, 'pending') AS state, a.is_wanted AS wanted, count(*) AS count,
      sum(coalesce(v.payload <> a.payload, 0)) AS changed, sum(a.is_assumed) AS assumed, sum(octet_length(a.payload)) AS bytes,
      sum(coalesce(${isToLeave} AND v.code IS NULL, 0)) AS leaving,
      sum(coalesce(a.leaves = 1 AND NOT ${isBan} AND v.state = 'imported' AND (v.code IS NOT NULL OR NOT ${isMadeByUs}), 0)) AS staying
    FROM ${there} GROUP BY 1, 2, 3`,
  groupsToFill: value<{ destination: number }, number>`
    SELECT count(DISTINCT a.conversation) FROM ${there} WHERE a.kind = 'members' AND a.is_wanted = 1 AND coalesce(v.state, 'pending') IN ('pending', 'sent')`,
  refused: sql<{ destination: number }, { kind: ArrivalKind; code: string; count: number; detail: string }>`
    SELECT a.kind, coalesce(v.code, 'failed') AS code, count(*) AS count, coalesce(max(v.detail), '') AS detail
    FROM ${there} WHERE a.is_wanted = 1 AND v.state = 'failed' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
  // By `+` the index of kinds is not used: each page would sort all of a kind.
  page: sql<{ destination: number; kind: ArrivalKind; after: number; limit: number }, ArrivalRow>`
    SELECT a.id, a.kind, a.person, a.conversation, a.payload, coalesce(v.state = 'sent', 0) OR EXISTS (
      SELECT 1 FROM arrival g JOIN arrival_delivery gv ON gv.destination = @destination AND gv.arrival = g.id
      WHERE a.kind = 'members' AND g.kind = 'groups' AND g.conversation = a.conversation AND g.person = 0 AND gv.is_ours IS NOT 0) AS isDoubtful,
      CASE a.kind WHEN 'people' THEN a.payload ->> '$.uid' WHEN 'groups' THEN a.payload ->> '$.guid' ELSE a.payload ->> '$.memberId' END AS key
    FROM ${there} WHERE +a.kind = @kind AND a.id > @after AND a.is_wanted = 1 AND coalesce(v.state, 'pending') IN ('pending', 'sent') AND NOT ${isEarlyBan}
    ORDER BY a.id LIMIT @limit`,
  intend: sql<ArrivalIntent>`${intendArrival}`,
  receive: sql<
    Record<'destination' | 'arrival', number> &
      Record<'state' | 'code' | 'detail', string | null> & { isOurs: number | null }
  >`
    UPDATE arrival_delivery SET state = @state, is_ours = @isOurs, code = @code, detail = @detail, payload = iif(@isOurs = 1, NULL, payload)
    WHERE destination = @destination AND arrival = @arrival`,
  reopen: sql<{ destination: number; code: string | null }>`
    UPDATE arrival_delivery SET state = iif(is_ours IS NULL, 'sent', 'pending'), is_ours = NULL
    WHERE destination = @destination AND state = 'failed' AND code IS coalesce(@code, code)
      AND arrival IN (SELECT id FROM arrival WHERE is_wanted = 1)`,
  knowPerson: sql<[destination: number, person: number]>`INSERT OR IGNORE INTO person_delivery VALUES (?, ?)`,
  personBefore: sql<[destination: number, person: number, existed: number]>`
    INSERT OR IGNORE INTO person_before (destination, person, existed) VALUES (?, ?, ?)`,
  ofGroup: sql<[destination: number, conversation: number], { isOurs: number | null }>`
    ${arrivedGroup('?', '?', `(${failedInDoubt})`)}`,
  forgetMember: sql<
    [destination: number, arrival: number]
  >`DELETE FROM arrival_delivery WHERE destination = ? AND arrival = ?`,
  anyFormer: sql<[]>`SELECT 1 FROM arrival WHERE kind = 'members' AND (leaves = 1 OR asked > 0) LIMIT 1`,
  anyLeaving: sql<[]>`SELECT 1 FROM arrival WHERE kind = 'members' AND leaves = 1 LIMIT 1`,
  collectLeaving: sql<{ destination: number; again: 0 | 1 }>`
    INSERT INTO temp.leaving SELECT a.id FROM ${leavingMembers} AND ${isToLeave}
      AND iif(@again, v.state = 'leaving', (a.conversation, a.person) NOT IN (${openWriters}))`,
  countLeaving: value<[], number>`SELECT count(*) FROM temp.leaving`,
  leaving: sql<[after: number], LeavingMember>`
    SELECT a.id, a.payload ->> '$.guid' AS guid, a.payload ->> '$.uid' AS uid FROM temp.leaving l JOIN arrival a ON a.id = l.arrival
    WHERE a.id > ? ORDER BY a.id LIMIT 500`,
  leave: sql<{ destination: number; arrival: number; state: string; code: string | null; detail: string | null }>`
    UPDATE arrival_delivery SET state = @state, code = @code, detail = @detail WHERE destination = @destination AND arrival = @arrival`,
  rejoin: sql<{ destination: number }>`
    DELETE FROM arrival_delivery WHERE destination = @destination AND state = 'left' AND arrival IN (SELECT id FROM arrival a
      WHERE a.kind = 'members' AND a.is_wanted = 1 AND (a.leaves = 0 OR (a.conversation, a.person) IN (${openWriters})))`,
  anyLeft: sql<[destination: number]>`SELECT 1 FROM arrival_delivery WHERE destination = ? AND state = 'left' LIMIT 1`,
  membership: sql<
    { destination: number; conversation: number; person: number },
    { id: number; asked: number; leaves: number; state: string | null }
  >`
    SELECT a.id, a.asked, a.leaves AND NOT ${isBan} AS leaves, v.state FROM ${there}
    WHERE a.kind = 'members' AND a.conversation = @conversation AND a.person = @person`,
  asked: sql<[], { people: number; groups: number; undecided: number }>`
    SELECT count(DISTINCT iif(asked = 1, person, NULL)) AS people, count(DISTINCT iif(asked = 1, conversation, NULL)) AS groups, count(*) AS undecided FROM arrival WHERE kind = 'members' AND asked > 0`,
  wasRemoved: sql<{ destination: number; conversation: number; uid: string }>`
    SELECT 1 FROM ${leavingMembers} AND a.conversation = @conversation AND v.state IN ('leaving', 'left')
      AND a.payload ->> '$.uid' = @uid`,
  // Who is deactivated may not be counted as a member.
  arrived: sql<{ destination: number; since: number; after: number }, ArrivedMembers>`
    SELECT a.conversation, min(a.payload ->> '$.guid') AS guid, count(*) AS count
    FROM arrival a JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
    WHERE a.kind = 'members' AND a.conversation > @after AND v.state IN ('imported', 'existing')
      AND NOT coalesce(coalesce(v.payload, a.payload) ->> '$.isBanned', 0)
      AND NOT EXISTS (SELECT 1 FROM action x JOIN action_delivery xv ON xv.destination = @destination AND xv.action = x.id
        WHERE x.message = 0 AND x.person = a.person AND x.other = 0 AND x.kind = 'deactivations' AND xv.state <> 'pending')
    GROUP BY a.conversation HAVING max(v.run) > @since ORDER BY a.conversation LIMIT 500`,
  member: sql<[arrival: number], { guid: string; uid: string }>`
    SELECT payload ->> '$.guid' AS guid, payload ->> '$.uid' AS uid FROM arrival WHERE id = ?`,
});

/** People, groups and memberships that come before the messages. */
export class Arrivals extends withStatements(statements) {
  readonly #commits: GroupCommit;

  constructor({ db, commits }: { readonly db: Database; readonly commits: GroupCommit }) {
    super(db);
    this.#commits = commits;
  }

  /**
   * Stages who comes along, after everything is read (needs `collectWriters`). An arrival that is wanted again keeps its row; one that is not wanted
   * any more is deleted, unless a destination was asked for it.
   *
   * @param rules Absent: the destination has no operations for it.
   * @returns Counts of those that were read and are not planned, by kind and reason.
   */
  stage(rules: ArrivalRules | undefined): Readonly<Record<ArrivalKind, ReadArrivals>> {
    const none = { people: noneRead, groups: noneRead, members: noneRead };
    if (!rules && !this.#hasAny()) return none;
    return stageArrivals(this.db, rules) ?? none;
  }

  /**
   * Skips what people wrote in groups of which they are no members (needs `collectWriters`), as far as nothing was sent for it.
   *
   * @returns How many messages.
   */
  leaveOutFormer(rules: ArrivalRules): number {
    return leaveOutFormer(this.db, rules);
  }

  /** Messages that `leaveOutFormer` skipped are planned again. @returns How many. */
  reopenFormer(): number {
    return this.db.prepare(reopenFormer).run().changes;
  }

  /** Whether a person wrote in a group as no member of it, and is not left out. */
  hasFormer(): boolean {
    return this.sql.anyFormer.get() !== undefined;
  }

  /** Authors, and their groups, about whose messages `people.former` is to be decided; `undecided`: those in groups without a list as well. */
  countAsked(): { readonly people: number; readonly groups: number; readonly undecided: number } {
    return this.sql.asked.get()!;
  }

  /** Whether a person is to be a member of a group: `undecided` until `people.former` is. */
  membership(destination: number, conversation: number, person: number): 'undecided' | 'temporary' | 'none' | 'other' {
    const found = this.sql.membership.get({ destination, conversation, person });
    if (found === undefined) return 'none';
    if (found.asked > 0) return 'undecided';
    return found.leaves === 1 && (found.state === 'imported' || found.state === 'left') ? 'temporary' : 'other';
  }

  /** Resolves when it is on disk that a person is no member any more: a later import makes them one again for their messages. */
  noteGone(destination: number, conversation: number, person: number): Promise<void> {
    const { id: arrival } = this.sql.membership.get({ destination, conversation, person })!;
    return this.receiveLeave(destination, arrival, { state: 'left' });
  }

  /** Memberships that were taken back, and that messages need again, are pending again. */
  rejoin(destination: number): void {
    if (this.sql.anyLeft.get(destination) !== undefined) this.sql.rejoin.run({ destination });
  }

  /**
   * Finds memberships that are to be taken back, because all messages of their people have arrived: before `leaving`.
   *
   * @param which Of an earlier run that was not answered: only those. @returns How many.
   */
  collectLeaving(destination: number, which: 'ready' | 'unanswered'): number {
    if (this.sql.anyLeaving.get() === undefined) return 0;
    this.db.exec('DROP TABLE IF EXISTS temp.leaving; CREATE TEMP TABLE leaving (arrival INTEGER PRIMARY KEY)');
    this.sql.collectLeaving.run({ destination, again: which === 'unanswered' ? 1 : 0 });
    return this.sql.countLeaving.get()!;
  }

  leaving(): Iterable<LeavingMember> {
    return inPages('id', (after) => this.sql.leaving.all(after));
  }

  /** Resolves when the intent to take a membership back is on disk: the request may leave. */
  intendLeave(destination: number, arrival: number): Promise<void> {
    return this.#commits.commit(
      () => this.sql.leave.run({ destination, arrival, state: 'leaving', code: null, detail: null }),
      'intent',
    );
  }

  /** Resolves when the receipt is on disk. `imported`: still a member. */
  receiveLeave(
    destination: number,
    arrival: number,
    { state, code, detail }: Pick<ArrivalReceipt, 'code' | 'detail'> & { state: 'imported' | 'left' },
  ): Promise<void> {
    const row = { destination, arrival, state, code: code ?? null, detail: detail ?? null };
    return this.#commits.commit(() => this.sql.leave.run(row));
  }

  /** Whether a membership of a group was taken back: the service writes a message about it there. */
  wasRemoved(destination: number, conversation: number, uid: string): boolean {
    return this.sql.wasRemoved.get({ destination, conversation, uid }) !== undefined;
  }

  /** Most stores have none. */
  #hasAny(): boolean {
    return this.sql.any.get() !== undefined;
  }

  /** Kinds of which there is nothing are left out. `destination` may be one that nothing was ever sent to. */
  count(destination: number): ArrivalCount[] {
    if (!this.#hasAny()) return [];
    const rows = this.sql.count.all({ destination });
    const counts = arrivalKinds.map((kind) => {
      const sum = (
        wanted: number,
        states: readonly string[],
        field: keyof Omit<CountRow, 'kind' | 'state' | 'wanted'> = 'count',
      ) =>
        rows
          .filter((row) => row.kind === kind && row.wanted === wanted && states.includes(row.state))
          .reduce((total, row) => total + row[field], 0);
      const there = ['imported', 'leaving', 'left'];
      const arrived = [...there, 'existing'];
      const all = [...arrived, 'failed', 'pending', 'sent'];
      return {
        kind,
        planned: sum(1, all),
        imported: sum(1, there),
        existing: sum(1, ['existing']),
        failed: sum(1, ['failed']),
        pending: sum(1, ['pending']),
        unconfirmed: sum(1, ['sent']),
        withdrawn: sum(0, [...arrived, 'failed', 'sent']),
        leaving: sum(0, there, 'leaving') + sum(1, there, 'leaving'),
        staying: sum(0, there, 'staying') + sum(1, there, 'staying'),
        left: sum(0, ['left']) + sum(1, ['left']),
        changed: sum(1, arrived, 'changed'),
        assumed: sum(1, all, 'assumed'),
        leftBytes: sum(1, ['pending', 'sent'], 'bytes'),
      };
    });
    return counts.filter(({ planned, withdrawn }) => planned + withdrawn > 0);
  }

  /** Groups with members that may be asked for now, or are unconfirmed. */
  countGroupsToFill(destination: number): number {
    return this.sql.groupsToFill.get({ destination })!;
  }

  /** How many may be asked for now, or are unconfirmed. */
  countOpen(destination: number): number {
    return this.count(destination).reduce((sum, { pending, unconfirmed }) => sum + pending + unconfirmed, 0);
  }

  /** Refused ones, by kind and code, most frequent first. */
  refused(destination: number) {
    return this.sql.refused.all({ destination });
  }

  /** The next ones of a kind that may be asked for, or are unconfirmed, by id. */
  page(destination: number, kind: ArrivalKind, after: number, limit: number): ArrivalRow[] {
    return this.sql.page.all({ destination, kind, after, limit });
  }

  /** Resolves when the intent of a request is on disk: it may leave. */
  intend(destination: number, run: number, rows: readonly Pick<ArrivalRow, 'id'>[], nowMs: number): Promise<void> {
    return this.#commits.commit(() => {
      for (const { id } of rows) this.sql.intend.run({ destination, run, arrival: id, nowMs });
    }, 'intent');
  }

  /** Resolves when the receipts are on disk. Who arrived needs no details in messages, and is known to be ours or not. */
  receive(destination: number, receipts: readonly ArrivalReceipt[]): Promise<void> {
    return this.#commits.commit(() => {
      for (const { row, state, isOurs, code = null, detail = null } of receipts) {
        const ours = isOurs === undefined ? null : isOurs ? 1 : 0;
        this.sql.receive.run({ destination, arrival: row.id, state, isOurs: ours, code, detail });
        if (row.kind !== 'people' || (state !== 'imported' && state !== 'existing')) continue;
        this.sql.knowPerson.run(destination, row.person);
        if (isOurs !== undefined) this.sql.personBefore.run(destination, row.person, isOurs ? 0 : 1);
      }
    });
  }

  /** Those that have failed are to be asked for again. @param code Only those that failed with it. @returns How many. */
  reopen(destination: number, code?: string): number {
    return this.sql.reopen.run({ destination, code: code ?? null }).changes;
  }

  /** Whether a destination had a group before we brought it; `undefined` if no request has shown it. */
  groupBefore(destination: number, conversation: number): { readonly existed: boolean | undefined } | undefined {
    const found = this.sql.ofGroup.get(destination, conversation);
    return found && { existed: found.isOurs === null ? undefined : found.isOurs === 0 };
  }

  /** Groups of which members have arrived by runs after `since`. */
  arrivedMembers(destination: number, since: number): Iterable<ArrivedMembers> {
    return inPages('conversation', (after) => this.sql.arrived.all({ destination, since, after }));
  }

  /** Whom a membership is of, and where. @param arrival Its id. */
  member(arrival: number): { readonly guid: string; readonly uid: string } {
    return this.sql.member.get(arrival)!;
  }

  /** A membership was taken back: a later import brings it again. */
  forgetMember(destination: number, arrival: number): void {
    this.sql.forgetMember.run(destination, arrival);
  }
}

const noneRead: ReadArrivals = { read: 0, skipped: {}, invalid: {} };
