import { asks } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const viberCodes: readonly SourceCode[] = [
  badRow(
    'viber-no-chat',
    'Events of no chat',
    'The event names no chat that the database describes, so it is not known to whom it was sent.',
    'Look at the row: Viber does not show it either. Leave it out, or copy the database again.',
  ),
  badRow(
    'viber-bad-direction',
    'Events that came neither in nor out',
    '"Direction" is neither 0 (came in) nor 1 (sent), so it is not known who wrote it.',
    'Correct the row in a copy of the database.',
  ),
  badRow(
    'viber-bad-time',
    'Events without a time',
    'The event has no time, or one that is none.',
    'Correct the row in a copy of the database.',
  ),
  badRow(
    'viber-bad-text',
    'Messages whose text cannot be read',
    'The text is larger than any message, or is no text.',
    'Look at the message in Viber, and correct the row in a copy of the database.',
  ),
  badRow(
    'viber-unknown-kind',
    'Messages of a kind that is not known',
    'No source says what this type of message is, and it has neither a text nor a file.',
    'Look at the message in Viber. If it has content there, report it to us with the version of Viber.',
  ),
  note(
    'viber-bad-info',
    'Messages with damaged details',
    '"Info", which names the answered message, mentions and names of files, is no JSON object. The text is kept.',
    'Compare the message with Viber.',
  ),
  decision(
    'viber-own-contact',
    'Databases that do not say who you are',
    'The messages that you sent were written by several contacts, or by one that also wrote to you. The messages are yours in any case, but your own contact stays a person of its own, and a chat of two may look like a group.',
    {
      about: 'person',
      question: 'Which contact is you?',
      options: [asks('Give your own telephone number', 'source.number', '+49301234567')],
      otherwise: 'no contact is taken for you',
    },
  ),
  note(
    'viber-not-migrated',
    'Other data that Viber keeps',
    'Reactions whose emoji or message is not known, places from which messages were sent, and details that no other system has a place for.',
  ),
];
