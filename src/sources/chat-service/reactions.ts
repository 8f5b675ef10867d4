import type { Reaction } from '../../model/records.ts';
import type { FerriedMetadata, ServiceData } from './format.ts';
import { asServiceId } from './conversation.ts';
import { asArray, asCount, asObject, asString, type Untrusted } from '../kit/narrow.ts';

/**
 * Reactions that the service counted, and those that an earlier import kept in metadata, which also say who. An import may
 * have done both with the same reaction: then the higher count holds, not the sum.
 */
export function reactionsOf(data: Untrusted<ServiceData>, ferried: Untrusted<FerriedMetadata> | undefined): Reaction[] {
  const reactions = new Map<string, Reaction>();
  const add = (emoji: string | undefined, count: number, users: readonly string[]) => {
    if (emoji === undefined || count === 0) return;
    const known = reactions.get(emoji);
    const all = [...new Set([...(known?.users ?? []), ...users])];
    reactions.set(emoji, { emoji, users: all, count: Math.max(known?.count ?? 0, count, all.length) });
  };
  for (const value of asArray(ferried?.reactions)) {
    const reaction = asObject<{ emoji: string; count: number; by: string[] }>(value);
    const users = asArray(reaction?.by)
      .map(asServiceId)
      .filter((uid) => uid !== undefined);
    add(asString(reaction?.emoji), asCount(reaction?.count) ?? users.length, users);
  }
  for (const value of asArray(data.reactions)) {
    const reaction = asObject<{ reaction: string; count: number }>(value);
    add(asString(reaction?.reaction), asCount(reaction?.count) ?? 1, []);
  }
  return [...reactions.values()];
}
