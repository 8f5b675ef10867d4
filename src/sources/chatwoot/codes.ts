import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const chatwootCodes: readonly SourceCode[] = [
  badRow(
    'chatwoot-no-conversation',
    'Messages of no conversation',
    'The message does not say in which conversation it was written, or it is of another account, whose conversations have the same numbers.',
    'Add "conversation_id" to the row, or fetch it again. Import each account by itself, with a store of its own.',
  ),
  badAnswer(
    'chatwoot-bad-time',
    'Messages without a time',
    '"created_at" is neither Unix seconds nor a time of ISO 8601.',
  ),
  badRow(
    'chatwoot-unclear-visibility',
    'Messages of which it is not known who saw them',
    'The message does not say whether it is "private", or its type is not known. It may be a note for agents.',
    'Fetch the messages again, or add "private" to the row.',
  ),
  note(
    'chatwoot-not-migrated',
    'Data that agents keep about conversations',
    'Labels, attributes and mail headers are for agents: they are not sent, because customers would see them.',
  ),
];
