import type { SourceCode } from '../kit/codes.ts';

export const twilioCodes: readonly SourceCode[] = [
  {
    code: 'twilio-no-conversation',
    severity: 'blocks',
    title: 'Messages of no conversation',
    explanation: 'The message has neither "conversation_sid" nor "channel_sid".',
    remedy: 'Correct the row, or save the answer again.',
  },
  {
    code: 'twilio-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"date_created" is neither a time in ISO 8601 nor one in RFC 2822.',
    remedy: 'Correct the row, or save the answer again.',
  },
  {
    code: 'twilio-template-text',
    severity: 'information',
    title: 'Messages whose text is in a template',
    explanation:
      'The message was made from a template of the Content API: the answer has the id of the template, and no text.',
    remedy: 'Fetch the templates, and add their text to the messages before you plan.',
  },
  {
    code: 'twilio-not-migrated',
    severity: 'information',
    title: 'Receipts, read positions and roles',
    explanation:
      'Sums of delivery receipts, read positions, roles and timers of conversations have no counterpart at the destination.',
    remedy: 'Nothing.',
  },
];
