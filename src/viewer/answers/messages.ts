import type { MessageRow, Overview, Summary } from '../../sandbox/overview.ts';
import { type Data, entityNames, asList, asObject, dataText, importedMetadata } from './data-parts.ts';
import { buildExcerpts, mentionedIn } from './excerpts.ts';
import { describeEvent } from './sentences.ts';
import type { Excerpt, MessagePage, Person, Replies, ShownMessage } from '../shapes.ts';

/** UTF-16 units of an answer whose `data` is sent to the page; of what is longer, so much of its text. */
const shownMax = 100_000;
const textMax = 20_000;

export function messagePage(overview: Overview, summary: Summary, from: number, count: number): MessagePage {
  const rows = overview.history.at(summary, from, count);
  const shown = shownMessages(overview, rows);
  const roots = readRoots(overview, shown);
  return {
    from,
    total: summary.count,
    rows: shown,
    people: readPeople(overview, shown, Object.values(roots)),
    roots,
  };
}

/** Maximum number of replies that are shown next to a message. */
const repliesMax = 500;

export function repliesTo(overview: Overview, root: MessageRow): Replies {
  const rows = overview.history.byIds(overview.replies.to(keysOf(root), repliesMax));
  const shown = shownMessages(overview, [root, ...rows.filter(({ id }) => id !== root.id)]);
  return { rows: shown, people: readPeople(overview, shown, []) };
}

/** By what others name a message that they reply to. */
const keysOf = ({ id, muid }: { readonly id: number | string; readonly muid: string | null }): string[] => [
  `#${id}`,
  ...(muid === null ? [] : [muid]),
];

/** A message as the service answers it, as far as it is looked at here. */
interface Answered extends Pick<ShownMessage, 'id' | 'sender' | 'category' | 'type' | 'sentAt'> {
  readonly muid?: string;
  readonly data: Data;
  readonly tags?: readonly string[];
  readonly deletedAt?: number;
  readonly parentId?: string;
}

/** They are made of what the service answers and of nothing else, but for how many reply to each. */
function shownMessages(overview: Overview, rows: readonly MessageRow[]): ShownMessage[] {
  const counts = overview.replies.counts(rows.flatMap(keysOf));
  return overview.answered(rows).map((json) => {
    const shown = toShown(JSON.parse(json), json.length > shownMax);
    return { ...shown, replies: keysOf(shown).reduce((sum, key) => sum + (counts.get(key) ?? 0), 0) };
  });
}

function toShown(answered: Answered, isCut: boolean): Omit<ShownMessage, 'replies'> {
  const { id, muid = null, sender, category, type, sentAt, tags = [] } = answered;
  const { entities, reactions, ...data } = answered.data;
  const senderName = dataText(asObject(asObject(asObject(entities).sender).entity).name) || sender;
  const actors = { by: senderName, ...entityNames(asObject(entities)) };
  return {
    id,
    muid,
    sender,
    category,
    type,
    ...(isCut ? { data: { text: dataText(data.text).slice(0, textMax).toWellFormed() }, isCut } : { data }),
    sentence: describeEvent({ category, type, data, actors }) ?? null,
    tags,
    sentAt,
    deletedAt: answered.deletedAt ?? null,
    parent: answered.parentId ?? null,
    reactions: asList(reactions).map((one) => {
      const { reaction, count } = asObject(one);
      return { reaction: dataText(reaction), count: Number(count) };
    }),
  };
}

/** Returns the data that an import keeps about a message in addition to its text. */
/** The messages that these reply to or quote, in a few words. */
function readRoots(overview: Overview, shown: readonly ShownMessage[]): Record<string, Excerpt> {
  const muids = shown.flatMap((message) => {
    const { thread, quote } = importedMetadata(message.data);
    return [thread, quote].filter((key): key is string => typeof key === 'string');
  });
  const parents = shown.flatMap(({ parent }) => (parent === null ? [] : [Number(parent)]));
  const byMuid = overview.history.byMuids([...new Set(muids)]);
  const byId = overview.history.byIds([...new Set(parents)]);
  const excerpts = buildExcerpts(overview, [...byMuid, ...byId]);
  const keys = [...byMuid.map(({ muid }) => muid!), ...byId.map(({ id }) => `#${id}`)];
  return Object.fromEntries(keys.map((key, index) => [key, excerpts[index]!]));
}

function readPeople(
  overview: Overview,
  shown: readonly ShownMessage[],
  excerpts: readonly Excerpt[],
): Record<string, Person> {
  const uids = new Set([...shown, ...excerpts].map(({ sender }) => sender));
  for (const message of shown) {
    for (const uid of mentionedIn(dataText(message.data.text))) uids.add(uid);
    for (const { by } of asList(importedMetadata(message.data).reactions).map(asObject)) {
      for (const uid of asList(by).slice(0, 50)) uids.add(String(uid));
    }
  }
  return overview.persons.named(uids);
}
