import type { SourceCode } from '../kit/codes.ts';

export const teamsCodes: readonly SourceCode[] = [
  {
    code: 'teams-no-conversation',
    severity: 'blocks',
    title: 'Messages of no chat or channel',
    explanation: 'The row has neither a chat nor a channel, or no id: nobody can tell where it belongs.',
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
    title: 'Chats whose people are not listed',
    explanation:
      'Nothing in the export says who is in a chat. Its people are those who wrote in it; one in which fewer than two wrote becomes a group.',
    remedy: 'Save the lists of members beside the messages: /chats/{id}/members, or /chats?$expand=members.',
  },
  {
    code: 'teams-more-rows',
    severity: 'decision',
    title: 'Answers and messages that were not saved',
    explanation:
      'Graph put the first answers into the message that they answer, or the first messages into their chat, and an address under which the others are. Nobody has asked for those.',
    about: 'nothing',
    options: [
      'Save what is under that address as well ("replies@odata.nextLink"), or /messages/{id}/replies, into a file beside this one.',
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
      'What is attached to the message (a forwarded message, a quoted one, a card) is described by JSON in a text of its own, and that text is none.',
    about: 'message',
    options: [
      'Export the messages again; what saves them must not cut or change texts.',
      'Let the messages go without what is attached.',
    ],
    otherwise: 'the message is sent without what is attached',
  },
  {
    code: 'teams-not-migrated',
    severity: 'information',
    title: 'Read positions, blocked people and lists of a personal export',
    explanation:
      'The export says how far a person has read each conversation and whom they have blocked. Chatferry does not read this. Lists of calls, mentions and notices repeat what the chats have.',
    remedy: 'None. People can block others again.',
  },
];
