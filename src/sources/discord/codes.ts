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
  {
    code: 'discord-no-content',
    severity: 'blocks',
    title: 'Messages whose content Discord did not give',
    explanation:
      'The message has no text, file, card or anything else. Discord leaves the content out if the app lacks the intent "Message Content": what was written is unknown.',
    remedy: 'Switch on "Message Content Intent" on the page "Bot" of the app, and fetch again into another folder.',
  },
  {
    code: 'discord-other-channel',
    severity: 'blocks',
    title: 'Messages in the file of another channel',
    explanation: 'The message says that it is of another channel than the file that it is in.',
    remedy: 'Fetch again: the files of a fetch are named by the ids of their channels.',
  },
  {
    code: 'discord-unlisted-channel',
    severity: 'decision',
    title: 'Channels that no list has',
    explanation:
      'The folder of a fetch has messages of a channel or thread that no list of channels or threads has: its name is unknown, and whether it is a thread.',
    about: 'nothing',
    options: ['Fetch the lists too, into another folder.', 'Leave it out (conversations.exclude).'],
    otherwise: 'it is sent as a private conversation whose name is its id',
  },
];
