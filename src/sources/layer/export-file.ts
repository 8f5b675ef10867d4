import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { invalidEntry, problemEntry, recordEntry } from '../kit/entries.ts';
import type { LastMessages } from '../kit/last-messages.ts';
import { asObject, asString, kindOf, type Untrusted } from '../kit/narrow.ts';
import { CountedProblems } from '../kit/rows/counted-problems.ts';
import type { BadRow, GoodRow, JsonFile } from '../kit/rows/json-entries.ts';
import { rowSortKey } from '../kit/rows/row-identity.ts';
import { reasonForPlace, rowsInside } from '../kit/rows/rows-inside.ts';
import { addConversation, addPerson, participantsOf } from './directory.ts';
import {
  idOf,
  isMessage,
  type LayerConversation,
  type LayerEvent,
  layerKindOf,
  type LayerMessage,
  type LayerPerson,
  personIdOf,
  timeOf,
} from './format.ts';
import { conversationOf, readMessage } from './message.ts';

interface FileContext {
  readonly path: string;
  readonly workspace: string;
  /** Whether the file has messages, so that a row that cannot be read may be one. */
  readonly hasMessages: boolean;
  readonly isNewestFirst: boolean;
  readonly lastMessages: LastMessages;
}

/** The rows of a file, of any kind. In memory: the ids of people who are described inside of conversations. */
export class LayerFile implements JsonFile {
  readonly #context: FileContext;
  readonly #counts = new CountedProblems('layer-not-migrated');
  readonly #described = new Set<string>();
  #row = 0;

  constructor(context: FileContext) {
    this.#context = context;
  }

  add({ value, location }: GoodRow, into: Entry[]): undefined {
    this.#row += 1;
    const row = asObject<Record<string, unknown>>(value);
    const kind = row && layerKindOf((key) => key in row);
    if (kind === undefined && this.#addInside(value, location, into)) return;
    if (row === undefined) into.push(this.#fault('not-an-object', `Expected a row, found ${kindOf(value)}`, location));
    else if (kind === 'people') addPerson(row as Untrusted<LayerPerson>, location, into);
    else if (kind === 'conversations') this.#addConversation(row as Untrusted<LayerConversation>, location, into);
    else if (kind === undefined)
      into.push(this.#fault('layer-unknown-row', 'Expected a message, a conversation, a person or an event', location));
    else if (isMessage((key) => key in row)) this.#addMessage(row as Untrusted<LayerMessage>, location, into);
    else this.#addEvent(row as Untrusted<LayerEvent>, location, into);
  }

  /**
   * Reads the messages in lists inside of what is none: how an export names its lists is not documented.
   *
   * @param conversation Id for messages that do not say theirs. @returns whether there are any.
   */
  #addInside(value: unknown, location: Location, into: Entry[], conversation?: unknown): boolean {
    let isFound = false;
    for (const { row, pointer } of rowsInside(value, isMessage)) {
      isFound = true;
      this.#row += 1;
      const place = { ...location, pointer: (location.pointer ?? '') + pointer };
      if (!this.#context.hasMessages) into.push(invalidEntry('not-an-object', reasonForPlace(place.pointer), place));
      else this.#addMessage({ ...row, conversation: row.conversation ?? { id: conversation } }, place, into);
    }
    return isFound;
  }

  addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (fault.scope !== 'no-row') into.push(this.#fault(fault.code, fault.reason, location));
  }

  end(): readonly Entry[] {
    const into: Entry[] = [];
    this.#counts.end(this.#context.path, into);
    return into;
  }

  #fault(code: string, reason: string, location: Location): Entry {
    return (this.#context.hasMessages ? invalidEntry : problemEntry)(code, reason, location);
  }

  #addConversation(row: Untrusted<LayerConversation>, location: Location, into: Entry[]): void {
    for (const person of participantsOf(row)) {
      const id = personIdOf(person);
      if (id === undefined || this.#described.has(id)) continue;
      this.#described.add(id);
      addPerson(person, location, into);
    }
    const id = idOf(row.id);
    if (id !== undefined)
      this.#context.lastMessages.expect(idOf(asObject<{ id: unknown }>(row.last_message)?.id), id, location);
    addConversation(row, location, into);
    this.#addInside(row, location, into, row.id);
  }

  #addEvent(row: Untrusted<LayerEvent>, location: Location, into: Entry[]): void {
    const event = asObject<LayerEvent['event']>(row.event) ?? {};
    const type = asString(event.type) ?? '';
    const message = asObject<LayerMessage>(row.message);
    const conversation = asObject<LayerConversation>(row.conversation);
    if (message !== undefined) {
      this.#addMessage(message, location, into, { isDeleted: type === 'message.deleted', at: event.created_at });
    } else if (conversation === undefined) {
      into.push(this.#fault('layer-unknown-row', 'Expected an event of a message or a conversation', location));
    } else if (type === 'conversation.deleted') {
      const reason = `The conversation "${idOf(conversation.id)?.slice(0, 60)}" was deleted`;
      into.push(problemEntry('layer-conversation-deleted', reason, location));
    } else this.#addConversation(conversation, location, into);
  }

  /** @param change Of an event: the later of two versions of a message counts. */
  #addMessage(
    row: Untrusted<LayerMessage>,
    location: Location,
    into: Entry[],
    change: { readonly isDeleted?: boolean; readonly at?: unknown } = {},
  ): void {
    const { workspace, isNewestFirst, lastMessages } = this.#context;
    lastMessages.see(idOf(row.id));
    const sortKey = rowSortKey(0, this.#row, isNewestFirst);
    const read = readMessage(row, { workspace, sortKey, counts: this.#counts });
    if ('code' in read) {
      into.push(invalidEntry(read.code, read.reason, location, conversationOf(row)));
      return;
    }
    const changedAtMs = timeOf(change.at);
    if (changedAtMs !== undefined) read.version = { changedAtMs };
    if (change.isDeleted) read.isDeleted = true;
    into.push(recordEntry(read, location));
  }
}
