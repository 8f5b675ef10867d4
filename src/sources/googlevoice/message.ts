import { type MessageFields, type NewMessage, newMessage } from '../../model/new-message.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { countLost } from '../kit/lost.ts';
import type { RowIdentity } from '../kit/rows/row-identity.ts';
import {
  elementsIn,
  firstOfClass,
  hasClass,
  type HtmlElement,
  markdownIn,
  wordsIn,
} from '../kit/text/html-elements.ts';
import { countMarkup } from '../kit/text/typed-text.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import { type Conversation, idOf, isOwn } from './conversation.ts';
import { fileNamed } from './files.ts';
import { durationMs, isTel, self } from './format.ts';
import type { Owner } from './owner.ts';
import { type Page, shownIn } from './page.ts';

/** Context for reading a message or a call. */
export interface Place {
  readonly workspace: string;
  readonly conversation: Conversation;
  readonly owner: Owner;
  readonly page: Page;
  readonly identity: RowIdentity;
  readonly sortKey: string;
}

/** A message, with the names of its files. */
export interface ReadMessage {
  readonly record: NewMessage;
  readonly files: readonly string[];
  /** Words of the message that nothing reads. */
  readonly unread: number;
}

const readTime = timeReader('iso', undefined);

/** The instant of an `abbr`; undefined for one without a zone. */
function instantIn(abbr: HtmlElement | undefined): number | undefined {
  const time = readTime(abbr?.attributes.title ?? '');
  return time?.assumed === undefined ? time?.atMs : undefined;
}

const badTime = (abbr: HtmlElement | undefined): RowProblem =>
  fieldProblem('googlevoice-bad-time', 'a time with its zone as "title"', abbr?.attributes.title);

export function readMessage(element: HtmlElement, place: Place): ReadMessage | RowProblem {
  const when = firstOfClass(element, 'dt');
  const atMs = instantIn(when);
  if (atMs === undefined) return badTime(when);
  const sender = elementsIn(element, (inner) => hasClass(inner, 'sender'))[0];
  const tel = sender && elementsIn(sender, isTel)[0];
  if (tel === undefined) return { code: 'googlevoice-no-sender', reason: 'Expected who wrote the message, found none' };
  const author = readAuthor(tel, place);
  const { lost, lose } = countLost();
  const quotes = elementsIn(element, ({ name }) => name === 'q');
  const typed = quotes.map((quote) => typedIn(quote) ?? markdownIn(quote, lose).trimEnd()).join('\n');
  const files = elementsIn(element, (inner) => inner.name === 'q' || fileNamed(inner) !== undefined).flatMap((inner) =>
    inner.name === 'q' ? [] : (fileNamed(inner) ?? []),
  );
  const text = files.length > 0 && fileWords.test(typed) ? '' : typed;
  lost.accidentalMarkup = countMarkup(text);
  const record = readRecord({ atMs, text, by: author, kind: 'text' }, { author, lost }, place);
  return { record, files, unread: unreadParts(element) };
}

/** Words of the app next to a file. */
const fileWords = /^MMS (?:sent|received)$/i;

/** The text of an element that has nothing but line breaks in it. */
function typedIn({ children }: HtmlElement): string | undefined {
  const pieces: string[] = [];
  for (const child of children) {
    if (typeof child === 'string') pieces.push(child.replace(/\s+/g, ' '));
    else if (child.name === 'br') pieces.push('\n');
    else return undefined;
  }
  return pieces
    .join('')
    .replace(/ ?\n ?/g, '\n')
    .trim();
}

/** On a page that shows one other person, and is no group, a sender who is not oneself is the other. */
function readAuthor(tel: HtmlElement, { owner, conversation, page }: Place): string | undefined {
  const shown = shownIn(tel);
  if (isOwn(shown, owner)) return self;
  if (shown.number !== '') return shown.number;
  if (!page.isGroup && conversation.members.length === 1) return conversation.members[0];
  return shown.name === '' ? undefined : idOf(shown);
}

/** Parts besides the time, the sender, the text and its files that have words. */
const unreadParts = (element: HtmlElement): number =>
  element.children.filter((child) =>
    typeof child === 'string'
      ? child.replaceAll(':', '').trim() !== ''
      : !(hasClass(child, 'dt') || hasClass(child, 'sender') || child.name === 'q' || child.name === 'div') &&
        wordsIn(child) !== '',
  ).length;

interface Row {
  readonly atMs: number;
  readonly text: string;
  readonly by: string | undefined;
  /** `text`, or what a call is. */
  readonly kind: string;
}

function readRecord({ atMs, text, by, kind }: Row, others: Partial<MessageFields>, place: Place): NewMessage {
  const { workspace, conversation, identity, sortKey, page } = place;
  const id = identity.idOf([conversation.id, String(atMs), by, text, kind]);
  return newMessage({
    origin: { source: 'googlevoice', workspace, conversation: conversation.id, id },
    sortKey,
    sentAtMs: atMs,
    text,
    ...others,
    isDeleted: page.isDeleted || page.labels.includes('trash'),
    custom: { spam: page.labels.includes('spam') || undefined, ...others.custom },
  });
}

/** Labels that say what a page of a call is. */
const events = ['voicemail', 'recorded', 'placed', 'received', 'missed'] as const;

/** A call is a line of the app; a voicemail is what a person said, if it has words or a recording. */
export function readCall(element: HtmlElement, place: Place): ReadMessage | RowProblem {
  const when = firstOfClass(element, 'published');
  const atMs = instantIn(when);
  if (atMs === undefined) return badTime(when);
  const { conversation, page, owner } = place;
  const event = events.find((label) => page.labels.includes(label)) ?? 'call';
  const shown = shownIn(elementsIn(element, isTel)[0]);
  const transcript = wordsIn(firstOfClass(element, 'full-text'));
  const files = elementsIn(element, ({ name }) => name === 'audio').flatMap((audio) => fileNamed(audio) ?? []);
  const by = event === 'placed' || isOwn(shown, owner) ? self : conversation.members[0];
  const isSaid = event === 'voicemail' && by !== undefined && (transcript !== '' || files.length > 0);
  const text = isSaid ? transcript : [headingIn(element), transcript].filter((line) => line !== '').join('\n');
  const lastedMs = durationMs(firstOfClass(element, 'duration')?.attributes.title);
  const endedAtMs = lastedMs === undefined ? undefined : atMs + lastedMs;
  const isVoicemail = event === 'voicemail';
  const facts = {
    author: isSaid ? by : undefined,
    systemEvent: isSaid ? undefined : isVoicemail ? event : `call-${event}`.replace('call-call', 'call'),
    call: isVoicemail ? undefined : { startedAtMs: atMs, endedAtMs },
    custom: { by: isSaid || event === 'recorded' ? undefined : by, durationMs: isVoicemail ? lastedMs : undefined },
    lost: { accidentalMarkup: isSaid ? countMarkup(text) : undefined },
  };
  return { record: readRecord({ atMs, text, by, kind: event }, facts, place), files, unread: 0 };
}

/** `Placed call to Ann`; a number in place of a name that is missing. */
function headingIn(element: HtmlElement): string {
  const { name, number } = shownIn(elementsIn(element, isTel)[0]);
  const heading = wordsIn(elementsIn(element, (inner) => inner.name === 'span' && hasClass(inner, 'fn'))[0]);
  return `${heading || 'Call'}${name === '' && number !== '' ? ` ${number}` : ''}`;
}
