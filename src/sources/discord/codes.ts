import type { SourceCode } from '../kit/codes.ts';

export const discordCodes: readonly SourceCode[] = [
  {
    code: 'discord-no-channel',
    severity: 'blocks',
    title: 'Files that name no channel',
    explanation:
      'The file does not begin with "guild" and "channel", as DiscordChatExporter writes it: the channel of its messages is unknown.',
    remedy: 'Leave the file out if it is something else; otherwise export the channel again.',
  },
  {
    code: 'discord-bad-time',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation: 'The time is not of the form 2026-03-02T10:00:00+01:00.',
    remedy: 'Export the channel again, with a current version of DiscordChatExporter.',
  },
  {
    code: 'discord-bad-row',
    severity: 'blocks',
    title: 'Rows of a table that are broken',
    explanation: 'The row has other fields than the header, or a quote that does not end.',
    remedy: 'Check the row: a program may have changed the file. Export again.',
  },
  {
    code: 'discord-bad-page',
    severity: 'blocks',
    title: 'Messages of a page that are broken',
    explanation: 'The page ends inside the message, or the message is larger than the read limit.',
    remedy: 'Export or download the page again.',
  },
  {
    code: 'discord-no-account',
    severity: 'information',
    title: 'Data packages of an unknown account',
    explanation:
      'The package holds what one account wrote, and nothing in it says which one: its messages have no author.',
    remedy: 'Set source.account in the mapping, or ask Discord for the package with your account.',
  },
  {
    code: 'discord-unknown-type',
    severity: 'information',
    title: 'Messages of a type that is not known',
    explanation: 'Discord has a type of message that is newer than this program. The row is kept as a message.',
    remedy: 'Check the examples, and report them.',
  },
];
