import { sha256Base32 } from '../lib/hash.ts';
import { storedId } from '../lib/stored-id.ts';
import { recordDigest } from '../model/record-digest.ts';
import type { MessageRecord, Origin } from '../model/records.ts';

/**
 * The message id that we choose for the service: `m1` and 25 characters of `[a-z2-7]`, 125 bits of SHA-256 over the
 * JSON array `[source, workspace, conversation, id]`.
 *
 * Equal for the same message however, wherever and whenever it is read; it starts with a letter, because JSON objects
 * put keys that look like numbers first.
 */
export const muidOf = (origin: Origin): string => muidOfArray(startOf(origin), origin.id);

/**
 * The muid at a destination that may still know earlier ones, after they were taken back there: the generation (2, 3 …)
 * is a fifth element of the array. The first generation is `muidOf` itself.
 */
export function muidOfGeneration(origin: Origin, generation: number): string {
  return generation === 1 ? muidOf(origin) : muidOfArray(startOf(origin), origin.id, generation);
}

/** What muids of our making look like, of whatever message and generation; parts of a split text end with their number. */
export const muidShape = /^m1[a-z2-7]{25}(?:p\d+)?$/;

/** The beginning of the array, up to the conversation. */
const startOf = ({ source, workspace, conversation }: Origin): string =>
  JSON.stringify([source, workspace, conversation]).slice(0, -1);

const muidOfArray = (start: string, id: string, generation?: number): string =>
  `m1${sha256Base32(`${start},${JSON.stringify(id)}${generation === undefined ? '' : `,${generation}`}]`, 25)}`;

/** What a message is known by. It follows from the record alone, so it can be worked out where the record is read. */
export interface Identity {
  readonly muid: string;
  /** Of the message whose thread this one answers in. */
  readonly rootMuid: string | undefined;
  /** Of the record: it changes when the source changes the message. */
  readonly digest: string;
}

/** Identities for somebody who reads many messages: they come a conversation at a time, so what is made of that is kept. */
export function identifier(): (record: MessageRecord) => Identity {
  let last: Origin = { source: '', workspace: '', conversation: '', id: '' };
  let start = startOf(last);
  return (record) => {
    const { origin, threadRoot } = record;
    const { source, workspace, conversation, id } = origin;
    if (last.source !== source || last.workspace !== workspace || last.conversation !== conversation) {
      last = origin;
      start = startOf(origin);
    }
    return {
      muid: muidOfArray(start, id),
      rootMuid: threadRoot === undefined ? undefined : muidOfArray(start, threadRoot),
      digest: recordDigest(record),
    };
  };
}

/** Of one message alone. */
export const identityOf = (record: MessageRecord): Identity => identifier()(record);

/** 100 characters: properties and constraints page of the public service, 2026-11. */
const lengthMax = 100;
const suffixLength = 8;

/** The id that the mapping gives by hand; an id of the export may be `constructor`. */
export const chosenId = (byHand: Readonly<Record<string, string>>, id: string): string | undefined =>
  Object.hasOwn(byHand, id) ? byHand[id] : undefined;

/**
 * A `uid` or `guid` for an id of the export: lower-cased, `[a-z0-9_-]`, at most 100 characters.
 * Where a character had to be replaced or the id cut, `-` and 8 characters of its hash are appended, so that different ids stay different.
 * Lower-casing alone adds nothing: ids that differ in case only collide, and the plan names both.
 */
export function serviceId(id: string): string {
  const lower = id.toLowerCase();
  if (lower.length > 0 && lower.length <= lengthMax && /^[a-z0-9_-]+$/.test(lower)) return lower;
  const kept = lower.replaceAll(/[^a-z0-9_-]+/g, '-').slice(0, lengthMax - suffixLength - 1);
  return `${kept}-${sha256Base32(storedId(id), suffixLength)}`;
}

/** The uid of somebody whose own one another person has: the same with 8 characters of a hash of their id behind it. */
export const uidWithHash = (uid: string, id: string): string =>
  `${uid.slice(0, lengthMax - suffixLength - 1)}-${sha256Base32(storedId(id), suffixLength)}`;
