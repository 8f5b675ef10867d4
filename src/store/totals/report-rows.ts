import type { Database } from 'better-sqlite3';
import type { ChangeKind, DriftPolicy } from '../../model/change.ts';
import { known, printPlace } from '../base/message-facts.ts';
import { isPending } from '../delivery/next-rows.ts';
import { hasMessageIndex } from '../base/message-indexes.ts';
import { differencesOf } from '../delivery/verify-results.ts';

/** Reads the size from SQLite: opening the file a second time would drop its locks. */
export function storeBytes(db: Database): number {
  const [pages, pageBytes] = ['page_count', 'page_size'].map((name) => db.pragma(name, { simple: true }) as number);
  return pages! * pageBytes!;
}

/** Problems by code, most first, with the first few of each. */
export function problemGroups(db: Database, examplesMax: number) {
  const groups = db
    .prepare<[], { code: string; count: number }>(
      'SELECT code, sum(count) AS count FROM problem GROUP BY code ORDER BY count DESC, code',
    )
    .all();
  const examples = db.prepare<[string, number], { location: string; detail: string }>(
    `SELECT place AS location, reason AS detail FROM problem
     WHERE code = ? AND (count = 1 OR reason NOT GLOB '[0-9]* more*') ORDER BY count DESC, id LIMIT ?`,
  );
  return groups.map((group) => ({ ...group, examples: examples.all(group.code, examplesMax) }));
}

/**
 * Messages that are still to be sent to a destination and were sent at the source before a time, with the first few of them.
 *
 * @param fromMs Older ones are not planned, but for those that were sent.
 */
export function pendingBefore(
  db: Database,
  destination: number | null,
  {
    fromMs,
    beforeMs,
    examplesMax,
  }: { readonly fromMs: number; readonly beforeMs: number; readonly examplesMax: number },
) {
  const rows = `conversation c CROSS JOIN message m ON m.conversation = c.id AND m.verdict = 'planned'
      AND m.sent_at >= @fromMs AND m.sent_at < @beforeMs
    LEFT JOIN delivery d ON d.destination = ${known('@destination')} AND d.message = m.seq
    JOIN source_file f ON f.id = m.file WHERE ${isPending} AND m.vanished = 0 AND coalesce(m.part, 1) = 1`;
  const asked = { destination, fromMs, beforeMs };
  const count = db.prepare<object, number>(`SELECT count(*) FROM ${rows}`).pluck().get(asked)!;
  const examples = db
    .prepare<object, { path: string; place: string; sentAtMs: number }>(
      `SELECT f.path, m.place, m.sent_at AS sentAtMs FROM ${rows} ORDER BY m.seq LIMIT @examplesMax`,
    )
    .all({ ...asked, examplesMax: count === 0 ? 0 : examplesMax })
    .map(({ path, place, sentAtMs }) => ({
      location: printPlace(path, place),
      detail: `sent at ${new Date(sentAtMs).toISOString()}`,
    }));
  return { count, examples };
}

/** Files by what they were. */
export function fileRoles(db: Database): { shared: number; rows: number; skipped: number; unknown: number } {
  const counts = ['shared', 'rows', 'skipped', 'unknown'].map((role) => `total(role = '${role}') AS ${role}`);
  return db
    .prepare<[], { shared: number; rows: number; skipped: number; unknown: number }>(
      `SELECT ${counts.join(', ')} FROM source_file`,
    )
    .get()!;
}

/** Kinds of ignored files that are listed. */
const ignoredMax = 50;

/** Files of which nothing was read, by the reason: how many, and the first of them. */
export const ignoredFiles = (db: Database): { reason: string; count: number; example: string }[] =>
  db
    .prepare<[], { reason: string; count: number; example: string }>(
      `SELECT coalesce(reason, 'Not part of the format') AS reason, count(*) AS count, min(path) AS example FROM source_file
       WHERE role IN ('skipped', 'unknown') GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${ignoredMax}`,
    )
    .all();

export function peopleCounts(db: Database): { total: number; bots: number; deleted: number; placeholders: number } {
  return db
    .prepare<[], { total: number; bots: number; deleted: number; placeholders: number }>(
      `SELECT count(*) AS total, coalesce(sum(record ->> '$.isBot'), 0) AS bots,
         coalesce(sum(record ->> '$.isDeleted'), 0) AS deleted, coalesce(sum(is_placeholder), 0) AS placeholders FROM person`,
    )
    .get()!;
}

/** Name of a conversation, and where it goes. */
export function conversationRows(db: Database) {
  const select = db.prepare<
    [number],
    { source_id: string; name: string; receiver_type: string; guid: string; a: string | null; b: string | null }
  >(
    `SELECT c.source_id, c.name, c.receiver_type, c.guid, a.uid AS a, b.uid AS b FROM conversation c
     LEFT JOIN person a ON a.id = c.person_a LEFT JOIN person b ON b.id = c.person_b WHERE c.id = ?`,
  );
  return (id: number): { id: string; name: string; target: string } => {
    const { source_id, name, receiver_type, guid, a, b } = select.get(id)!;
    return { id: source_id, name, target: receiver_type === 'group' ? `group ${guid}` : `user ${a} + ${b}` };
  };
}

export function personNames(db: Database) {
  const select = db.prepare<[number], { name: string; uid: string }>('SELECT name, uid FROM person WHERE id = ?');
  return (id: number): { name: string; uid: string } => select.get(id)!;
}

export function countSubSecondTimes(db: Database): number {
  // A tenth of what the table has to be read.
  const index = hasMessageIndex(db, 'message_order') ? 'INDEXED BY message_order' : '';
  const rows = db
    .prepare(`SELECT count(*) FROM message ${index} WHERE verdict = 'planned' AND sent_at % 1000 <> 0`)
    .pluck()
    .get() as number;
  // Further parts of a text that was split are no messages of the export.
  const parts = db
    .prepare(`SELECT count(*) FROM message WHERE part > 1 AND verdict = 'planned' AND sent_at % 1000 <> 0`)
    .pluck()
    .get() as number;
  return rows - parts;
}

/** Yields the latest findings of verify, one by one. */
export function* differenceRows(db: Database, destination: number) {
  for (const { kind, muid, detail, name, path, place } of differencesOf(db, destination))
    yield {
      kind,
      muid,
      detail,
      conversation: name ?? '',
      location: path === null ? '' : printPlace(path, place ?? ''),
    };
}

/** A row of the export that cannot be sent or was refused, or what a check or a comparison found: to be listed one by one. */
export interface ListedProblem {
  readonly code: string;
  /** More than 1: further findings of its file, which are only counted. */
  readonly count: number;
  readonly location: string;
  readonly conversation: string;
  /** Empty if it is not about one message. */
  readonly muid: string;
  readonly detail: string;
}

interface MessageRow {
  readonly code: string | null;
  readonly path: string;
  readonly place: string;
  readonly conversation: string | null;
  readonly muid: string | null;
  readonly detail: string | null;
}

/** Invalid rows, in reading order: one pass over all messages. */
export const invalidRows = (db: Database, destination: number | null): Generator<ListedProblem> =>
  messages(db, destination, `SELECT m.reason AS code, ${columns} AND m.verdict = 'invalid'`);

/** Messages that the destination refused, in reading order; of one that was split, once. */
export const refusedRows = (db: Database, destination: number | null): Generator<ListedProblem> =>
  messages(db, destination, `SELECT m.code, ${columns} AND m.state = 'failed' AND m.verdict = 'planned'`);

// The view goes through messages in their order: sorting would collect them all.
const columns = `f.path, m.place, c.name AS conversation, m.muid, m.detail FROM message_at_destination m
  JOIN source_file f ON f.id = m.file LEFT JOIN conversation c ON c.id = m.conversation
  WHERE m.destination IS ${known(':destination')}`;

function* messages(db: Database, destination: number | null, sql: string): Generator<ListedProblem> {
  const rows = db.prepare<[{ destination: number | null }], MessageRow>(sql).iterate({ destination });
  for (const { code, path, place, conversation, muid, detail } of rows) {
    yield {
      code: code ?? 'failed',
      count: 1,
      location: printPlace(path, place),
      conversation: conversation ?? '',
      muid: muid ?? '',
      detail: detail ?? '',
    };
  }
}

/** Yields the findings of checks, in reading order. */
export function* findingRows(db: Database): Generator<ListedProblem> {
  const rows = db.prepare<[], Pick<ListedProblem, 'code' | 'count' | 'location' | 'detail'>>(
    'SELECT code, count, place AS location, reason AS detail FROM problem ORDER BY id',
  );
  for (const row of rows.iterate()) yield { ...row, conversation: '', muid: '' };
}

/** Changes of one kind that were handled alike. */
export interface DriftGroup {
  readonly kind: ChangeKind;
  readonly policy: DriftPolicy;
  readonly count: number;
  /** How many of these the latest plan noticed. */
  readonly noticed: number;
}

/** Returns changes at the source after sending to a destination, most frequent first. @param plan Number of the latest plan. */
export function driftGroups(db: Database, destination: number, plan: number): DriftGroup[] {
  return db
    .prepare<[number, number], DriftGroup>(
      `SELECT kind, policy, count(*) AS count, sum(plan = ?) AS noticed FROM drift WHERE destination = ?
       GROUP BY kind, policy ORDER BY count DESC, kind, policy`,
    )
    .all(plan, destination);
}

/** Returns the latest changes of a group: the location where the message is, or was, and its muid. */
export function driftExamples(db: Database, destination: number, max: number) {
  const select = db.prepare<[number, string, string, number], { path: string; place: string; muid: string }>(
    `SELECT f.path, m.place, m.muid FROM drift x JOIN message m ON m.seq = x.message JOIN source_file f ON f.id = m.file
     WHERE x.destination = ? AND x.kind = ? AND x.policy = ? ORDER BY x.id DESC LIMIT ?`,
  );
  return ({ kind, policy }: Pick<DriftGroup, 'kind' | 'policy'>) =>
    select
      .all(destination, kind, policy, max)
      .map(({ path, place, muid }) => ({ location: printPlace(path, place), detail: `message ${muid}` }));
}
