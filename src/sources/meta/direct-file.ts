import type { ExportInput } from '../../io/input/export-input.ts';
import { hasMembers } from '../../lib/maps/objects.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { newMessage, type NewMessage } from '../../model/new-message.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { recordEntry, invalidEntry } from '../kit/entries.ts';
import { asArray, asObject, asString, describe, wordFor, type Untrusted } from '../kit/narrow.ts';
import { addInvalidRow, type GoodRow, type JsonFile, readJsonEntries } from '../kit/rows/json-entries.ts';
import { readJsonRows } from '../kit/rows/json-rows.ts';
import { RowIdentity, rowSortKey } from '../kit/rows/row-identity.ts';
import { bold, quoted } from '../kit/text/markdown.ts';
import { meansMarkup } from '../kit/text/typed-text.ts';
import { timeReader } from '../kit/time/time-reading.ts';
import { isDeletedName } from './format.ts';
import { asRepaired, repairedAll } from './mojibake.ts';
import { personId } from './thread.ts';

/**
 * Instagram's `messages.json` of 2018 to 2020: all conversations in one list, the latest message of each first. Conversations have no ids,
 * and are known by who is in them.
 *
 *     [{"participants":["mia.b","ole_d"],"conversation":[
 *       {"sender":"mia.b","created_at":"2020-01-02T10:00:00.000000+00:00","text":"Hi","likes":[{"username":"ole_d","date":"…"}]}]}]
 */
interface DirectMessage {
  readonly sender: string;
  readonly created_at: string;
  readonly text: string;
  /** A heart by itself. */
  readonly heart: string;
  readonly link: string;
  readonly likes: readonly { readonly username: string }[];
  readonly media: string;
  readonly media_owner: string;
  readonly media_share_caption: string;
  readonly media_share_url: string;
  readonly profile_share_name: string;
  readonly profile_share_username: string;
  readonly story_share: string;
  readonly video_call_action: string;
}

const known: ReadonlySet<string> = new Set([
  ...['sender', 'created_at', 'text', 'heart', 'link', 'likes', 'media', 'media_owner', 'media_share_caption'],
  ...['media_share_url', 'profile_share_name', 'profile_share_username', 'story_share', 'video_call_action'],
]);

/** The list of conversations, and in each the list of messages. */
const messagesAt = { layout: 'list', pattern: ['*', 'conversation'] } as const;
const peopleAt = { layout: 'list', pattern: ['*', 'participants'] } as const;

/**
 * The entries of the file. It is read twice: who is in a conversation may be written behind its messages.
 *
 * Memory: the names of each conversation.
 */
export async function* readDirect(
  input: ExportInput,
  path: string,
  place: { readonly source: string; readonly workspace: string },
): AsyncGenerator<readonly Entry[]> {
  const people = new Map<string, string[]>();
  for await (const rows of readJsonRows(input.open(path), path, peopleAt)) {
    for (const { value, parentKey = '' } of rows.filter((row): row is GoodRow => row.fault === undefined)) {
      const names = people.get(parentKey) ?? [];
      names.push(asRepaired(value) ?? '');
      people.set(parentKey, names);
    }
  }
  const file = new DirectFile(path, place, describeConversations(people));
  yield file.begin();
  yield* readJsonEntries(input, path, messagesAt, file);
}

/** Returns the conversations by their position in the file. Two conversations of the same people are distinguished by their order. */
function describeConversations(people: ReadonlyMap<string, readonly string[]>): Map<string, ConversationRecord> {
  const seen = new Map<string, number>();
  const found = new Map<string, ConversationRecord>();
  for (const [key, names] of people) {
    const words = [...names].sort().join(', ');
    const count = (seen.get(words) ?? 0) + 1;
    seen.set(words, count);
    const id = count === 1 ? words : `${words} (${count})`;
    const members = [...new Set(names.map((name) => personId(name, id)))];
    const isDirect = members.length === 2 && names.length === 2 && count === 1;
    const [type, name] = isDirect ? (['direct', ''] as const) : (['private', names.join(', ')] as const);
    found.set(key, { kind: 'conversation', id, type, name, members });
  }
  return found;
}

class DirectFile implements JsonFile {
  readonly #path: string;
  readonly #place: { readonly source: string; readonly workspace: string };
  readonly #conversations: ReadonlyMap<string, ConversationRecord>;
  readonly #people = new Set<string>();
  readonly #identity = new RowIdentity();
  readonly #readTime = timeReader('iso', undefined);
  #row = 0;

  constructor(
    path: string,
    place: { readonly source: string; readonly workspace: string },
    conversations: ReadonlyMap<string, ConversationRecord>,
  ) {
    this.#path = path;
    this.#place = place;
    this.#conversations = conversations;
  }

  begin(): Entry[] {
    const into: Entry[] = [];
    for (const [key, record] of this.#conversations) {
      const location = { path: this.#path, pointer: `/${key}` };
      into.push(recordEntry(record, location));
      for (const member of record.members ?? []) this.#addPerson(member, location, into);
    }
    return into;
  }

  add({ value, location, parentKey = '' }: GoodRow, into: Entry[]): undefined {
    this.#row += 1;
    const row = asObject<DirectMessage>(value);
    const conversation = this.#conversations.get(parentKey)?.id;
    if (!row || conversation === undefined) {
      const [wanted, found] = row ? ['"participants" of the conversation', 'none'] : ['a message', wordFor(value)];
      into.push(invalidEntry('not-an-object', `Expected ${wanted}, found ${found}`, location, conversation));
      return;
    }
    const time = this.#readTime(asString(row.created_at) ?? '');
    if (time === undefined) {
      const reason = `Expected a time as "created_at", found ${describe(row.created_at)}`;
      into.push(invalidEntry('bad-time', reason, location, conversation));
      return;
    }
    const cells = [conversation, asString(row.sender), asString(row.created_at), asString(row.text)];
    const record = newMessage({
      origin: { ...this.#place, conversation, id: this.#identity.idOf(cells) },
      sortKey: rowSortKey(time.nanoseconds, this.#row, true),
      sentAtMs: time.atMs,
      text: '',
    });
    const sender = asRepaired(row.sender) ?? '';
    record.author = personId(sender, conversation);
    this.#addPerson(record.author, location, into);
    addContent(row, record, (name) => personId(asRepaired(name) ?? '', conversation));
    into.push(recordEntry(record, location));
  }

  /** A conversation without a list of messages has no row. */
  readonly addFault = addInvalidRow;

  end(): Entry[] {
    return [];
  }

  #addPerson(id: string, location: Location, into: Entry[]): void {
    if (this.#people.has(id)) return;
    this.#people.add(id);
    const [name] = id.split(' (', 1) as [string];
    const isDeleted = isDeletedName(name);
    into.push(
      recordEntry({ kind: 'user', id, name: isDeleted ? name : id, ...(isDeleted && { isDeleted }) }, location),
    );
  }
}

function addContent(row: Untrusted<DirectMessage>, record: NewMessage, personOf: (name: unknown) => string): void {
  const written = asRepaired(row.text) ?? asRepaired(row.heart) ?? '';
  if (written !== '' && meansMarkup(written, { isMarkup: false, isLineStart: true }))
    record.lost = { accidentalMarkup: 1 };
  const [owner, caption] = [asRepaired(row.media_owner), asRepaired(row.media_share_caption)];
  const profile = [asRepaired(row.profile_share_name), asRepaired(row.profile_share_username)].filter(Boolean);
  const shared = [owner && bold(owner), profile.join(', '), caption, asRepaired(row.story_share)].filter(Boolean);
  const links = [asRepaired(row.media_share_url), asRepaired(row.link)];
  record.text = [
    written || asRepaired(row.video_call_action) || '',
    shared.length === 0 ? '' : quoted(shared.join('\n')),
    ...links.filter((link) => link !== undefined && !written.includes(link)),
  ]
    .filter(Boolean)
    .join('\n\n');
  const media = asString(row.media);
  if (media !== undefined) {
    const name = media.split(/[?#]/, 1)[0]!.split('/').at(-1) || 'file';
    record.attachments = [/^https?:/i.test(media) ? { name, url: media } : { name, unavailable: 'not-in-export' }];
  }
  const users = [
    ...new Set(asArray(row.likes).map((like) => personOf(asObject<{ username: string }>(like)?.username))),
  ];
  if (users.length > 0) record.reactions = [{ emoji: '❤️', users, count: users.length }];
  const custom: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(row)) if (!known.has(key) && value) custom[key] = repairedAll(value);
  if (hasMembers(custom)) record.custom = custom as NonNullable<NewMessage['custom']>;
}
