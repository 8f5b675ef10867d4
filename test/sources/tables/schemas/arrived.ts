import Database from 'better-sqlite3';
import { findMediaType } from '../../../../src/lib/files/file-types.ts';
import { muidOf } from '../../../../src/mapping/ids.ts';
import type { ChatRecord, MessageRecord } from '../../../../src/model/records.ts';
import type { Expectation, ExpectedFile, ExpectedMessage } from './schema-set.ts';

/** Compares the contents of the sandbox, read without Chatferry's code, with the expectation of a schema. */

interface Row {
  readonly muid: string;
  readonly conversation: string;
  readonly sender: string;
  readonly senderName: string;
  readonly receiverType: string;
  readonly group: string | null;
  readonly data: string;
  readonly sentAt: number;
}

const rowsQuery = `SELECT m.muid, c.name AS conversation, m.sender, u.entity ->> '$.name' AS senderName, m.receiver_type AS receiverType,
  g.entity AS "group", m.data, m.sent_at AS sentAt FROM message m JOIN conversation c ON c.id = m.conversation
  JOIN user u ON u.id = m.sender LEFT JOIN chat_group g ON m.receiver_type = 'group' AND g.id = m.receiver ORDER BY m.id`;

function rowsOf(path: string): readonly Row[] {
  const db = new Database(path, { readonly: true });
  try {
    return db.prepare<[], Row>(rowsQuery).all();
  } finally {
    db.close();
  }
}

/** One field of one message or conversation that is not as it should be. */
export interface Difference {
  /** `5001`, `conversation 3`; empty for messages that are missing or too many. */
  readonly id: string;
  readonly field: string;
  readonly found: unknown;
  readonly wanted: unknown;
}

/** @param records What the reading of the export yields, by which the times have their milliseconds, and muids their ids. */
export function differences(
  expected: Expectation,
  sandboxPath: string,
  records: readonly ChatRecord[],
): readonly Difference[] {
  const read = new Map(records.flatMap((one) => (one.kind === 'message' ? [[muidOf(one.origin), one] as const] : [])));
  const rows = new Map(rowsOf(sandboxPath).map((row) => [read.get(row.muid)?.origin.id ?? row.muid, row]));
  const wanted = new Map(expected.messages.map((message) => [message.id, message]));
  const pairs = expected.messages.flatMap((message) => {
    const row = rows.get(message.id);
    return row ? [{ message, row, record: read.get(row.muid)! }] : [];
  });
  const people = names(pairs.map(({ message, row }) => [row.sender, message.author ?? '']));
  const rooms = names(pairs.map(({ message, row }) => [row.conversation, message.conversation]));
  const ids = (muid: string | undefined) => (muid === undefined ? undefined : (read.get(muid)?.origin.id ?? muid));
  return [
    ...compare(
      '',
      'missing',
      [...wanted.keys()].filter((id) => !rows.has(id)),
      [],
    ),
    ...compare(
      '',
      'unexpected',
      [...rows.keys()].filter((id) => !wanted.has(id)),
      [],
    ),
    ...pairs.flatMap((pair) => ofMessage(pair, { expected, people, rooms, ids })),
    ...expected.conversations.flatMap((one) => ofConversation(one, { pairs, records })),
  ];
}

interface Pair {
  readonly message: ExpectedMessage;
  readonly row: Row;
  readonly record: MessageRecord;
}

interface Names {
  readonly expected: Expectation;
  /** Names in the expectation for those of the sandbox, exactly one for each. */
  readonly people: ReadonlyMap<string, string>;
  readonly rooms: ReadonlyMap<string, string>;
  readonly ids: (muid: string | undefined) => string | undefined;
}

/** One name for each on either side: the first that was met. */
function names(pairs: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const there = new Map<string, string>();
  const taken = new Set<string>();
  for (const [from, to] of pairs) {
    if (there.has(from) || taken.has(to)) continue;
    there.set(from, to);
    taken.add(to);
  }
  return there;
}

function ofMessage({ message, row, record }: Pair, { expected, people, rooms, ids }: Names): readonly Difference[] {
  const data = JSON.parse(row.data) as Data;
  const metadata = data.metadata.chatferry;
  const person = expected.people.find(({ id }) => id === message.author);
  const name = person?.name ?? message.authorName;
  const files = message.files ?? [];
  // Where answers are answered as well the user says that each quotes the other.
  const isQuote = record.quoteOf !== undefined;
  const of = (field: string, found: unknown, wanted: unknown) => compare(message.id, field, found, wanted);
  const text = message.text === '' && data.text ? files.map(({ name: file }) => `📎 ${file}`).join('\n') : message.text;
  const [shown, meant] = isPlain(message) ? [data.text ?? '', text] : [markdownWords(data.text ?? ''), words(text)];
  return [
    ...of('conversation', rooms.get(row.conversation), message.conversation),
    ...of('author', people.get(row.sender), message.author ?? ''),
    ...of('name', row.senderName, name ?? row.senderName),
    ...of('second', row.sentAt, Math.floor(Date.parse(message.time) / 1000)),
    ...of('time', new Date(record.sentAtMs).toISOString(), message.time),
    ...of('text', shown, meant),
    ...of('files', filesOf(data, record, files), files.map(fileWanted)),
    ...of(
      'reactions',
      (metadata.reactions ?? []).map(({ emoji, by = [] }) => ({
        emoji,
        users: by.map((uid) => people.get(uid) ?? uid).sort(),
      })),
      // A table of reactions without a time has no order that every database keeps.
      (message.reactions ?? []).map(({ emoji, users }) => ({ emoji, users: users.toSorted() })),
    ),
    ...of('reply', ids(metadata.thread), message.threadOf ?? (isQuote ? undefined : message.replyTo)),
    ...of('quote', ids(metadata.quote), message.quote ?? (isQuote ? message.replyTo : undefined)),
    ...of('edited', metadata.edited, message.edited && Math.floor(Date.parse(message.edited) / 1000)),
    ...of('pinned', metadata.pinned, message.pinned),
    ...(message.kind.endsWith('?') ? [] : of('system', metadata.system !== undefined, message.kind === 'system')),
  ];
}

interface Data {
  readonly text?: string;
  readonly attachments?: readonly { readonly name: string; readonly url: string }[];
  readonly metadata: {
    readonly chatferry: {
      readonly thread?: string;
      readonly quote?: string;
      readonly edited?: number;
      readonly pinned?: true;
      readonly system?: string;
      readonly files?: readonly { readonly name: string }[];
      readonly reactions?: readonly { readonly emoji: string; readonly by?: readonly string[] }[];
    };
  };
}

/** Without an address that is none of the web: such files are named in the metadata. */
const fileWanted = ({ name, url, type, size }: ExpectedFile): object => ({
  ...{ name, url: url?.startsWith('http') ? url : null, size, type },
});

/** Files with an address and others, in the order of the record. A type that is not expected is that of the name's end. */
function filesOf(data: Data, { attachments = [] }: MessageRecord, wanted: readonly ExpectedFile[]): readonly object[] {
  const named = new Set(data.metadata.chatferry.files?.map(({ name }) => name));
  const urls = new Map(data.attachments?.map(({ name, url }) => [name, url]));
  return attachments
    .filter(({ name }) => named.has(name) || urls.has(name))
    .map(({ name, sizeBytes, ...file }, index) => ({
      ...{ name, url: urls.get(name) ?? null, size: sizeBytes },
      type: wanted[index]?.type && findMediaType({ name, ...file }),
    }));
}

const isPlain = ({ format = 'plain' }: ExpectedMessage): boolean => ['plain', 'markdown'].includes(format);

/** Words of a text in HTML or BBCode: without tags, with the characters that references stand for. */
export const words = (text: string): string =>
  lettersOf(text.replaceAll(/<\/?[a-z][^<>]*>|\[\/?\w+[^\]\n]*\]/g, ' ').replaceAll(/&lt;|&gt;|&amp;|&#0?39;/g, ' '));

/** Returns the words of the resulting Markdown, without the addresses of links, the names of quoted people, and unknown tags. */
export const markdownWords = (text: string): string =>
  lettersOf(text.replaceAll(/\]\([^)]*\)|^> \*\*.*:\*\*$|\\?\[\/?attach[^\]\n]*\]/gm, ' '));

const lettersOf = (text: string): string => (text.match(/[\p{L}\p{N}\p{Extended_Pictographic}]+/gu) ?? []).join(' ');

function ofConversation(
  { id, type, name, members, isArchived }: Expectation['conversations'][number],
  { pairs, records }: { readonly pairs: readonly Pair[]; readonly records: readonly ChatRecord[] },
): readonly Difference[] {
  const there = pairs.find(({ message }) => message.conversation === id);
  if (!there) return [];
  const group = there.row.group === null ? null : (JSON.parse(there.row.group) as { type: string; name: string });
  const of = (field: string, found: unknown, wanted: unknown) => compare(`conversation ${id}`, field, found, wanted);
  const writers = pairs.filter(({ message }) => message.conversation === id).map(({ message }) => message.author);
  const isPair = members.length === 2 && writers.every((author) => author !== null && members.includes(author));
  const kind = type.endsWith('?')
    ? (group?.type ?? 'direct')
    : type === 'group-direct' || (type === 'direct' && !isPair)
      ? 'private'
      : type;
  const record = records.find((one) => one.kind === 'conversation' && one.id === there.record.origin.conversation);
  const people = names(pairs.map(({ message, record: { author } }) => [author ?? '', message.author ?? '']));
  const known = record?.kind === 'conversation' ? record : undefined;
  return [
    ...of('type', group?.type ?? 'direct', kind),
    ...(name !== undefined && !name.endsWith('?') && group && name !== '' ? of('name', group.name, name) : []),
    ...of('members', known?.members.map((member) => people.get(member) ?? member).sort(), [...members].sort()),
    ...(isArchived === undefined ? [] : of('archived', known?.isArchived, isArchived)),
  ];
}

function compare(id: string, field: string, found: unknown, wanted: unknown): readonly Difference[] {
  return JSON.stringify(found) === JSON.stringify(wanted) ? [] : [{ id, field, found, wanted }];
}
