import type { ConversationCheck } from '../check.ts';

export const creatorNotDescribed: ConversationCheck = {
  code: 'creator-not-described',
  severity: 'information',
  title: 'Conversations whose creator is not described',
  explanation: 'No file of the export describes who created the conversation.',
  remedy: 'Nothing: the creator is not carried over.',
  find: ({ creator }, { isKnown }) => (creator !== undefined && !isKnown(creator) ? `"${creator}"` : undefined),
};
