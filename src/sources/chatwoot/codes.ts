import type { SourceCode } from '../kit/codes.ts';

export const chatwootCodes: readonly SourceCode[] = [
  {
    code: 'chatwoot-no-conversation',
    severity: 'blocks',
    title: 'Messages of no conversation',
    explanation:
      'The message does not say in which conversation it was written, or it is of another account, whose conversations have the same numbers.',
    remedy:
      'Add "conversation_id" to the row, or fetch it again. Import each account by itself, with a store of its own.',
  },
  {
    code: 'chatwoot-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"created_at" is neither Unix seconds nor a time of ISO 8601.',
    remedy: 'Correct the row, or fetch it again.',
  },
  {
    code: 'chatwoot-unclear-visibility',
    severity: 'blocks',
    title: 'Messages of which it is not known who saw them',
    explanation:
      'The message does not say whether it is "private", or its type is not known. It may be a note for agents.',
    remedy: 'Fetch the messages again, or add "private" to the row.',
  },
  {
    code: 'chatwoot-not-migrated',
    severity: 'information',
    title: 'Data that agents keep about conversations',
    explanation:
      'Labels, attributes and mail headers are for agents: they are not sent, because customers would see them.',
    remedy: 'Nothing.',
  },
];
