import type { Location } from '../../lib/location.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { MessageRecord, Origin } from '../../model/records.ts';
import type { MessageEntry } from './message-entry.ts';
import type { EntryList, FinishedFile, ReadEntry } from './read-entries.ts';

/**
 * Entries on their way from one thread to another: what stands in millions is an array without names, and what is as in the
 * entry before it is left out. As JSON, because text crosses in a third of the time that objects would take; but what people
 * wrote stands beside it, for one emoji would double the size of all the JSON around it, and the work (measured).
 */
export interface PackedList {
  /** Of everything but the words. */
  readonly json: string;
  /** Of each message: its text, and as JSON the fields that few messages have, or nothing. */
  readonly words: readonly string[];
}

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

/** The fields of a message that cross one by one. */
type CommonField = 'kind' | 'origin' | 'sortKey' | 'sentAtMs' | 'text' | 'author' | 'threadRoot';
type RareFields = { readonly [Key in Exclude<keyof MessageRecord, CommonField>]: MessageRecord[Key] | undefined };

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

/** Keys that are there and undefined get lost. */
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

function packFile({ path, role, stat, reason }: FinishedFile, before: Before): PackedFile {
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
  const { authorDetails, mentions, attachments, reactions, isBroadcast, quoteOf } = record;
  const { edited, isDeleted, systemEvent, call, isPinned, custom } = record;
  const hasSome =
    (authorDetails ?? mentions ?? attachments ?? reactions ?? isBroadcast ?? quoteOf) !== undefined ||
    (edited ?? isDeleted ?? systemEvent ?? call ?? isPinned ?? custom) !== undefined;
  if (!hasSome) return noRareFields;
  // biome-ignore format: one line for each half
  const fields: RareFields = {
    authorDetails, mentions, attachments, reactions, isBroadcast, quoteOf,
    edited, isDeleted, systemEvent, call, isPinned, custom,
  };
  return JSON.stringify(fields);
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

const isPackedFile = (packed: readonly unknown[]): packed is PackedFile => packed.length <= fileLengthMax;

function unpackFile([path, role, stat, reason]: PackedFile, before: Before): FinishedFile {
  before.path = path ?? before.path;
  return { type: 'file', path: before.path, role, stat, ...(reason !== undefined && { reason }) };
}

function unpackMessage(packed: PackedMessage, text: string, rareFields: string, before: Before): MessageEntry {
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
  if (rareFields !== noRareFields) addRareFields(record, JSON.parse(rareFields) as RareFields);
  const location = locationOf(before.path, line, pointer);
  return { type: 'record', record, location, identity: { muid, rootMuid: rootMuid ?? undefined, digest } };
}

/** By hand: copying all fields of any object takes several times as long. */
function addRareFields(record: NewMessage, fields: RareFields): void {
  const { authorDetails, mentions, attachments, reactions, isBroadcast, quoteOf } = fields;
  const { edited, isDeleted, systemEvent, call, isPinned, custom } = fields;
  if (mentions) record.mentions = mentions;
  if (attachments) record.attachments = attachments;
  if (reactions) record.reactions = reactions;
  if (edited) record.edited = edited;
  if (custom) record.custom = custom;
  if (authorDetails) record.authorDetails = authorDetails;
  if (isBroadcast !== undefined) record.isBroadcast = isBroadcast;
  if (quoteOf !== undefined) record.quoteOf = quoteOf;
  if (isDeleted !== undefined) record.isDeleted = isDeleted;
  if (systemEvent !== undefined) record.systemEvent = systemEvent;
  if (call) record.call = call;
  if (isPinned !== undefined) record.isPinned = isPinned;
}

function locationOf(path: string, line: number | null, pointer: string | null): Location {
  if (line === null) return pointer === null ? { path } : { path, pointer };
  return pointer === null ? { path, line } : { path, line, pointer };
}
