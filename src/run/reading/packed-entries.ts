import type { Location } from '../../lib/location.ts';
import type { MessageRecord, Origin } from '../../model/records.ts';
import type { MessageEntry } from './message-entry.ts';
import type { EntryList, FinishedFile, ReadEntry } from './read-entries.ts';

/**
 * Entries on their way from one thread to another, as JSON: what stands in millions is an array without names, and what is
 * as in the entry before it is left out. Half the text that the entries themselves would be, and half the time (measured).
 */
interface PackedList {
  readonly input: number;
  readonly entries: readonly (PackedMessage | PackedFile | ReadEntry)[];
}

/** Null: as before, or absent. */
type PackedMessage = readonly [
  pointer: string | null,
  id: string,
  sentAtMs: number,
  text: string,
  author: string | null,
  muid: string,
  digest: string,
  path: string | null,
  /** Null: the id. */
  sortKey: string | null,
  line: number | null,
  origin: Omit<Origin, 'id'> | null,
  /** The other fields of the record, where it has any. */
  others: Partial<MessageRecord> | null,
  rootMuid: string | null,
];

type PackedFile = readonly [
  path: string | null,
  role: FinishedFile['role'],
  stat: FinishedFile['stat'],
  reason?: string,
];

/** The fields of a packed file at most: a packed message has more. */
const fileLengthMax = 4;

/** What entries have in common with the one before. */
interface Before {
  path: string;
  origin: Omit<Origin, 'id'>;
}

const nothingBefore = (): Before => ({ path: '', origin: { source: '', workspace: '', conversation: '' } });

/** A list as text. Keys that are there and undefined get lost. */
export function packEntries({ input, entries }: EntryList): string {
  const before = nothingBefore();
  const packed: PackedList = {
    input,
    entries: entries.map((entry) => {
      if (entry.type === 'file') return packFile(entry, before);
      return 'identity' in entry ? packMessage(entry, before) : entry;
    }),
  };
  return JSON.stringify(packed);
}

function packFile({ path, role, stat, reason }: FinishedFile, before: Before): PackedFile {
  const packedPath = newPath(path, before);
  return reason === undefined ? [packedPath, role, stat] : [packedPath, role, stat, reason];
}

function packMessage({ record, location, identity }: MessageEntry, before: Before): PackedMessage {
  const { kind: _, origin, sortKey, sentAtMs, text, author = null, ...others } = record;
  const { id } = origin;
  const { pointer = null, line = null } = location;
  const { muid, digest, rootMuid = null } = identity;
  return [
    pointer,
    id,
    sentAtMs,
    text,
    author,
    muid,
    digest,
    newPath(location.path, before),
    sortKey === id ? null : sortKey,
    line,
    newOrigin(origin, before),
    isEmpty(others) ? null : others,
    rootMuid,
  ];
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false;
  return true;
}

function newPath(path: string, before: Before): string | null {
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
export function unpackEntries(text: string): EntryList {
  const { input, entries } = JSON.parse(text) as PackedList;
  const before = nothingBefore();
  const unpacked = entries.map((entry): ReadEntry => {
    if (!Array.isArray(entry)) return entry as ReadEntry;
    return isPackedFile(entry) ? unpackFile(entry, before) : unpackMessage(entry as PackedMessage, before);
  });
  return { input, entries: unpacked };
}

const isPackedFile = (packed: readonly unknown[]): packed is PackedFile => packed.length <= fileLengthMax;

function unpackFile([path, role, stat, reason]: PackedFile, before: Before): FinishedFile {
  before.path = path ?? before.path;
  return { type: 'file', path: before.path, role, stat, ...(reason !== undefined && { reason }) };
}

function unpackMessage(packed: PackedMessage, before: Before): MessageEntry {
  const [pointer, id, sentAtMs, text, author, muid, digest, path, sortKey, line, origin, others, rootMuid] = packed;
  before.path = path ?? before.path;
  before.origin = origin ?? before.origin;
  const { source, workspace, conversation } = before.origin;
  const record: { -readonly [Key in keyof MessageRecord]: MessageRecord[Key] } = {
    kind: 'message',
    origin: { source, workspace, conversation, id },
    sortKey: sortKey ?? id,
    sentAtMs,
    text,
  };
  if (author !== null) record.author = author;
  if (others) Object.assign(record, others);
  const location = locationOf(before.path, line, pointer);
  return { type: 'record', record, location, identity: { muid, rootMuid: rootMuid ?? undefined, digest } };
}

function locationOf(path: string, line: number | null, pointer: string | null): Location {
  if (line === null) return pointer === null ? { path } : { path, pointer };
  return pointer === null ? { path, line } : { path, line, pointer };
}
