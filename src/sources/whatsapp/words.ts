import { plain } from './format.ts';
import words from './words.json' with { type: 'json' };

/**
 * Texts that the app writes into messages, in some fifty languages (`words.json`, in lower case and without a full stop
 * at the end; checked in 2026-11). On iOS, U+200E comes before such a text, so the app's texts are recognised in any
 * language.
 */

export const appMark = '\u200e';

/** Longer than anything that the app writes of its own, with a full stop. */
const phraseMax = 100;

/** As the lists have it. */
function spelled(text: string): string {
  const words = plain(text).toLowerCase();
  return /[.。।۔]/.test(words.slice(-1)) ? words.slice(0, -1) : words;
}

/** Returns the same spelling, or an empty text if the lists cannot have it: it is too long, or begins otherwise. */
function phrase(text: string): string {
  if (beginsVisibly.test(text) && !beginnings.has(text.slice(0, beginningLength).toLowerCase())) return '';
  const words = plain(text);
  return words.length > phraseMax ? '' : spelled(words);
}

const kinds = ['media', 'image', 'video', 'audio', 'sticker', 'GIF', 'contact', 'document'] as const;

/** How the phrases of all lists begin. Most messages of people begin otherwise, and then nothing else has to be looked at. */
const beginningLength = 3;
const beginnings = new Set(
  ([...kinds, 'deleted', 'edited', 'attached', 'missed', 'call', 'absent', 'said'] as const).flatMap((list) =>
    words[list].map((text) => text.slice(0, beginningLength)),
  ),
);
/** Letters that `plain` leaves as they are. */
const beginsVisibly = /^[!-~]{3}/;

const deleted = new Set(words.deleted);
const edited = new Set(words.edited);
const attached = new Set(words.attached);
const missed = new Set(words.missed);
const calls = new Set([...words.missed, ...words.call]);
const absent = new Set(words.absent);
const said = new Set(words.said);

const omitted = new Map(kinds.flatMap((kind) => words[kind].map((text) => [text, kind] as const)));

/** Also `This message was deleted by admin Ann.` */
export function saysDeleted(text: string): boolean {
  const words = phrase(text);
  return words !== '' && (deleted.has(words) || deletedBy.test(words));
}
const deletedBy = /^(?:this message was deleted by admin |diese nachricht wurde von admin .* gelöscht$)/;

function before(text: string, end: RegExp): string {
  const at = text.search(end);
  return at === -1 ? text : text.slice(0, at);
}

/** @param note Between its angle brackets. */
export const saysEdited = (note: string): boolean => edited.has(phrase(note));

/** `file attached`, or the word before a file's name. */
export const saysAttached = (note: string): boolean => attached.has(phrase(note));

/** Returns the kind of file that was left out of an export without media: `image`, or `media` if the export gives no kind. */
export const omittedKind = (note: string): (typeof kinds)[number] | undefined => omitted.get(phrase(note));

/** `Missed voice call`, `Video call, 5 min`. */
export const saysCall = (text: string): boolean => calls.has(phrase(before(text, /[,.:(\d]/)));

/**
 * Returns whether the whole text describes a call, in a form that no one would type: a missed call, or one with its
 * length: `Voice call (5 min)`.
 */
export function saysWholeCall(text: string): boolean {
  const words = before(text, /[,(]/);
  if (words.length === text.length) return missed.has(phrase(text));
  return calls.has(phrase(words)) && /^[,(]\s?[\u200e\u200f]?\d{1,3}\s?\p{L}/u.test(text.slice(words.length));
}

/** The phone has not got the message, or may not show it: `Waiting for this message. This may take a while.` */
export const saysAbsent = (text: string): boolean => absent.has(phrase(before(text, /[.。]/)));

/** Returns whether the app put into words what a person did: a poll, a place. */
export const saysForPeople = (text: string): boolean => said.has(phrase(before(text, /[:\n]/)));

/** Made when they are asked for: to compile them takes 50 ms, which other sources do without. */
let events: readonly (readonly [event: string, pattern: RegExp])[] | undefined;
let actions: RegExp | undefined;
let phrases: RegExp | undefined;
const eventsOfGroups = new Set(['created', 'subject', 'icon', 'removed', 'added', 'left', 'joined', 'admin']);

/** Whole words, in scripts that have spaces between them. */
function matchAny(parts: readonly string[]): RegExp {
  const escaped = parts.map((part) => {
    const literal = part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return part.charCodeAt(0) < 0x530 ? `(?<![\\p{L}\\p{N}])${literal}(?!\\p{L})` : literal;
  });
  return new RegExp(escaped.join('|'), 'u');
}

/** Returns the event in a line of the app: `info` if it is unknown. */
export function findEvent(text: string): string {
  const line = spelled(text);
  events ??= Object.entries(words.events).map(([event, parts]) => [event, matchAny(parts)]);
  return events.find(([, pattern]) => pattern.test(line))?.[0] ?? 'info';
}

const hasSpace = (part: string): boolean => part.includes(' ') || part.charCodeAt(0) >= 0x2e80;

/** Returns whether the text names an event in more than one word. People use single words, such as `left`, too. */
export function tellsEvent(text: string): boolean {
  phrases ??= matchAny(
    Object.values(words.events).flatMap((parts) => parts.filter((part) => hasSpace(part) || /-.*-/.test(part))),
  );
  return phrases.test(spelled(text));
}

/** Returns whether the text describes an action on a group, in words that no person's name contains. */
export function tellsAction(text: string): boolean {
  const { created, subject, icon, joined, pin } = words.events;
  actions ??= matchAny([created, subject, icon, joined, pin].flatMap((parts) => parts.filter(hasSpace)));
  return actions.test(spelled(text));
}

export const isOfGroups = (event: string): boolean => eventsOfGroups.has(event);

/** Text in the name of an export before the name of the chat. */
export const titlePrefixes: readonly string[] = words.titles;
