import { decoded } from '../../lib/text/decoded.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Json, MessageRecord } from '../../model/records.ts';
import { fieldProblem, type RowProblem } from '../kit/entries.ts';
import { asArray, asId, asObject, asString, type Untrusted } from '../kit/narrow.ts';
import type { Lost } from '../kit/lost.ts';
import { targetOfPeople } from './conversations.ts';
import type { Directory } from './directory.ts';
import { zulipTime, type ZulipEdit, type ZulipMessage } from './format.ts';
import { reactionsIn } from './reactions.ts';
import type { RowReading } from './row-reading.ts';
import { zulipText, textOfHtml, type TextContext } from './text.ts';
import type { Topics } from './topics.ts';

type Row = Untrusted<ZulipMessage>;

/** Data about the export that a message needs. */
export interface RowPlace {
  readonly workspace: string;
  readonly directory: Directory;
  readonly topics: Topics | undefined;
  readonly reading: RowReading;
  note(problem: RowProblem): void;
}

/** A file that a text names: its path, and its label in the text. */
export interface NamedUpload {
  readonly path: string;
  readonly label: string;
}

export interface ReadMessage {
  readonly record: NewMessage;
  readonly uploads: readonly NamedUpload[];
}

const noUploads: readonly NamedUpload[] = [];

/** A row as a message, or why it is none. */
export function readMessage(row: Row, place: RowPlace): ReadMessage | RowProblem {
  const id = asId(row.id);
  const sentAtMs = zulipTime(row.date_sent ?? row.pub_date);
  const author = asId(row.sender);
  const conversation = findConversation(row, author, place.reading);
  if (id === undefined) return fieldProblem('missing-id', '"id"', row.id);
  if (conversation === undefined) {
    return { code: 'zulip-no-recipient', reason: place.reading.whyNoTarget(row, author) };
  }
  if (sentAtMs === undefined)
    return fieldProblem('zulip-bad-time', '"date_sent" such as 1772442000.25', row.date_sent ?? row.pub_date);
  const said = new Said(row, conversation, author, place.directory);
  const text = said.text();
  const given = place.reading.reactionsOf(row);
  const history = readHistory(row, place);
  // Private messages of newer servers have a control character there.
  const topic = row.subject === '\x07' ? undefined : asString(row.subject);
  const record = newMessage({
    origin: { source: 'zulip', workspace: place.workspace, conversation, id },
    sortKey: id.padStart(20, '0'),
    sentAtMs,
    text,
    author,
    mentions: said.mentions,
    reactions: given && reactionsIn(given),
    threadRoot: place.topics?.rootOf(row),
    quoteOf: said.quoteOf,
    links: said.links,
    edited: history.edited,
    systemEvent: author === undefined ? undefined : place.reading.systemOf(row, author),
    custom: { topic, ...history.custom },
    lost: said.lost,
  });
  return { record, uploads: said.uploads };
}

function findConversation(row: Row, author: string | undefined, reading: RowReading): string | undefined {
  const target = reading.targetOf(row);
  if (target === undefined || !('person' in target)) return target?.conversation;
  return author === undefined ? undefined : targetOfPeople(author, target.person);
}

/** Content of a row, with facts noted while it is read. */
class Said implements TextContext {
  uploads = noUploads;
  readonly rendered: string | undefined;
  readonly idOfName: TextContext['idOfName'];
  readonly nameOf: TextContext['nameOf'];
  readonly #row: Row;
  readonly #conversation: string;
  readonly #author: string | undefined;
  readonly #directory: Directory;
  mentions: string[] | undefined;
  lost: Lost | undefined;
  links: NonNullable<MessageRecord['links']> | undefined;
  quoteOf: string | undefined;

  constructor(row: Row, conversation: string, author: string | undefined, directory: Directory) {
    this.#row = row;
    this.#conversation = conversation;
    this.#author = author;
    this.#directory = directory;
    this.rendered = asString(row.rendered_content);
    this.idOfName = directory.idOfName;
    this.nameOf = directory.nameOf;
  }

  text(): string {
    const content = asString(this.#row.content);
    if (content !== undefined) return zulipText(content, this);
    return this.rendered === undefined ? '' : textOfHtml(this.rendered, this);
  }

  noteMention(id: string): void {
    this.mentions ??= [];
    if (!this.mentions.includes(id)) this.mentions.push(id);
  }

  readonly lose = (part: LostPart, count = 1): void => {
    if (count <= 0) return;
    this.lost ??= {};
    this.lost[part] = (this.lost[part] ?? 0) + count;
  };

  attach(path: string, label: string): string {
    const upload = { path, label };
    if (!this.uploads.some((known) => known.path === path)) this.uploads = [...this.uploads, upload];
    return label || nameOfUpload(path);
  }

  noteLink(url: string, isQuoted: boolean): void {
    const found = messageAt(url, this.#author, this.#directory);
    if (found === undefined) {
      this.lose('oldLinks');
      return;
    }
    this.links ??= [];
    if (!this.links.some((link) => link.url === url)) this.links.push({ url, ...found });
    if (isQuoted && found.conversation === this.#conversation) this.quoteOf ??= found.id;
  }
}

/** `#narrow/channel/5-harbour/topic/tides/near/123`; older: `stream`, and names with dots for `%`. */
const ofStream =
  /#narrow\/(?:stream|channel)\/(\d{1,20})-([^/\s]{1,500})\/(?:[^\s]{1,1000}\/)?(?:near|with)\/(\d{1,20})$/;
const ofPeople = /#narrow\/(?:dm|pm-with)\/(\d{1,20})(?:,(\d{1,20}))?-[^/\s,]{1,300}\/near\/(\d{1,20})$/;

/**
 * Returns the message that an address of the server leads to. Returns undefined if it is unknown, or if the address is
 * of another server.
 */
export function messageAt(
  url: string,
  author: string | undefined,
  directory: Pick<Directory, 'streamName'>,
): { readonly conversation: string; readonly id: string } | undefined {
  const [, stream, slug, near] = ofStream.exec(url) ?? [];
  if (stream !== undefined) {
    const name = directory.streamName(stream);
    return name !== undefined && isSlugOf(slug!, name) ? { conversation: `stream-${stream}`, id: near! } : undefined;
  }
  const [, one, two = author, message] = ofPeople.exec(url) ?? [];
  if (one === undefined || two === undefined) return undefined;
  return { conversation: targetOfPeople(one, two), id: message! };
}

const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');

/** Streams of other servers have the same numbers, and other names. */
const isSlugOf = (slug: string, name: string): boolean =>
  lettersOf(decoded(slug.replaceAll('.', '%'))) === lettersOf(name);

export const nameOfUpload = (path: string): string => decoded(path.split('/').at(-1)!) || 'file';

interface History {
  readonly edited: MessageRecord['edited'];
  readonly custom?: Readonly<Record<string, Json | undefined>>;
}

function historyIn(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** Earlier texts and topics of a message, the newest first. A message that was only moved does not count as edited. */
function readHistory(row: Row, place: RowPlace): History {
  if (row.edit_history === undefined || row.edit_history === null || row.edit_history === '') {
    const atMs = zulipTime(row.last_edit_time);
    return { edited: atMs === undefined ? undefined : { atMs } };
  }
  const list = historyIn(row.edit_history);
  if (!Array.isArray(list)) {
    const reason = 'Expected a list of JSON in "edit_history", found something else';
    place.note({ code: 'zulip-bad-history', reason });
    return { edited: undefined };
  }
  const edits = asArray(list).flatMap((value) => asObject<ZulipEdit>(value) ?? []);
  const ofText = edits.filter((edit) => typeof edit.prev_content === 'string');
  const topics = edits.flatMap((edit) => asString(edit.prev_topic) ?? asString(edit.prev_subject) ?? []);
  const streams = edits
    .flatMap((edit) => asId(edit.prev_stream) ?? [])
    .map((id) => place.directory.streamName(id) ?? id);
  const [last] = ofText;
  const atMs = zulipTime(last?.timestamp) ?? (edits.length === 0 || last ? zulipTime(row.last_edit_time) : undefined);
  return {
    edited: last || atMs !== undefined ? { atMs, by: asId(last?.user_id) } : undefined,
    custom: {
      previousTexts: ofText.length > 0 ? ofText.map((edit) => edit.prev_content as string) : undefined,
      previousTopics: topics.length > 0 ? topics : undefined,
      previousStreams: streams.length > 0 ? streams : undefined,
    },
  };
}
