import { asks, outside, runs } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

/** Codes for problems found while reading Slack's files. */
export const slackCodes: readonly SourceCode[] = [
  badRow('missing-ts', 'Messages without a time', 'The row has no "ts": neither time nor id.'),
  badRow('bad-ts', 'Messages with a broken time', '"ts" is not a Slack time.'),
  badRow(
    'empty-note',
    'Notes about a message that is not there',
    'A note says that a message was changed or removed, without the message.',
    'Nothing: the message itself may be elsewhere in the export.',
  ),
  badRow(
    'ekm-access-denied',
    'Messages withheld by key management',
    'The key management of the workspace withheld the content.',
    'Ask the owner of the keys for access, and export again.',
  ),
  badRow(
    'slack-post',
    'Slack Posts',
    'A Slack Post is a document without time or author. Only its address is exported.',
    'Open the post in Slack and save it, if it matters.',
  ),
  note(
    'unknown-subtype',
    'Kinds of messages that are not known',
    'The kind of the message is not known: it is kept as an ordinary message, unless it says by its words that the platform wrote it.',
    'Check the examples, and report them.',
  ),
  note(
    'unknown-block',
    'Parts of messages that are not known',
    'A part of the message is of an unknown kind: some of the text may be missing.',
    'Check the examples, and report them.',
  ),
  decision(
    'second-direct-conversation',
    'Second direct conversations of two people',
    'Two direct conversations of the export have the same people.',
    {
      about: 'conversation',
      question: 'Should two direct conversations of the same two people be one?',
      options: [
        asks('Make one conversation of the two', 'conversations.merge', '[[C1, C2]]'),
        asks('Leave one of the two out', 'conversations.exclude', '[C1, C2]'),
      ],
      otherwise: 'the second becomes a group',
    },
  ),
  note(
    'shared-folder',
    'Folders of a public and of a private conversation',
    'The lists have a public and a private conversation with the same name, and so with the same folder: it is unknown which of them its messages belong to.',
    'Nothing, if the folder has the messages of the private conversation: they are sent as such. Else rename it in the list that it is not of.',
  ),
  decision(
    'unlisted-folder',
    'Folders that no list names',
    'No list of conversations names the folder: it is read as a private conversation of that name.',
    {
      about: 'conversation',
      question: 'What are these conversations, which no list names?',
      options: [
        asks('Name the conversations', 'conversations.rename', '{ C1: General }'),
        asks('Leave conversations out', 'conversations.exclude', '[C1, C2]'),
        runs('Fetch the messages together with the lists', 'fetch --from slack --out FOLDER'),
        outside('Export the lists of conversations too'),
      ],
      otherwise: 'it is sent as a conversation of that name',
    },
  ),
];
