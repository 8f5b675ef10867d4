import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const quickbloxCodes: readonly SourceCode[] = [
  badRow(
    'quickblox-no-dialog',
    'Messages of no dialog',
    'The message has no "chat_dialog_id".',
    'Correct the row, or save the answer again.',
  ),
  badRow(
    'quickblox-bad-time',
    'Messages without a time',
    '"date_sent" is no time in seconds.',
    'Correct the row, or save the answer again.',
  ),
  note(
    'quickblox-deleted-for-some',
    'Messages that people deleted for themselves',
    'The message was deleted by some people, who no longer see it, and others still do.',
    'Nothing: everyone sees the message, also those who deleted it. Leave it out of the answers that you plan, if they must not.',
  ),
  note('quickblox-not-migrated', 'Receipts', 'Receipts and counts of views have no counterpart at the destination.'),
];
