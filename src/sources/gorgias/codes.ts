import { badAnswer, badRow, note, type SourceCode } from '../kit/codes.ts';

export const gorgiasCodes: readonly SourceCode[] = [
  badAnswer('gorgias-no-ticket', 'Messages of no ticket', 'The message has no "ticket_id".'),
  badAnswer('gorgias-bad-time', 'Messages without a time', 'No time of ISO 8601 says when it was written.'),
  badRow(
    'gorgias-unclear-visibility',
    'Messages of which it is not known who wrote or saw them',
    'The message does not say whether it is "public", or whether it is "from_agent". It may be a note for agents.',
    'Fetch the messages again, or add the field to the row.',
  ),
  note(
    'gorgias-not-migrated',
    'Data that agents keep about tickets, customers and messages',
    'Tags, fields, notes about customers, intents, actions, copies, headers of mails and survey answers are for agents: they are not sent, because customers would see them.',
  ),
];
