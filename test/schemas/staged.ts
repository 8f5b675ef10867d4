import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { markdownWords, words } from '../sources/tables/schemas/arrived.ts';
import type { Expected, SchemaDatabase } from './databases.ts';

/** Compares what a plan has staged, read without Chatferry's code, with what has to arrive. */

interface Staged {
  readonly id: string;
  readonly conversation: string;
  readonly type: string;
  readonly members: string;
  readonly author: string;
  readonly name: string;
  readonly sentAt: number;
  readonly text: string | null;
}

const stagedQuery = `SELECT m.origin_id AS id, c.source_id AS conversation, c.type, p.source_id AS author, p.name, m.sent_at AS sentAt,
  m.payload ->> '$.data.text' AS text,
  (SELECT json_group_array(json_array(o.source_id, o.name)) FROM person o, json_each(c.record, '$.members') e WHERE o.source_id = e.value) AS members
  FROM message m JOIN conversation c ON c.id = m.conversation JOIN person p ON p.id = m.sender
  WHERE m.verdict = 'planned' AND coalesce(m.part, 1) = 1 ORDER BY m.seq`;

const leftOutQuery = `SELECT coalesce(origin_id, place) AS id, reason FROM message WHERE verdict <> 'planned'`;

export type FaultKind =
  | 'sent'
  | 'missing'
  | 'author'
  | 'name'
  | 'conversation'
  | 'exposed'
  | 'members'
  | 'time'
  | 'text';

/** The fault of a message or a conversation. */
export interface Fault {
  readonly kind: FaultKind;
  readonly what: string;
}

export function faultsIn(store: string, database: SchemaDatabase): readonly Fault[] {
  // Nothing was planned: each message is missing.
  if (!existsSync(store)) return compare([], new Map(), database);
  const db = new Database(store, { readonly: true });
  try {
    return compare(
      db.prepare<[], Staged>(stagedQuery).all(),
      new Map(
        db
          .prepare<[], { id: string; reason: string }>(leftOutQuery)
          .all()
          .map((row) => [row.id, row.reason]),
      ),
      database,
    );
  } finally {
    db.close();
  }
}

interface Pair {
  readonly wanted: Expected;
  readonly row: Staged;
}

function compare(
  rows: readonly Staged[],
  leftOut: ReadonlyMap<string, string>,
  { messages, mayArrive, members, closed }: SchemaDatabase,
): readonly Fault[] {
  const pairs = pair(messages, rows);
  const met = new Set(pairs.map(({ row }) => row));
  const found = new Set(pairs.map(({ wanted }) => wanted));
  const people = namesFor(pairs.map(({ row, wanted }) => [row.author, wanted.author]));
  const rooms = namesFor(pairs.map(({ row, wanted }) => [row.conversation, wanted.conversation]));
  const nameOf = new Map(messages.map(({ author, name }) => [author, name]));
  const reasonOf = (id: string) =>
    [...leftOut].find(([place]) => place === id || place.endsWith(`/${id}`))?.[1] ?? 'not read';
  return [
    ...rows
      .filter((row) => !met.has(row) && !mayArrive(row.text ?? ''))
      .map(({ id, text }) => fault('sent', `${id} ${(text ?? '').slice(0, 40)}`)),
    ...messages
      .filter((one) => !found.has(one) && !one.isSystem)
      .map(({ id }) => fault('missing', `${id} (${reasonOf(id)})`)),
    ...pairs.flatMap(({ row, wanted }) => [
      ...differ('author', wanted.id, people.get(row.author), wanted.author),
      ...differ('name', wanted.id, row.name, wanted.name ?? row.name),
      ...differ('conversation', wanted.id, rooms.get(row.conversation), wanted.conversation),
      ...differ('time', wanted.id, second(row.sentAt), second(Date.parse(wanted.time))),
      ...(isText(row, wanted) ? [] : differ('text', wanted.id, row.text, wanted.text)),
    ]),
    ...[...rooms].flatMap(([room, wanted]) => {
      const row = rows.find(({ conversation }) => conversation === room)!;
      const may = members.get(wanted);
      const who = (JSON.parse(row.members) as [string, string][]).map(
        ([id, name]) => nameOf.get(people.get(id) ?? '') ?? name,
      );
      return [
        ...(closed.has(wanted) && row.type === 'public' ? [fault('exposed', wanted)] : []),
        ...(may ? differ('members', wanted, listed(who, may), listed(may, may)) : []),
      ];
    }),
  ];
}

/** How many they are, where one of those who may read it has no name. */
const listed = (names: readonly (string | null)[], may: readonly (string | null)[]): string =>
  may.includes(null) ? String(names.length) : [...new Set(names)].sort().join();

/** As the service keeps times. */
const second = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString();

const fault = (kind: FaultKind, what: string): Fault => ({ kind, what });

const differ = (kind: FaultKind, id: string, found: unknown, wanted: unknown): readonly Fault[] =>
  found === wanted ? [] : [fault(kind, `${id}: ${JSON.stringify(found)} rather than ${JSON.stringify(wanted)}`)];

function isText({ text }: Staged, wanted: Expected): boolean {
  // A message of files alone names them.
  if (wanted.text === '') return text === null || text.startsWith('📎');
  return wanted.isLoose ? markdownWords(text ?? '').includes(words(wanted.text)) : text === wanted.text;
}

/** Ids of unions and copies may have been made: by id and text, else by the text, else by the id. */
function pair(messages: readonly Expected[], rows: readonly Staged[]): readonly Pair[] {
  const pairs: Pair[] = [];
  const ways: readonly ((row: Staged, wanted: Expected) => boolean)[] = [
    (row, wanted) => row.id === wanted.id && isText(row, wanted),
    (row, wanted) => wanted.text !== '' && isText(row, wanted),
    (row, wanted) => row.id === wanted.id,
  ];
  for (const fits of ways) {
    for (const wanted of messages.filter((one) => !pairs.some((known) => known.wanted === one))) {
      const row = rows.find((one) => fits(one, wanted) && !pairs.some((known) => known.row === one));
      if (row) pairs.push({ wanted, row });
    }
  }
  return pairs;
}

/** One name for each on either side: the first that was met. */
function namesFor(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const there = new Map<string, string>();
  for (const [from, to] of pairs) if (!there.has(from) && ![...there.values()].includes(to)) there.set(from, to);
  return there;
}
