import type { MessageCheck } from '../check.ts';
import { firstReaction } from '../reactions.ts';

export const reactionByUnknownPerson: MessageCheck = {
  code: 'reaction-by-unknown-person',
  severity: 'information',
  title: 'Reactions of people whom no file describes',
  explanation: 'Such people become placeholders, named by their id.',
  remedy: 'Export the people too, or give their uids in the mapping (people.uids).',
  concerns: 'reactions',
  find: (record, { isKnown }) => firstReaction(record, ({ users }) => users.some((user) => !isKnown(user))),
};
