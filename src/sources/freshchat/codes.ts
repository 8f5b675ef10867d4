import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const freshchatCodes: readonly SourceCode[] = [
  badRow(
    'freshchat-no-conversation',
    'Messages of no conversation',
    'The message has no "conversation_id".',
    'Add "conversation_id" to the row, or fetch it again.',
  ),
  badAnswer('freshchat-bad-time', 'Messages without a time', '"created_time" is no time of ISO 8601 with its offset.'),
  badAnswer(
    'freshchat-bad-content',
    'Messages with content of another type',
    'The message has no list of parts, or a part of it is not what parts of its name are.',
  ),
  badRow(
    'freshchat-unclear-visibility',
    'Messages of which it is not known who saw them',
    'The message does not say whether it is private, or in words that are not known. It may be a note for agents.',
    'Look at it in Freshchat, and correct or remove the row.',
  ),
  badAnswer(
    'freshchat-unclear-author',
    'Messages of which it is not known who wrote them',
    '"actor_type" is not known, or there is no "actor_id" for a person.',
  ),
  note(
    'freshchat-not-migrated',
    'Data that agents keep about users and conversations',
    'Properties, telephone numbers and social profiles are for agents: they are not sent, because users would see them.',
  ),
];
