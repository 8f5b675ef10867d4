import type { StagedItem, StagedRow } from '../checkpoint/staged-item.ts';
import { formatLocation, type Location } from '../lib/location.ts';
import { factsOf } from '../mapping/facts.ts';
import { mapConversation } from '../mapping/map-conversation.ts';
import { type MessageContext, mapMessage } from '../mapping/map-message.ts';
import { mapPerson } from '../mapping/map-person.ts';
import type { Rules } from '../mapping/rules.ts';
import type { Entry } from '../model/entry.ts';
import { recordDigest } from '../model/record-digest.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../model/records.ts';
import type { MessageLimits } from '../service/profiles.ts';
import type { ReadEntry } from './reading/read-entries.ts';

export interface EntryMapperOptions {
  readonly rules: Rules;
  readonly limits: MessageLimits;
  /** Wall time of the plan. */
  readonly nowMs: number;
}

interface KnownPerson {
  readonly uid: string;
  readonly name: string;
  readonly isBot: boolean;
  readonly isPlaceholder: boolean;
}

/**
 * Turns entries into what is staged: maps each record, and makes up people and conversations that messages name and no
 * file describes. Knows no store. Holds every person and conversation in memory, about 200 bytes each.
 */
export class EntryMapper {
  readonly #rules: Rules;
  readonly #context: MessageContext;
  readonly #emit: (item: StagedItem) => void;
  readonly #people = new Map<string, KnownPerson>();
  /** By source id: whether the mapping leaves it out. */
  readonly #isExcluded = new Map<string, boolean>();

  /** @param emit Gets the items of each entry, in order. */
  constructor({ rules, limits, nowMs }: EntryMapperOptions, emit: (item: StagedItem) => void) {
    this.#rules = rules;
    this.#emit = emit;
    this.#context = {
      rules,
      limits,
      nowMs,
      uidOf: (userId) => this.#person(userId).uid,
      isKnown: (userId) => !this.#person(userId).isPlaceholder,
      isBot: (userId) => this.#person(userId).isBot,
    };
  }

  /** Somebody whom an earlier plan has met: nothing is emitted for them, unless they are described again. */
  know(sourceId: string, { uid, name, isBot, isPlaceholder }: KnownPerson): void {
    this.#people.set(sourceId, { uid, name, isBot, isPlaceholder });
  }

  add(entry: Exclude<ReadEntry, { type: 'file' }>): void {
    const { path } = entry.location;
    if (entry.type === 'problem') {
      this.#emit({
        type: 'problem',
        path,
        code: entry.code,
        reason: entry.reason,
        place: formatLocation(entry.location),
      });
    } else if (entry.type === 'reject') {
      this.#addReject(entry);
    } else if (entry.record.kind === 'message') {
      this.#addMessage(entry.record, entry.location);
    } else if (entry.record.kind === 'user') {
      this.#addUser(entry.record);
    } else {
      this.#addConversation(entry.record, false);
    }
  }

  #addMessage(record: MessageRecord, location: Location): void {
    const sender = this.#author(record);
    const mapped = mapMessage(record, this.#context);
    const isExcluded = this.#conversationIsExcluded(record.origin.conversation);
    const verdict = isExcluded ? 'skipped' : mapped.verdict;
    const row: StagedRow = {
      muid: mapped.muid,
      source: record.origin.source,
      workspace: record.origin.workspace,
      conversation: record.origin.conversation,
      sender: record.author ?? unknownAuthor,
      originId: record.origin.id,
      sentAtMs: record.sentAtMs,
      sortKey: record.sortKey,
      editedAtMs: record.edited ? (record.edited.atMs ?? 0) : null,
      recordDigest: recordDigest(record),
      verdict,
      reason: isExcluded ? 'conversation excluded' : mapped.verdict === 'planned' ? null : mapped.reason,
      detail: verdict === 'rejected' && mapped.verdict === 'rejected' ? mapped.detail : null,
      payload: verdict === 'planned' && mapped.verdict === 'planned' ? mapped.payload : null,
      rootMuid: mapped.rootMuid ?? null,
      facts: factsOf(record, sender.isBot),
      place: placeOf(location),
    };
    this.#emit({ type: 'row', path: location.path, row });
  }

  #addReject({ code, reason, location, conversation }: Extract<Entry, { type: 'reject' }>): void {
    if (conversation !== undefined) this.#conversationIsExcluded(conversation);
    const row: StagedRow = {
      muid: null,
      source: null,
      workspace: null,
      conversation: conversation ?? null,
      sender: null,
      originId: null,
      sentAtMs: null,
      sortKey: null,
      editedAtMs: null,
      recordDigest: null,
      verdict: 'rejected',
      reason: code,
      detail: reason,
      payload: null,
      rootMuid: null,
      facts: null,
      place: placeOf(location),
    };
    this.#emit({ type: 'row', path: location.path, row });
  }

  #addUser(user: UserRecord): KnownPerson {
    const { uid, name, details } = mapPerson(user, this.#rules);
    const isPlaceholder = user.isPlaceholder === true;
    const person = {
      sourceId: user.id,
      uid,
      name,
      details: JSON.stringify(details),
      record: JSON.stringify(user),
      isPlaceholder,
    };
    this.#emit({ type: 'person', person });
    const known = { uid, name, isBot: user.isBot === true, isPlaceholder };
    this.#people.set(user.id, known);
    return known;
  }

  #addConversation(record: ConversationRecord, isPlaceholder: boolean): boolean {
    const mapped = mapConversation(record, this.#rules, (userId) => this.#person(userId).name);
    const [a, b] = mapped.receiverType === 'user' ? [...new Set(record.members)] : [];
    const people = a !== undefined && b !== undefined ? ([a, b] as const) : null;
    for (const member of people ?? []) this.#person(member);
    this.#emit({
      type: 'conversation',
      conversation: {
        sourceId: record.id,
        type: record.type,
        name: record.name || (mapped.details.name as string),
        receiverType: mapped.receiverType,
        guid: mapped.guid,
        people,
        details: JSON.stringify(mapped.details),
        record: JSON.stringify(record),
        isPlaceholder,
      },
    });
    this.#isExcluded.set(record.id, mapped.isExcluded);
    return mapped.isExcluded;
  }

  /** The author, with what the message says about itself where no file describes them. */
  #author({ author, authorDetails }: MessageRecord): KnownPerson {
    const id = author ?? unknownAuthor;
    const known = this.#people.get(id);
    // A placeholder that others only mentioned so far is called by its id: its own message knows more.
    const isNameless = known?.isPlaceholder === true && known.name === id && authorDetails !== undefined;
    if (known && !isNameless) return known;
    return this.#addUser({
      kind: 'user',
      id,
      name: authorDetails?.name || (author ? id : 'Unknown author'),
      ...(authorDetails?.avatarUrl !== undefined && { avatarUrl: authorDetails.avatarUrl }),
      ...(authorDetails?.isBot !== undefined && { isBot: authorDetails.isBot }),
      isPlaceholder: true,
    });
  }

  #person(id: string): KnownPerson {
    return this.#people.get(id) ?? this.#addUser({ kind: 'user', id, name: id, isPlaceholder: true });
  }

  #conversationIsExcluded(id: string): boolean {
    return (
      this.#isExcluded.get(id) ??
      this.#addConversation({ kind: 'conversation', id, type: 'private', name: '', members: [] }, true)
    );
  }
}

/** Who wrote messages whose export does not say: one placeholder for all of them. */
export const unknownAuthor = 'unknown';

/** `/41`, `12` or `12#/41`. */
function placeOf({ line, pointer }: Location): string {
  if (line === undefined || pointer === undefined) return pointer ?? String(line ?? '');
  return `${line}#${pointer}`;
}
