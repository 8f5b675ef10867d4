import { type Filter, whereTrue } from './message-filters.ts';

/** Finds the messages fast: who took part in which conversation is a small table. */
const inOwnConversations = `conversation IN (
  SELECT conversation FROM participant WHERE uid = ?
  UNION SELECT conversation.id FROM group_member JOIN conversation ON conversation.name = 'group_' || guid WHERE uid = ?)`;

const inOwnGroups = `receiver_type = 'group' AND receiver IN (SELECT guid FROM group_member WHERE uid = ?)`;

/** Messages of the user's own conversations: direct ones, and groups that it is a member of. */
export const visibleTo = (uid: string): Filter => ({
  sql: `${inOwnConversations} AND (receiver_type = 'user' AND ? IN (sender, receiver) OR ${inOwnGroups})`,
  values: [uid, uid, uid, uid],
});

/** Messages that the user sent, wherever, or received. */
export const sentOrReceivedBy = (uid: string): Filter => ({
  sql: `${inOwnConversations} AND (sender = ? OR receiver_type = 'user' AND receiver = ? OR ${inOwnGroups})`,
  values: [uid, uid, uid, uid, uid],
});

export const sentBy = (uid: string): Filter => ({
  sql: 'conversation IN (SELECT conversation FROM participant WHERE uid = ?) AND sender = ?',
  values: [uid, uid],
});

/** Leaves out the messages of people whom the user has blocked. */
export const notFromBlocked = (isWanted: boolean | undefined, uid: string): Filter[] =>
  whereTrue(isWanted, 'sender NOT IN (SELECT blocked FROM block WHERE uid = ?)', [uid]);
