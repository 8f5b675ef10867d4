import type { Database } from 'better-sqlite3';
import { storedId } from '../../lib/text/stored-id.ts';
import { namedPeople } from './forget-names.ts';

/** Whether plans alone have written to the store: nothing was asked of a destination, and no change was noted. */
export const isOnlyPlanned = (db: Database): boolean =>
  db
    .prepare(
      ['delivery', 'conversation_delivery', 'person_delivery', 'person_before', 'action', 'drift', 'export_gap']
        .map((table) => `SELECT 1 FROM ${table}`)
        .join(' UNION ALL '),
    )
    .get() === undefined;

/** Rows that threw while they were mapped have no facts: under other rules they may be mapped. */
const threw = `reason = 'row-not-understood'`;

/** Returns files with messages that have a fact. */
export const filesWithFact = (db: Database, fact: string): number[] =>
  db
    .prepare<[string], number>(`SELECT DISTINCT file FROM message WHERE facts LIKE ? OR ${threw}`)
    .pluck()
    .all(`%"${fact}":%`);

/** Returns files with messages of people whom no file of the export describes. */
export const filesOfUnknownAuthors = (db: Database): number[] =>
  db
    .prepare<[], number>(
      `SELECT DISTINCT file FROM message WHERE sender IN (SELECT id FROM person WHERE is_placeholder = 1) OR ${threw}`,
    )
    .pluck()
    .all();

export interface NamedConversation {
  readonly id: number;
  readonly sourceId: string;
  readonly name: string;
  readonly isPlaceholder: 0 | 1;
}

/** Returns conversations that have one of these as their id or name in the export. */
export const conversationsCalled = (db: Database, names: readonly string[]): NamedConversation[] =>
  db
    .prepare<{ names: string }, NamedConversation>(
      `SELECT id, record ->> '$.id' AS sourceId, record ->> '$.name' AS name, is_placeholder AS isPlaceholder FROM conversation
       WHERE record ->> '$.id' IN (SELECT value FROM json_each(@names)) OR record ->> '$.name' IN (SELECT value FROM json_each(@names))`,
    )
    .all({ names: JSON.stringify(names) });

/** Returns files with messages of these conversations. */
export const filesOfConversations = (db: Database, conversations: readonly number[]): number[] =>
  db
    .prepare<[string], number>(
      `SELECT DISTINCT file FROM message WHERE conversation IN (SELECT value FROM json_each(?)) OR ${threw}`,
    )
    .pluck()
    .all(JSON.stringify(conversations));

/** The paths of some files, as far as they belong to an input (an absolute path), in their order. */
export const pathsOfFiles = (db: Database, inputPath: string, files: readonly number[]): string[] =>
  db
    .prepare<[string, string], string>(
      `SELECT f.path FROM json_each(?) wanted CROSS JOIN source_file f ON f.id = wanted.value
       WHERE f.input = (SELECT id FROM source_input WHERE path = ?) ORDER BY f.path`,
    )
    .pluck()
    .all(JSON.stringify(files), inputPath);

/** Returns the bytes of some files, and of all files with messages. */
export const bytesOfFiles = (db: Database, files: readonly number[]): { readonly some: number; readonly all: number } =>
  db
    .prepare<[string], { some: number; all: number }>(
      `SELECT coalesce(sum(size_bytes) FILTER (WHERE id IN (SELECT value FROM json_each(?))), 0) AS some,
         coalesce(sum(size_bytes), 0) AS "all" FROM source_file WHERE role = 'rows'`,
    )
    .get(JSON.stringify(files))!;

/** How a plan has staged someone or something by id. */
export interface StoredName {
  readonly id: number;
  readonly record: string;
  readonly isPlaceholder: 0 | 1;
}

/** Returns a reader of people, or of conversations, by their ids at the source. */
export function storedNameReader(
  db: Database,
  table: 'person' | 'conversation',
): (sourceId: string) => StoredName | undefined {
  const select = db.prepare<[string], StoredName>(
    `SELECT id, record, is_placeholder AS isPlaceholder FROM ${table} WHERE source_id = ?`,
  );
  return (sourceId) => select.get(storedId(sourceId));
}

/** Returns a reader of the facts of a message; undefined if the store has no such message. */
export function stagedFactsReader(db: Database): (muid: string) => string | undefined {
  const select = db.prepare<[string], string>(`SELECT coalesce(facts, '') FROM message WHERE muid = ?`).pluck();
  return (muid) => select.get(muid);
}

const namesPeople = `(facts LIKE '%"mentions":%' OR facts LIKE '%"reactions":%')`;
const chatferry = `$.data.metadata.chatferry`;

/**
 * Removes placeholders of people whom messages only mentioned, once nothing mentions them any more.
 *
 * @param seen People whom the files name that were just read; the payloads of other messages are looked at.
 * @returns False if it cannot be known who is still mentioned, because a message that is not sent may do so.
 */
export function forgetUnmentioned(db: Database, seen: { has(id: number): boolean }): boolean {
  const placeholders = db.prepare<[], { id: number; uid: string }>(
    `SELECT id, uid FROM person WHERE is_placeholder = 1 AND id NOT IN (${namedPeople})`,
  );
  const unseen = new Map<string, number>();
  for (const { id, uid } of placeholders.iterate()) if (!seen.has(id)) unseen.set(uid, id);
  if (unseen.size === 0) return true;
  const mentioned = db
    .prepare<[], string>(
      `SELECT uid.value FROM message m, json_each(m.payload, '${chatferry}.mentions') uid WHERE m.payload IS NOT NULL AND ${namesPeople}
       UNION ALL SELECT uid.value FROM message m, json_each(m.payload, '${chatferry}.reactions') r, json_each(r.value, '$.by') uid
       WHERE m.payload IS NOT NULL AND ${namesPeople}`,
    )
    .pluck();
  for (const uid of mentioned.iterate()) unseen.delete(uid);
  if (unseen.size === 0) return true;
  if (db.prepare(mentionsUnsaid).get() !== undefined) return false;
  db.prepare('DELETE FROM person WHERE id IN (SELECT value FROM json_each(?))').run(
    JSON.stringify([...unseen.values()]),
  );
  return true;
}

/** Messages that were mapped, and are not staged as they were mapped, or not with all whom they mention. */
const mentionsUnsaid = `SELECT 1 FROM message WHERE ${namesPeople} AND (facts LIKE '%"trimmed":%' OR (payload IS NULL AND (
  (verdict = 'invalid' AND reason NOT IN ('unknown-author', 'not-in-lookup', 'older-than'))
  OR reason IN ('conversation excluded', 'empty message')))) LIMIT 1`;
