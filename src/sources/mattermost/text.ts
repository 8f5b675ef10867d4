import type { LostPart } from '../../model/lost-parts.ts';
import { emojiWithTone, isCustomEmojiName } from '../kit/text/emoji.ts';
import { outsideCode } from '../kit/text/outside-code.ts';

/** Who and what a text may name, and what is noticed in it. */
export interface TextContext {
  /** Name to show of a username in lower case. */
  userName(username: string): string | undefined;
  /** Does the same for a channel of the team in which the text was posted. */
  channelName(name: string): string | undefined;
  /** Users whom the text mentions, each once, in order. */
  readonly mentions: string[];
  lose(part: LostPart, count?: number): void;
}

/** An address; a mention, as Mattermost takes it for one; a channel; an emoji. */
const references =
  /https?:\/\/[^\s<>]+|(?<![\p{L}\p{N}_@.-])@([a-z0-9._-]{1,64})|(?<![\p{L}\p{N}_~])~([a-z0-9_-]{1,64})|:([a-z0-9_+-]{1,100}):/giu;

/** Addresses that lead to a post, a file or a picture of the server. */
const oldAddress = /\/(?:pl|files|emoji)\/[a-z0-9]{26}(?![a-z0-9])/;

/** Converts a text of Mattermost, which is Markdown, with people, channels and emoji by the names that are shown. Code stays unchanged. */
export function mattermostText(text: string, context: TextContext): string {
  if (!/[@~:]/.test(text)) return text;
  return outsideCode(text, (piece) => withNames(piece, context));
}

function withNames(text: string, context: TextContext): string {
  return text.replace(references, (all, user?: string, channel?: string, emoji?: string) => {
    if (user !== undefined) return mention(user, context) ?? all;
    if (channel !== undefined) {
      const name = context.channelName(channel.toLowerCase());
      return name === undefined ? all : `#${name}`;
    }
    if (emoji === undefined) {
      if (oldAddress.test(all)) context.lose('oldLinks');
      return all;
    }
    const shown = emojiWithTone(emoji.toLowerCase());
    if (shown === undefined && isCustomEmojiName(emoji)) context.lose('emojiInText');
    return shown ?? all;
  });
}

/** `@ann.`: usernames may end in a full stop, and sentences do. */
function mention(words: string, context: TextContext): string | undefined {
  for (let end = words.length; end > 0; end -= 1) {
    const username = words.slice(0, end).toLowerCase();
    const name = context.userName(username);
    if (name !== undefined) {
      if (!context.mentions.includes(username)) context.mentions.push(username);
      return `@${name}${words.slice(end)}`;
    }
    if (!/[._-]/.test(words[end - 1]!)) return undefined;
  }
  return undefined;
}
