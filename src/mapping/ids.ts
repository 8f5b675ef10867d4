import { sha256Base32 } from '../lib/hash.ts';
import { storedId } from '../lib/text/stored-id.ts';
import { recordDigest } from '../model/record-digest.ts';
import type { MessageRecord, Origin } from '../model/records.ts';

/**
 * The message id that we choose for the service: `m1` and 25 characters of `[a-z2-7]`, 125 bits of SHA-256 over the
 * JSON array `[source, workspace, conversation, id]`.
 *
 * Equal for the same message however, wherever and whenever it is read; it starts with a letter, because JSON objects
 * put keys that look like numbers first.
 */
export const muidOf = (origin: Origin): string => hashMuid(arrayStart(origin), origin.id);

/**
 * The muid at a destination that may still know earlier ones, after they were taken back there: the generation (2, 3 …)
 * is a fifth element of the array. The first generation is `muidOf` itself.
 */
export const muidInGeneration = (origin: Origin, generation: number): string =>
  generation === 1 ? muidOf(origin) : hashMuid(arrayStart(origin), origin.id, generation);

/** The muid of part 2, 3 … of a message that was split. */
export const partMuid = (head: string, part: number): string => `${head}p${part}`;

/** Form of muids made by Chatferry, for any message and generation; parts of a split text end with their number. */
export const muidShape = /^m1[a-z2-7]{25}(?:p\d+)?$/;

/** The beginning of the array, up to the conversation. */
const arrayStart = ({ source, workspace, conversation }: Origin): string =>
  JSON.stringify([source, workspace, conversation]).slice(0, -1);

const hashMuid = (start: string, id: string, generation?: number): string =>
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
  let start = arrayStart(last);
  return (record) => {
    const { origin, threadRoot } = record;
    const { source, workspace, conversation, id } = origin;
    if (last.source !== source || last.workspace !== workspace || last.conversation !== conversation) {
      last = origin;
      start = arrayStart(origin);
    }
    return {
      muid: hashMuid(start, id),
      rootMuid: threadRoot === undefined ? undefined : hashMuid(start, threadRoot),
      digest: recordDigest(record),
    };
  };
}

export const identify = (record: MessageRecord): Identity => identifier()(record);

/**
 * Returns the muid of the message that announces a change of another message. It is made like that of a message, over
 * the JSON array `[muid of the message, "follow-up", digest of the record since, number]`. The digest is empty if the
 * export no longer holds the message. The number is 1, and one more each time that a message returns to a version which
 * was announced before.
 */
export const followUpMuid = (muid: string, digest: string, number: number): string =>
  `m1${sha256Base32(JSON.stringify([muid, 'follow-up', digest, number]), 25)}`;

/** Returns the same muid for a destination that may still know earlier ones: the generation (2, 3 …) is a second element of the array. */
export const followUpMuidInGeneration = (muid: string, generation: number): string =>
  generation === 1 ? muid : `m1${sha256Base32(JSON.stringify([muid, generation]), 25)}`;

/** 100 characters: properties and constraints page of the hosted service, 2026-11. */
export const serviceIdLengthMax = 100;
const suffixLength = 8;

/** The id that the mapping gives by hand; an id of the export may be `constructor`. */
export const chosenId = (byHand: Readonly<Record<string, string>>, id: string): string | undefined =>
  Object.hasOwn(byHand, id) ? byHand[id] : undefined;

/** Returns the uid with 8 characters of a hash of the id appended. Also used for a person whose own uid another person has. */
export const uidWithHash = (uid: string, id: string): string =>
  `${uid.slice(0, serviceIdLengthMax - suffixLength - 1)}-${sha256Base32(storedId(id), suffixLength)}`;

/** Id of who wrote messages whose export does not say: one placeholder for all of them. */
export const unknownAuthor = 'unknown';

export const unknownAuthorName = 'Unknown author';

/** Who wrote a message; an author without an id is known by name. */
export const authorId = ({ author, authorDetails }: Pick<MessageRecord, 'author' | 'authorDetails'>): string =>
  author ?? (authorDetails?.name ? `${unknownAuthor}:${authorDetails.name}` : unknownAuthor);
