import type { Location } from '../../lib/text/location.ts';
import { newMessage } from '../../model/new-message.ts';
import type { MessageRecord, Origin } from '../../model/records.ts';
import type { EntryList, FinishedFile, MessageEntry, PackedList, ReadEntry } from './protocol.ts';

interface PackedEntries {
  readonly input: number;
  readonly entries: readonly (PackedMessage | PackedFile | ReadEntry)[];
}

/** Null: as before, or absent. */
type PackedMessage = readonly [
  pointer: string | null,
  id: string,
  sentAtMs: number,
  author: string | null,
  muid: string,
  digest: string,
  path: string | null,
  /** Null: the id. */
  sortKey: string | null,
  line: number | null,
  origin: Omit<Origin, 'id'> | null,
  threadRoot: string | null,
  rootMuid: string | null,
];

/** The fields that few messages have. Those that cross one by one are the others. */
const rareFields = [
  'authorDetails',
  'mentions',
  'attachments',
  'reactions',
  'isBroadcast',
  'quoteOf',
  'links',
  'edited',
  'isDeleted',
  'systemEvent',
  'call',
  'isPinned',
  'tags',
  'custom',
  'lost',
] as const satisfies readonly (keyof MessageRecord)[];
type RareField = (typeof rareFields)[number];
type RareFields = { [Key in RareField]?: MessageRecord[Key] | undefined };

export type PackedFile = readonly [
  path: string | null,
  role: FinishedFile['role'],
  stat: FinishedFile['stat'],
  reason?: string,
];

/** The fields of a packed file at most: a packed message has more. */
const fileLengthMax = 4;

/** What entries have in common with the one before. */
export interface Before {
  path: string;
  origin: Omit<Origin, 'id'>;
}

export const nothingBefore = (): Before => ({ path: '', origin: { source: '', workspace: '', conversation: '' } });

/**
 * Entries on their way from one thread to another: what stands in millions is an array without names, and what is as in the
 * entry before it is left out. As JSON, because text crosses in a third of the time that objects would take; but what people
 * wrote stands beside it, for one emoji would double the size of all the JSON around it, and the work (measured).
 *
 * Keys that are there and undefined get lost.
 */
export function packEntries({ input, entries }: EntryList): PackedList {
  const before = nothingBefore();
  const words: string[] = [];
  const packed: PackedEntries = {
    input,
    entries: entries.map((entry) => {
      if (entry.type === 'file') return packFile(entry, before);
      if (!('identity' in entry)) return entry;
      words.push(entry.record.text, rareFieldsJson(entry.record));
      return packMessage(entry, before);
    }),
  };
  return { json: JSON.stringify(packed), words };
}

export function packFile({ path, role, stat, reason }: FinishedFile, before: Before): PackedFile {
  const packedPath = newPath(path, before);
  return reason === undefined ? [packedPath, role, stat] : [packedPath, role, stat, reason];
}

function packMessage({ record, location, identity }: MessageEntry, before: Before): PackedMessage {
  const { origin, sortKey, sentAtMs, author = null, threadRoot = null } = record;
  const { id } = origin;
  const { pointer = null, line = null } = location;
  const { muid, digest, rootMuid = null } = identity;
  return [
    pointer,
    id,
    sentAtMs,
    author,
    muid,
    digest,
    newPath(location.path, before),
    sortKey === id ? null : sortKey,
    line,
    newOrigin(origin, before),
    threadRoot,
    rootMuid,
  ];
}

const noRareFields = '';

function rareFieldsJson(record: MessageRecord): string {
  let fields: RareFields | undefined;
  for (const field of rareFields) {
    if (record[field] === undefined) continue;
    fields ??= {};
    setField(fields, record, field);
  }
  return fields === undefined ? noRareFields : JSON.stringify(fields);
}

function setField<Field extends RareField>(to: RareFields, from: RareFields, field: Field): void {
  to[field] = from[field];
}

export function newPath(path: string, before: Before): string | null {
  if (path === before.path) return null;
  before.path = path;
  return path;
}

function newOrigin({ source, workspace, conversation }: Origin, before: Before): Before['origin'] | null {
  const last = before.origin;
  if (conversation === last.conversation && workspace === last.workspace && source === last.source) return null;
  before.origin = { source, workspace, conversation };
  return before.origin;
}

/** The list that was packed. */
export function unpackEntries({ json, words }: PackedList): EntryList {
  const { input, entries } = JSON.parse(json) as PackedEntries;
  const before = nothingBefore();
  let at = 0;
  const unpacked = entries.map((entry): ReadEntry => {
    if (!Array.isArray(entry)) return entry as ReadEntry;
    if (isPackedFile(entry)) return unpackFile(entry, before);
    return unpackMessage(entry as PackedMessage, words[at++]!, words[at++]!, before);
  });
  return { input, entries: unpacked };
}

export const isPackedFile = (packed: readonly unknown[]): packed is PackedFile => packed.length <= fileLengthMax;

export function unpackFile([path, role, stat, reason]: PackedFile, before: Before): FinishedFile {
  before.path = path ?? before.path;
  return { type: 'file', path: before.path, role, stat, ...(reason !== undefined && { reason }) };
}

function unpackMessage(packed: PackedMessage, text: string, rare: string, before: Before): MessageEntry {
  const [pointer, id, sentAtMs, author, muid, digest, path, sortKey, line, origin, threadRoot, rootMuid] = packed;
  before.path = path ?? before.path;
  before.origin = origin ?? before.origin;
  const { source, workspace, conversation } = before.origin;
  const record = newMessage({
    origin: { source, workspace, conversation, id },
    sortKey: sortKey ?? id,
    sentAtMs,
    text,
  });
  if (author !== null) record.author = author;
  if (threadRoot !== null) record.threadRoot = threadRoot;
  if (rare !== noRareFields) Object.assign(record, JSON.parse(rare) as RareFields);
  const location = locationOf(before.path, line, pointer);
  return { type: 'record', record, location, identity: { muid, rootMuid: rootMuid ?? undefined, digest } };
}

function locationOf(path: string, line: number | null, pointer: string | null): Location {
  if (line === null) return pointer === null ? { path } : { path, pointer };
  return pointer === null ? { path, line } : { path, line, pointer };
}
