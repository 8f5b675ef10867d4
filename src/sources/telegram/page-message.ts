import { decoded } from '../../lib/text/decoded.ts';
import type { Reaction } from '../../model/records.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { RowProblem } from '../kit/entries.ts';
import {
  elementsIn,
  firstOfClass,
  hasClass,
  type HtmlElement,
  markdownIn,
  wordsIn,
} from '../kit/text/html-elements.ts';
import type { NamedFile } from '../kit/files/local-files.ts';
import { excerpt } from '../kit/narrow.ts';
import type { ReadTime, TimeReader } from '../kit/time/time-reading.ts';
import { hasMembers } from '../../lib/maps/objects.ts';
import { markdownLink } from '../kit/text/markdown.ts';
import { dayInWords } from '../kit/time/day-in-words.ts';
import { makeSortKey } from './message.ts';
import { type Lost, lose } from './text.ts';

export interface PageContext {
  readonly workspace: string;
  readonly conversation: string;
  /** Values of the previous message. */
  readonly author: string | undefined;
  readonly atMs: number | undefined;
  /** Whom the message before was forwarded from. */
  readonly forwardedFrom: string | undefined;
  readonly readDate: TimeReader;
}

export interface PageMessage {
  readonly record: NewMessage;
  readonly assumed: ReadTime['assumed'];
  /** As the page writes it. */
  readonly time: string;
  readonly files: readonly NamedFile[];
  /** Whom it names, by their names. */
  readonly people: readonly string[];
  /** Original author of a forwarded message, if the page names one here or with a previous message. */
  readonly forwardedFrom?: string | undefined;
}

/** A line that says a day, and no message. */
interface Day {
  readonly dayMs: number;
}

/** A line of the program that says a day is no message. */
export function readPageMessage(element: HtmlElement, context: PageContext): PageMessage | Day | RowProblem {
  const id = /^message(-?\d{1,15})$/.exec(element.attributes.id ?? '')?.[1];
  const isService = hasClass(element, 'service');
  const words = wordsIn(element);
  const dayMs = isService && (id === undefined || id.startsWith('-')) ? readDay(words) : undefined;
  if (dayMs !== undefined) return { dayMs };
  if (id === undefined) return { code: 'missing-id', reason: 'Expected an id such as "message12", found none' };
  const body = elementsIn(element, (inner) => hasClass(inner, 'body'))[0] ?? element;
  const time = childOf(body, 'date')?.attributes.title ?? '';
  const read = isService && context.atMs !== undefined ? { atMs: context.atMs } : context.readDate(toIso(time));
  if (!read) return { code: 'bad-time', reason: `Expected a time such as 02.03.2026 10:15:00, found ${excerpt(time)}` };
  const record = newMessage({
    origin: { source: 'telegram', workspace: context.workspace, conversation: context.conversation, id },
    sortKey: makeSortKey(id),
    sentAtMs: read.atMs,
    text: words,
  });
  const assumed = 'assumed' in read ? read.assumed : undefined;
  if (isService) {
    record.systemEvent = 'service';
    return { record, assumed, time, files: filesIn(body), people: [] };
  }
  const said = addContent(record, body, { ...context, isJoined: hasClass(element, 'joined') });
  return { record, assumed, time, ...said };
}

/** `02.03.2026 10:15:00 UTC+01:00`, without the end before 2022; before 2020 with the month in words: `9 ноября 2017, 15:54:55`. */
function toIso(time: string): string {
  const match = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d:\d\d)(?: UTC([+-]\d\d:?\d\d))?$/.exec(time);
  if (match) {
    const [, day, month, year, clock, offset = ''] = match;
    return `${year}-${month}-${day}T${clock}${offset}`;
  }
  const [, date, clock] = /^(.{6,60}?),? (\d\d:\d\d:\d\d)$/.exec(time) ?? [];
  const dayMs = date === undefined ? undefined : readDay(date);
  return dayMs === undefined ? '' : `${new Date(dayMs).toISOString().slice(0, 10)}T${clock}`;
}

/** Returns the day in a text that holds nothing else: with the month in words, and at most two further words such as `de`. */
function readDay(text: string): number | undefined {
  const wordCount = text.match(/[\p{L}\p{M}]+/gu)?.length ?? 0;
  const isDay = /^[\p{L}\p{M}\d\s.,]{6,60}$/u.test(text) && wordCount >= 1 && wordCount <= 3;
  return isDay ? dayInWords(text.toLowerCase()) : undefined;
}

/** Adds the text of a message, and everything that goes with it. */
function addContent(
  record: NewMessage,
  body: HtmlElement,
  context: PageContext & { readonly isJoined: boolean },
): Pick<PageMessage, 'files' | 'people' | 'forwardedFrom'> {
  record.author = nameIn(childOf(body, 'from_name')) ?? context.author;
  const forwarded = childOf(body, 'forwarded', 'body');
  const inner = forwarded ?? body;
  const lost: Lost = {};
  const wraps = elementsIn(inner, (one) => hasClass(one, 'media_wrap'));
  const missing = wraps.flatMap((wrap) => missingFile(wrap) ?? []);
  const call = wraps.map((wrap) => firstOfClass(wrap, 'media_call')).find(Boolean);
  if (call) record.call = readCall(call, record.sentAtMs);
  const from = forwarded && childOf(forwarded, 'from_name');
  // If several messages were forwarded together, the page names only the source of the first.
  const forwardedFrom = forwarded && (nameIn(from) ?? (context.isJoined ? context.forwardedFrom : undefined));
  const text = childOf(inner, 'text');
  const lines = [
    ...(forwarded ? [forwardedFrom === undefined ? '_Forwarded_' : `_Forwarded from ${forwardedFrom}_`] : []),
    ...(text ? [markdownIn(text, (part) => lose(lost, part))] : []),
    ...mediaWords(wraps.filter((wrap) => missingFile(wrap) === undefined)),
    ...buttonsIn(body, lost),
  ];
  if (text) countMarks(text, lost);
  record.text = lines.join('\n');
  addDetails(record, inner, from);
  const reactions = elementsIn(body, (one) => hasClass(one, 'reaction')).map(readReaction);
  if (reactions.length > 0) record.reactions = reactions;
  if (hasMembers(lost)) record.lost = lost;
  const names = [record.author, ...reactions.flatMap(({ users }) => users)];
  const people = [...new Set(names.filter((name) => name !== undefined))];
  return { files: [...filesIn(body), ...missing], people, forwardedFrom };
}

/** Adds the message that it answers, the signature, and the time of the original. */
function addDetails(record: NewMessage, inner: HtmlElement, from: HtmlElement | undefined): void {
  const reply = childOf(inner, 'reply_to');
  const link = reply && elementsIn(reply, ({ name }) => name === 'a')[0]?.attributes.href;
  const quoteOf = /go_to_message(-?\d+)$/.exec(link ?? '')?.[1];
  if (quoteOf !== undefined) record.quoteOf = quoteOf;
  const signature = wordsIn(childOf(inner, 'signature'));
  if (signature !== '') record.custom = { author: signature };
  const forwardedAt = from && childOf(from, 'date')?.attributes.title;
  if (forwardedAt) record.custom = { ...record.custom, forwardedAt };
}

/** Spoilers and pictures of emoji, which are marked by what a click on them does. */
function countMarks(text: HtmlElement, lost: Lost): void {
  const spoilers = elementsIn(text, (one) => hasClass(one, 'spoiler')).length;
  const emoji = elementsIn(text, ({ attributes }) => /^return ShowCustomEmoji\(/.test(attributes.onclick ?? '')).length;
  if (spoilers > 0) lose(lost, 'styles', spoilers);
  if (emoji > 0) lose(lost, 'emojiInText', emoji);
}

/** Buttons of bots: a line for each that opens an address; others are counted. */
function buttonsIn(body: HtmlElement, lost: Lost): string[] {
  return elementsIn(body, (one) => hasClass(one, 'bot_button')).flatMap((button) => {
    const address = linksIn(button)[0]?.attributes.href ?? '';
    if (/^(?:https?|tg|mailto):\S+$/i.test(address)) return [markdownLink(address, wordsIn(button))];
    lose(lost, 'menus');
    return [];
  });
}

/** `Outgoing (12 seconds)`; missed ones say no duration. */
function readCall(call: HtmlElement, sentAtMs: number): NonNullable<NewMessage['call']> {
  const seconds = /\((\d{1,7}) /.exec(wordsIn(firstOfClass(call, 'status')))?.[1];
  return { startedAtMs: sentAtMs, ...(seconds !== undefined && { endedAtMs: sentAtMs + Number(seconds) * 1000 }) };
}

/** Names of files that were not exported, by the kind of their placeholder. */
const fileKinds: Readonly<Record<string, string>> = {
  media_photo: 'photo.jpg',
  media_video: 'video_file',
  media_file: 'file',
  media_audio_file: 'audio_file',
  media_voice_message: 'voice_message',
  media_sticker: 'sticker',
};

/** Returns a file that was not exported. Its placeholder is a sentence in English. */
function missingFile(wrap: HtmlElement): NamedFile | undefined {
  const kind = Object.keys(fileKinds).find((one) => firstOfClass(wrap, one) !== undefined);
  if (kind === undefined || linksIn(wrap).some(isLocal)) return undefined;
  const sentence = wordsIn(firstOfClass(wrap, 'description'));
  const title = /^media_(?:audio_)?file$/.test(kind) ? wordsIn(firstOfClass(wrap, 'title')) : '';
  return { path: `(${sentence})`, name: title || fileKinds[kind]! };
}

/** A child of its own, none further inside: what was forwarded has parts of the same classes. */
const childOf = ({ children }: HtmlElement, ...kinds: string[]): HtmlElement | undefined =>
  children.find(
    (child): child is HtmlElement => typeof child !== 'string' && kinds.every((kind) => hasClass(child, kind)),
  );

/** Returns a name, without the time or the bot that follows it. */
function nameIn(element: HtmlElement | undefined): string | undefined {
  const text = element?.children.find((child) => typeof child === 'string' && child.trim() !== '');
  return typeof text === 'string'
    ? text
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/ via @\w*$/, '')
    : undefined;
}

function readReaction(element: HtmlElement): Reaction {
  const users = elementsIn(element, ({ attributes }) => attributes.title !== undefined).map(
    ({ attributes }) => attributes.title!,
  );
  const count = Number(wordsIn(firstOfClass(element, 'count')).replace(/\D/g, ''));
  const emoji = wordsIn(firstOfClass(element, 'emoji')) || ':custom:';
  const distinct = [...new Set(users)];
  return { emoji, users: distinct, count: Math.max(count, distinct.length) };
}

const linksIn = (element: HtmlElement): readonly HtmlElement[] =>
  elementsIn(element, ({ name, attributes }) => name === 'a' && attributes.href !== undefined);

const isLocal = ({ attributes: { href = '' } }: HtmlElement): boolean =>
  href !== '' && !/^(?:[a-z][a-z\d+.-]*:|#|\/)/i.test(href);

/** Returns the files of the export that a message holds. */
function filesIn(body: HtmlElement): NamedFile[] {
  const wraps = elementsIn(body, (one) => hasClass(one, 'media_wrap'));
  return wraps.flatMap((wrap) =>
    linksIn(wrap)
      .filter(isLocal)
      .map((link): NamedFile => {
        const title =
          hasClass(link, 'media_file') || hasClass(link, 'media_audio_file')
            ? wordsIn(firstOfClass(link, 'title'))
            : '';
        return { path: decoded(link.attributes.href!), ...(title !== '' && { name: title }) };
      }),
  );
}

/** Returns text for content that is not a file: polls, places, contacts, calls; one line for each part. */
function mediaWords(wraps: readonly HtmlElement[]): string[] {
  return wraps
    .filter((wrap) => !linksIn(wrap).some(isLocal))
    .map((wrap) => {
      const parts = elementsIn(wrap, (one) => partClasses.some((kind) => hasClass(one, kind)));
      const lines = parts.map((part) =>
        hasClass(part, 'answer') ? wordsIn(part).replace(/^-? ?/, '- ') : wordsIn(part),
      );
      const address = linksIn(wrap)[0]?.attributes.href;
      return [...lines, ...(address === undefined ? [] : [address])].filter(Boolean).join('\n') || wordsIn(wrap);
    })
    .filter((words) => words !== '');
}

const partClasses = ['title', 'question', 'description', 'details', 'answer', 'status'];
