import { z } from 'zod';
import type { ErrorCode } from '../operation.ts';
import { addFriends, blockUsers } from '../contract/relations.ts';
import { kickMember } from '../contract/conversations.ts';
import { addReaction } from '../contract/messages.ts';
import { activateUsers, deactivateUsers } from '../contract/users.ts';

/** Content of a successful answer about the one thing that was asked for. A code is not guaranteed: the specification shows words alone. */
export interface ItemAnswer {
  readonly success: boolean;
  readonly code?: string | undefined;
  readonly message: string;
}

const answered = z.looseObject({ success: z.boolean(), code: z.string().optional(), message: z.string().default('') });

/** Reads the answer for one friend; uids are answered in lower case. */
export const readFriend = (uid: string) => (json: unknown) =>
  findItem(addFriends.answer.safeParse(json).data?.data.accepted, uid);

export const readBlock = (uid: string) => (json: unknown) =>
  findItem(blockUsers.answer.safeParse(json).data?.data, uid);

export const readRemoval = (json: unknown): ItemAnswer | undefined =>
  answered.safeParse(kickMember.answer.safeParse(json).data?.data).data;

/** Reads the answer to a reaction. It is the message itself: that it came shows that the reaction is stored. */
export const readReaction = (json: unknown): ItemAnswer | undefined =>
  addReaction.answer.safeParse(json).success ? { success: true, message: '' } : undefined;

/** Reads the answer to a deactivation. A user who does not exist is left out of it. */
export const readDeactivated = (json: unknown): readonly string[] | undefined =>
  deactivateUsers.answer.safeParse(json).data?.data.deactivatedUids;

export const readActive = (json: unknown): readonly string[] | undefined =>
  activateUsers.answer.safeParse(json).data?.data.nonDeactivatedUids;

/** Reads the answer to the deactivation of one person. */
export const readDeactivation =
  (uid: string) =>
  (json: unknown): ItemAnswer | undefined => {
    const uids = readDeactivated(json);
    if (uids?.some((other) => other.toLowerCase() === uid)) return { success: true, message: '' };
    const message = `The service does not name "${uid}" as deactivated`;
    return uids && { success: false, code: 'ERR_UID_NOT_FOUND', message };
  };

function findItem(items: Readonly<Record<string, unknown>> | undefined, uid: string): ItemAnswer | undefined {
  const entry = Object.entries(items ?? {}).find(([key]) => key.toLowerCase() === uid);
  return entry && answered.safeParse(entry[1]).data;
}

/** Returns whether it was so before. Without a code, the words decide. */
export const isPresent = ({ code, message }: Pick<ItemAnswer, 'code' | 'message'>): boolean =>
  code === undefined ? alreadyWords.test(message) : code === alreadyFriend;

const alreadyFriend: ErrorCode = 'ERR_ALREADY_FRIEND';
const alreadyWords = /\b(?:already (?:friends?|blocked)|are friends already)\b/i;

/** Returns whether a refusal is about the person and the message of this request, although its status means that access is denied. */
export const isPersonal = ({ code }: { readonly code: string }): boolean => personal.has(code);

const personal: ReadonlySet<string> = new Set([
  'ERR_MESSAGE_NO_ACCESS',
  'ERR_GROUP_NOT_JOINED',
  'ERR_BLOCKED_RECEIVER',
  'ERR_BLOCKED_SENDER',
  'ERR_CONVERSATION_NOT_ACCESSIBLE',
] satisfies ErrorCode[]);
