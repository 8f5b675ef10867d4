import type { SourceCode } from '../kit/codes.ts';

export const sendbirdCodes: readonly SourceCode[] = [
  {
    code: 'sendbird-no-channel',
    severity: 'blocks',
    title: 'Messages of no channel',
    explanation: 'The message does not say in which channel it was written.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'sendbird-bad-time',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: '"created_at" is neither milliseconds nor seconds, nor a date that is known.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'sendbird-bad-row',
    severity: 'blocks',
    title: 'Rows of tables that are not whole',
    explanation: 'The row has another number of fields than the header, or a quote that nothing closes.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'sendbird-not-migrated',
    severity: 'information',
    title: 'Settings of the app and of people',
    explanation:
      'Read positions, operators, invitations, times after which messages vanish, and tokens without which files are not opened have no counterpart at the destination.',
    remedy: 'Nothing; files that need a token have to be fetched with it first, and put on a server of yours.',
  },
];
