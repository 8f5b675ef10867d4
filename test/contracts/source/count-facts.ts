import type { Entry } from '../../../src/model/entry.ts';
import type { ChatRecord, MessageRecord } from '../../../src/model/records.ts';
import { messagesOf } from './check.ts';
import type { CountedFacts } from './facts.ts';

/**
 * Counts the records that a source made of a sample, in the form of `facts.json`. `sameTime`, `first` and `last` have
 * texts in full length.
 */
export function countFacts(entries: readonly Entry[]): CountedFacts {
  const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
  const messages = messagesOf(entries);
  const ordered = inOrder(messages);
  const described = describedIn(records);
  const present = new Set(messages.map(({ origin }) => keyOf(origin.conversation, origin.id)));
  const isOrphan = ({ origin }: MessageRecord, id: string | undefined) =>
    id !== undefined && !present.has(keyOf(origin.conversation, id));
  const rejected = entries.filter(({ type }) => type === 'invalid').length;
  return {
    origin: { source: only(messages, 'source'), workspace: only(messages, 'workspace') },
    rows: { messages: 0, internal: 0, system: 0, calls: 0, deleted: 0, ...tally(messages.map(rowKind)), rejected },
    conversations: {
      ...Object.fromEntries([...described.conversations].map((id) => [id, 0])),
      ...tally(messages.map(({ origin }) => origin.conversation)),
    },
    undescribedConversations: missing(
      messages.map(({ origin }) => origin.conversation),
      described.conversations,
    ),
    people: described.people.size,
    undescribedAuthors: missing(
      messages.flatMap(({ author }) => author ?? []),
      described.people,
    ),
    describedAgain: described.again,
    repeated: messages.length - present.size,
    first: placeOf(ordered.at(0)),
    last: placeOf(ordered.at(-1)),
    sameTime: groupsOf(ordered).map((group) => group.map(({ text }) => text)),
    replies: messages.filter(({ threadRoot }) => threadRoot !== undefined).length,
    orphanReplies: messages.filter((message) => isOrphan(message, message.threadRoot)).length,
    quotes: messages.filter(({ quoteOf }) => quoteOf !== undefined).length,
    orphanQuotes: messages.filter((message) => isOrphan(message, message.quoteOf)).length,
    reactions: messages.flatMap(({ reactions = [] }) => reactions).reduce((sum, reaction) => sum + reaction.count, 0),
    files: messages.flatMap(({ attachments = [] }) => attachments).length,
    edits: messages.filter(({ edited }) => edited !== undefined).length,
    pins: messages.filter(({ isPinned }) => isPinned).length,
    relations: records.filter(({ kind }) => kind === 'relation').length,
  };
}

/** Oldest first: time, then sort key by code unit, then place in the export. */
function inOrder(messages: readonly MessageRecord[]): MessageRecord[] {
  return messages.toSorted(
    (a, b) => a.sentAtMs - b.sentAtMs || Number(a.sortKey > b.sortKey) - Number(a.sortKey < b.sortKey),
  );
}

/** Messages of one conversation and millisecond, where there are several; in order. */
function groupsOf(ordered: readonly MessageRecord[]): MessageRecord[][] {
  const groups = Map.groupBy(ordered, ({ origin, sentAtMs }) => keyOf(origin.conversation, String(sentAtMs)));
  return [...groups.values()].filter(({ length }) => length > 1);
}

function describedIn(records: readonly ChatRecord[]) {
  const idsOf = (kind: 'user' | 'conversation') =>
    records.flatMap((record) => (record.kind === kind ? [(record as { id: string }).id] : []));
  const [people, conversations] = [idsOf('user'), idsOf('conversation')];
  const distinct = { people: new Set(people), conversations: new Set(conversations) };
  const again = people.length + conversations.length - distinct.people.size - distinct.conversations.size;
  return { ...distinct, again };
}

const keyOf = (conversation: string, id: string) => JSON.stringify([conversation, id]);

function rowKind({ call, internal, systemEvent, isDeleted }: MessageRecord): keyof CountedFacts['rows'] {
  if (internal !== undefined) return 'internal';
  if (call) return 'calls';
  if (systemEvent !== undefined) return 'system';
  return isDeleted ? 'deleted' : 'messages';
}

function tally(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries(counts);
}

const missing = (ids: readonly string[], described: ReadonlySet<string>) => new Set(ids).difference(described).size;

/** Returns the value that all messages share, or all values that occur. */
const only = (messages: readonly MessageRecord[], key: 'source' | 'workspace') =>
  [...new Set(messages.map(({ origin }) => origin[key]))].join(', ');

const placeOf = (message: MessageRecord | undefined): CountedFacts['first'] => ({
  at: new Date(message?.sentAtMs ?? Number.NaN).toISOString(),
  ...(message?.author !== undefined && { by: message.author }),
  text: message?.text ?? '',
});
