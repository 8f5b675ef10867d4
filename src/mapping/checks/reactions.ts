import type { MessageRecord, Reaction } from '../../model/records.ts';

/** The first reaction of a message that something is wrong with, in words. */
export function firstReaction(
  { reactions = [] }: MessageRecord,
  isFound: (reaction: Reaction) => boolean,
  words?: (reaction: Reaction) => string,
): string | undefined {
  const found = reactions.find(isFound);
  if (!found) return undefined;
  const emoji = found.emoji.slice(0, 40);
  return words ? `${emoji}: ${words(found)}` : emoji;
}
