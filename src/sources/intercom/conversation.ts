import type { Location } from '../../lib/text/location.ts';
import type { ConversationRecord } from '../../model/records.ts';
import type { Entry } from '../../model/entry.ts';
import { compact, facts } from '../kit/compact.ts';
import type { DeskPeople } from '../kit/desk/desk-people.ts';
import { partialEntry, recordEntry, invalidEntry, readEntry, locationInside } from '../kit/entries.ts';
import type { CountedProblems } from '../kit/rows/counted-problems.ts';
import { invalidRow } from '../kit/rows/row-boundary.ts';
import { findUnread } from '../kit/rows/unread-content.ts';
import { asArray, asCount, asId, asObject, asString, wordFor, secondsToMs, type Untrusted } from '../kit/narrow.ts';
import type { IntercomConversation, IntercomPart, IntercomSource } from './format.ts';
import { readMessage, type Texts } from './message.ts';
import type { Directory } from './people.ts';

/** Shared by all conversations of a file. */
export interface FileContext {
  readonly workspace: string;
  readonly texts: Texts;
  readonly titles: 'internal' | 'visible';
  readonly directory: Directory;
  readonly people: DeskPeople;
  readonly counts: CountedProblems;
}

type Conversation = Untrusted<IntercomConversation>;

/** Reads a conversation with everything in it: at most 500 parts. `location`: its own. */
export function readConversation(value: unknown, location: Location, into: Entry[], file: FileContext): void {
  const row = asObject<IntercomConversation>(value);
  const id = asId(row?.id);
  if (row === undefined || id === undefined) {
    const found = row === undefined ? wordFor(value) : 'none';
    into.push(invalidEntry('missing-id', `Expected a conversation with an "id", found ${found}`, location));
    return;
  }
  const contacts = file.directory.readContacts(row);
  const messages = readMessages(row, location);
  const authors = messages.map(({ part }) => file.directory.readAuthor(part?.author, contacts));
  const members = new Set([...contacts.values(), ...authors.flatMap((author) => author?.id ?? [])]);
  const title = withoutTags(row.title);
  const name = (file.titles === 'visible' ? title : undefined) ?? subjectOf(row) ?? id;
  into.push(recordEntry(describeConversation(id, { row, name, members: [...members] }), location));
  file.counts.add('intercom-not-migrated', 'titles', title === undefined || title === name ? 0 : 1);
  for (const [index, message] of messages.entries()) {
    const begin = into.length;
    try {
      const author = authors[index];
      if (author) file.people.see(author, message.location, into);
      const place = { workspace: file.workspace, conversation: id, index, author: author?.id, texts: file.texts };
      const read = message.part
        ? readMessage(message.part, place)
        : { code: 'not-an-object', reason: `Expected ${message.what}, found ${wordFor(message.value)}` };
      into.push(readEntry(read, message.location, id));
    } catch (error) {
      invalidRow(error, { into, begin, location: message.location, conversation: id });
    }
  }
  countOthers(row, messages, file.counts);
  const missing = missingFrom(row, location);
  if (missing) into.push(missing);
  if (isMissing(firstMessage(row).value)) {
    const reason = 'the first message of the conversation is missing: "source" is null';
    into.push(partialEntry(reason, location));
  }
}

interface FoundMessage {
  readonly part: Untrusted<IntercomPart> | undefined;
  readonly value: unknown;
  /** The expected value, in words. */
  readonly what: string;
  readonly location: Location;
}

/** The source and the parts of a conversation, in their order. */
function readMessages(row: Conversation, location: Location): readonly FoundMessage[] {
  const at = (pointer: string): Location => locationInside(location, pointer);
  const { key, value: said } = firstMessage(row);
  const source = asObject<IntercomSource>(said);
  const list = '/conversation_parts/conversation_parts';
  const parts: FoundMessage[] = listParts(row).map((value, index) => {
    const part = asObject<IntercomPart>(value);
    return { part, value, what: 'a part', location: at(`${list}/${index}`) };
  });
  const { conversation_parts: given } = row;
  const inner = asObject<IntercomConversation['conversation_parts']>(given)?.conversation_parts;
  for (const [value, is, pointer] of [
    [given, asObject(given) !== undefined, '/conversation_parts'],
    [inner, Array.isArray(inner), list],
  ] as const)
    if (value !== undefined && value !== null && !is)
      parts.push({ part: undefined, value, what: 'the parts of the conversation', location: at(pointer) });
  if (source === undefined) {
    // Null, or missing, is not a message: missingFrom() says it.
    if (isMissing(said)) return parts;
    return [{ part: undefined, value: said, what: 'the first message', location: at(`/${key}`) }, ...parts];
  }
  // Its id is that of the message, and those of parts are counted apart.
  const first = {
    ...source,
    id: `source-${asId(source.id) ?? ''}`,
    part_type: firstType(source),
    created_at: row.created_at,
  };
  return [{ part: first, value: source, what: 'the first message', location: at(`/${key}`) }, ...parts];
}

/** Versions from 2.0 on have it as `source`. */
function firstMessage({ source, conversation_message: early }: Conversation) {
  return isMissing(source) && !isMissing(early)
    ? { key: 'conversation_message', value: early }
    : { key: 'source', value: source };
}

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** A call, or a conversation that an agent opened: a first message without content is an event. */
const firstType = (source: Untrusted<IntercomSource>): string =>
  asString(source.body) === undefined &&
  asArray(source.attachments).length === 0 &&
  source.redacted !== true &&
  findUnread(source).length === 0
    ? (asString(source.type) ?? 'conversation')
    : 'comment';

const listParts = ({ conversation_parts }: Conversation): readonly unknown[] =>
  asArray(asObject<IntercomConversation['conversation_parts']>(conversation_parts)?.conversation_parts);

function describeConversation(
  id: string,
  { row, name, members }: { readonly row: Conversation; readonly name: string; readonly members: string[] },
): ConversationRecord {
  const { rating, remark } =
    asObject<NonNullable<IntercomConversation['conversation_rating']>>(row.conversation_rating) ?? {};
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type: 'private',
    name,
    metadata: facts({ state: asString(row.state), rating: asCount(rating), ratingRemark: asString(remark) }),
    createdAtMs: secondsToMs(row.created_at),
    members,
  });
}

/** The subject of the mail that began it: both sides have read it. A title is set by agents, rules or a model, at any time. */
const subjectOf = (row: Conversation): string | undefined =>
  withoutTags(asObject<IntercomSource>(firstMessage(row).value)?.subject);

const withoutTags = (value: unknown): string | undefined =>
  asString(value)
    ?.replace(/<[^<>]{0,200}>/g, '')
    .trim() || undefined;

/** Counts data that is for agents: it is never sent. */
function countOthers(row: Conversation, messages: readonly FoundMessage[], counts: CountedProblems): void {
  const fields = row as Readonly<Record<string, unknown>>;
  const count = (what: string, by: number) => counts.add('intercom-not-migrated', what, by);
  const list = (value: unknown, key: string) => asArray(asObject<Record<string, unknown>>(value)?.[key]).length;
  count('tags', list(fields.tags, 'tags') + messages.reduce((sum, { part }) => sum + asArray(part?.tags).length, 0));
  count('attributes of conversations', Object.keys(asObject(fields.custom_attributes) ?? {}).length);
  count('linked tickets', list(fields.linked_objects, 'data'));
  count('service levels', asObject(fields.sla_applied) ? 1 : 0);
  count('addresses of mails', messages.filter(({ part }) => asObject(part?.email_message_metadata)).length);
}

function missingFrom(row: Conversation, location: Location): Entry | undefined {
  const parts = asObject<IntercomConversation['conversation_parts']>(row.conversation_parts);
  const counted = asCount(
    asObject<NonNullable<IntercomConversation['statistics']>>(row.statistics)?.count_conversation_parts,
  );
  const total = asCount(parts?.total_count) ?? (parts === undefined ? counted : undefined);
  const given = listParts(row).length;
  if (total !== undefined && total > given)
    return partialEntry(`the conversation has ${total} parts, and ${given} are given`, location, total - given);
  if (parts !== undefined) return undefined;
  return partialEntry('"conversation_parts" is missing: answers of lists have the first message alone', location);
}
