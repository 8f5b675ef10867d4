import type { MessageCheck } from '../check.ts';

export const textUnresolvedMention: MessageCheck = {
  code: 'text-unresolved-mention',
  severity: 'information',
  title: 'Mentions that were not resolved',
  explanation: 'The text still has the mention as the old system writes it, because no file says who is meant.',
  remedy: 'Export the people too, then plan again.',
  concerns: 'unusual text',
  find: ({ text }) => /<[@#!][\w.:-]{1,64}>|@\{[^{}|]{1,100}\|[^{}]{1,100}\}/.exec(text)?.[0],
};
