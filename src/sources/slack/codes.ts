import type { SourceCode } from '../kit/codes.ts';

/** Codes for problems found while reading Slack's files. */
export const slackCodes: readonly SourceCode[] = [
  {
    code: 'missing-ts',
    severity: 'blocks',
    title: 'Messages without a time',
    explanation: 'The row has no "ts": neither time nor id.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'bad-ts',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation: '"ts" is not a Slack time.',
    remedy: 'Correct the row, or export again.',
  },
  {
    code: 'empty-note',
    severity: 'blocks',
    title: 'Notes about a message that is not there',
    explanation: 'A note says that a message was changed or removed, without the message.',
    remedy: 'Nothing: the message itself may be elsewhere in the export.',
  },
  {
    code: 'ekm-access-denied',
    severity: 'blocks',
    title: 'Messages withheld by key management',
    explanation: 'The key management of the workspace withheld the content.',
    remedy: 'Ask the owner of the keys for access, and export again.',
  },
  {
    code: 'slack-post',
    severity: 'blocks',
    title: 'Slack Posts',
    explanation: 'A Slack Post is a document without time or author. Only its address is exported.',
    remedy: 'Open the post in Slack and save it, if it matters.',
  },
  {
    code: 'unknown-subtype',
    severity: 'information',
    title: 'Kinds of messages that are not known',
    explanation:
      'The kind of the message is not known: it is kept as an ordinary message, unless it says by its words that the platform wrote it.',
    remedy: 'Check the examples, and report them.',
  },
  {
    code: 'unknown-block',
    severity: 'information',
    title: 'Parts of messages that are not known',
    explanation: 'A part of the message is of an unknown kind: some of the text may be missing.',
    remedy: 'Check the examples, and report them.',
  },
  {
    code: 'second-direct-conversation',
    severity: 'decision',
    title: 'Second direct conversations of two people',
    explanation: 'Two direct conversations of the export have the same people.',
    about: 'nothing',
    options: [
      'Let the second become a group.',
      'Make one conversation of the two (conversations.merge).',
      'Leave one out, if it is a copy (conversations.exclude).',
    ],
    otherwise: 'the second becomes a group',
  },
  {
    code: 'shared-folder',
    severity: 'decision',
    title: 'Folders of a public and of a private conversation',
    explanation:
      'The lists have a public and a private conversation with the same name, and so with the same folder: it is unknown which of them its messages belong to.',
    about: 'nothing',
    options: [
      'Look into the folder, and rename it in the list that it is not of.',
      'Ignore it if the folder has the messages of the private conversation.',
    ],
    otherwise: 'its messages are sent as those of the private conversation',
  },
  {
    code: 'unlisted-folder',
    severity: 'decision',
    title: 'Folders that no list names',
    explanation: 'No list of conversations names the folder: it is read as a private conversation of that name.',
    about: 'nothing',
    options: ['Export the lists of conversations too.', 'Leave it out (conversations.exclude).'],
    otherwise: 'it is sent as a conversation of that name',
  },
];
