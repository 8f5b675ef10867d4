import type { Database } from 'better-sqlite3';

/**
 * People and conversations, by their ids in the store, that may not be: nothing named them before the end of a file that may
 * have been cut there, in the middle of a name.
 */
export interface DoubtedNames {
  readonly people: ReadonlySet<number>;
  readonly conversations: ReadonlySet<number>;
}

/** Some people and conversations, by their ids in the store. */
export type NameIds<Ids = Iterable<number>> = { readonly [Kind in keyof DoubtedNames]: Ids };

/** @param rest What stands behind the last whole line of a file; remembered with it until it is read again. */
export function saveDoubted(db: Database, rest: number, { people, conversations }: DoubtedNames): void {
  const isAny = people.size + conversations.size > 0;
  const text = isAny ? JSON.stringify({ people: [...people], conversations: [...conversations] }) : null;
  db.prepare('UPDATE source_file SET read_to = ? WHERE id = ?').run(text, rest);
}

/**
 * Those that files of one input left.
 *
 * @param isReadAgain Whether a plan reads what stands behind the last whole line of the file again.
 */
export function doubtedNames(
  db: Database,
  inputPath: string,
  isReadAgain: (file: { readonly path: string; readonly role: string }) => boolean,
): DoubtedNames {
  const select = db.prepare<[string], { path: string; role: string; names: string }>(
    `SELECT f.path, f.role, r.read_to AS names FROM source_input i JOIN source_file f ON f.input = i.id
       JOIN source_file r ON r.id = f.rest AND r.read_to IS NOT NULL WHERE i.path = ?`,
  );
  const found = [...select.iterate(inputPath)]
    .filter(isReadAgain)
    .map(({ names }) => JSON.parse(names) as Record<keyof DoubtedNames, number[]>);
  return {
    people: new Set(found.flatMap(({ people }) => people)),
    conversations: new Set(found.flatMap(({ conversations }) => conversations)),
  };
}

/** Everybody and every conversation that the store knows: of an export that is read whole, what it no longer names is gone. */
export function everyName(db: Database): NameIds {
  const idsOf = (table: string) => db.prepare<[], number>(`SELECT id FROM ${table}`).pluck().iterate();
  return { people: idsOf('person'), conversations: idsOf('conversation') };
}

/**
 * After the rows that left the books: what nothing names any more leaves them as well. Who or what has a row, or was asked of a
 * destination, stays. Where anything is doubted, goes through the messages once.
 */
export function forgetNames(db: Database, { people, conversations }: NameIds<readonly number[]>): void {
  const forget = (table: string, ids: readonly number[], named: string) => {
    if (ids.length === 0) return;
    db.prepare(`DELETE FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) AND id NOT IN (${named})`).run(
      JSON.stringify(ids),
    );
  };
  forget('conversation', conversations, namedConversations);
  forget('person', people, namedPeople);
}

const namedConversations = `SELECT conversation FROM message WHERE conversation IS NOT NULL
  UNION ALL SELECT conversation FROM conversation_delivery
  UNION ALL SELECT conversation FROM conversation_check
  UNION ALL SELECT conversation FROM difference WHERE conversation IS NOT NULL
  UNION ALL SELECT conversation FROM export_gap
  UNION ALL SELECT subject FROM undo_call WHERE kind <> 'person'`;

const namedPeople = `SELECT sender FROM message WHERE sender IS NOT NULL
  UNION ALL SELECT p.value FROM message m, json_each(m.reactions) r, json_each(r.value, '$[1]') p WHERE m.reactions IS NOT NULL
  UNION ALL SELECT person_a FROM conversation WHERE person_a IS NOT NULL
  UNION ALL SELECT person_b FROM conversation WHERE person_b IS NOT NULL
  UNION ALL SELECT from_person FROM relation UNION ALL SELECT to_person FROM relation
  UNION ALL SELECT person FROM action UNION ALL SELECT other FROM action
  UNION ALL SELECT person FROM person_delivery UNION ALL SELECT person FROM person_before
  UNION ALL SELECT subject FROM undo_call WHERE kind = 'person'`;
