import type { MessageCheck } from '../check.ts';
import { firstReaction } from '../reactions.ts';

export const reactionTwice: MessageCheck = {
  code: 'reaction-twice',
  severity: 'information',
  title: 'Reactions that name a person twice',
  explanation: 'One person can give one reaction once.',
  remedy: 'Nothing: it counts once.',
  concerns: 'reactions',
  find: (record) => firstReaction(record, ({ users }) => users.length > 1 && new Set(users).size < users.length),
};
