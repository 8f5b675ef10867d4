import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import type { Attachment, ConversationRecord, MessageRecord, UserRecord } from '../../model/records.ts';
import { compact, facts } from '../kit/compact.ts';
import type { DeskPeople } from '../kit/desk/desk-people.ts';
import {
  fieldProblem,
  invalidEntry,
  locationInside,
  readEntry,
  recordEntry,
  type RowProblem,
  textProblem,
} from '../kit/entries.ts';
import { asArray, asCount, asId, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { nameIn } from '../kit/text/html-body.ts';
import { listWords } from '../kit/text/structure-words.ts';
import { type ChatEvent, msOf, type ZendeskChat } from './format.ts';
import { findActor, readVisitor } from './people.ts';

interface ChatContext {
  readonly workspace: string;
  readonly people: DeskPeople;
  readonly counts: CountedProblems;
}

type Chat = Untrusted<ZendeskChat>;
type Event = Untrusted<ChatEvent>;

/** Reads a chat with its history, or a message that was left offline. */
export function readChat(value: unknown, location: Location, into: Entry[], context: ChatContext): void {
  const chat = asObject<ZendeskChat>(value);
  const id = asId(chat?.id);
  if (chat === undefined || id === undefined) {
    into.push(invalidEntry('missing-id', `Expected a chat with an "id", found ${wordFor(value)}`, location));
    return;
  }
  const conversation = `chat:${id}`;
  const visitor = readVisitor(chat);
  context.people.see(visitor, location, into);
  const events = readEvents(chat, location);
  const actors = events.map(({ event }) => event && findActor(event, visitor));
  const members = new Set([visitor.id, ...actors.flatMap((actor) => (actor && !actor.isBot ? actor.id : []))]);
  into.push(recordEntry(readConversation(conversation, chat, visitor, [...members]), location));
  for (const [index, { event, at }] of events.entries()) {
    const begin = into.length;
    try {
      const actor = actors[index];
      if (actor) context.people.see(actor, at, into);
      const place = { workspace: context.workspace, conversation, index, author: actor?.id, isDeleted: chat.deleted };
      const read = event
        ? readEvent(event, place)
        : { code: 'not-an-object', reason: 'Expected an event of a chat, found another value' };
      into.push(readEntry(read, at, conversation));
    } catch (error) {
      invalidRow(error, { into, begin, location: at, conversation });
    }
  }
  into.push(...answersTo(chat, location, conversation));
  countOthers(chat, context.counts);
}

/** Answers to a message that was left offline: no documentation says who wrote them, and when. */
function answersTo({ response }: Chat, location: Location, conversation: string): readonly Entry[] {
  const given = Array.isArray(response) ? response : [response];
  const answers = given.filter((answer) => answer !== undefined && answer !== null && answer !== '');
  return answers.map((_, index) => {
    const at = {
      ...location,
      pointer: `${location.pointer ?? ''}/response${Array.isArray(response) ? `/${index}` : ''}`,
    };
    const reason = 'Expected a message of the history, found an answer without an author and a time that are certain';
    return invalidEntry('zendesk-offline-answer', reason, at, conversation);
  });
}

interface FoundEvent {
  readonly event: Event | undefined;
  readonly at: Location;
}

function readEvents(chat: Chat, location: Location): readonly FoundEvent[] {
  const at = (pointer: string): Location => locationInside(location, pointer);
  const { message, timestamp } = chat;
  const isLeft = message !== undefined && message !== null && message !== '';
  const left: readonly FoundEvent[] =
    chat.type === 'offline_msg' || (isLeft && asArray(chat.history).length === 0)
      ? [
          {
            event: { type: 'chat.msg', timestamp, nick: 'visitor', msg: message, msg_id: 'offline' },
            at: at('/message'),
          },
        ]
      : [];
  const isOther = chat.history !== undefined && chat.history !== null && !Array.isArray(chat.history);
  const other: readonly FoundEvent[] = isOther ? [{ event: undefined, at: at('/history') }] : [];
  const history = asArray(chat.history).map((value, index) => ({
    event: asObject<ChatEvent>(value),
    at: at(`/history/${index}`),
  }));
  return [...left, ...other, ...history];
}

interface EventPlace {
  readonly workspace: string;
  readonly conversation: string;
  readonly index: number;
  readonly author: string | undefined;
  readonly isDeleted: unknown;
}

function readEvent(event: Event, place: EventPlace): MessageRecord | RowProblem {
  const sentAtMs = msOf(event.timestamp);
  if (sentAtMs === undefined) return fieldProblem('zendesk-bad-time', '"timestamp"', event.timestamp);
  const noText = textProblem('msg', event.msg) ?? textProblem('new_comment', event.new_comment);
  if (noText) return noText;
  const isDeleted = place.isDeleted === true || event.deleted === true;
  const content = readContent(event, isDeleted);
  if ('code' in content) return content;
  return newMessage({
    origin: {
      source: 'zendesk',
      workspace: place.workspace,
      conversation: place.conversation,
      // Events have no id; a history only grows.
      id: asId(event.msg_id) ?? `#${place.index}`,
    },
    sortKey: rowSortKey(0, place.index + 1),
    sentAtMs,
    text: content.text,
    author: place.author,
    attachments: content.files,
    isDeleted,
    systemEvent: content.systemEvent,
  });
}

/** The text, and what a panel or list of replies says besides it. */
function eventText({ msg, structured_msg: structure }: Event): string {
  const text = asString(msg) ?? '';
  const words = listWords(structure);
  return [...(words.includes(text) ? [] : [text]), ...words].filter(Boolean).join('\n');
}

interface Content {
  readonly text: string;
  readonly files?: readonly Attachment[];
  readonly systemEvent?: string;
}

function readContent(event: Event, isDeleted: boolean): Content | RowProblem {
  const type = asString(event.type) ?? 'unknown';
  const text = eventText(event);
  if (type === 'chat.msg' || type === 'chat.triggermsg') return { text };
  if (type === 'chat.file') return { text, files: [readFile(event, isDeleted)] };
  if (text !== '' && type !== 'chat.systemmsg') {
    const reason = `Expected an event of a chat that is known, found a text in one of the type ${describe(event.type)}`;
    return { code: 'zendesk-unclear-visibility', reason };
  }
  const said = text || (asString(event.new_comment) ?? asString(event.new_rating));
  const words = type.replace(/^chat\./, '').replaceAll('.', ' ');
  return { text: said === undefined ? words : `${words}: ${said}`, systemEvent: type };
}

function readFile({ attachment, msg }: Event, isDeleted: boolean): Attachment {
  const file = asObject<NonNullable<ChatEvent['attachment']>>(attachment);
  const url = asString(file?.url);
  return compact<Attachment>({
    name: asString(file?.name) ?? (url === undefined ? (asString(msg) ?? 'file') : nameIn(url)),
    url: isDeleted ? undefined : url,
    mimeType: asString(file?.mime_type),
    sizeBytes: asCount(file?.size),
    ...(isDeleted && { unavailable: 'deleted' }),
  });
}

function readConversation(id: string, chat: Chat, visitor: UserRecord, members: string[]): ConversationRecord {
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name: visitor.name,
    metadata: facts({
      rating: asString(chat.rating),
      ratingComment: asString(chat.comment),
      ticket: asId(chat.zendesk_ticket_id),
    }),
    createdAtMs: msOf(chat.timestamp),
    members,
  });
}

/** Counts data that is for agents: it is never sent. */
function countOthers(chat: Chat, counts: CountedProblems): void {
  const fields = chat as Readonly<Record<string, unknown>>;
  const count = (what: string, by: number) => counts.add('zendesk-not-migrated', what, by);
  count('tags', asArray(fields.tags).length);
  count('notes about visitors', asString(asObject<{ notes: string }>(fields.visitor)?.notes) ? 1 : 0);
  count('addresses and devices of visitors', asObject(fields.session) ? 1 : 0);
  count('pages that visitors saw', asArray(fields.webpath).length);
}
