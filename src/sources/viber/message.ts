import type { Entry } from '../../model/entry.ts';
import { newMessage } from '../../model/new-message.ts';
import type { MessageRecord } from '../../model/records.ts';
import { fieldProblem, invalidEntry, recordEntry, type RowProblem } from '../kit/entries.ts';
import { asObject, asString, describe } from '../kit/narrow.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { type DatabaseRow, numberOf } from '../kit/rows/database-row.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import type { RowNotes } from '../kit/rows/row-notes.ts';
import { countMarkup } from '../kit/text/typed-text.ts';
import type { Chat, Chats } from './chats.ts';
import { readContent } from './content.ts';
import type { Edits } from './edits.ts';
import type { FilesOf } from './files.ts';
import { eventTypes, messageTypes, self, timeOf, tokenOf } from './format.ts';
import { type Info, readInfo, mentionedMembers, namedToken, unreadKeys } from './info.ts';
import type { People } from './people.ts';
import { reactionsNow } from './reactions.ts';

/** Context for reading an event. */
export interface Place {
  readonly path: string;
  readonly workspace: string;
  readonly people: People;
  readonly chats: Chats;
  readonly edits: Edits;
  readonly notes: RowNotes;
  readonly counts: CountedProblems;
  readonly filesOf: FilesOf;
}

export const notMigrated = 'viber-not-migrated';

interface Event {
  readonly row: DatabaseRow;
  readonly info: Info;
  readonly chat: Chat;
  readonly author: string | undefined;
  /** Value of `Messages.Type`; none for an event without a message. */
  readonly type: number | undefined;
  readonly reactions: readonly DatabaseRow[];
}

/** @param reactions Events of reactions to this one, in order of time. */
export async function readEvent(
  found: DatabaseRow,
  reactions: readonly DatabaseRow[],
  place: Place,
  into: Entry[],
): Promise<void> {
  const location = { path: place.path, pointer: `/Events/${String(found.EventID)}` };
  const info = readInfo(found.Info);
  if (info === undefined) place.notes.add('viber-bad-info', 'Expected an object of JSON as "Info"', location, into);
  else if (place.edits.isOfOther(info, found)) return;
  const row = withEdit(found, place);
  const event = { row, info: info ?? {}, type: numberOf(row.messageType), reactions };
  if (isLostReaction(event)) return void place.counts.add(notMigrated, 'reactions that name no message');
  const chat = place.chats.of(row);
  const reject = ({ code, reason }: RowProblem) => into.push(invalidEntry(code, reason, location, chat?.id));
  const fault = findFault(row);
  if (chat === undefined)
    return void reject({ code: 'viber-no-chat', reason: 'The event is in no chat that the database describes' });
  if (fault !== undefined) return void reject(fault);
  const author = numberOf(row.Direction) === 1 ? self : (place.people.of(row) ?? chat.other);
  const record = await readMessage({ ...event, chat, author }, place);
  if (record !== undefined) into.push(recordEntry(record, location));
  else reject({ code: 'viber-unknown-kind', reason: `Found the type ${describe(event.type)} without a text` });
}

function withEdit(row: DatabaseRow, { edits }: Place): DatabaseRow {
  const isDeleted = numberOf(row.messageType) === messageTypes.deleted;
  const text = isDeleted ? undefined : edits.textOf(row);
  const isText = typeof row.Body === 'string' || row.Body === null;
  return text === undefined || !isText ? row : { ...row, Body: text };
}

/** Some versions have reactions that only the counts of a message know. */
const isLostReaction = ({ row, type }: Pick<Event, 'row' | 'type'>): boolean =>
  numberOf(row.Type) === eventTypes.system && type === messageTypes.oldText && numberOf(row.PGIsLiked) !== undefined
    ? asString(row.Body) === undefined
    : false;

function findFault(row: DatabaseRow): RowProblem | undefined {
  const direction = numberOf(row.Direction);
  if (direction !== 0 && direction !== 1)
    return fieldProblem('viber-bad-direction', '0 or 1 as "Direction"', shown(row.Direction));
  if (timeOf(row.TimeStamp) === undefined)
    return fieldProblem('viber-bad-time', 'milliseconds as "TimeStamp"', shown(row.TimeStamp));
  if (row.isTooLarge === 1n) return { code: 'viber-bad-text', reason: 'The text is larger than any message' };
  const text = [row.Body, row.Subject].find((value) => value !== null && typeof value !== 'string');
  return text === undefined ? undefined : fieldProblem('viber-bad-text', 'a text', shown(text));
}

const shown = (value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

/** @returns undefined for a kind that is not known and has no text. */
async function readMessage(event: Event, place: Place): Promise<MessageRecord | undefined> {
  const { row, info, chat, author, type } = event;
  const token = numberOf(row.Type) === eventTypes.system ? undefined : tokenOf(row.Token);
  const { text, systemEvent, lost, custom, isKnown } = readContent(row, info, type);
  const attachments = await place.filesOf(row, info, type);
  if (!isKnown && text === '' && attachments.length === 0) return undefined;
  const { edits, people, counts } = place;
  const editedAtMs = edits.timeOf(token, row, info);
  const isDeleted = type === messageTypes.deleted;
  const members = mentionedMembers(info);
  const mentions = [...new Set(members.flatMap((member) => people.ofMember(member) ?? []))];
  const personOf = (event: DatabaseRow) => people.of(event) ?? chat.other;
  const now = reactionsNow({ row, info, events: event.reactions, personOf });
  counts.add(notMigrated, 'mentions of people whom no contact describes', members.length - mentions.length);
  countOthers(event, counts);
  counts.add(notMigrated, 'reactions whose emoji is not known', now.unknownCount);
  const isOfApp = systemEvent !== undefined;
  return newMessage({
    origin: {
      source: 'viber',
      workspace: place.workspace,
      conversation: chat.id,
      id: token ?? `event-${String(row.EventID)}`,
    },
    sortKey: rowSortKey(0, numberOf(row.EventID) ?? 0),
    sentAtMs: timeOf(row.TimeStamp)!,
    text,
    author: isOfApp ? undefined : author,
    mentions,
    attachments,
    reactions: now.reactions,
    quoteOf: namedToken(info.quote) ?? namedToken(info.pin),
    edited: editedAtMs === undefined || isDeleted ? undefined : { atMs: editedAtMs || undefined },
    version: { markedAtMs: Math.max(now.lastMs, editedAtMs ?? 0) || undefined },
    isDeleted,
    systemEvent,
    call: systemEvent === 'call' ? {} : undefined,
    custom: { ...custom, by: isOfApp ? author : undefined },
    lost: { ...lost, accidentalMarkup: isOfApp ? undefined : countMarkup(text) },
  });
}

function countOthers({ row, info, type }: Event, counts: CountedProblems): void {
  if (type !== messageTypes.location && (numberOf(row.ContactLatitude) || numberOf(row.ContactLongitude)))
    counts.add(notMigrated, 'places from which messages were sent');
  for (const key of unreadKeys(info))
    counts.add(notMigrated, /^\w{1,40}$/.test(key) ? `"${key}" of "Info"` : 'other parts of "Info"');
  const meta = asObject<Record<string, unknown>>(info.reaction_meta_info);
  if (meta && Object.values(meta).some(Boolean))
    counts.add(notMigrated, 'reactions of which only is known that they were given');
}
