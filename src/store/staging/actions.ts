import type { Database } from 'better-sqlite3';
import type { ActionKind } from '../../model/action.ts';
import type { RelationRecord } from '../../model/relation.ts';
import { hasActions } from '../delivery/action-counts.ts';
import { dropPurgedReactions, isPurgedReaction, noReactions } from '../repair/purge-reactions.ts';

/** People who come with the messages (needs `collectWriters`): who wrote one, and both of a one-to-one conversation. */
const participants = `SELECT sender FROM temp.writer
  UNION SELECT c.person_a FROM temp.writer w JOIN conversation c ON c.id = w.conversation WHERE c.receiver_type = 'user'
  UNION SELECT c.person_b FROM temp.writer w JOIN conversation c ON c.id = w.conversation WHERE c.receiver_type = 'user'`;

/** Wanted actions of each kind, as rows of `action`. */
const wanted = (isPart: boolean): Readonly<Record<ActionKind, string>> => {
  const between = isPart ? `AND person IN (${participants}) AND other IN (${participants})` : '';
  return {
    friends: `SELECT 'friends', 0, person, other, '' FROM (${currentRelations}) WHERE type = 'friend' ${between}`,
    blocks: `SELECT 'blocks', 0, person, other, '' FROM (${currentRelations}) WHERE type = 'block' ${between}`,
    reactions: `SELECT 'reactions', m.seq, p.value, 0, r.value ->> 0
      FROM message m, json_each(m.reactions) r, json_each(r.value, '$[1]') p
      WHERE m.reactions IS NOT NULL AND m.verdict = 'planned' AND m.vanished = 0`,
    // Another person with the same uid may be there already.
    deactivations: `SELECT 'deactivations', 0, p.id, 0, '' FROM person p
      WHERE p.record ->> '$.isDeleted' AND p.is_placeholder = 0 AND p.id IN (${participants})`,
  };
};

/**
 * Stages the wanted actions of the requested kinds after everything is read (needs `collectWriters`). An action that is
 * wanted again keeps its row. An action that is no longer wanted is deleted, unless it was requested at a destination.
 *
 * @param isPart A filter chose the messages: only friends and blocks of people who come with them are included.
 */
export function stageActions(db: Database, kinds: readonly ActionKind[], isPart: boolean): void {
  if (kinds.length === 0 && !hasActions(db)) return;
  db.exec(`UPDATE action SET is_wanted = 0 WHERE is_wanted = 1 AND NOT (${isStillPurged(kinds)})`);
  const sources = wanted(isPart);
  for (const kind of kinds) {
    db.exec(
      `INSERT INTO action (kind, message, person, other, reaction) ${sources[kind]}
       ON CONFLICT (message, person, other, kind, reaction) DO UPDATE SET is_wanted = 1`,
    );
  }
  dropPurgedReactions(db);
  db.exec(`DELETE FROM action_delivery WHERE state = 'pending' AND action IN (SELECT id FROM action WHERE is_wanted = 0);
    DELETE FROM action WHERE is_wanted = 0 AND NOT EXISTS (
      SELECT 1 FROM destination t CROSS JOIN action_delivery v ON v.destination = t.id AND v.action = action.id)`);
}

/** SQL: purged actions of a message that is unchanged: the export is not asked for them. */
const isStillPurged = (kinds: readonly ActionKind[]) =>
  kinds.includes('reactions')
    ? `${isPurgedReaction('action')} AND EXISTS (SELECT 1 FROM message m WHERE m.seq = action.message
         AND m.verdict = 'planned' AND m.vanished = 0 AND m.reactions = '${noReactions}')`
    : 'false';

/** Reactions of people who never wrote in the group (needs `collectWriters`): the service has no operation that makes them members. */
export function countSilentReactions(db: Database): number {
  if (!hasActions(db)) return 0;
  return db
    .prepare<[], number>(
      `SELECT count(*) FROM action a JOIN message m ON m.seq = a.message JOIN conversation c ON c.id = m.conversation
       WHERE a.is_wanted = 1 AND a.kind = 'reactions' AND c.receiver_type = 'group'
         AND NOT EXISTS (SELECT 1 FROM temp.writer w WHERE w.conversation = c.id AND w.sender = a.person)`,
    )
    .pluck()
    .get()!;
}

/** Friends and blocks as read from files. When a file is read again, its relations from an earlier plan are replaced. */
export class Relations {
  readonly #insert: (file: number, type: string, from: number, to: number) => void;
  readonly #drop: (file: number) => void;
  /** Files of which something was written since this began. */
  readonly #begun = new Set<number>();

  constructor(db: Database) {
    const insert = db.prepare('INSERT INTO relation (file, type, from_person, to_person) VALUES (?, ?, ?, ?)');
    const drop = db.prepare('DELETE FROM relation WHERE file = ?');
    this.#insert = (...row) => insert.run(...row);
    this.#drop = (file) => drop.run(file);
  }

  /** @param from, to people of the store. */
  add(file: number, type: RelationRecord['type'], from: number, to: number): void {
    this.#begin(file);
    this.#insert(file, type, from, to);
  }

  /** Everything of the file was read. */
  close(file: number, wasRead: boolean): void {
    if (wasRead) this.#begin(file);
    this.#begun.delete(file);
  }

  #begin(file: number): void {
    if (this.#begun.has(file)) return;
    this.#begun.add(file);
    this.#drop(file);
  }
}

/**
 * Distinct relations between different people, in the files that the export has now. A friendship counts once,
 * whichever of the two names the other.
 */
const currentRelations = `SELECT DISTINCT r.type,
    CASE r.type WHEN 'friend' THEN min(r.from_person, r.to_person) ELSE r.from_person END AS person,
    CASE r.type WHEN 'friend' THEN max(r.from_person, r.to_person) ELSE r.to_person END AS other
  FROM relation r JOIN source_file f ON f.id = r.file
  WHERE f.role <> 'gone' AND r.from_person <> r.to_person`;

/** How many there are of each type. */
export function countRelations(db: Database): Readonly<Record<RelationRecord['type'], number>> {
  const count = db.prepare<[string], number>(`SELECT count(*) FROM (${currentRelations}) WHERE type = ?`).pluck();
  return { friend: count.get('friend') ?? 0, block: count.get('block') ?? 0 };
}
