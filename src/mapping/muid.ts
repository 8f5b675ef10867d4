import { sha256Base32 } from '../lib/hash.ts';
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

/** The muid of part 2, 3 … of a message that was split. */
export const partMuid = (head: string, part: number): string => `${head}p${part}`;

/** Form of muids made by Chatferry, for any message and generation; parts of a split text end with their number. */
export const muidShape = /^m1[a-z2-7]{25}(?:p\d+)?$/;

/** The beginning of the array, up to the conversation. */
const startOf = ({ source, workspace, conversation }: Origin): string =>
  JSON.stringify([source, workspace, conversation]).slice(0, -1);

const muidOfArray = (start: string, id: string, generation?: number): string =>
  `m1${sha256Base32(`${start},${JSON.stringify(id)}${generation === undefined ? '' : `,${generation}`}]`, 25)}`;

/** Identity of a message. It follows from the record alone, so it can be calculated where the record is read. */
export interface Identity {
  readonly muid: string;
  /** Muid of the message whose thread this one answers in. */
  readonly rootMuid: string | undefined;
  /** Digest of the record: it changes when the source changes the message. */
  readonly digest: string;
}

/**
 * Returns a function that identifies many messages: they come a conversation at a time, so the part that depends on the
 * conversation is kept.
 */
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

/** Returns the identity of one message alone. */
export const identityOf = (record: MessageRecord): Identity => identifier()(record);
