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
  readonly kind: 'group' | 'conversation' | 'person';
  /** Id in the store of the conversation or the person. */
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
  /** guid, uid, or the service's id of the conversation if it is known. */
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
    WHERE NOT EXISTS (SELECT 1 FROM undo_call o WHERE o.destination = @destination AND o.kind <> 'person'
      AND o.subject = conversation AND o.state IN ('sent', 'gone'))
    ORDER BY conversation`;

const plannedPeople = (isAskedFor: string) => `
    INSERT INTO undo_call (destination, run, kind, subject, messages, state, reason)
    SELECT pd.destination, @run, 'person', pd.person, 0,
      CASE b.existed WHEN 0 THEN 'planned' ELSE 'left' END,
      CASE WHEN b.existed IS NULL THEN 'person-not-proved' WHEN b.existed = 1 THEN 'person-existed' END
    FROM person_delivery pd LEFT JOIN person_before b ON b.destination = pd.destination AND b.person = pd.person
    WHERE pd.destination = @destination AND ${isAskedFor} AND NOT EXISTS (SELECT 1 FROM undo_call o
      WHERE o.destination = @destination AND o.kind = 'person' AND o.subject = pd.person AND o.state IN ('sent', 'gone'))
    ORDER BY pd.person`;

const writersInside = `pd.person IN (SELECT sender FROM message WHERE seq IN (${insideMessages})
  UNION SELECT person_a FROM conversation WHERE id IN (${insideConversations})
  UNION SELECT person_b FROM conversation WHERE id IN (${insideConversations}))`;

type Scope = Omit<UndoScope, 'insideOnly'>;

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
  planPeople: sql<Scope>`${plannedPeople('true')}`,
  planPeopleInside: sql<Scope>`${plannedPeople(writersInside)}`,
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
      CASE u.kind WHEN 'person' THEN p.uid WHEN 'group' THEN c.guid ELSE coalesce(cd.conversation_id, a.uid || ' + ' || b.uid) END AS target
    FROM undo_call u
    LEFT JOIN person p ON u.kind = 'person' AND p.id = u.subject
    LEFT JOIN conversation c ON u.kind <> 'person' AND c.id = u.subject
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
   * store shows that it was empty before the import, and a group only if it did not exist. Everything else is listed as
   * left alone, with the reason. Calls that an earlier undo left open become part of this one.
   */
  plan({ insideOnly, ...scope }: UndoScope): void {
    const planAll = this.db.transaction(() => {
      this.sql.dropPlanned.run(scope.destination);
      this.sql.takeOver.run(scope);
      this.sql[insideOnly ? 'planInside' : 'plan'].run(scope);
    });
    planAll.immediate();
  }

  /**
   * The same for people: only those whom the destination did not know when an import asked for them. With a filter, those
   * who wrote what is inside, or to whom it was written.
   */
  planPeople({ insideOnly, ...scope }: UndoScope): void {
    this.sql[insideOnly ? 'planPeopleInside' : 'planPeople'].run(scope);
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
