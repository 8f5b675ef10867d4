import type { Location } from '../../lib/text/location.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Entry } from '../../model/entry.ts';
import type { NewMessage } from '../../model/new-message.ts';
import type { Attachment, UserRecord } from '../../model/records.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import { problemEntry, recordEntry, invalidEntry, type RowProblem } from '../kit/entries.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import type { GoodRow, JsonFile } from '../kit/rows/json-entries.ts';
import type { LocalFiles } from '../kit/files/local-files.ts';
import { asArray, asObject, asString, describe, type Untrusted } from '../kit/narrow.ts';
import { unforeseen, type UnforeseenProblem, withCause } from '../kit/rows/row-boundary.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { RowNotes } from '../kit/rows/row-notes.ts';
import { channelId, readChannel, Channels, readDirect, readMembers } from './channels.ts';
import type { MattermostDirectChannel, MattermostLine, MattermostPost, MattermostUser } from './format.ts';
import { idOf, readMessage, type PostPlace, type RootPost, type MessageContext } from './message.ts';
import { readAuthor, readBot, readChannels, listDetails, readUser, readUsernames } from './people.ts';

type Line = Untrusted<MattermostLine>;
type Post = Untrusted<MattermostPost>;
interface PlaceInFile {
  readonly conversation: string | undefined;
  readonly isDirect: boolean;
  readonly sortKey: string;
  readonly root: RootPost | undefined;
}

/** A message that names files, which are to be looked up: one without any waits for nothing. */
interface WithFiles {
  readonly record: NewMessage;
  readonly post: Post;
}

/** Lines that hold nothing which the model has, and what to call them. */
const leftOutLines: Readonly<Record<string, string>> = {
  role: 'roles',
  scheme: 'schemes of permissions',
  emoji: 'pictures of custom emoji',
};

/**
 * The lines of one bulk export. Knows what the lines before said: names of people (some 40 bytes each), channels and who is in them.
 */
export class FileReader implements JsonFile {
  readonly #path: string;
  readonly #workspace: string;
  readonly #files: LocalFiles;
  readonly #names = new PackedMap();
  readonly #channels = new Channels();
  readonly #identity = new RowIdentity();
  readonly #notes = new RowNotes();
  #withFiles: WithFiles[] = [];
  /** Whether a line was one of a bulk export, and whether one was none. */
  #hasKnown = false;
  #hasUnknown = false;
  #around: MessageContext | undefined;
  /** When the export was made, by its first line. */
  #exportedAtMs: number | undefined;
  readonly #counts = new CountedProblems('profile-detail-not-migrated', 'mattermost-not-migrated');

  constructor(path: string, workspace: string, files: LocalFiles) {
    this.#path = path;
    this.#workspace = workspace;
    this.#files = files;
  }

  add({ value, location }: GoodRow, into: Entry[]): Promise<void> | undefined {
    // The look-up for a line that threw must not happen for the next one.
    this.#withFiles = [];
    const waiting = this.#addLine(asObject<MattermostLine>(value) ?? {}, location, into);
    return this.#withFiles.length === 0 ? waiting : this.#lookUp();
  }

  /** Returns the entries about the file as a whole. */
  end(): readonly Entry[] {
    const into: Entry[] = [];
    if (this.#hasUnknown && !this.#hasKnown)
      into.push(invalidEntry('json-no-list', 'Expected lines of a bulk export, found none', { path: this.#path }));
    this.#describeChannels({ path: this.#path }, into);
    this.#notes.end(this.#path, into);
    this.#counts.end(this.#path, into);
    return into;
  }

  #addLine(line: Line, location: Location, into: Entry[]): Promise<void> | undefined {
    const type = asString(line.type) ?? '';
    if (type === 'user') this.#hasKnown = true;
    if (type === 'user') return this.#addUser(asObject<MattermostUser>(line.user) ?? {}, location, into);
    if (type === 'post' || type === 'direct_post') this.#addPost(line, type, location, into);
    else if (type === 'bot') this.#addPerson(readBot(asObject(line.bot) ?? {}), location, into);
    else if (type === 'team') this.#addTeam(line);
    else if (type === 'channel') this.#addChannel(line, location, into);
    else if (type === 'direct_channel') this.#addDirect(asObject(line.direct_channel) ?? {}, location, into);
    else if (Object.hasOwn(leftOutLines, type)) this.#counts.add('mattermost-not-migrated', leftOutLines[type]!);
    else if (type === 'version') this.#exportedAtMs = madeAt(asObject<MattermostLine['info']>(line.info)?.created);
    else {
      this.#hasUnknown = true;
      const reason = `Expected a line of a bulk export, found "type" ${describe(line.type)}`;
      this.#notes.add('mattermost-unknown-line', reason, location, into);
      return undefined;
    }
    this.#hasKnown = true;
    return undefined;
  }

  #addTeam(line: Line): void {
    const team = asObject<MattermostLine['team']>(line.team);
    const name = asString(team?.name);
    if (name !== undefined) this.#channels.addTeam(name.toLowerCase(), asString(team!.display_name) ?? name);
  }

  #addChannel(line: Line, location: Location, into: Entry[]): void {
    const channel = readChannel(asObject(line.channel) ?? {});
    if (channel) this.#channels.add(channel);
    else into.push(problemEntry('conversation-without-id', 'A channel without "team" or "name"', location));
  }

  async #addUser(user: Untrusted<MattermostUser>, location: Location, into: Entry[]): Promise<void> {
    const picture = asString(user.profile_image);
    const record = readUser(user, picture === undefined ? undefined : await this.#attachment(picture));
    this.#addPerson(record, location, into);
    if (!record) return;
    for (const { id, membership } of readChannels(user)) this.#channels.addMember(id, record.id, membership.roles);
    for (const detail of listDetails(user)) this.#counts.add('profile-detail-not-migrated', detail);
  }

  #addPerson(record: UserRecord | undefined, location: Location, into: Entry[]): void {
    if (!record) return void into.push(problemEntry('user-without-id', 'A person without "username"', location));
    this.#names.set(record.id, record.name);
    into.push(recordEntry(record, location));
  }

  #addDirect(row: Untrusted<MattermostDirectChannel>, location: Location, into: Entry[]): void {
    const record = readDirect(readMembers(row), row.header);
    if (!record)
      return void into.push(problemEntry('no-members', 'The direct channel does not say who is in it', location));
    this.#channels.addDirect(record.id);
    into.push(recordEntry(record, location));
    const seen = asArray(row.participants).filter((one) => asObject<{ last_viewed_at: number }>(one)?.last_viewed_at);
    this.#counts.add('mattermost-not-migrated', 'read positions', seen.length);
    this.#counts.add('mattermost-not-migrated', 'favourites', asArray(row.favorited_by).length);
  }

  #describeChannels(location: Location, into: Entry[]): void {
    for (const record of this.#channels.takeChanged()) into.push(recordEntry(record, location));
  }

  #addPost(line: Line, type: 'post' | 'direct_post', location: Location, into: Entry[]): void {
    const post = asObject<MattermostPost>(line[type]);
    if (!post) {
      const reason = `Expected a post in "${type}", found ${describe(line[type])}`;
      return void into.push(invalidEntry('mattermost-no-post', reason, location));
    }
    const isDirect = type === 'direct_post';
    const conversation = !isDirect ? this.#channelOf(post, location, into) : this.#directOf(post, location, into);
    const sortKey = rowSortKey(0, location.line ?? 0);
    const root = this.#addMessage(post, { conversation, isDirect, sortKey, root: undefined }, location, into);
    asArray(post.replies).forEach((value, index) => {
      const at = { path: location.path!, line: location.line!, pointer: `/${type}/replies/${index}` };
      const reply = asObject<MattermostPost>(value);
      // Sorts after the post, in the order of the replies, if the times are equal.
      const replyKey = `${sortKey}.${String(1_000_000 + index).slice(1)}`;
      if (reply) this.#addMessage(reply, { conversation, isDirect, sortKey: replyKey, root }, at, into);
      else
        into.push(invalidEntry('mattermost-no-post', `Expected a reply, found ${describe(value)}`, at, conversation));
    });
  }

  #channelOf(post: Post, location: Location, into: Entry[]): string | undefined {
    const id = channelId(post);
    if (id !== undefined && !this.#channels.has(id)) {
      const { team, channel: name } = post;
      this.#channels.add(readChannel({ team, name })!);
      const reason = `No line before this one describes the channel "${id}"`;
      into.push(problemEntry('mattermost-unlisted-channel', reason, location));
    }
    this.#describeChannels(location, into);
    return id;
  }

  #directOf(post: Post, location: Location, into: Entry[]): string | undefined {
    const record = readDirect(readUsernames(post.channel_members));
    if (!record || !this.#channels.addDirect(record.id)) return record?.id;
    into.push(recordEntry(record, location));
    const reason = `No line before this one describes the direct channel of "${record.members.join('", "')}"`;
    this.#notes.add('mattermost-unlisted-direct', reason, location, into);
    return record.id;
  }

  #addMessage(
    post: Post,
    { conversation, isDirect, sortKey, root }: PlaceInFile,
    location: Location,
    into: Entry[],
  ): RootPost | undefined {
    if (conversation === undefined) {
      const reason = 'Expected "team" and "channel", or "channel_members", found neither';
      into.push(invalidEntry('mattermost-no-channel', reason, location));
      return undefined;
    }
    const id = idOf(post, { conversation, root }, this.#identity);
    const around = this.#surroundings(conversation);
    const author = readAuthor(post, { nameOf: around.userName, isDirect });
    const read = this.#read(post, { around, id, sortKey, root, author: author?.id });
    if ('code' in read) {
      const entry = invalidEntry(read.code, read.reason, location, conversation);
      into.push('cause' in read ? withCause(entry, read.cause) : entry);
      return { id };
    }
    if (this.#exportedAtMs !== undefined) read.version = { exportedAtMs: this.#exportedAtMs };
    if (author?.record && this.#names.get(author.id) === undefined) this.#addPerson(author.record, location, into);
    into.push(recordEntry(read, location));
    if (post.attachments) this.#withFiles.push({ record: read, post });
    if (read.custom?.createdAt !== undefined) {
      const reason = `The reply is from ${String(read.custom.createdAt)}, before the post that it answers`;
      this.#notes.add('mattermost-reply-before-root', reason, location, into);
    }
    if (post.flagged_by) this.#counts.add('mattermost-not-migrated', 'saved posts', asArray(post.flagged_by).length);
    if (post.thread_followers)
      this.#counts.add('mattermost-not-migrated', 'followed threads', asArray(post.thread_followers).length);
    return { id, sentAtMs: read.sentAtMs };
  }

  /** A post that throws is invalid by itself: its replies, or the post that it answers, are read. */
  #read(post: Post, place: PostPlace): NewMessage | RowProblem | UnforeseenProblem {
    try {
      return readMessage(post, place);
    } catch (error) {
      return unforeseen(error);
    }
  }

  /** Keeps the last result: a post and its replies are in the same conversation. */
  #surroundings(conversation: string): MessageContext {
    if (this.#around?.conversation === conversation) return this.#around;
    const team = conversation.slice(0, conversation.indexOf('/') + 1);
    this.#around = {
      workspace: this.#workspace,
      conversation,
      userName: (username) => this.#names.get(username),
      channelName: (name) => this.#channels.nameOf(team + name),
    };
    return this.#around;
  }

  async #lookUp(): Promise<void> {
    const waiting = this.#withFiles;
    this.#withFiles = [];
    for (const { record, post } of waiting) {
      const files: Attachment[] = [];
      for (const value of asArray(post.attachments)) {
        const path = asString(asObject<MattermostPost['attachments'][number]>(value)?.path);
        if (path !== undefined) files.push(await this.#attachment(path));
      }
      if (files.length > 0) record.attachments = files;
    }
  }

  /** Paths count from `data/`, in exports by hand from the top; other systems spell letters with accents otherwise. */
  #attachment(path: string): Promise<Attachment> {
    const spellings = [path, path.normalize('NFC'), path.normalize('NFD')].flatMap((one) => [`data/${one}`, one]);
    const found = spellings.find((one) => this.#files.has(one)) ?? path;
    // …/users/<id>/<id of the file>/<name>
    const id = /\/users\/[^/]+\/([a-z0-9]{26})\/[^/]+$/.exec(path)?.[1];
    return this.#files.attachment({ path: found, id });
  }
}

const readTime = timeReader('iso', 'UTC');

/** RFC 3339, as Go writes it. */
const madeAt = (created: unknown): number | undefined =>
  typeof created === 'string' ? readTime(created)?.atMs : undefined;
