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
import { sortKeyOf } from './message.ts';

export interface PageContext {
  readonly workspace: string;
  readonly conversation: string;
  /** Of the message before. */
  readonly author: string | undefined;
  readonly atMs: number | undefined;
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
  const dayMs = isService && (id === undefined || id.startsWith('-')) ? Date.parse(`${words} UTC`) : Number.NaN;
  if (!Number.isNaN(dayMs)) return { dayMs };
  if (id === undefined) return { code: 'missing-id', reason: 'Expected an id such as "message12", found none' };
  const body = elementsIn(element, (inner) => hasClass(inner, 'body'))[0] ?? element;
  const time = childOf(body, 'date')?.attributes.title ?? '';
  const read = isService && context.atMs !== undefined ? { atMs: context.atMs } : context.readDate(isoOf(time));
  if (!read) return { code: 'bad-time', reason: `Expected a time such as 02.03.2026 10:15:00, found ${excerpt(time)}` };
  const record = newMessage({
    origin: { source: 'telegram', workspace: context.workspace, conversation: context.conversation, id },
    sortKey: sortKeyOf(id),
    sentAtMs: read.atMs,
    text: words,
  });
  if (isService) {
    record.systemEvent = 'service';
    return { record, assumed: undefined, time, files: filesIn(body), people: [] };
  }
  const people = addContent(record, body, context);
  const assumed = 'assumed' in read ? read.assumed : undefined;
  return { record, assumed, time, files: filesIn(body), people };
}

/** `02.03.2026 10:15:00 UTC+01:00`, without the end before 2022. */
function isoOf(time: string): string {
  const match = /^(\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d:\d\d)(?: UTC([+-]\d\d:?\d\d))?$/.exec(time);
  if (!match) return '';
  const [, day, month, year, clock, offset = ''] = match;
  return `${year}-${month}-${day}T${clock}${offset}`;
}

/** @returns the names of people whom it names. */
function addContent(record: NewMessage, body: HtmlElement, context: PageContext): string[] {
  record.author = nameIn(childOf(body, 'from_name')) ?? context.author;
  const forwarded = childOf(body, 'forwarded', 'body');
  const inner = forwarded ?? body;
  const text = childOf(inner, 'text');
  const lines = forwarded ? [`_Forwarded from ${nameIn(childOf(forwarded, 'from_name')) ?? 'a deleted account'}_`] : [];
  if (text) lines.push(markdownIn(text, () => {}));
  lines.push(...mediaWords(inner));
  record.text = lines.join('\n');
  const reply = childOf(inner, 'reply_to');
  const link = reply && elementsIn(reply, ({ name }) => name === 'a')[0]?.attributes.href;
  const quoteOf = /go_to_message(-?\d+)$/.exec(link ?? '')?.[1];
  if (quoteOf !== undefined) record.quoteOf = quoteOf;
  const reactions = elementsIn(body, (one) => hasClass(one, 'reaction')).map(reactionOf);
  if (reactions.length > 0) record.reactions = reactions;
  const signature = wordsIn(childOf(inner, 'signature'));
  if (signature !== '') record.custom = { author: signature };
  const from = forwarded && childOf(forwarded, 'from_name');
  const forwardedAt = from && childOf(from, 'date')?.attributes.title;
  if (forwardedAt) record.custom = { ...record.custom, forwardedAt };
  const buttons = elementsIn(body, (one) => hasClass(one, 'bot_button')).length;
  if (buttons > 0) record.lost = { menus: buttons };
  const names = [record.author, ...reactions.flatMap(({ users }) => users)];
  return [...new Set(names.filter((name) => name !== undefined))];
}

/** A child of its own, none further inside: what was forwarded has parts of the same classes. */
const childOf = ({ children }: HtmlElement, ...kinds: string[]): HtmlElement | undefined =>
  children.find(
    (child): child is HtmlElement => typeof child !== 'string' && kinds.every((kind) => hasClass(child, kind)),
  );

/** A name, without the time or the bot that stand behind it. */
function nameIn(element: HtmlElement | undefined): string | undefined {
  const text = element?.children.find((child) => typeof child === 'string' && child.trim() !== '');
  return typeof text === 'string'
    ? text
        .replace(/\s+/g, ' ')
        .trim()
        .replace(/ via @\w*$/, '')
    : undefined;
}

function reactionOf(element: HtmlElement): Reaction {
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

/** Of what a message holds beside its text: files of the export. */
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

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Of what is no file of the export: polls, places, contacts, and files that were not exported, a line for each part. */
function mediaWords(body: HtmlElement): string[] {
  return elementsIn(body, (one) => hasClass(one, 'media_wrap'))
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
