import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { openExport } from '../../src/io/input/open-export.ts';
import { muidOf } from '../../src/mapping/ids.ts';
import type { ChatRecord, MessageRecord } from '../../src/model/records.ts';
import type { SourceAdapter } from '../../src/sources/source.ts';
import { runJson } from '../cli/in-process.ts';
import { readAll } from '../contracts/source.ts';

/** A run's totals for an export. */
export interface Account {
  readonly read: number;
  readonly planned: number;
  /** Messages by the rule that leaves them out, and by the code of their reject. */
  readonly skipped: Readonly<Record<string, number>>;
  readonly invalid: Readonly<Record<string, number>>;
  readonly losses: Readonly<Record<string, number>>;
}

/** A message as the sandbox has it, read without any code of ours. */
interface Arrived {
  readonly conversation: string;
  readonly muid: string;
  readonly sender: string;
  readonly senderName: string;
  readonly groupName: string | null;
  readonly sentAt: number;
  readonly text: string;
  readonly reactions: string | null;
}

const arrived = `SELECT c.name AS conversation, m.muid, m.sender, u.entity ->> '$.name' AS senderName, g.entity ->> '$.name' AS groupName,
  m.sent_at AS sentAt, m.data ->> '$.text' AS text, m.data ->> '$.metadata.chatferry.reactions' AS reactions
  FROM message m JOIN conversation c ON c.id = m.conversation JOIN user u ON u.id = m.sender
  LEFT JOIN chat_group g ON m.receiver_type = 'group' AND g.id = m.receiver ORDER BY m.id`;

/**
 * Imports an export into the sandbox of a folder, as a user does. Compares the sandbox with the source's records: every
 * message that is not left out, in its conversation, by its author, with its second, its text and its reactions, in its
 * order.
 *
 * @returns The totals of the run.
 */
export async function importAndReadBack(adapter: SourceAdapter, path: string, folder: string): Promise<Account> {
  const { json } = await runJson(['import', path, '--quiet'], { folder });
  const { read, planned, losses } = json as Pick<Account, 'read' | 'planned' | 'losses'>;
  const rows = ask<Arrived>(join(folder, 'chatferry.sandbox.db'), arrived);
  expect(json).toMatchObject({ imported: planned, pending: 0, verify: { same: planned, missing: 0, different: 0 } });
  expect(rows.length).toBe(planned);
  const [input] = await openExport([path]);
  try {
    const entries = await readAll(adapter, input!);
    compare(
      rows,
      entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : [])),
    );
  } finally {
    await input!.close();
  }
  const leftOut = (verdict: string) =>
    Object.fromEntries(
      ask<{ reason: string; count: number }>(
        join(folder, 'chatferry.db'),
        `SELECT reason, count(*) AS count FROM message WHERE verdict = '${verdict}' GROUP BY reason ORDER BY reason`,
      ).map(({ reason, count }) => [reason, count]),
    );
  return { read, planned, skipped: leftOut('skipped'), invalid: leftOut('invalid'), losses };
}

function compare(rows: readonly Arrived[], records: readonly ChatRecord[]): void {
  const messages = Map.groupBy(
    records.filter((record) => record.kind === 'message'),
    ({ origin }) => muidOf(origin),
  );
  const names = new Map(records.flatMap((one) => (one.kind === 'user' ? [[one.id, one.name] as const] : [])));
  const titles = new Map(records.flatMap((one) => (one.kind === 'conversation' ? [[one.id, one.name] as const] : [])));
  const nameOf = ({ author, authorDetails }: MessageRecord) =>
    author === undefined ? undefined : (names.get(author) ?? authorDetails?.name);
  const pairs = rows.map((row) => [row, versionIn(messages.get(row.muid), row, nameOf)] as const);
  // One conversation of the service for each of the export, and one person for each of its people.
  const uids = oneToOne(pairs.map(([row, { author = '' }]) => [author, row.sender]));
  oneToOne(pairs.map(([row, { origin }]) => [origin.conversation, row.conversation]));
  const said = (name: string | undefined, found: string) => name || found;
  for (const [row, { author, authorDetails, origin, sentAtMs, text, attachments = [], reactions = [] }] of pairs) {
    const wanted = {
      name: said(author === undefined ? undefined : (names.get(author) ?? authorDetails?.name), row.senderName),
      group: row.groupName === null ? null : said(titles.get(origin.conversation), row.groupName),
      at: Math.floor(sentAtMs / 1000),
      text: text.trim() === '' && row.text !== '' ? attachments.map(({ name }) => `📎 ${name}`).join('\n') : text,
      reactions: reactions.map(({ emoji, count, users }) => ({ emoji, count, by: users.length })),
    };
    const given = (JSON.parse(row.reactions ?? '[]') as { emoji: string; count: number; by: string[] }[]).map(
      ({ by, ...reaction }) => ({ ...reaction, by: by.length }),
    );
    expect({ name: row.senderName, group: row.groupName, at: row.sentAt, text: row.text, reactions: given }).toEqual(
      wanted,
    );
    const by = (JSON.parse(row.reactions ?? '[]') as { by: string[] }[]).flatMap((one) => one.by);
    const users = reactions.flatMap((one) => one.users);
    expect(by.filter((uid, index) => (uids.get(users[index]!) ?? uid) !== uid)).toEqual([]);
  }
  for (const inOne of Map.groupBy(rows, ({ conversation }) => conversation).values())
    expect(inOne.map(({ sentAt }) => sentAt)).toEqual(inOne.map(({ sentAt }) => sentAt).sort((a, b) => a - b));
  const came = new Set(rows.map(({ muid }) => muid));
  // A message that did not arrive is one that the default mapping leaves out, or a blank one.
  for (const [muid, [record]] of messages) if (!came.has(muid)) expect(isLeftOut(record!), record!.text).toBe(true);
}

/** Returns the version of a message that was taken, judging by the result, if different versions are in the export. */
function versionIn(
  versions: readonly MessageRecord[] | undefined,
  { text, sender, senderName }: Arrived,
  nameOf: (message: MessageRecord) => string | undefined,
): MessageRecord {
  expect(versions).toBeDefined();
  const likely = versions!.filter((one) => one.text === text);
  const likeliest = likely.filter((one) => nameOf(one) === senderName);
  return (
    likeliest.find(({ author = '' }) => author.toLowerCase() === sender) ?? likeliest[0] ?? likely[0] ?? versions![0]!
  );
}

const isLeftOut = ({ isDeleted, call, systemEvent, text, attachments = [] }: MessageRecord): boolean =>
  isDeleted === true ||
  call !== undefined ||
  systemEvent !== undefined ||
  (text.trim() === '' && attachments.length === 0);

function oneToOne(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const there = new Map(pairs);
  const back = new Map(pairs.map(([from, to]) => [to, from]));
  for (const [from, to] of pairs) expect([there.get(from), back.get(to)]).toEqual([to, from]);
  return there;
}

function ask<Row>(path: string, sql: string): Row[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<[], Row>(sql).all();
  } finally {
    db.close();
  }
}
