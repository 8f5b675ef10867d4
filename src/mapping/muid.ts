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

/** The same from its four parts, for callers that have no origin at hand (a thread's root). */
export function muidOfParts(source: string, workspace: string, conversation: string, id: string): string {
  return `m1${sha256Base32(JSON.stringify([source, workspace, conversation, id]), 25)}`;
}
