import type { SourceCode } from '../kit/codes.ts';

export const quickbloxCodes: readonly SourceCode[] = [
  {
    code: 'quickblox-no-dialog',
    severity: 'blocks',
    title: 'Messages of no dialog',
    explanation: 'The message has no "chat_dialog_id".',
    remedy: 'Correct the row, or save the answer again.',
  },
  {
    code: 'quickblox-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"date_sent" is no time in seconds.',
    remedy: 'Correct the row, or save the answer again.',
  },
  {
    code: 'quickblox-deleted-for-some',
    severity: 'decision',
    title: 'Messages that people deleted for themselves',
    explanation: 'The message was deleted by some people, who no longer see it, and others still do.',
    about: 'nothing',
    options: ['Let it be so: everyone sees the message.', 'Leave the messages out of the answers that you plan.'],
    otherwise: 'the message is sent, and those who deleted it see it again',
  },
  {
    code: 'quickblox-not-migrated',
    severity: 'information',
    title: 'Receipts and administrators',
    explanation: 'Receipts, counts of views and administrators of dialogs have no counterpart at the destination.',
    remedy: 'Nothing.',
  },
];
