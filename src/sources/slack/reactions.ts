import type { Reaction } from '../../model/records.ts';
import { reactionEmoji } from './emoji.ts';
import { asCount, asObject, asString, asStrings } from '../kit/narrow.ts';

/** Reactions with who; `users` may be shorter than `count` where the export was cut. */
export function reactionsOf(values: readonly unknown[]): Reaction[] {
  const reactions: Reaction[] = [];
  for (const value of values) {
    const reaction = asObject<{ name: string; users: string[]; count: number }>(value);
    const name = asString(reaction?.name);
    if (!reaction || name === undefined) continue;
    const users = asStrings(reaction.users);
    const count = asCount(reaction.count) ?? users.length;
    if (count > 0) reactions.push({ emoji: reactionEmoji(name), users, count });
  }
  return reactions;
}
