import type { Lose } from '../kit/lost.ts';
import { findEmoji, emojiWithTone, isCustomEmojiName } from '../kit/text/emoji.ts';
import { outsideCode } from '../kit/text/outside-code.ts';

/** Whom and what a text may name, and what is noticed in it. */
export interface TextContext {
  /** Name to show of whom `@username` mentions; notes the mention. */
  mention(username: string): string | undefined;
  /** Returns the display name of a room, if it differs from the name in the text. */
  roomName(name: string): string | undefined;
  /** An address of a message. */
  noteLink(url: string): void;
  readonly lose: Lose;
}

/** One star is bold, two underlines are no more than one, and one tilde strikes out. Not in addresses. */
const styles =
  /https?:\/\/[^\s<>()|]+|(?<![\p{L}\p{N}*])\*(?![\s*])([^*\n]+)(?<!\s)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])__(?![\s_])([^_\n]+)(?<!\s)__(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}~])~(?![\s~])([^~\n]+)(?<!\s)~(?![\p{L}\p{N}~])/gu;

const references =
  /https?:\/\/[^\s<>()|]+|(?<![\p{L}\p{N}_@.-])@([\p{L}\p{N}._-]{1,100})|(?<![\p{L}\p{N}_/#&])#([\p{L}\p{N}._-]{1,100})|:([A-Za-z0-9_+-]{1,100}):|<(https?:\/\/[^\s<>|]{1,4000})\|([^<>\n|]{1,1000})>/gu;

/** Emoji alone: most texts have nothing else, and it is found in a fraction of the time. */
const emojiAlone = /:([A-Za-z0-9_+-]{1,100}):/g;

/** Addresses of a message or a file of the server. */
const message = /[?&]msg=[\w-]{1,64}/;
const file = /\/file-upload\/[\w-]{1,64}\//;

/** Whether a text is anything but what it says. */
export const needsNames = (text: string): boolean => /[@#:*~_]/.test(text);

/** A text of Rocket.Chat as Markdown, with people, rooms and emoji by the names that are shown. Code stays as it is. */
export function rocketchatText(text: string, context: TextContext): string {
  if (!needsNames(text)) return text;
  return outsideCode(text, (piece) => withNames(withStyles(piece), context));
}

function withStyles(text: string): string {
  if (!/[*~]|__/.test(text)) return text;
  return text.replace(styles, (all, bold?: string, italic?: string, strike?: string) => {
    if (bold !== undefined) return `**${withStyles(bold)}**`;
    if (italic !== undefined) return `_${withStyles(italic)}_`;
    return strike === undefined ? all : `~~${withStyles(strike)}~~`;
  });
}

function withNames(text: string, context: TextContext): string {
  if (!/[@#]|:\/\//.test(text))
    return text.includes(':') ? text.replace(emojiAlone, (all, emoji: string) => emojiIn(emoji, context) ?? all) : text;
  return text.replace(references, (all, ...[user, room, emoji, url, words]: (string | undefined)[]) => {
    if (user !== undefined) return describeMention(user, context) ?? all;
    if (room !== undefined) {
      const name = context.roomName(room);
      return name === undefined ? all : `#${name}`;
    }
    if (emoji !== undefined) return emojiIn(emoji, context) ?? all;
    if (message.test(all)) context.noteLink(url ?? all);
    else if (file.test(all)) context.lose('oldLinks');
    return url === undefined ? all : `[${words!}](${url})`;
  });
}

/** `@ann.`: usernames may end in a full stop, and sentences do. */
function describeMention(words: string, context: TextContext): string | undefined {
  const name = context.mention(words);
  if (name !== undefined) return `@${name}`;
  let end = words.length;
  while ('._-'.includes(words.charAt(end - 1)) && end > 0) end -= 1;
  const shorter = words.slice(0, end);
  const found = shorter === words ? undefined : context.mention(shorter);
  return found === undefined ? undefined : `@${found}${words.slice(shorter.length)}`;
}

function emojiIn(said: string, { lose }: TextContext): string | undefined {
  const shown = emojiNamed(said.toLowerCase());
  if (shown === undefined && isCustomEmojiName(said)) lose('emojiInText');
  return shown;
}

/** An emoji by its name; tones as Rocket.Chat has them, `wave_tone3`. */
export function emojiNamed(name: string): string | undefined {
  if (!name.includes('_tone')) return emojiWithTone(name);
  const [, base, tone] = /^(.{1,90})_tone([1-5])$/.exec(name) ?? [];
  return base === undefined ? emojiWithTone(name) : findEmoji(base, String(Number(tone) + 1));
}
