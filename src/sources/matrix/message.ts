import { hasMembers } from '../../lib/maps/objects.ts';
import type { LostPart } from '../../model/lost-parts.ts';
import { type NewMessage, newMessage } from '../../model/new-message.ts';
import type { UserRecord } from '../../model/records.ts';
import { fieldProblem, noteHidingMark, type RowProblem } from '../kit/entries.ts';
import { italic } from '../kit/text/markdown.ts';
import { authorUnderName } from '../kit/message-names.ts';
import { asObject, asString } from '../kit/narrow.ts';
import { pollText } from '../kit/text/poll-text.ts';
import { readAttachment, hasCaption, readGallery, isFile } from './files.ts';
import {
  type Content,
  contentOf,
  type Event,
  firstPresent,
  isRedacted,
  readPlainText,
  relationOf,
  eventTime,
  unsignedOf,
} from './format.ts';
import type { LastEdit } from './belonging.ts';
import { readProfile, withoutFallback } from './profiles.ts';
import { countedReactions, pollIn, type Relations } from './relations.ts';
import { isCall, isPoll, isPollEnd, type Role } from './roles.ts';
import { systemText } from './system.ts';
import { locationText, previewsIn, matrixText } from './text.ts';

/** Context of the file that a message needs. */
export interface EventPlace {
  readonly workspace: string;
  readonly relations: Relations;
  /** Room of the event, and its id. */
  readonly room: string | undefined;
  readonly id: string | undefined;
  readonly sortKey: string;
  nameOf(id: string): string | undefined;
  isPinned(room: string, id: string): boolean;
  isDirect(room: string): boolean;
  /** Describes a person, unless already described. */
  describe(person: UserRecord): void;
  /** Counts what is not migrated. */
  count(what: string): void;
}

/** Keys of contents that are read, or repeat what others say. */
const known = new Set([
  ...[
    'msgtype',
    'body',
    'format',
    'formatted_body',
    'm.mentions',
    'm.relates_to',
    'm.new_content',
    'url',
    'file',
    'info',
  ],
  ...['filename', 'geo_uri', 'm.location', 'org.matrix.msc3488.location', 'm.text', 'm.html', 'm.caption', 'm.file'],
  ...['m.poll', 'm.poll.start', 'org.matrix.msc3381.poll.start', 'm.poll.end', 'org.matrix.msc3381.poll.end'],
  ...['org.matrix.msc1767.text', 'org.matrix.msc1767.message', 'org.matrix.msc1767.html', 'org.matrix.msc1767.file'],
  ...['org.matrix.msc1767.caption', 'org.matrix.msc3245.voice', 'm.voice', 'com.beeper.linkpreviews', 'm.url_previews'],
  ...['m.per_message_profile', 'com.beeper.per_message_profile', 'itemtypes'],
  ...['m.asset', 'org.matrix.msc3488.asset', 'm.ts', 'org.matrix.msc3488.ts', 'm.audio', 'org.matrix.msc1767.audio'],
]);

/** Whether it has anything that is not read. */
function hasMore(content: Content): boolean {
  for (const key in content) if (!known.has(key)) return true;
  return false;
}

const readMore = (content: Content): object =>
  Object.fromEntries(Object.entries(content).filter(([key]) => !known.has(key)));

/** Types of what people say. */
const spoken = /^m\.(?:text|notice|emote|image|file|audio|video|location|server_notice|bad\.encrypted)$/;

/** Several files in one message, in the proposal MSC4274 and before it. */
const isGallery = (msgtype: string): boolean => msgtype === 'm.gallery' || msgtype === 'dm.filament.gallery';

/** An event of the timeline as a message, or why it is none. */
export function readMessage(event: Event, role: Role, place: EventPlace): NewMessage | RowProblem {
  const { id, room } = place;
  const sentAtMs = eventTime(event);
  if (id === undefined) return fieldProblem('missing-id', '"event_id"', event.event_id);
  if (room === undefined) return fieldProblem('matrix-no-room', '"room_id"', event.room_id);
  if (sentAtMs === undefined)
    return fieldProblem('matrix-bad-time', '"origin_server_ts" in milliseconds', event.origin_server_ts);
  const record = newMessage({
    origin: { source: 'matrix', workspace: place.workspace, conversation: room, id },
    sortKey: place.sortKey,
    sentAtMs,
    text: '',
  });
  const author = asString(event.sender);
  if (author !== undefined) record.author = author;
  if (role === 'state') addState(event, record, place);
  else {
    new Said(event, record, place).add(id, author);
    if (author !== undefined) addProfile(contentOf(event), record, author, place);
  }
  if (place.isPinned(room, id)) record.isPinned = true;
  return record;
}

function addState(event: Event, record: NewMessage, place: EventPlace): void {
  const { text, isWhole } = systemText(event, place.nameOf);
  record.text = text;
  record.systemEvent = asString(event.type) ?? 'state';
  if (event.type === 'm.room.power_levels') place.count('powers other than those of admins and moderators');
  if (!isWhole && Object.keys(contentOf(event)).length > 0) record.lost = { appData: 1 };
  place.relations.of(record.origin.id);
}

/** A relay or a bridge writes for many: each message has the name of who said it. A direct conversation stays one of two. */
function addProfile(content: Content, record: NewMessage, author: string, place: EventPlace): void {
  const { name, avatarUrl } = readProfile(content) ?? {};
  if (name === undefined || name === place.nameOf(author)) return;
  if (place.isDirect(record.origin.conversation)) record.custom = { ...record.custom, shownAs: name };
  else {
    const id = authorUnderName(author, name);
    place.describe({ kind: 'user', id, name, ...(avatarUrl !== undefined && { avatarUrl }) });
    record.author = id;
  }
}

/** A message: its text, its file, and events about it. */
class Said {
  readonly #event: Event;
  readonly #record: NewMessage;
  readonly #place: EventPlace;
  readonly #type: string;
  #lost: Partial<Record<LostPart, number>> | undefined;

  constructor(event: Event, record: NewMessage, place: EventPlace) {
    this.#event = event;
    this.#record = record;
    this.#place = place;
    this.#type = asString(event.type) ?? '';
  }

  add(id: string, author: string | undefined): void {
    const { relations } = this.#place;
    const own = contentOf(this.#event);
    this.#addRelation(own);
    const belonging = relations.of(id);
    const edit = belonging?.editBy(author) ?? this.#bundledEdit();
    const deletion = belonging?.deletion;
    const reactions = belonging?.reactions() ?? countedReactions(this.#bundled('m.annotation'));
    if (reactions.length > 0) this.#record.reactions = reactions;
    const isEmptied = isRedacted(this.#event) || (this.#type === 'm.room.message' && !hasMembers(own));
    if (isEmptied || deletion !== undefined) {
      this.#record.isDeleted = true;
      const reason = deletion?.reason ?? this.#reasonOf();
      if (reason !== undefined) this.#record.custom = { reason };
      if (isEmptied) return;
    } else if (edit !== undefined) this.#record.edited = edit.atMs === undefined ? {} : { atMs: edit.atMs };
    const now = edit?.content;
    // An edit may leave out the mark of the message.
    for (const said of [own, now]) if (said && hasMore(said)) noteHidingMark(this.#record, readMore(said));
    this.#addContent(withoutFallback(now === undefined ? own : withRelation(now, own)), belonging?.votes());
    if (this.#lost) this.#record.lost = this.#lost;
  }

  #reasonOf(): string | undefined {
    const because = asObject<Event>(unsignedOf(this.#event).redacted_because) as Event | undefined;
    return because && asString(contentOf(because).reason);
  }

  readonly #lose = (part: LostPart, count = 1): void => {
    if (count <= 0) return;
    this.#lost ??= {};
    this.#lost[part] = (this.#lost[part] ?? 0) + count;
  };

  #bundled(type: string): unknown {
    return asObject<Record<string, unknown>>(unsignedOf(this.#event)['m.relations'])?.[type];
  }

  /** A server that has an edit says so, with the words or without. */
  #bundledEdit(): LastEdit | undefined {
    const event = asObject<Event>(this.#bundled('m.replace')) as Event | undefined;
    if (event === undefined) return undefined;
    const content = asObject<Content>(contentOf(event)['m.new_content']) as Content | undefined;
    return { atMs: eventTime(event), content };
  }

  /** Threads and answers. An answer inside of a thread may be there for clients that know no threads. */
  #addRelation(content: Content): void {
    const relation = relationOf(content);
    const target = asString(relation.event_id);
    const isThread = /^(?:m|io\.element)\.thread$/.test(asString(relation.rel_type) ?? '');
    if (isThread && target !== undefined && target !== this.#record.origin.id) this.#record.threadRoot = target;
    const answered = asString(asObject<{ event_id: string }>(relation['m.in_reply_to'])?.event_id);
    if (answered !== undefined && !(isThread && relation.is_falling_back === true)) this.#record.quoteOf = answered;
  }

  #addContent(content: Content, votes: ReadonlyMap<string, number> | undefined): void {
    const msgtype = asString(content.msgtype);
    if (this.#type === 'm.room.encrypted' || msgtype === 'm.bad.encrypted') {
      this.#lose('encrypted');
      this.#record.text = 'Encrypted message';
      return;
    }
    if (hasMore(content) && !isCall(this.#type)) this.#lose('appData');
    this.#lose('previews', previewsIn(content));
    if (isPoll(this.#type)) this.#addPoll(content, votes);
    else if (isPollEnd(this.#type)) this.#addPollEnd(content);
    else if (isCall(this.#type)) this.#addCall(content);
    else if (msgtype === 'm.location') this.#addLocation(content);
    else if (this.#type === 'm.sticker' || (msgtype !== undefined && isFile(msgtype)))
      this.#addFile(this.#type === 'm.sticker' ? 'm.sticker' : msgtype!, content);
    else if (msgtype !== undefined && isGallery(msgtype)) this.#addGallery(content, msgtype);
    else this.#addText(content, msgtype);
  }

  #addGallery(content: Content, msgtype: string): void {
    const files = readGallery(content, this.#lose);
    if (files.length > 0) this.#record.attachments = files;
    this.#addText(content, msgtype);
    if (this.#record.custom?.type === msgtype) delete this.#record.custom;
  }

  #addText(content: Content, msgtype: string | undefined): void {
    const { text, mentions, links } = matrixText(content, { nameOf: this.#place.nameOf, lose: this.#lose });
    this.#record.text = msgtype === 'm.emote' ? italic(text) : text;
    if (mentions.length > 0) this.#record.mentions = [...mentions];
    if (links.length > 0) this.#record.links = links;
    if (this.#type === 'm.room.message' && msgtype === 'm.notice') this.#addCustom({ notice: true });
    else if (this.#type !== 'm.room.message' || msgtype === undefined || !spoken.test(msgtype))
      this.#addCustom({ type: msgtype ?? this.#type });
  }

  #addCustom(custom: NonNullable<NewMessage['custom']>): void {
    this.#record.custom = { ...this.#record.custom, ...custom };
  }

  #addFile(kind: string, content: Content): void {
    this.#record.attachments = [readAttachment(kind, content, this.#lose)];
    if (content.file !== undefined) this.#place.count('keys of encrypted files');
    if (hasCaption(content)) this.#addText(content, kind);
    else if (kind === 'm.sticker') this.#record.text = asString(content.body) ?? '';
    if (this.#record.custom?.type === kind) delete this.#record.custom;
  }

  /** The accuracy is only in the address: `geo:59.3,18.1;u=35`. */
  #addLocation(content: Content): void {
    this.#record.text = locationText(content);
    const uri = asString(content.geo_uri);
    if (uri?.includes(';')) this.#addCustom({ geo: uri });
  }

  #addPoll(content: Content, votes: ReadonlyMap<string, number> | undefined): void {
    const { question, answers } = pollIn(content);
    const options = answers.map((answer) => ({ text: answer.text ?? '', votes: votes?.get(answer.id ?? '') }));
    this.#record.text = pollText({ question, options });
  }

  #addPollEnd(content: Content): void {
    this.#record.systemEvent = this.#type;
    this.#record.text =
      readPlainText(content) ?? readPlainText(firstPresent(content, 'm.poll.end')) ?? 'Ended the poll';
    const poll = asString(relationOf(content).event_id);
    if (poll !== undefined) this.#record.quoteOf = poll;
  }

  #addCall(content: Content): void {
    const call = this.#place.relations.findCall(asString(content.call_id));
    const sdp = asString(asObject<{ sdp: string }>(content.offer)?.sdp) ?? '';
    this.#record.text =
      this.#type !== 'm.call.invite' ? 'Began a call' : /^m=video /m.test(sdp) ? 'Video call' : 'Voice call';
    const people = [this.#record.author, call?.answeredBy].filter((one) => one !== undefined);
    this.#record.call = {
      startedAtMs: this.#record.sentAtMs,
      ...(call?.endedAtMs !== undefined && { endedAtMs: call.endedAtMs }),
      ...(call?.answeredBy !== undefined && { participants: [...new Set(people)] }),
    };
  }
}

/** The new content of an edit keeps the relation of the original message. */
const withRelation = (now: Content, own: Content): Content =>
  own['m.relates_to'] === undefined ? now : { ...now, 'm.relates_to': own['m.relates_to'] };
