import { outside, runs } from '../../model/option.ts';
import { badRow, decision, note, type SourceCode } from '../kit/codes.ts';

export const teamsCodes: readonly SourceCode[] = [
  badRow(
    'teams-no-conversation',
    'Messages of no chat or channel',
    'The row has neither a chat nor a channel, or no id: it is unknown where it belongs.',
    'Ask the Graph API for whole messages, without "$select".',
  ),
  badRow(
    'teams-bad-time',
    'Messages with a broken time',
    'The time is not of the form 2026-03-02T10:00:00.123Z.',
    'Export the messages again; times must not be changed by what saves them.',
  ),
  note(
    'teams-unlisted-members',
    'Chats without a list of members',
    'Nothing in the export says who is in a chat. Its people are those who wrote in it; one in which fewer than two wrote becomes a group.',
    'Save the lists of members next to the messages: /chats/{id}/members, or /chats?$expand=members.',
  ),
  decision(
    'teams-more-rows',
    'Answers and messages that were not saved',
    'Graph put the first answers into the message that they answer, or the first messages into their chat, with an address for the others. The others were not requested.',
    {
      about: 'nothing',
      question: 'Are the answers and messages needed that were not saved?',
      options: [
        runs('Fetch the messages whole', 'fetch --from teams --out FOLDER'),
        outside('Save the data at the address that the finding names into a file next to this one'),
      ],
      otherwise: 'the messages that are in the export are sent, and the others are missing',
    },
  ),
  note(
    'teams-lost-event',
    'System events without what happened',
    'The export says that something happened in a chat, but not what: the tool that made it leaves that out.',
    'None is needed: system events are skipped unless the mapping keeps them.',
  ),
  note(
    'teams-bad-attachment',
    'Attachments that cannot be read',
    'The attachment of the message (a forwarded message, a quoted one, a card) is described by JSON in a text of its own, and that text is not JSON.',
    'Nothing: the message is sent without the attachment. Export the messages again, if it matters; what saves them must not cut or change texts.',
  ),
  note(
    'teams-not-migrated',
    'Read positions, blocked people and lists of a personal export',
    'The export contains the read position of a person in each conversation, and the people they have blocked. Chatferry does not read this. Lists of calls, mentions and notices repeat the content of the chats.',
    'None. People can block others again.',
  ),
];
