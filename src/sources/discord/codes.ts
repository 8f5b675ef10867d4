import { asks, runs } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const discordCodes: readonly SourceCode[] = [
  badRow(
    'discord-no-channel',
    'Files that name no channel',
    'The file does not begin with "guild" and "channel", as DiscordChatExporter writes it: the channel of its messages is unknown.',
    'Leave the file out if it is something else; otherwise export the channel again.',
  ),
  badRow(
    'discord-bad-time',
    'Messages with a broken time',
    'The time is not of the form 2026-03-02T10:00:00+01:00.',
    'Export the channel again, with a current version of DiscordChatExporter.',
  ),
  badRow(
    'discord-bad-row',
    'Rows of a table that are broken',
    'The row has other fields than the header, a value in a column that the format does not have, or a quote that does not end.',
    'Check the row: a program may have changed the file. Export again.',
  ),
  badRow(
    'discord-bad-page',
    'Messages of a page that are broken',
    'The page ends inside the message, or the message is larger than the read limit.',
    'Export or download the page again.',
  ),
  note(
    'discord-no-account',
    'Data packages of an unknown account',
    'The package holds what one account wrote, and nothing in it says which one: its messages have no author.',
    'Set source.account in the mapping, or ask Discord for the package with your account.',
  ),
  note(
    'discord-unknown-type',
    'Messages of a type that is not known',
    'Discord has a type of message that is newer than this program. The row is kept as a message.',
    'Check the examples, and report them.',
  ),
  badRow(
    'discord-no-content',
    'Messages whose content Discord did not give',
    'The message has no text, file, card or anything else. Discord leaves the content out if the app lacks the intent "Message Content": what was written is unknown.',
    'Switch on "Message Content Intent" on the page "Bot" of the app, and fetch again into another folder.',
  ),
  badRow(
    'discord-other-channel',
    'Messages in the file of another channel',
    'The message says that it is of another channel than the file that it is in.',
    'Fetch again: the files of a fetch are named by the ids of their channels.',
  ),
  decision(
    'discord-unlisted-channel',
    'Channels that no list has',
    'The folder of a fetch has messages of a channel or thread that no list of channels or threads has: its name is unknown, and whether it is a thread.',
    {
      about: 'conversation',
      question: 'What are these channels, which no list names?',
      options: [
        runs('Fetch the lists too, into another folder', 'fetch --from discord --out FOLDER'),
        asks('Name the channels', 'conversations.rename', '{ C1: general }'),
        asks('Leave channels out', 'conversations.exclude', '[C1, C2]'),
      ],
      otherwise: 'it is sent as a private conversation whose name is its id',
    },
  ),
];
