import { plain } from './format.ts';
import words from './words.json' with { type: 'json' };

/**
 * What the app writes into messages, in some fifty languages (`words.json`, in lower case and without a full stop at the end; looked
 * at in 2026-11). On iOS U+200E stands before it, so that much is known in any language.
 */

export const appMark = '\u200e';

/** Longer than anything that the app writes of its own, with a full stop. */
const phraseMax = 100;

/** As the lists have it. */
function spelled(text: string): string {
  const words = plain(text).toLowerCase();
  return /[.。।۔]/.test(words.slice(-1)) ? words.slice(0, -1) : words;
}

/** The same, and nothing for what is too long to stand in the lists. */
function phrase(text: string): string {
  const words = plain(text);
  return words.length > phraseMax ? '' : spelled(words);
}

const [deleted, edited, attached, calls, said] = [
  words.deleted,
  words.edited,
  words.attached,
  words.call,
  words.said,
].map((list) => new Set(list)) as [Set<string>, Set<string>, Set<string>, Set<string>, Set<string>];

const kinds = ['media', 'image', 'video', 'audio', 'sticker', 'GIF', 'contact', 'document'] as const;
const omitted = new Map(kinds.flatMap((kind) => words[kind].map((text) => [text, kind] as const)));

export const saysDeleted = (text: string): boolean => deleted.has(phrase(text));

/** @param note Between its angle brackets. */
export const saysEdited = (note: string): boolean => edited.has(phrase(note));

/** `file attached`, or the word before a file's name. */
export const saysAttached = (note: string): boolean => attached.has(phrase(note));

/** What was left out of an export without media: `image`, or `media` where only that is said. */
export const omittedKind = (note: string): (typeof kinds)[number] | undefined => omitted.get(phrase(note));

/** `Missed voice call`, `Video call, 5 min`. */
export const saysCall = (text: string): boolean => calls.has(phrase(text.split(/[,.:\d]/, 1)[0]!));

/** What people did and the app put into words: a poll, a place. */
export const saysForPeople = (text: string): boolean => said.has(phrase(text.split(/[:\n]/, 1)[0]!));

/** Made when they are asked for: to compile them takes 50 ms, which other sources do without. */
let events: readonly (readonly [event: string, pattern: RegExp])[] | undefined;
const eventsOfGroups = new Set(['created', 'subject', 'icon', 'removed', 'added', 'left', 'joined', 'admin']);

/** Whole words, in scripts that have spaces between them. */
function anyOf(parts: readonly string[]): RegExp {
  const escaped = parts.map((part) => {
    const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return part.charCodeAt(0) < 0x530 ? `(?<![\\p{L}\\p{N}])${literal}(?!\\p{L})` : literal;
  });
  return new RegExp(escaped.join('|'), 'u');
}

/** What a line of the app tells of: `info` where nobody knows. */
export function eventOf(text: string): string {
  const line = spelled(text);
  events ??= Object.entries(words.events).map(([event, parts]) => [event, anyOf(parts)]);
  return events.find(([, pattern]) => pattern.test(line))?.[0] ?? 'info';
}

export const isOfGroups = (event: string): boolean => eventsOfGroups.has(event);

/** What stands in the name of an export before the name of the chat. */
export const titlePrefixes: readonly string[] = words.titles;
