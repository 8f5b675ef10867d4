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
    code: 'changed-after-sending',
    severity: 'decision',
    title: 'Messages that changed after they were sent',
    explanation:
      'The export changed after the message was sent. The destination keeps what was sent: the service has no way to change it.',
    remedy: 'Nothing, or tell the people concerned.',
  },
];
