import type { ConversationRecord } from '../../model/records.ts';
import type { SlackConversation } from './format.ts';
import type { ConversationFolder } from './layout.ts';
import { compact } from '../kit/compact.ts';
import { asArray, asObject, asString, asStrings, pastSecondsToMs, type Untrusted } from '../kit/narrow.ts';

/** Facts about a conversation that reading rows needs. */
export interface ConversationFacts {
  readonly id: string;
  /** `ts` of pinned messages. */
  readonly pins: ReadonlySet<string>;
}

const noPins: ReadonlySet<string> = new Set();

/**
 * Which folder is whose, and what channels are called. Held in memory for the whole read: about 400 bytes a conversation
 * and as much for a hundred pins.
 */
export class Conversations {
  readonly #byId = new Map<string, ConversationFacts>();
  readonly #byFolder = new Map<string, ConversationFacts>();
  /** For each folder: whether its conversation is public. */
  readonly #isPublic = new Map<string, boolean>();
  /** Null where several conversations of an organisation have the name. */
  readonly #byName = new Map<string, ConversationFacts | null>();
  readonly #names = new Map<string, string>();
  readonly #directByPair = new Map<string, string>();

  /**
   * @param base Folder of the list that names the conversation, with its slash: `''` or `teams/sales/`.
   * @param folder Name of the folder of its messages; empty if that is the id.
   * @returns false if this id is known already: lists repeat entries, and organisation and workspaces share channels.
   */
  add(base: string, record: ConversationRecord, folder: string, pins: ReadonlySet<string> = noPins): boolean {
    const known = this.#byId.get(record.id);
    const facts = known ?? { id: record.id, pins };
    this.#byId.set(record.id, facts);
    if (record.name !== '') this.#names.set(record.id, record.name);
    if (folder !== '') this.#addFolder(base, folder, facts, record.type === 'public');
    return known === undefined;
  }

  #addFolder(base: string, name: string, facts: ConversationFacts, isPublic: boolean): void {
    const key = folderKey(name);
    const namesake = this.#byName.get(key);
    this.#byName.set(key, namesake === undefined || namesake?.id === facts.id ? facts : null);
    // The first one keeps a folder: names are unique among the living, an archived one may have had it before. But what a private
    // conversation may hold does not become public.
    const folder = base + key;
    if (this.#byFolder.has(folder) && (isPublic || this.#isPublic.get(folder) !== true)) return;
    this.#byFolder.set(folder, facts);
    this.#isPublic.set(folder, isPublic);
  }

  /** Whether a public conversation and one that is not have the same folder. */
  sharesFolder(base: string, record: ConversationRecord, folder: string): boolean {
    const key = base + folderKey(folder);
    const other = this.#byFolder.get(key);
    return other !== undefined && other.id !== record.id && (record.type === 'public') !== this.#isPublic.get(key);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }

  /**
   * Returns the conversation whose messages are in a folder: by name in the list next to it or, at the top, in the only
   * list that has the name; otherwise by id.
   *
   * @param base `''` or `teams/sales/`.
   */
  inFolder(base: string, name: string): ConversationFacts | undefined {
    const key = folderKey(name);
    const elsewhere = base === '' ? this.#byName.get(key) : undefined;
    return this.#byFolder.get(base + key) ?? elsewhere ?? this.#byId.get(name);
  }

  /** The same of a folder as the layout has it. */
  ofFolder({ base, name, isById }: ConversationFolder): ConversationFacts | undefined {
    return isById ? this.#byId.get(name) : this.inFolder(base, name);
  }

  /** Another direct conversation of the same people, met before. */
  sameDirectAs(record: ConversationRecord): string | undefined {
    if (record.type !== 'direct' || record.members.length === 0) return undefined;
    const pair = [...record.members].sort().join(' ');
    const other = this.#directByPair.get(pair);
    if (other === undefined) this.#directByPair.set(pair, record.id);
    return other;
  }
}

/** macOS unpacks `é` as two code points where the list has one. */
const folderKey = (folder: string) => folder.normalize('NFC');

/**
 * @returns undefined without an id: then its folder is treated as one that no file lists.
 */
export function toConversation(
  raw: Untrusted<SlackConversation>,
  type: ConversationRecord['type'],
): ConversationRecord | undefined {
  const id = asString(raw.id);
  if (id === undefined) return undefined;
  const members = asStrings(raw.members);
  return compact<ConversationRecord>({
    kind: 'conversation',
    id,
    type,
    name: isNameOfPeople(raw, members) ? '' : (asString(raw.name) ?? ''),
    topic: asString(asObject<{ value: string }>(raw.topic)?.value),
    description: asString(asObject<{ value: string }>(raw.purpose)?.value),
    creator: asString(raw.creator),
    createdAtMs: pastSecondsToMs(raw.created),
    ...(raw.is_archived === true && { isArchived: true }),
    members,
  });
}

/** The kind of a conversation that the API lists: only its row says it. Without a word that it is public, it is private. */
export function listedType(raw: Untrusted<SlackConversation>): ConversationRecord['type'] {
  if (raw.is_im === true) return 'direct';
  if (raw.is_mpim === true) return 'group-direct';
  return raw.is_private === false && raw.is_group !== true ? 'public' : 'private';
}

/** `mpdm-ines--priya--oscar-1` is no name: Slack shows the people instead. */
const isNameOfPeople = (raw: Untrusted<SlackConversation>, members: readonly string[]) =>
  members.length > 0 && asString(raw.name)?.startsWith('mpdm-') === true;

export function readPins(raw: Untrusted<SlackConversation>): ReadonlySet<string> {
  const ids = asArray(raw.pins).map((pin) => asString(asObject<{ id: string }>(pin)?.id));
  return ids.length === 0 ? noPins : new Set(ids.filter((id) => id !== undefined));
}

/**
 * Returns a conversation that is known only by its folder. No file shows whether it was public, so it is private: a
 * private conversation must not become public. Its id is the folder's name, after the workspace's in an organisation.
 *
 * @param base `''` or `teams/sales/`.
 */
export function placeholderConversation(base: string, folder: string): ConversationRecord {
  if (/^D[A-Z0-9]{6,}$/.test(folder))
    return { kind: 'conversation', id: folder, type: 'direct', name: '', members: [] };
  const id = base.replace(/^teams\//, '') + folder;
  const type = folder.startsWith('mpdm-') ? 'group-direct' : 'private';
  return { kind: 'conversation', id, type, name: folder, members: [] };
}
