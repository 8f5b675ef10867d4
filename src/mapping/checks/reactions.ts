import { formatCount } from '../../lib/text/count.ts';
import type { MessageRecord, Reaction } from '../../model/records.ts';
import { noteCheck, type MessageCheck } from './check.ts';

/** Checks of reactions to a message, and of the people it names. */
export const reactionChecks: readonly MessageCheck[] = [
  noteCheck({
    code: 'reaction-custom-emoji',
    title: 'Reactions with an emoji of the old system',
    explanation: 'The emoji is an image of the old workspace and has no character: only its name can be migrated.',
    remedy: 'Nothing, or make the emoji at the destination.',
    concerns: 'reactions',
    find: (record) => firstReaction(record, ({ emoji }) => /^:[^:]+:$/.test(emoji)),
  }),
  noteCheck({
    code: 'reaction-people-unnamed',
    title: 'Reactions whose people are not all named',
    explanation: 'The export counts more people than it names: platforms cut the list.',
    remedy: 'Nothing: the counts are kept, the names are not in the export.',
    concerns: 'reactions',
    find: (record) =>
      firstReaction(
        record,
        ({ count, users }) => count > users.length,
        ({ count, users }) => `${formatCount(count)} counted, ${formatCount(users.length)} named`,
      ),
  }),
  noteCheck({
    code: 'reaction-twice',
    title: 'Reactions that name a person twice',
    explanation: 'One person can give one reaction once.',
    remedy: 'Nothing: it counts once.',
    concerns: 'reactions',
    find: (record) => firstReaction(record, ({ users }) => users.length > 1 && new Set(users).size < users.length),
  }),
  noteCheck({
    code: 'reaction-by-unknown-person',
    title: 'Reactions of unknown people',
    explanation: 'Such people become placeholders, named by their id.',
    remedy: 'Export the people too, or give their uids in the mapping (people.uids).',
    concerns: 'reactions',
    find: (record, { isKnown }) => firstReaction(record, ({ users }) => users.some((user) => !isKnown(user))),
  }),
  noteCheck({
    code: 'reaction-too-long',
    title: 'Reactions with a long key',
    explanation: 'Other services take at most 64 characters for a reaction.',
    remedy: 'Nothing, as long as reactions stay in metadata.',
    concerns: 'reactions',
    find: (record) =>
      firstReaction(
        record,
        ({ emoji }) => emoji.length > 64,
        ({ emoji }) => `${formatCount(emoji.length)} characters`,
      ),
  }),
  noteCheck({
    code: 'mention-of-unknown-person',
    title: 'Mentions of unknown people',
    explanation:
      'The text shows the mention as the export has it; the person becomes a placeholder, named by their id.',
    remedy: 'Export the people too, or give their uids in the mapping (people.uids).',
    concerns: 'mentions',
    find({ mentions }, { isKnown }) {
      const unknown = mentions!.find((user) => !isKnown(user));
      return unknown === undefined ? undefined : `"${unknown}" is not described`;
    },
  }),
];

/** The first reaction of a message that something is wrong with, in words. */
function firstReaction(
  { reactions = [] }: MessageRecord,
  isFound: (reaction: Reaction) => boolean,
  words?: (reaction: Reaction) => string,
): string | undefined {
  const found = reactions.find(isFound);
  if (!found) return undefined;
  const emoji = found.emoji.slice(0, 40);
  return words ? `${emoji}: ${words(found)}` : emoji;
}
