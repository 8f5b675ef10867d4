import type { Database } from 'better-sqlite3';
import { carried } from './actions.ts';
import { collectWriters } from './row-counts.ts';

/**
 * What only one person, or one conversation, may be called at a destination. `pair`: the service has one conversation for two
 * people; the id is their uids, the lesser first, with a space between.
 */
export const nameKinds = ['uid', 'guid', 'pair'] as const;
export type NameKind = (typeof nameKinds)[number];

/** A name, and who or what takes it: the id at the source. */
export interface TakenName {
  readonly kind: NameKind;
  readonly id: string;
  readonly sourceId: string;
}

/** A name that several take. */
export interface Collision {
  readonly kind: NameKind;
  readonly id: string;
  readonly sourceIds: readonly string[];
}

/**
 * The names that the plan of a store takes at a destination, one by one: of the people who come with its messages, and of the conversations
 * that have some. Where a store holds one part of an export, no other part may have one of them for somebody else.
 */
export function* takenNames(db: Database): Generator<TakenName> {
  collectWriters(db);
  yield* db
    .prepare<[], TakenName>(
      `SELECT 'uid' AS kind, uid AS id, source_id AS sourceId FROM person WHERE id IN (${carried})`,
    )
    .iterate();
  yield* db
    .prepare<[], TakenName>(
      `SELECT 'guid' AS kind, guid AS id, source_id AS sourceId FROM conversation
       WHERE receiver_type = 'group' AND id IN (SELECT conversation FROM temp.writer)`,
    )
    .iterate();
  yield* db
    .prepare<[], TakenName>(
      `SELECT 'pair' AS kind, min(a.uid, b.uid) || ' ' || max(a.uid, b.uid) AS id, c.source_id AS sourceId
       FROM conversation c JOIN person a ON a.id = c.person_a JOIN person b ON b.id = c.person_b
       WHERE c.receiver_type = 'user' AND c.id IN (SELECT conversation FROM temp.writer)`,
    )
    .iterate();
}
