import type { SourceCode } from '../kit/codes.ts';

export const viberCodes: readonly SourceCode[] = [
  {
    code: 'viber-no-chat',
    severity: 'blocks',
    title: 'Events of no chat',
    explanation: 'The event names no chat that the database describes, so it is not known to whom it was sent.',
    remedy: 'Look at the row: Viber does not show it either. Leave it out, or copy the database again.',
  },
  {
    code: 'viber-bad-direction',
    severity: 'blocks',
    title: 'Events that came neither in nor out',
    explanation: '"Direction" is neither 0 (came in) nor 1 (sent), so it is not known who wrote it.',
    remedy: 'Correct the row in a copy of the database.',
  },
  {
    code: 'viber-bad-time',
    severity: 'blocks',
    title: 'Events without a time',
    explanation: 'The event has no time, or one that is none.',
    remedy: 'Correct the row in a copy of the database.',
  },
  {
    code: 'viber-bad-text',
    severity: 'blocks',
    title: 'Messages whose text cannot be read',
    explanation: 'The text is larger than any message, or is no text.',
    remedy: 'Look at the message in Viber, and correct the row in a copy of the database.',
  },
  {
    code: 'viber-unknown-kind',
    severity: 'blocks',
    title: 'Messages of a kind that is not known',
    explanation: 'No source says what this type of message is, and it has neither a text nor a file.',
    remedy: 'Look at the message in Viber. If it has content there, report it to us with the version of Viber.',
  },
  {
    code: 'viber-bad-info',
    severity: 'information',
    title: 'Messages with damaged details',
    explanation:
      '"Info", which names the answered message, mentions and names of files, is no JSON object. The text is kept.',
    remedy: 'Compare the message with Viber.',
  },
  {
    code: 'viber-own-contact',
    severity: 'decision',
    title: 'Databases that do not say who you are',
    explanation:
      'The messages that you sent were written by several contacts, or by one that also wrote to you. The messages are yours in any case, but your own contact stays a person of its own, and a chat of two may look like a group.',
    about: 'person',
    options: [
      'Set number in source of the mapping to your own telephone number.',
      'Let it be so, if no contact is you.',
    ],
    otherwise: 'no contact is taken for you',
  },
  {
    code: 'viber-not-migrated',
    severity: 'information',
    title: 'Other data that Viber keeps',
    explanation:
      'Reactions whose emoji or message is not known, places from which messages were sent, and details that no other system has a place for.',
    remedy: 'Nothing.',
  },
];
