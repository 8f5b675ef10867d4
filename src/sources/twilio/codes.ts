import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const twilioCodes: readonly SourceCode[] = [
  badRow(
    'twilio-no-conversation',
    'Messages of no conversation',
    'The message has neither "conversation_sid" nor "channel_sid"; or it is a text message that lacks one of its two addresses.',
    'Correct the row, or save the answer again.',
  ),
  badRow(
    'twilio-bad-time',
    'Messages without a time',
    '"date_created", or "date_sent" of a text message, is neither a time in ISO 8601 nor one in RFC 2822.',
    'Correct the row, or save the answer again.',
  ),
  note(
    'twilio-template-text',
    'Messages whose text is in a template',
    'The message was made from a template of the Content API: the answer has the id of the template, and no text.',
    'Fetch the templates, and add their text to the messages before you plan.',
  ),
  note(
    'twilio-not-migrated',
    'Receipts, read positions and roles',
    'Sums of delivery receipts, read positions, roles and timers of conversations have no counterpart at the destination.',
  ),
];
