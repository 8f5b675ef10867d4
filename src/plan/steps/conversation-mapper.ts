import type { StagedConversation } from '../../model/staged-item.ts';
import { foldedNames } from '../../mapping/filter.ts';
import type { Mapping } from '../../mapping/load.ts';
import { type MappedConversation, mapConversationByMapping } from '../../mapping/conversation.ts';
import { Members } from '../../model/members.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { mergedInto } from '../merges.ts';
import type { PersonMapper } from '../person-mapper.ts';

/** A conversation, as far as reading has come. */
interface KnownConversation {
  readonly guid: string;
  readonly isExcluded: boolean;
  /** Names by which a filter may refer to it; kept only if there is a filter. */
  readonly filterNames: readonly string[];
  readonly isDescribed: boolean;
}

/** Conversations that were met, by id: also those that are merged into others. */
export interface KnownConversations {
  get(id: string): KnownConversation | undefined;
  set(id: string, known: KnownConversation): unknown;
}

interface ConversationMapperOptions {
  readonly conversations: KnownConversations;
  readonly mapping: Mapping;
  readonly people: PersonMapper;
  /** Whether a filter may ask for conversations by name. */
  readonly isFiltered: boolean;
  /** Called with each conversation that is new, or described again. */
  onConversation(conversation: StagedConversation, record: ConversationRecord, mapped: MappedConversation): void;
  /** Something of it that a person should know: a code and words. */
  onProblem(code: string, reason: string, about?: readonly string[]): void;
}

/** Maps conversations, and makes up those that messages name and no file describes. */
export class ConversationMapper {
  readonly #options: ConversationMapperOptions;
  readonly #conversations: KnownConversations;
  readonly #mergedInto: ReadonlyMap<string, string> | undefined;
  /** Public groups, as far as others are merged into them. */
  readonly #publicTargets = new Set<string>();
  /** By target, one that is merged into it and was not public. */
  readonly #privateSources = new Map<string, string>();

  constructor(options: ConversationMapperOptions) {
    this.#options = options;
    this.#conversations = options.conversations;
    this.#mergedInto = mergedInto(options.mapping.rules.conversations.merge);
  }

  /** The id under which it is staged: of those that are merged, the first. */
  idOf(id: string): string {
    return this.#mergedInto?.get(id) ?? id;
  }

  /** As a message names it: with the exclusion of its own conversation, and the names of the one that it goes to. */
  get(id: string): KnownConversation {
    const target = this.idOf(id);
    const known = this.#find(target);
    return target === id ? known : { ...known, isExcluded: known.isExcluded || this.#isExcludedSource(id) };
  }

  /** Adds a description. For merged conversations, that of the first is sent. One that says no more than the id takes nothing away. */
  add(record: ConversationRecord): void {
    if (isBare(record) && this.#conversations.get(record.id)?.isDescribed) return;
    const target = this.#mergedInto?.get(record.id);
    if (target === undefined) this.#add(record, false);
    else {
      const { guid, isExcluded } = this.#map(record);
      this.#conversations.set(record.id, { guid, isExcluded, filterNames: noNames, isDescribed: true });
      if (record.type !== 'public') this.#privateSources.set(target, record.id);
    }
    if (this.#mergedInto) this.#noteExposure(target ?? record.id);
  }

  #find(id: string): KnownConversation {
    return (
      this.#conversations.get(id) ??
      this.#add({ kind: 'conversation', id, type: 'private', name: '', members: [] }, true)
    );
  }

  #isExcludedSource(id: string): boolean {
    const { exclude } = this.#options.mapping.rules.conversations;
    return this.#conversations.get(id)?.isExcluded ?? exclude.includes(id);
  }

  #add(given: ConversationRecord, isPlaceholder: boolean): KnownConversation {
    const { people } = this.#options;
    // Unchanged if no members are merged: checks look at members that are named twice.
    const named = [...given.members, ...(given.memberships ?? []).map(({ user }) => user)];
    const isMerged = named.some((member) => people.idOf(member) !== member);
    const merged = new Members();
    if (isMerged) merged.addLists(given, (member) => people.idOf(member));
    const record = isMerged ? { ...given, ...merged.of(given.id) } : given;
    const members = [...new Set(record.members)];
    const mapped = this.#map(record);
    const [a, b] = mapped.receiverType === 'user' ? members : [];
    const pair = a !== undefined && b !== undefined ? ([a, b] as const) : null;
    for (const member of pair ?? []) people.get(member);
    const name = record.name || (mapped.details.name as string);
    const { id } = record;
    const known = { ...this.#toKnown(record, mapped), isDescribed: !isPlaceholder };
    // Before it is handed on: what a check throws must not make a placeholder of a conversation that is described.
    this.#conversations.set(id, known);
    if (mapped.details.type === 'public' && this.#mergedInto) this.#publicTargets.add(id);
    this.#options.onConversation(
      {
        sourceId: record.id,
        type: record.type,
        name,
        receiverType: mapped.receiverType,
        guid: mapped.guid,
        people: pair,
        details: JSON.stringify(mapped.details),
        record: JSON.stringify(record),
        isPlaceholder,
        isBare: isPlaceholder || isBare(record),
      },
      record,
      mapped,
    );
    return known;
  }

  #toKnown({ id, name }: ConversationRecord, { guid, isExcluded, details }: MappedConversation) {
    const { isFiltered } = this.#options;
    return { guid, isExcluded, filterNames: isFiltered ? foldedNames(id, name || (details.name as string)) : noNames };
  }

  #map(record: ConversationRecord): MappedConversation {
    const { mapping, people, onProblem } = this.#options;
    const nameOf = (userId: string) => people.get(userId).name;
    const uidOf = (userId: string) => people.get(userId).uid;
    const { mapped, fault } = mapConversationByMapping(record, mapping, nameOf, uidOf);
    if (fault !== undefined) onProblem('module-failed', fault);
    return mapped;
  }

  /** Reports that a conversation which few could read becomes readable by all. */
  #noteExposure(target: string): void {
    const source = this.#privateSources.get(target);
    if (source === undefined || !this.#publicTargets.has(target)) return;
    this.#privateSources.delete(target);
    this.#options.onProblem(
      'merged-into-public',
      `"${source}" was not public, and is merged into "${target}", which is`,
      [source],
    );
  }
}

/** Messages alone say so much of a conversation: its id, maybe with a word before it, "Ticket 7". */
const isBare = ({ kind, id, type, name, members, ...more }: ConversationRecord): boolean =>
  kind === 'conversation' &&
  type === 'private' &&
  (name === '' || name === id || name.endsWith(` ${id}`)) &&
  members.length === 0 &&
  Object.keys(more).length === 0;

const noNames: readonly string[] = [];
