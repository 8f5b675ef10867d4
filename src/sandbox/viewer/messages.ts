import type { MessageRow } from '../data/message-json.ts';
import type { Overview } from '../data/overview/overview.ts';
import type { Summary } from '../data/overview/summaries.ts';
import type { Excerpt, MessagePage, Person, Replies, ShownMessage } from './shapes.ts';

/** UTF-16 units of `data` that are sent to the page; of what is longer, so much of its text. */
const shownMax = 100_000;
const textMax = 20_000;

type Data = Readonly<Record<string, unknown>>;

export function messagePage(overview: Overview, summary: Summary, from: number, count: number): MessagePage {
  const rows = overview.history.at(summary, from, count);
  const shown = shownMessages(overview, rows);
  const roots = rootsOf(overview, shown);
  return {
    from,
    total: summary.count,
    rows: shown,
    people: peopleOf(overview, shown, Object.values(roots)),
    roots,
  };
}

/** Replies to a message that are shown beside it. */
const repliesMax = 500;

export function repliesTo(overview: Overview, root: MessageRow): Replies {
  const rows = overview.history.byIds(overview.replies.to(keysOf(root), repliesMax));
  const shown = shownMessages(overview, [root, ...rows.filter(({ id }) => id !== root.id)]);
  return { rows: shown, people: peopleOf(overview, shown, []) };
}

/** By what others name a message that they reply to. */
const keysOf = ({ id, muid }: Pick<MessageRow, 'id' | 'muid'>): string[] => [
  `#${id}`,
  ...(muid === null ? [] : [muid]),
];

function shownMessages(overview: Overview, rows: readonly MessageRow[]): ShownMessage[] {
  const reactions = overview.reactions.of(
    rows.map(({ id }) => id),
    undefined,
  );
  const counts = overview.replies.counts(rows.flatMap(keysOf));
  return rows.map((row) => ({
    id: String(row.id),
    muid: row.muid,
    sender: row.sender,
    category: row.category,
    type: row.type,
    ...shownData(row.data),
    tags: row.tags === null ? [] : JSON.parse(row.tags),
    sentAt: row.sentAt,
    readAt: row.readAt,
    deletedAt: row.deletedAt,
    parent: row.parent === null ? null : String(row.parent),
    reactions: (reactions.get(row.id) ?? []).map(({ reaction, count }) => ({ reaction, count })),
    replies: keysOf(row).reduce((sum, key) => sum + (counts.get(key) ?? 0), 0),
  }));
}

function shownData(json: string): Pick<ShownMessage, 'data' | 'isCut'> {
  const data: Data = JSON.parse(json);
  if (json.length <= shownMax) return { data };
  return { data: { text: textOf(data).slice(0, textMax).toWellFormed() }, isCut: true };
}

const textOf = ({ text }: Data): string => (typeof text === 'string' ? text : '');

/** What an import keeps of a message beside its text. */
const keptOf = ({ data }: Pick<ShownMessage, 'data'>): Data => objectOf(objectOf(data.metadata).chatferry);

const objectOf = (value: unknown): Data => (typeof value === 'object' && value !== null ? (value as Data) : {});

/** The messages that these reply to or quote, in a few words. */
function rootsOf(overview: Overview, shown: readonly ShownMessage[]): Record<string, Excerpt> {
  const muids = shown.flatMap((message) => {
    const { thread, quote } = keptOf(message);
    return [thread, quote].filter((key): key is string => typeof key === 'string');
  });
  const parents = shown.flatMap(({ parent }) => (parent === null ? [] : [Number(parent)]));
  const byMuid = overview.history.byMuids([...new Set(muids)]).map((row) => [row.muid!, excerptOf(row)] as const);
  const byId = overview.history.byIds([...new Set(parents)]).map((row) => [`#${row.id}`, excerptOf(row)] as const);
  return Object.fromEntries([...byMuid, ...byId]);
}

const excerptMax = 160;

export function excerptOf(row: MessageRow): Excerpt {
  return {
    id: String(row.id),
    conversation: row.conversationId,
    sender: row.sender,
    sentAt: row.sentAt,
    text: beginningOf(row),
  };
}

/** Its first words; else what it is. */
export function beginningOf({ data, type, category, deletedAt }: MessageRow): string {
  if (deletedAt !== null) return 'This message was deleted';
  const parsed: Data = JSON.parse(data);
  const text = withoutMarks(textOf(parsed).slice(0, 4 * excerptMax))
    .replace(/\s+/gu, ' ')
    .trim();
  if (text !== '') return text.slice(0, excerptMax).toWellFormed();
  const files = Array.isArray(parsed.attachments) ? parsed.attachments : [];
  const names = files.map((file) => String(objectOf(file).name ?? 'file'));
  return names.length > 0 ? names.join(', ').slice(0, excerptMax).toWellFormed() : `${category}: ${type}`;
}

/** In a line of its own Markdown is only in the way: what stands in its marks stays. */
const withoutMarks = (text: string): string =>
  text
    .replace(/\[([^[\]\n]+)\]\([^()\s]+\)/g, '$1')
    .replace(/\*\*(?=\S)([^*\n]+)\*\*/g, '$1')
    .replace(/`+(?:\w+\n)?/g, '')
    .replace(/^(?:> ?)+/gm, '');

function peopleOf(
  overview: Overview,
  shown: readonly ShownMessage[],
  excerpts: readonly Excerpt[],
): Record<string, Person> {
  const uids = new Set([...shown, ...excerpts].map(({ sender }) => sender));
  for (const message of shown) {
    for (const uid of mentionedIn(message)) uids.add(uid);
    const { reactions } = keptOf(message);
    if (!Array.isArray(reactions)) continue;
    for (const { by } of reactions.map(objectOf)) {
      if (Array.isArray(by)) for (const uid of by.slice(0, 50)) uids.add(String(uid));
    }
  }
  return overview.persons.named(uids);
}

/** `<@uid:…>`, as the service writes mentions. */
const mentionedIn = ({ data }: ShownMessage): string[] =>
  [...textOf(data).matchAll(/<@uid:([\w-]{1,100})>/g)].map(([, uid]) => uid!);
