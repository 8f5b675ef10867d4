import { failedInDoubt } from './arrivals.ts';
import { insideConversations, insideMessages } from './base/inside-messages.ts';
import { inPages } from './base/pages.ts';
import { lateStatements, sql, withStatements } from './base/statements.ts';

/**
 * What becomes of a call of an undo:
 *
 *     planned ──intent──▶ sent ──seen to be gone──▶ gone ──messages are pending again──▶ done
 *        │                  └──surely not applied──▶ planned
 *        └── not (only) ours any more ──▶ left
 */
export type UndoState = 'planned' | 'sent' | 'gone' | 'done' | 'left';

export interface UndoCall {
  readonly id: number;
  /** `deactivation`: of a person, by an action after the messages. */
  readonly kind: 'group' | 'conversation' | 'member' | 'person' | 'deactivation';
  /** Id in the store of the conversation or the person; for a member the id of the arrival. */
  readonly subject: number;
  /** Messages of ours in it, as far as the store knows. */
  readonly messages: number;
  readonly state: UndoState;
  /** When its request left, in epoch ms. */
  readonly sentAtMs: number | null;
}

interface UndoScope {
  readonly destination: number;
  readonly run: number;
  /** Only what `chooseInside` wrote down: a conversation that holds something else as well is left alone. */
  readonly insideOnly: boolean;
  /** People whom the import made stay. */
  readonly keepUsers: boolean;
}

interface UndoNews {
  readonly sentAtMs?: number;
  readonly reason?: string;
  readonly detail?: string;
}

/** Calls and messages of one run, by kind, state and reason. */
interface UndoCount {
  readonly kind: UndoCall['kind'];
  readonly state: UndoState;
  readonly reason: string | null;
  readonly calls: number;
  readonly messages: number;
}

export interface NamedUndoCall extends UndoCall {
  readonly name: string;
  /** guid, uid, both of a member, or the service's id of the conversation if it is known. */
  readonly target: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

interface UndoChoice {
  readonly run: number;
  readonly states: readonly UndoState[];
  /** Only calls that were left for it. */
  readonly reason?: string;
  readonly max: number;
}

/** Subjects that this undo has a call for. */
const callsOf = (...kinds: readonly UndoCall['kind'][]) =>
  `SELECT subject FROM undo_call WHERE destination = @destination AND run = @run AND kind IN (${kinds.map((kind) => `'${kind}'`).join()})`;

/** Conversations, each with the reason to leave it alone, if there is one. */
const planned = (isAskedFor: string, isOutside: string) => `
    INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
    SELECT destination, @run, kind, conversation, imported, CASE WHEN reason IS NULL THEN 'planned' ELSE 'left' END, reason
    FROM (SELECT cd.destination, cd.conversation, CASE cd.receiver_type WHEN 'group' THEN 'group' ELSE 'conversation' END AS kind,
            t.imported + t.existing AS imported,
            CASE WHEN t.outside > 0 THEN 'outside-only'
                 WHEN t.unconfirmed > 0 THEN 'unconfirmed'
                 WHEN cd.foreign_count > 0 THEN 'foreign'
                 WHEN t.existing > 0 THEN 'existing'
                 WHEN t.different > 0 THEN 'different'
                 WHEN cd.was_empty IS NULL THEN 'not-proved'
                 WHEN cd.receiver_type = 'group' AND cd.group_existed IS NULL THEN 'not-proved'
                 WHEN cd.receiver_type = 'group' AND cd.group_existed = 1 THEN 'group-existed' END AS reason
          FROM (SELECT m.conversation, sum(d.state = 'imported') AS imported, sum(d.state = 'existing') AS existing,
                  sum(d.state = 'sent') AS unconfirmed, sum(d.state = 'failed' AND d.server_id IS NOT NULL) AS different,
                  sum(${isOutside}) AS outside
                FROM delivery d JOIN message m ON m.seq = d.message WHERE d.destination = @destination AND ${isAskedFor}
                GROUP BY m.conversation) t
          JOIN conversation_delivery cd ON cd.destination = @destination AND cd.conversation = t.conversation
          WHERE t.imported + t.existing + t.unconfirmed > 0)
    WHERE NOT EXISTS (SELECT 1 FROM undo_call o WHERE o.destination = @destination AND o.kind IN ('group', 'conversation')
      AND o.subject = conversation AND o.state IN ('sent', 'gone'))
    ORDER BY conversation`;

/** Groups that an import made, and of whose messages none has arrived. */
const plannedGroups = (isAskedFor: string) => `
    INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
    SELECT v.destination, @run, 'group', a.conversation, 0, CASE v.is_ours WHEN 1 THEN 'planned' ELSE 'left' END,
      CASE WHEN v.state = 'sent' THEN 'unconfirmed' WHEN v.is_ours IS NULL THEN 'not-proved' END
    FROM arrival a CROSS JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
    WHERE a.kind = 'groups' AND (v.state IN ('imported', 'sent') OR ${failedInDoubt}) AND ${isAskedFor}
      AND a.conversation NOT IN (${callsOf('group', 'conversation')})
    ORDER BY a.conversation`;

/** Members whom an import added to groups that stay for good: to one that a later undo may delete, removals would be foreign messages. */
const plannedMembers = (isAskedFor: string) => `
    INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
    SELECT v.destination, @run, 'member', a.id, 0, CASE v.is_ours WHEN 1 THEN 'planned' ELSE 'left' END,
      CASE WHEN v.is_ours IS NULL THEN 'not-answered' END
    FROM arrival a CROSS JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
    WHERE a.kind = 'members' AND (v.state = 'sent' OR (v.state IN ('imported', 'leaving') AND v.is_ours IS NOT 0) OR ${failedInDoubt}) AND ${isAskedFor}
      AND a.id NOT IN (${callsOf('member')})
      AND a.conversation NOT IN (${callsOf('group')} AND (state <> 'left' OR reason NOT IN
        ('foreign', 'existing', 'different', 'not-proved', 'group-existed')))
    ORDER BY a.id`;

/** People whom an import made. One who was deactivated is included only if an import may have activated them since. */
const plannedPeople = (isAskedFor: string) => `
    INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
    SELECT @destination, @run, 'person', person, 0, CASE isOurs WHEN 1 THEN 'planned' ELSE 'left' END,
      CASE isOurs WHEN 0 THEN 'not-answered' END
    FROM (SELECT b.person, 1 AS isOurs FROM person_before b
          LEFT JOIN person_delivery pd ON pd.destination = b.destination AND pd.person = b.person
          WHERE b.destination = @destination AND b.existed = 0 AND (b.deactivated = 2 OR (b.deactivated = 0 AND pd.person IS NOT NULL))
          UNION SELECT a.person, 0 FROM arrival a CROSS JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
          WHERE a.kind = 'people' AND (v.state = 'sent' OR (v.state IN ('imported', 'failed') AND v.is_ours IS NULL)) AND NOT EXISTS (
            SELECT 1 FROM person_before b WHERE b.destination = @destination AND b.person = a.person))
    WHERE ${isAskedFor} AND person NOT IN (${callsOf('person')})
    ORDER BY person`;

const plannedDeactivations = (isAskedFor: string) => `
    INSERT INTO undo_call (destination, run, kind, subject, messages, state)
    SELECT v.destination, @run, 'deactivation', a.person, 0, 'planned'
    FROM action a CROSS JOIN action_delivery v ON v.destination = @destination AND v.action = a.id
    WHERE a.message = 0 AND a.kind = 'deactivations' AND v.state IN ('done', 'sent') AND ${isAskedFor}
      AND a.person NOT IN (${callsOf('deactivation')})
    ORDER BY a.person`;

/** People of conversations: who wrote there at the destination, both of a one-to-one conversation, and imported members. */
const peopleOf = (isChosen: (conversation: string) => string) => `
  SELECT person FROM (
    SELECT m.sender AS person FROM delivery d JOIN message m ON m.seq = d.message
      WHERE d.destination = @destination AND d.state <> 'pending' AND ${isChosen('m.conversation')}
    UNION SELECT c.person_a FROM conversation_delivery cd JOIN conversation c ON c.id = cd.conversation
      WHERE cd.destination = @destination AND ${isChosen('c.id')}
    UNION SELECT c.person_b FROM conversation_delivery cd JOIN conversation c ON c.id = cd.conversation
      WHERE cd.destination = @destination AND ${isChosen('c.id')}
    UNION SELECT a.person FROM arrival a CROSS JOIN arrival_delivery v ON v.destination = @destination AND v.arrival = a.id
      WHERE a.kind = 'members' AND v.state <> 'pending' AND ${isChosen('a.conversation')})
  WHERE person IS NOT NULL`;

const peopleInside = peopleOf((conversation) => `${conversation} IN (${insideConversations})`);
const peopleOutside = peopleOf((conversation) => `${conversation} NOT IN (${insideConversations})`);

type Scope = Pick<UndoScope, 'destination' | 'run'>;

const statements = lateStatements({
  hasOpen: sql<[destination: number]>`
    SELECT 1 FROM undo_call WHERE destination = ? AND state IN ('sent', 'gone') LIMIT 1`,
  dropPlanned: sql<[destination: number]>`DELETE FROM undo_call WHERE destination = ? AND state IN ('planned', 'left')`,
  takeOver: sql<Scope>`UPDATE undo_call SET run = @run WHERE destination = @destination AND state IN ('sent', 'gone')`,
  plan: sql<Scope>`${planned('true', 'false')}`,
  planInside: sql<Scope>`${planned(
    `m.conversation IN (${insideConversations})`,
    `d.state <> 'pending' AND m.seq NOT IN (${insideMessages})`,
  )}`,
  planGroups: sql<Scope>`${plannedGroups('true')}`,
  planGroupsInside: sql<Scope>`${plannedGroups(`a.conversation IN (${insideConversations})`)}`,
  planMembers: sql<Scope>`${plannedMembers('true')}`,
  planMembersInside: sql<Scope>`${plannedMembers(`a.conversation IN (${insideConversations})`)}`,
  planDeactivations: sql<Scope>`${plannedDeactivations('true')}`,
  planDeactivationsInside: sql<Scope>`${plannedDeactivations(`person IN (${peopleInside})`)}`,
  planPeople: sql<Scope>`${plannedPeople('true')}`,
  planPeopleInside: sql<Scope>`${plannedPeople(`person IN (${peopleInside}) AND person NOT IN (${peopleOutside})`)}`,
  calls: sql<[destination: number, after: number, states: string], UndoCall>`
    SELECT id, kind, subject, messages, state, sent_at AS sentAtMs FROM undo_call
    WHERE destination = ? AND id > ? AND state IN (SELECT value FROM json_each(?)) ORDER BY id LIMIT 500`,
  note: sql<{ id: number; state: string; sentAtMs: number | null; reason: string | null; detail: string | null }>`
    UPDATE undo_call SET state = @state, sent_at = coalesce(@sentAtMs, sent_at), reason = @reason, detail = @detail WHERE id = @id`,
  count: sql<[destination: number, run: number], UndoCount>`
    SELECT kind, state, reason, count(*) AS calls, sum(messages) AS messages FROM undo_call
    WHERE destination = ? AND run = ? GROUP BY kind, state, reason ORDER BY kind, state, count(*) DESC`,
  named: sql<[run: number, states: string, reason: string | null, max: number], NamedUndoCall>`
    SELECT u.id, u.kind, u.subject, u.messages, u.state, u.sent_at AS sentAtMs, u.reason, u.detail,
      coalesce(p.name, c.name) AS name,
      CASE u.kind WHEN 'group' THEN c.guid WHEN 'member' THEN (m.payload ->> '$.guid') || '/members/' || p.uid
        WHEN 'conversation' THEN coalesce(cd.conversation_id, a.uid || ' + ' || b.uid) ELSE p.uid END AS target
    FROM undo_call u
    LEFT JOIN arrival m ON u.kind = 'member' AND m.id = u.subject
    LEFT JOIN person p ON p.id = CASE WHEN u.kind = 'member' THEN m.person WHEN u.kind IN ('person', 'deactivation') THEN u.subject END
    LEFT JOIN conversation c ON u.kind IN ('group', 'conversation') AND c.id = u.subject
    LEFT JOIN person a ON a.id = c.person_a LEFT JOIN person b ON b.id = c.person_b
    LEFT JOIN conversation_delivery cd ON cd.destination = u.destination AND cd.conversation = c.id
    WHERE u.run = ? AND u.state IN (SELECT value FROM json_each(?)) AND u.reason IS coalesce(?, u.reason)
    ORDER BY u.messages DESC, u.id LIMIT ?`,
});

export class Undo extends withStatements(statements) {
  /** Whether a request to delete may still be applied, or its consequences are not written down yet. */
  hasOpen(destination: number): boolean {
    return this.sql.hasOpen.get(destination) !== undefined;
  }

  /**
   * Lists the calls that an undo would make to a destination, from the store alone: a conversation is deleted only if the
   * store shows that it was empty before the import, and a group only if it did not exist; members and people go only if the
   * import made them. Everything else of the import is listed as left alone, with the reason. Calls that an earlier undo left open
   * become part of this one. With a filter, people go only if they are in no conversation outside of it.
   */
  plan({ insideOnly, keepUsers, ...scope }: UndoScope): void {
    const end = insideOnly ? 'Inside' : '';
    const planAll = this.db.transaction(() => {
      this.sql.dropPlanned.run(scope.destination);
      this.sql.takeOver.run(scope);
      this.sql[`planDeactivations${end}`].run(scope);
      this.sql[`plan${end}`].run(scope);
      this.sql[`planGroups${end}`].run(scope);
      this.sql[`planMembers${end}`].run(scope);
      if (!keepUsers) this.sql[`planPeople${end}`].run(scope);
    });
    planAll.immediate();
  }

  /** Yields calls in one of these states, by id: rows that change during the iteration have already been passed. */
  calls(destination: number, states: readonly UndoState[]): Iterable<UndoCall> {
    return inPages('id', (after) => this.sql.calls.all(destination, after, JSON.stringify(states)));
  }

  /** Writes down how far a call has come; on disk when it returns. */
  note(id: number, state: UndoState, { sentAtMs, reason, detail }: UndoNews = {}): void {
    const said = { sentAtMs: sentAtMs ?? null, reason: reason ?? null, detail: detail ?? null };
    this.sql.note.run({ id, state, ...said });
  }

  count(destination: number, run: number): UndoCount[] {
    return this.sql.count.all(destination, run);
  }

  /** Calls of a run with what a person wants to see of them, most messages first. */
  named({ run, states, reason, max }: UndoChoice): NamedUndoCall[] {
    return this.sql.named.all(run, JSON.stringify(states), reason ?? null, max);
  }
}
