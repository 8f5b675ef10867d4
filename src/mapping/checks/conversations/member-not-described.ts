import type { ConversationCheck } from '../check.ts';

export const memberNotDescribed: ConversationCheck = {
  code: 'member-not-described',
  severity: 'information',
  title: 'Members whom no file describes',
  explanation: 'The conversation names members whom no file of the export describes.',
  remedy: 'Export the people too.',
  find({ members }, { isKnown }) {
    const unknown = members.filter((user) => !isKnown(user));
    return unknown.length > 0 ? `${unknown.length} of ${members.length}, the first is "${unknown[0]}"` : undefined;
  },
};
