import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { Json, MessageRecord, Reaction } from '../../model/records.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { authorUnderName } from '../kit/message-names.ts';
import { asArray, asObject, asString, asWord, describe, type Untrusted } from '../kit/narrow.ts';
import { attachedTo, nothingAttached, withoutQuoteMark } from './files.ts';
import { idOf, numberOf, type RocketMessage, type RocketPerson, rocketchatTime } from './format.ts';
import { type Kind, kindOf, describeEvent } from './kinds.ts';
import { blockText } from './blocks.ts';
import { emojiNamed, needsNames, rocketchatText, type TextContext } from './text.ts';

type Row = Untrusted<RocketMessage>;

/** Context of the file that a message needs. */
export interface RowPlace {
  readonly workspace: string;
  readonly sortKey: string;
  /**
   * Describes a person unless already described.
   *
   * @returns their id.
   */
  see(person: unknown, isBot?: boolean): string | undefined;
  nameOf(id: string): string | undefined;
  idOfUsername(username: string): string | undefined;
  /** Returns the name in a room's address; undefined if nothing describes the room. */
  roomName(rid: string): string | undefined;
  isDirect(rid: string): boolean;
  note(problem: RowProblem): void;
}

/** A row as a message, or why it is none. */
export function readMessage(row: Row, place: RowPlace): NewMessage | RowProblem {
  const id = idOf(row._id);
  const rid = idOf(row.rid);
  const sentAtMs = rocketchatTime(row.ts);
  if (id === undefined) return fieldProblem('missing-id', '"_id"', row._id);
  if (rid === undefined) return fieldProblem('rocketchat-no-room', '"rid"', row.rid);
  if (sentAtMs === undefined)
    return fieldProblem('rocketchat-bad-time', '"ts" such as {"$date":"2026-03-02T09:00:00Z"}', row.ts);
  const type = asString(row.t);
  const kind = kindOf(type);
  if (kind === undefined) {
    const reason = `Type "${type!.slice(0, 40)}" is not known: the row is kept as a message`;
    place.note({ code: 'rocketchat-unknown-type', reason });
  }
  const said = new Said(row, rid, place);
  const text = said.text(kind, type);
  const author = readAuthor(row, rid, place);
  const { mentions, attachments, quoteOf, links, lost } = said.found();
  const root = asString(row.tmid);
  const threadRoot = root === id ? undefined : root;
  const record = newMessage({
    origin: { source: 'rocketchat', workspace: place.workspace, conversation: rid, id },
    sortKey: place.sortKey,
    sentAtMs,
    text,
    author,
    mentions,
    attachments,
    threadRoot,
    isBroadcast: threadRoot !== undefined && row.tshow === true,
    quoteOf,
    links,
    edited: readEdit(row, place),
    reactions: readReactions(row, place),
    version: { changedAtMs: rocketchatTime(row._updatedAt) },
    isDeleted: kind === 'deleted' || row._hidden === true,
    systemEvent: kind === 'system' ? type : undefined,
    call: kind === 'call' ? { startedAtMs: sentAtMs } : undefined,
    isPinned: row.pinned === true,
    custom: readCustom(row, kind === undefined ? type : undefined),
    lost,
  });
  noteHidingMark(record, row.private, 'private');
  return record;
}

/** Webhooks and bridges write under a name of each message. A direct conversation stays one of two. */
function readAuthor(row: Row, rid: string, place: RowPlace): string | undefined {
  const isBot = row.bot !== undefined && row.bot !== null;
  const id = place.see(row.u, isBot);
  const alias = asString(row.alias);
  if (id === undefined || alias === undefined || alias === place.nameOf(id) || place.isDirect(rid)) return id;
  return place.see({ _id: authorUnderName(id, alias), name: alias }, true);
}

/** The content of a row: its text, the parts below it, and facts collected while reading. */
class Said {
  readonly #row: Row;
  readonly #rid: string;
  readonly #place: RowPlace;
  #mentions: string[] | undefined;
  #contextOfText: TextContext | undefined;
  #lost: Partial<Record<LostPart, number>> | undefined;
  #links: NonNullable<MessageRecord['links']> | undefined;
  #attached = nothingAttached;

  constructor(row: Row, rid: string, place: RowPlace) {
    this.#row = row;
    this.#rid = rid;
    this.#place = place;
  }

  text(kind: Kind | undefined, type: string | undefined): string {
    const row = this.#row;
    if (kind === 'encrypted') {
      this.#lose('encrypted');
      return 'Encrypted message';
    }
    if (kind === 'deleted') return '';
    if (row.attachments || row.file || row.files) this.#attached = attachedTo(row, this.#context);
    const msg = typeof row.msg === 'string' ? row.msg : '';
    const own = this.#attached.quotes.length > 0 ? withoutQuoteMark(msg) : msg;
    const text =
      kind === 'system' ? describeEvent(type!, own) : needsNames(own) ? rocketchatText(own, this.#context) : own;
    if (row.avatar || row.emoji) this.#lose('cardDetails');
    if (row.urls) this.#lose('previews', asArray(row.urls).filter(hasPreview).length);
    const { above, below } = this.#attached;
    const blocks = kind === 'call' ? '' : this.#blocks();
    const said = blocks || text || (kind === 'call' ? 'Started a call' : '');
    if (above.length === 0 && below.length === 0 && !row.location) return said;
    return [...above, said, ...below, this.#location()].filter(Boolean).join('\n\n');
  }

  #location(): string {
    const place = asObject<RocketMessage['location']>(this.#row.location);
    const [longitude, latitude] = asArray(place?.coordinates).map(numberOf);
    return longitude === undefined || latitude === undefined ? '' : `Location: (${latitude}, ${longitude})`;
  }

  /** If a message has blocks, clients show these. Its text is for programs without blocks. */
  #blocks(): string {
    if (!this.#row.blocks) return '';
    const texts = asArray(this.#row.blocks).map((block) => blockText(block, this.#context));
    return texts.filter(Boolean).join('\n\n');
  }

  /** Found in the text, once it is read, and around it. */
  found() {
    for (const person of asArray(this.#row.mentions)) {
      const id = idOf(asObject<RocketPerson>(person)?._id);
      if (id !== undefined && !this.#mentions?.includes(id) && isPerson(person))
        this.#mentioned(this.#place.see(person));
    }
    const { files, quotes } = this.#attached;
    const [quoteOf] = quotes.flatMap((quote) => this.#messageAt(quote) ?? []);
    return { mentions: this.#mentions, attachments: files, quoteOf, links: this.#links, lost: this.#lost };
  }

  #mentioned(id: string | undefined): void {
    if (id === undefined || this.#mentions?.includes(id)) return;
    this.#mentions ??= [];
    this.#mentions.push(id);
  }

  #lose(part: LostPart, count = 1): void {
    if (count <= 0) return;
    this.#lost ??= {};
    this.#lost[part] = (this.#lost[part] ?? 0) + count;
  }

  /** Created only for texts that name a person or a room: most do not. */
  get #context(): TextContext {
    this.#contextOfText ??= {
      lose: (part, count) => this.#lose(part, count),
      mention: (username) => this.#mention(username),
      roomName: (name) => {
        const rooms = asArray(this.#row.channels).map((room) => asObject<RocketMessage['channels'][number]>(room));
        return asString(rooms.find((room) => room?.name === name)?.fname);
      },
      noteLink: (url) => this.#noteLink(url),
    };
    return this.#contextOfText;
  }

  #mention(username: string): string | undefined {
    const person = asArray(this.#row.mentions).find((one) => asObject<RocketPerson>(one)?.username === username);
    if (person !== undefined && !isPerson(person)) return undefined;
    const id = person === undefined ? this.#place.idOfUsername(username) : this.#place.see(person);
    if (id === undefined) return undefined;
    this.#mentioned(id);
    return this.#place.nameOf(id);
  }

  #noteLink(url: string): void {
    this.#lose('oldLinks');
    const id = this.#messageAt(url);
    if (id === undefined || this.#links?.some((link) => link.url === url)) return;
    this.#links = [...(this.#links ?? []), { url, conversation: this.#rid, id }];
  }

  /** The message of this room to which an address leads. */
  #messageAt(url: string): string | undefined {
    const room = /\/(?:channel|group|direct|live)\/([^/?#]{1,300})/.exec(url)?.[1];
    const id = /[?&]msg=([\w-]{1,64})/.exec(url)?.[1];
    if (room === undefined) return undefined;
    const name = this.#place.roomName(this.#rid);
    const isHere = name === undefined || room === this.#rid || room === name || room === encodeURIComponent(name);
    return isHere ? id : undefined;
  }
}

/** Whether it is a person: `all`, `here` and teams are not. */
function isPerson(value: unknown): boolean {
  const { _id, type } = asObject<RocketPerson>(value) ?? {};
  return _id !== 'all' && _id !== 'here' && type !== 'team';
}

/** Previews hold what a page says of itself; without any an address was only found. */
function hasPreview(value: unknown): boolean {
  const meta = asObject<object>(asObject<RocketMessage['urls'][number]>(value)?.meta);
  return meta !== undefined && Object.keys(meta).length > 0;
}

function readEdit(row: Row, place: RowPlace): MessageRecord['edited'] {
  const atMs = rocketchatTime(row.editedAt);
  return atMs === undefined || row.t === 'rm' ? undefined : { atMs, by: place.see(row.editedBy) };
}

function readReactions(row: Row, place: RowPlace): Reaction[] | undefined {
  const reactions = asObject<Record<string, unknown>>(row.reactions);
  return reactions && Object.entries(reactions).flatMap(([name, value]) => readReaction(name, value, place) ?? []);
}

function readReaction(name: string, value: unknown, place: RowPlace): Reaction | undefined {
  const usernames = asArray(asObject<RocketMessage['reactions'][string]>(value)?.usernames);
  const word = name.replace(/^:|:$/g, '');
  if (word === '' || usernames.length === 0) return undefined;
  const users = new Set<string>();
  for (const username of usernames) {
    const id = place.idOfUsername(asWord(username));
    if (id !== undefined) users.add(id);
    else {
      const reason = `A reaction is by ${describe(username)}, but no person has that name`;
      place.note({ code: 'rocketchat-unknown-username', reason });
    }
  }
  return { emoji: emojiNamed(word) ?? `:${word}:`, users: [...users], count: Math.max(usernames.length, users.size) };
}

function readCustom(row: Row, unknownType: string | undefined): Readonly<Record<string, Json | undefined>> {
  const translations = asObject<Record<string, string>>(row.translations);
  const fields = asObject<Record<string, never>>(row.customFields);
  return {
    type: unknownType,
    shownAs: asString(row.alias),
    discussion: asString(row.drid),
    role: asString(row.role),
    translations: translations && hasMembers(translations) ? (translations as Json) : undefined,
    customFields: fields && hasMembers(fields) ? (fields as Json) : undefined,
  };
}
