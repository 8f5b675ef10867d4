import type { MessageCheck } from '../check.ts';
import { firstReaction } from '../reactions.ts';

export const reactionTooLong: MessageCheck = {
  code: 'reaction-too-long',
  severity: 'information',
  title: 'Reactions with a long key',
  explanation: 'Other services take at most 64 characters for a reaction.',
  remedy: 'Nothing, as long as reactions stay in metadata.',
  concerns: 'reactions',
  find: (record) =>
    firstReaction(
      record,
      ({ emoji }) => emoji.length > 64,
      ({ emoji }) => `${emoji.length} characters`,
    ),
};
