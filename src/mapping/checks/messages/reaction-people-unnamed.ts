import type { MessageCheck } from '../check.ts';
import { firstReaction } from '../reactions.ts';

export const reactionPeopleUnnamed: MessageCheck = {
  code: 'reaction-people-unnamed',
  severity: 'information',
  title: 'Reactions whose people are not all named',
  explanation: 'The export counts more people than it names: platforms cut the list.',
  remedy: 'Nothing: the counts are kept, the names are not in the export.',
  concerns: 'reactions',
  find: (record) =>
    firstReaction(
      record,
      ({ count, users }) => count > users.length,
      ({ count, users }) => `${count} counted, ${users.length} named`,
    ),
};
