import { sha256Base32 } from '../lib/hash.ts';
import type { Origin } from '../model/records.ts';

/**
 * The message id that we choose for the service: `m1` and 25 characters of `[a-z2-7]`, 125 bits of SHA-256 over the
 * JSON array `[source, workspace, conversation, id]`.
 *
 * Equal for the same message however, wherever and whenever it is read; it starts with a letter, because JSON objects
 * put keys that look like numbers first.
 */
export function muidOf(origin: Origin): string {
  return muidOfParts(origin.source, origin.workspace, origin.conversation, origin.id);
}

/**
 * The muid at a destination that may still know earlier ones, after they were taken back there: the generation (2, 3 …)
 * is a fifth element of the array. The first generation is `muidOf` itself.
 */
export function muidOfGeneration(origin: Origin, generation: number): string {
  if (generation === 1) return muidOf(origin);
  const { source, workspace, conversation, id } = origin;
  return muidOfArray(JSON.stringify([source, workspace, conversation, id, generation]));
}

/** What muids of our making look like, of whatever message and generation; parts of a split text end with their number. */
export const muidShape = /^m1[a-z2-7]{25}(?:p\d+)?$/;

/** The same from its four parts, for callers that have no origin at hand (a thread's root). */
export function muidOfParts(source: string, workspace: string, conversation: string, id: string): string {
  if (last.source !== source || last.workspace !== workspace || last.conversation !== conversation) {
    const start = JSON.stringify([source, workspace, conversation]).slice(0, -1);
    last = { source, workspace, conversation, start };
  }
  return muidOfArray(`${last.start},${JSON.stringify(id)}]`);
}

const muidOfArray = (json: string): string => `m1${sha256Base32(json, 25)}`;

/** The beginning of the array for the conversation asked for last: messages come a conversation at a time. */
let last = { source: '', workspace: '', conversation: '', start: '["","",""' };

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
  return `${kept}-${sha256Base32(id, suffixLength)}`;
}
