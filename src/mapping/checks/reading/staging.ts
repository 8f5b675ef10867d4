import type { Check } from '../check.ts';

/** What mapping and staging bring up by themselves. */
export const stagingCodes: readonly Check[] = [
  {
    code: 'unknown-author',
    severity: 'blocks',
    title: 'Authors whom no file describes',
    explanation: 'The mapping rejects messages whose author no file of the export describes.',
    remedy: 'Set people.unknownAuthors: placeholder in the mapping to keep such messages.',
  },
  {
    code: 'outsider',
    severity: 'blocks',
    title: 'What a third wrote in a direct conversation',
    explanation: 'The mapping rejects what a third person wrote in a direct conversation.',
    remedy: 'Set conversations.outsiders: group in the mapping to make it a group.',
  },
  {
    code: 'late_outsider',
    severity: 'blocks',
    title: 'Third writers in a one-to-one chat',
    explanation: 'A third person wrote in a conversation that already is a one-to-one chat at the destination.',
    remedy: 'Nothing: a chat that was begun cannot become a group.',
  },
  {
    code: 'direct-as-group',
    severity: 'decision',
    title: 'Second direct conversations of two people',
    explanation:
      'The service has one chat for two people. A further direct conversation of the same two becomes a group, so that neither mixes with the other.',
    remedy: 'Look at the examples, and leave one out if it is a copy.',
  },
  {
    code: 'too-late',
    severity: 'blocks',
    title: 'New messages that are older than what is there',
    explanation:
      'Younger messages of the conversation are already at the destination, and --late refuse keeps what would stand behind them.',
    remedy: 'Nothing; or send them with "chatferry retry --code too-late", or plan with --late send or allow.',
  },
  {
    code: 'late_part',
    severity: 'blocks',
    title: 'Texts that grew after they were sent',
    explanation:
      'The text was edited after it was sent and now needs more messages than before. What was sent stays as it is.',
    remedy: 'Nothing, or tell the people concerned.',
  },
  {
    code: 'not-in-lookup',
    severity: 'blocks',
    title: 'Authors who are not in the lookup table',
    explanation: 'The mapping rejects messages whose author the table of people.lookup does not have.',
    remedy: 'Add the person to the table, or set people.lookup.missing: template in the mapping.',
  },
  {
    code: 'older-than',
    severity: 'blocks',
    title: 'Messages that are too old for the mapping',
    explanation: 'The mapping rejects messages that are older than messages.olderThan.',
    remedy: 'Change messages.olderThan in the mapping, or set messages.old: skip.',
  },
  {
    code: 'text-too-long',
    severity: 'blocks',
    title: 'Texts that are too long',
    explanation:
      'The text is longer than the mapping or the destination allows, and the mapping does not say that it may be shortened.',
    remedy: 'Set messages.overlong: split or truncate in the mapping.',
  },
  {
    code: 'module-failed',
    severity: 'blocks',
    title: 'Records that the module of the mapping did not take',
    explanation: 'The module of the mapping threw, or answered with something that is not allowed.',
    remedy: 'Correct the module; the detail has its words.',
  },
  {
    code: 'merged-into-public',
    severity: 'decision',
    title: 'Private conversations merged into a public one',
    explanation:
      'The mapping merges a conversation that was not public into a public group: everybody may read it there.',
    remedy: 'Take it out of conversations.merge, or make the group private with conversations.types.',
  },
];
