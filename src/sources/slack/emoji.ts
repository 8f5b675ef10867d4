import type { Reaction } from '../../model/records.ts';
import { asCount, asObject, asString, asStrings } from '../kit/narrow.ts';
import { findEmoji, isCustomEmojiName, shownEmoji } from '../kit/text/emoji.ts';

/** `:wave:` and `:wave::skin-tone-3:`. The length bound keeps a run of colons cheap; Slack allows 100 characters. */
export const emojiPattern = /:([a-z0-9_+'-]{1,100}):(?::skin-tone-([2-6]):)?/y;

const everyEmoji = new RegExp(emojiPattern, 'g');

/** Emoji names in text that has no other markup. */
export function replaceEmoji(text: string, onCustom: () => void): string {
  return text.replace(everyEmoji, (all, name: string, tone?: string) => {
    const emoji = findEmoji(name, tone);
    if (emoji === undefined && isCustomEmojiName(name)) onCustom();
    return emoji ?? all;
  });
}

/** Returns the reactions with the people who gave them; `users` may be shorter than `count` if the export was cut. */
export function readReactions(values: readonly unknown[]): Reaction[] {
  const reactions: Reaction[] = [];
  for (const value of values) {
    const reaction = asObject<{ name: string; users: string[]; count: number }>(value);
    const name = asString(reaction?.name);
    if (!reaction || name === undefined) continue;
    const users = asStrings(reaction.users);
    const count = asCount(reaction.count) ?? users.length;
    if (count > 0) reactions.push({ emoji: shownEmoji(name), users, count });
  }
  return reactions;
}
