import type { SourceCode } from '../kit/codes.ts';

export const layerCodes: readonly SourceCode[] = [
  {
    code: 'layer-no-conversation',
    severity: 'blocks',
    title: 'Messages of no conversation',
    explanation: 'The message does not name the conversation that it belongs to.',
    remedy: 'Correct the row.',
  },
  {
    code: 'layer-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"sent_at" is no time in ISO 8601.',
    remedy: 'Correct the row.',
  },
  {
    code: 'layer-bad-part',
    severity: 'blocks',
    title: 'Messages with a part that cannot be read',
    explanation: 'A message has no list of parts, or one of its parts has neither a text in "body" nor a "content".',
    remedy: 'Correct the row.',
  },
  {
    code: 'layer-unknown-row',
    severity: 'blocks',
    title: 'Rows that are none of Layer',
    explanation: 'The row is no message, no conversation, no person and no event of one.',
    remedy: 'Correct the row, or leave it out of the file.',
  },
  {
    code: 'layer-conversation-deleted',
    severity: 'decision',
    title: 'Conversations that were deleted',
    explanation:
      'A scheduled export says that the conversation was deleted for everybody. Its messages may be in other files.',
    about: 'file',
    options: [
      'Leave the conversation out: conversations.exclude in the mapping.',
      'Let it be so, if its messages are to be seen again.',
    ],
    otherwise: 'messages of the conversation that the export has are sent',
  },
  {
    code: 'layer-not-migrated',
    severity: 'information',
    title: 'Receipts, and previews of pictures',
    explanation:
      'Who has received or read a message has no counterpart at the destination. A preview is a small copy of a picture that the message has.',
    remedy: 'Nothing.',
  },
];
