import type { MessageCheck } from '../check.ts';

export const deletedWithText: MessageCheck = {
  code: 'deleted-with-text',
  severity: 'decision',
  title: 'Deleted messages that still have their text',
  explanation: 'Somebody deleted the message, and the export keeps what it said.',
  remedy: 'Nothing with messages.deleted: skip, the default. With keep, what was deleted becomes readable again.',
  concerns: 'deletions',
  find: ({ isDeleted, text }) => (isDeleted && text.trim() !== '' ? 'text is still there' : undefined),
};
