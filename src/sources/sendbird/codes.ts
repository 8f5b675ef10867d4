import { badRow, note, type SourceCode } from '../kit/codes.ts';

export const sendbirdCodes: readonly SourceCode[] = [
  badRow('sendbird-no-channel', 'Messages of no channel', 'The message does not say in which channel it was written.'),
  badRow(
    'sendbird-bad-time',
    'Messages without a time',
    '"created_at" is neither milliseconds nor seconds, nor a date that is known.',
  ),
  badRow(
    'sendbird-bad-row',
    'Rows of tables that are not whole',
    'The row has another number of fields than the header, a value in a column that Sendbird does not have, a flag that is neither yes nor no, or a quote that nothing closes.',
  ),
  note(
    'sendbird-not-migrated',
    'Settings of the app and of people',
    'Read positions, operators who are no members, invitations, times after which messages vanish, and tokens without which files are not opened have no counterpart at the destination.',
    'Nothing; files that need a token have to be fetched with it first, and put on a server of yours.',
  ),
];
