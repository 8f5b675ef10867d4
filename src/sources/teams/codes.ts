import type { SourceCode } from '../kit/codes.ts';

export const teamsCodes: readonly SourceCode[] = [
  {
    code: 'teams-no-conversation',
    severity: 'blocks',
    title: 'Messages of no chat or channel',
    explanation: 'The row has neither a chat nor a channel, or no id: it is unknown where it belongs.',
    remedy: 'Ask the Graph API for whole messages, without "$select".',
  },
  {
    code: 'teams-bad-time',
    severity: 'blocks',
    title: 'Messages with a broken time',
    explanation: 'The time is not of the form 2026-03-02T10:00:00.123Z.',
    remedy: 'Export the messages again; times must not be changed by what saves them.',
  },
  {
    code: 'teams-unlisted-members',
    severity: 'information',
    title: 'Chats without a list of members',
    explanation:
      'Nothing in the export says who is in a chat. Its people are those who wrote in it; one in which fewer than two wrote becomes a group.',
    remedy: 'Save the lists of members next to the messages: /chats/{id}/members, or /chats?$expand=members.',
  },
  {
    code: 'teams-more-rows',
    severity: 'decision',
    title: 'Answers and messages that were not saved',
    explanation:
      'Graph put the first answers into the message that they answer, or the first messages into their chat, with an address for the others. The others were not requested.',
    about: 'nothing',
    options: [
      'Save the data at that address as well ("replies@odata.nextLink"), or /messages/{id}/replies, into a file next to this one.',
      'Let them stay behind.',
    ],
    otherwise: 'the messages that are in the export are sent, and the others are missing',
  },
  {
    code: 'teams-lost-event',
    severity: 'information',
    title: 'System events without what happened',
    explanation:
      'The export says that something happened in a chat, but not what: the tool that made it leaves that out.',
    remedy: 'None is needed: system events are skipped unless the mapping keeps them.',
  },
  {
    code: 'teams-bad-attachment',
    severity: 'decision',
    title: 'Attachments that cannot be read',
    explanation:
      'The attachment of the message (a forwarded message, a quoted one, a card) is described by JSON in a text of its own, and that text is not JSON.',
    about: 'message',
    options: [
      'Export the messages again; what saves them must not cut or change texts.',
      'Send the messages without their attachments.',
    ],
    otherwise: 'the message is sent without the attachment',
  },
  {
    code: 'teams-not-migrated',
    severity: 'information',
    title: 'Read positions, blocked people and lists of a personal export',
    explanation:
      'The export contains the read position of a person in each conversation, and the people they have blocked. Chatferry does not read this. Lists of calls, mentions and notices repeat the content of the chats.',
    remedy: 'None. People can block others again.',
  },
];
