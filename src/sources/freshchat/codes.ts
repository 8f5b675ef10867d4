import type { SourceCode } from '../kit/codes.ts';

export const freshchatCodes: readonly SourceCode[] = [
  {
    code: 'freshchat-no-conversation',
    severity: 'blocks',
    title: 'Messages of no conversation',
    explanation: 'The message has no "conversation_id".',
    remedy: 'Add "conversation_id" to the row, or fetch it again.',
  },
  {
    code: 'freshchat-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"created_time" is no time of ISO 8601 with its offset.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'freshchat-bad-content',
    severity: 'blocks',
    title: 'Messages with content of another type',
    explanation: 'The message has no list of parts, or a part of it is not what parts of its name are.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'freshchat-unclear-visibility',
    severity: 'blocks',
    title: 'Messages of which it is not known who saw them',
    explanation:
      'The message does not say whether it is private, or in words that are not known. It may be a note for agents.',
    remedy: 'Look at it in Freshchat, and correct or remove the row.',
  },
  {
    code: 'freshchat-unclear-author',
    severity: 'blocks',
    title: 'Messages of which it is not known who wrote them',
    explanation: '"actor_type" is not known, or there is no "actor_id" for a person.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'freshchat-not-migrated',
    severity: 'information',
    title: 'Data that agents keep about users and conversations',
    explanation:
      'Properties, telephone numbers and social profiles are for agents: they are not sent, because users would see them.',
    remedy: 'Nothing.',
  },
];
