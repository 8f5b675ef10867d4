import type { Database } from 'better-sqlite3';
import { type ActionKind, actionKinds } from '../model/action.ts';
import type { RelationRecord } from '../model/relation.ts';
import { currentRelations, isStillPurged, replacedReactions, wantedActions } from './actions/wanted.ts';
import {
  actionCode,
  actionJoins,
  type ActionState,
  actionState,
  isPurgedReaction,
  noReactions,
  peopleWithOpenMessages,
} from './base/action-sql.ts';
import type { GroupCommit } from './base/group-commit.ts';
import { inPages } from './base/pages.ts';
import { lateStatements, sql, tuple, value, withStatements } from './base/statements.ts';

/** An action with everything that its request needs. */
export interface ActionRow {
  readonly id: number;
  readonly kind: ActionKind;
  /** Who reacts, befriends, blocks, is deactivated: of the store, and of the service. */
  readonly person: number;
  readonly uid: string;
  /** Who is befriended or blocked; else empty. */
  readonly otherUid: string;
  /** Else empty. */
  readonly reaction: string;
  /** The service's id of the message; null if the action is not about one. */
  readonly serverId: string | null;
  /** The message's conversation at the service, and when it was sent, in epoch ms. */
  readonly conversationId: string | null;
  readonly sentAtMs: number | null;
  /** Requests so far. */
  readonly attempts: number;
}

/** Totals of one kind at a destination: `planned = done + existing + failed + pending + unconfirmed`. */
interface ActionCount {
  readonly kind: ActionKind;
  readonly planned: number;
  readonly done: number;
  readonly existing: number;
  readonly failed: number;
  readonly pending: number;
  readonly unconfirmed: number;
  /** Pending actions whose message has not arrived yet. */
  readonly waiting: number;
  /** Asked of the destination once, and not wanted any more: the export does not have it now. Outside the sum. */
  readonly withdrawn: number;
}

interface RefusedActions {
  readonly kind: ActionKind;
  readonly code: string;
  readonly count: number;
  /** The service's words about one of them. */
  readonly detail: string;
}

/** The service's answer about an action. `pending`: certainly not applied. */
interface ActionReceipt {
  readonly state: 'pending' | 'sent' | 'done' | 'existing' | 'failed';
  readonly code?: string;
  readonly detail?: string;
}

/** How many people gave one reaction to a message. */
export interface DoneReaction {
  /** Null for all those together of which it was purged which they are. */
  readonly reaction: string | null;
  readonly count: number;
}

/** Reactions that may still be asked for, or are unconfirmed, at a destination that has their message. */
const isOpen = `EXISTS (SELECT 1 FROM action a CROSS JOIN destination t
    CROSS JOIN delivery d ON d.destination = t.id AND d.message = a.message
    LEFT JOIN action_delivery v ON v.destination = t.id AND v.action = a.id
  WHERE a.message = m.seq AND a.is_wanted = 1 AND d.state IN ('imported', 'existing') AND d.server_id IS NOT NULL
    AND (v.state IS NULL OR v.state IN ('pending', 'sent') OR v.server_id IS NOT d.server_id))`;

/** With codes with which the service refuses a person who was not there, or was not in the conversation. */
const isRefusedAsAbsent = `state = 'failed' AND code IN ('ERR_UID_NOT_FOUND', 'ERR_MESSAGE_NO_ACCESS')`;

const there = actionJoins('@destination');

const statements = lateStatements({
  any: sql<[]>`SELECT 1 FROM action LIMIT 1`,
  silentReactions: value<[], number>`
    SELECT count(*) FROM action a JOIN message m ON m.seq = a.message JOIN conversation c ON c.id = m.conversation
    WHERE a.is_wanted = 1 AND a.kind = 'reactions' AND c.receiver_type = 'group'
      AND NOT EXISTS (SELECT 1 FROM temp.writer w WHERE w.conversation = c.id AND w.sender = a.person)
      AND NOT EXISTS (SELECT 1 FROM arrival r WHERE r.kind = 'members' AND r.conversation = c.id AND r.person = a.person AND r.is_wanted = 1)`,
  addRelation: sql<[file: number, type: string, from: number, to: number]>`
    INSERT INTO relation (file, type, from_person, to_person) VALUES (?, ?, ?, ?)`,
  dropRelations: sql<[file: number]>`DELETE FROM relation WHERE file = ?`,
  countRelations: value<[type: string], number>`SELECT count(*) FROM (${currentRelations}) WHERE type = ?`,
  countWanted: tuple<[], [ActionKind, number]>`SELECT kind, count(*) FROM action WHERE is_wanted = 1 GROUP BY kind`,
  count: sql<{ destination: number }, { kind: ActionKind; state: ActionState; wanted: number; count: number }>`
    SELECT a.kind, ${actionState} AS state, a.is_wanted AS wanted, count(*) AS count FROM ${there} GROUP BY 1, 2, 3`,
  refused: sql<{ destination: number }, RefusedActions>`
    SELECT a.kind, coalesce(${actionCode}, 'failed') AS code, count(*) AS count, coalesce(max(v.detail), '') AS detail
    FROM ${there} WHERE a.is_wanted = 1 AND ${actionState} = 'failed' GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
  rows: sql<{ destination: number; kind: ActionKind; state: ActionState; after: number }, ActionRow>`
    SELECT a.id, a.kind, a.person, p.uid, coalesce(o.uid, '') AS otherUid, a.reaction, d.server_id AS serverId,
      cd.conversation_id AS conversationId, m.sent_at AS sentAtMs, coalesce(v.attempts, 0) AS attempts
    FROM ${there} JOIN person p ON p.id = a.person LEFT JOIN person o ON o.id = a.other
    LEFT JOIN message m ON m.seq = a.message
    LEFT JOIN conversation_delivery cd ON cd.destination = @destination AND cd.conversation = m.conversation
    WHERE a.kind = @kind AND a.id > @after AND a.is_wanted = 1 AND ${actionState} = @state ORDER BY a.id LIMIT 500`,
  busyPeople: value<{ destination: number }, number>`
    ${peopleWithOpenMessages}
    UNION SELECT a.person FROM ${there}
      WHERE a.kind <> 'deactivations' AND a.is_wanted = 1 AND ${actionState} IN ('waiting', 'ready', 'sent')
    UNION SELECT a.other FROM ${there}
      WHERE a.other > 0 AND a.is_wanted = 1 AND ${actionState} IN ('waiting', 'ready', 'sent')`,
  intend: sql<{ destination: number; run: number; action: number; serverId: string | null; nowMs: number }>`
    INSERT INTO action_delivery (destination, action, state, server_id, attempts, sent_at, run)
    VALUES (@destination, @action, 'sent', @serverId, 1, @nowMs, @run)
    ON CONFLICT (destination, action) DO UPDATE SET state = 'sent', server_id = excluded.server_id, attempts = attempts + 1,
      sent_at = excluded.sent_at, run = excluded.run, code = NULL, detail = NULL`,
  receive: sql<{ destination: number; action: number; state: string; code: string | null; detail: string | null }>`
    UPDATE action_delivery SET state = @state, code = @code, detail = @detail WHERE destination = @destination AND action = @action`,
  latestDoubtful: value<[destination: number], number | null>`
    SELECT max(sent_at) FROM action_delivery WHERE destination = ? AND state = 'sent'`,
  firstRefusal: value<[destination: number], number | null>`
    SELECT min(run) FROM action_delivery WHERE destination = ? AND ${isRefusedAsAbsent}`,
  collectNewcomers: sql<[destination: number, since: number]>`
    WITH arrived AS (
      SELECT m.sender, m.conversation, max(b.run) AS run FROM batch b JOIN delivery d ON d.batch = b.id AND d.destination = b.destination
      JOIN message m ON m.seq = d.message
      WHERE b.destination = ? AND b.run > ? AND d.state IN ('imported', 'existing') GROUP BY 1, 2)
    INSERT INTO temp.newcomer SELECT person, conversation, max(run) FROM (
      SELECT sender AS person, conversation, run FROM arrived
      UNION ALL SELECT c.person_a, c.id, run FROM arrived JOIN conversation c ON c.id = arrived.conversation WHERE c.receiver_type = 'user'
      UNION ALL SELECT c.person_b, c.id, run FROM arrived JOIN conversation c ON c.id = arrived.conversation WHERE c.receiver_type = 'user')
    WHERE person IS NOT NULL GROUP BY 1, 2`,
  reopenRefused: sql<[destination: number]>`
    UPDATE action_delivery AS v SET state = 'pending' WHERE v.destination = ? AND ${isRefusedAsAbsent}
      AND EXISTS (SELECT 1 FROM action a JOIN temp.newcomer n ON n.person IN (a.person, a.other) AND n.run > v.run
        WHERE a.id = v.action AND (v.code = 'ERR_UID_NOT_FOUND' OR n.conversation =
          (SELECT conversation FROM message WHERE seq = a.message)))`,
  anyDoneReaction: sql<[destination: number]>`
    SELECT 1 FROM action_delivery v JOIN action a ON a.id = v.action
    WHERE v.destination = ? AND a.kind = 'reactions' AND v.state IN ('done', 'existing') LIMIT 1`,
  doneReactions: sql<{ destination: number; message: number; serverId: string; withDoubtful: number }, DoneReaction>`
    SELECT CASE WHEN ${isPurgedReaction('a')} THEN NULL ELSE a.reaction END AS reaction, count(*) AS count FROM action a
    CROSS JOIN action_delivery v ON v.destination = @destination AND v.action = a.id
    WHERE a.message = @message AND a.kind = 'reactions' AND v.server_id = @serverId
      AND (v.state IN ('done', 'existing') OR (v.state = 'sent' AND @withDoubtful))
    GROUP BY 1 ORDER BY max(${isPurgedReaction('a')})`,
  deactivated: sql<{ destination: number; since: number; after: number }, { id: number; uid: string }>`
    SELECT a.id, p.uid FROM action_delivery v JOIN action a ON a.id = v.action JOIN person p ON p.id = a.person
    WHERE v.destination = @destination AND v.run > @since AND a.id > @after AND a.kind = 'deactivations' AND v.state IN ('done', 'existing')
    ORDER BY a.id LIMIT 500`,
  countStaying: sql<[destination: number], { kind: ActionKind; count: number }>`
    SELECT a.kind, count(*) AS count FROM action_delivery v JOIN action a ON a.id = v.action
    WHERE v.destination = ? AND a.kind IN ('friends', 'blocks') AND v.state IN ('done', 'sent') GROUP BY a.kind ORDER BY a.kind`,
});

/** Relations of people, and what is to be done after the messages: friends, reactions, blocks, deactivations. */
export class Actions extends withStatements(statements) {
  readonly #commits: GroupCommit;

  constructor({ db, commits }: { readonly db: Database; readonly commits: GroupCommit }) {
    super(db);
    this.#commits = commits;
  }

  /** For a plan: the relations that it reads. */
  openRelations(): Relations {
    return new Relations(this.db);
  }

  countRelations(): Readonly<Record<RelationRecord['type'], number>> {
    return { friend: this.sql.countRelations.get('friend')!, block: this.sql.countRelations.get('block')! };
  }

  /**
   * Stages the wanted actions of the requested kinds after everything is read (needs `collectWriters`). An action that is
   * wanted again keeps its row. An action that is no longer wanted is deleted, unless it was requested at a destination.
   *
   * @param isPart A filter chose the messages: only friends and blocks of people who come with them are included.
   */
  stage(kinds: readonly ActionKind[], isPart: boolean): void {
    if (kinds.length === 0 && !this.#hasAny()) return;
    this.db.exec(`UPDATE action SET is_wanted = 0 WHERE is_wanted = 1 AND NOT (${isStillPurged(kinds)})`);
    const sources = wantedActions(isPart);
    for (const kind of kinds) {
      this.db.exec(
        `INSERT INTO action (kind, message, person, other, reaction) ${sources[kind]}
         ON CONFLICT (message, person, other, kind, reaction) DO UPDATE SET is_wanted = 1`,
      );
    }
    this.db.exec(`DELETE FROM action_delivery WHERE action IN (${replacedReactions});
      DELETE FROM action WHERE id IN (${replacedReactions});
      DELETE FROM action_delivery WHERE state = 'pending' AND action IN (SELECT id FROM action WHERE is_wanted = 0);
      DELETE FROM action WHERE is_wanted = 0 AND NOT EXISTS (
        SELECT 1 FROM destination t CROSS JOIN action_delivery v ON v.destination = t.id AND v.action = action.id)`);
  }

  /** Reactions of people who never wrote in the group (needs `collectWriters`): the service has no operation that makes them members. */
  countSilentReactions(): number {
    return this.#hasAny() ? this.sql.silentReactions.get()! : 0;
  }

  /** Most stores have none. */
  #hasAny(): boolean {
    return this.sql.any.get() !== undefined;
  }

  /** How many of each kind are to be done, wherever. */
  countWanted(): Partial<Record<ActionKind, number>> {
    return Object.fromEntries(this.sql.countWanted.all());
  }

  /** Kinds of which there is nothing are left out. `destination` may be one that nothing was ever sent to. */
  count(destination: number): ActionCount[] {
    if (!this.#hasAny()) return [];
    const rows = this.sql.count.all({ destination });
    const counts = actionKinds.map((kind) => {
      const sum = (wanted: number, ...states: readonly ActionState[]) =>
        rows
          .filter((row) => row.kind === kind && row.wanted === wanted && states.includes(row.state))
          .reduce((total, { count }) => total + count, 0);
      return {
        kind,
        planned: sum(1, 'waiting', 'ready', 'sent', 'done', 'existing', 'failed'),
        done: sum(1, 'done'),
        existing: sum(1, 'existing'),
        failed: sum(1, 'failed'),
        pending: sum(1, 'waiting', 'ready'),
        unconfirmed: sum(1, 'sent'),
        waiting: sum(1, 'waiting'),
        withdrawn: sum(0, 'sent', 'done', 'existing', 'failed'),
      };
    });
    return counts.filter(({ planned, withdrawn }) => planned + withdrawn > 0);
  }

  /** How many may be asked for now, or are unconfirmed. */
  countReady(destination: number, kinds: readonly ActionKind[] = actionKinds): number {
    const counts = this.count(destination).filter(({ kind }) => kinds.includes(kind));
    return counts.reduce((sum, { pending, waiting, unconfirmed }) => sum + pending - waiting + unconfirmed, 0);
  }

  /** Failed actions, by kind and code, most frequent first. */
  refused(destination: number): RefusedActions[] {
    return this.sql.refused.all({ destination });
  }

  /** Actions of one kind that may be asked for, or that are unconfirmed, by id. */
  rows(destination: number, kind: ActionKind, state: 'ready' | 'sent'): Iterable<ActionRow> {
    return inPages('id', (after) => this.sql.rows.all({ destination, kind, state, after }));
  }

  /** People of whom something is still open at a destination: a message of theirs or to them, or an action with them. */
  busyPeople(destination: number): Set<number> {
    return new Set(this.sql.busyPeople.all({ destination }));
  }

  /**
   * Writes down what becomes of an action at a destination:
   *
   *     (no row) ──intend──▶ sent ──receive──▶ done | existing | failed
   *                            └──surely not applied──▶ pending ──intend──▶ sent …
   *
   * Resolves when the intent is on disk: the request may leave.
   */
  intend(
    at: { readonly destination: number; readonly run: number; readonly nowMs: number },
    actions: readonly Pick<ActionRow, 'id' | 'serverId'>[],
  ): Promise<void> {
    return this.#commits.commit(() => {
      for (const { id, serverId } of actions) this.sql.intend.run({ ...at, action: id, serverId });
    }, 'intent');
  }

  /** Resolves when the receipts are on disk. */
  receive(
    destination: number,
    actions: readonly Pick<ActionRow, 'id'>[],
    { state, code, detail }: ActionReceipt,
  ): Promise<void> {
    const receipt = { destination, state, code: code ?? null, detail: detail ?? null };
    return this.#commits.commit(() => {
      for (const { id } of actions) this.sql.receive.run({ ...receipt, action: id });
    });
  }

  /** When (wall time) the latest action that is still unconfirmed was requested. */
  latestDoubtfulMs(destination: number): number | undefined {
    return this.sql.latestDoubtful.get(destination) ?? undefined;
  }

  /**
   * People come to a destination with their first message, and to a group with their first message there: what was refused because
   * they were not there is to be asked for again once they have come. Messages of earlier runs were there before the refusal.
   */
  reopenRefused(destination: number): void {
    const since = this.sql.firstRefusal.get(destination) ?? undefined;
    if (since === undefined) return;
    this.db.exec(`DROP TABLE IF EXISTS temp.newcomer;
      CREATE TEMP TABLE newcomer (person INTEGER, conversation INTEGER, run INTEGER, PRIMARY KEY (person, conversation)) WITHOUT ROWID`);
    this.sql.collectNewcomers.run(destination, since);
    this.sql.reopenRefused.run(destination);
  }

  /** Whether any reaction was ever given at a destination. */
  hasDoneReactions(destination: number): boolean {
    return this.sql.anyDoneReaction.get(destination) !== undefined;
  }

  /**
   * Reads reactions that were given to a message at a destination, whether still wanted or not: none is rolled back.
   * Purged ones come last.
   *
   * @param serverId Of the message. @param withDoubtful Also those that are unconfirmed.
   */
  doneReactions(destination: number, message: number, serverId: string, withDoubtful = false): DoneReaction[] {
    return this.sql.doneReactions.all({ destination, message, serverId, withDoubtful: withDoubtful ? 1 : 0 });
  }

  /** Uids of people who were deactivated at a destination by runs after this one, some behind another. */
  *deactivatedUids(destination: number, since: number): Generator<string> {
    for (const { uid } of inPages('id', (after) => this.sql.deactivated.all({ destination, since, after }))) yield uid;
  }

  /** How many actions of each kind an undo leaves alone: reactions go with their messages, and who was deactivated is activated. */
  countStaying(destination: number): { kind: ActionKind; count: number }[] {
    return this.sql.countStaying.all(destination);
  }

  /**
   * Purges who gave which reaction to messages whose content was purged, as far as every reaction of a message was given,
   * or refused. How many there were, and by whom, stays: verify counts them.
   *
   * No digest is kept of a reaction: there are so few that each of them is guessed at once.
   */
  purgeReactions(): void {
    const purge = this.db.transaction(() => {
      // A purged reaction has the number of its action: one person may have given several.
      this.db.exec(`INSERT INTO temp.answered SELECT m.seq FROM message m
          WHERE m.verdict = 'planned' AND m.payload IS NULL AND m.reactions <> '${noReactions}' AND NOT ${isOpen}
        UNION SELECT m.seq FROM action a CROSS JOIN message m ON m.seq = a.message
          WHERE a.kind = 'reactions' AND NOT ${isPurgedReaction('a')} AND m.verdict = 'planned' AND m.payload IS NULL AND NOT ${isOpen};
        UPDATE message SET reactions = '${noReactions}' WHERE seq IN (SELECT message FROM temp.answered);
        UPDATE action_delivery SET detail = NULL WHERE action IN (
          SELECT id FROM action WHERE message IN (SELECT message FROM temp.answered));
        UPDATE action SET reaction = 'purged ' || id WHERE kind = 'reactions' AND message IN (SELECT message FROM temp.answered)`);
    });
    this.db.exec('CREATE TEMP TABLE IF NOT EXISTS answered (message INTEGER PRIMARY KEY); DELETE FROM temp.answered');
    purge.immediate();
  }
}

/** Friends and blocks as read from files. When a file is read again, its relations from an earlier plan are replaced. */
export class Relations extends withStatements(statements) {
  /** Files of which something was written since this began. */
  readonly #begun = new Set<number>();

  /** @param from, to people of the store. */
  add(file: number, type: RelationRecord['type'], from: number, to: number): void {
    this.#begin(file);
    this.sql.addRelation.run(file, type, from, to);
  }

  /** Everything of the file was read. */
  close(file: number, wasRead: boolean): void {
    if (wasRead) this.#begin(file);
    this.#begun.delete(file);
  }

  #begin(file: number): void {
    if (this.#begun.has(file)) return;
    this.#begun.add(file);
    this.sql.dropRelations.run(file);
  }
}
