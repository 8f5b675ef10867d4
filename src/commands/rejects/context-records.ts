import type { stagedRecords } from '../../checkpoint/staging/staged-records.ts';
import type { ChatRecord, MessageRecord } from '../../model/records.ts';

/**
 * What a message needs before it so that it means the same in a file of its own: its conversation, its author, and
 * everybody whom it names. Each of them once for a file; remembers their ids, about 100 bytes each.
 */
export class ContextRecords {
  readonly #records: ReturnType<typeof stagedRecords>;
  readonly #given = new Set<string>();

  constructor(records: ReturnType<typeof stagedRecords>) {
    this.#records = records;
  }

  *before(message: MessageRecord): Generator<ChatRecord> {
    const { origin, author, mentions = [], reactions = [], call } = message;
    const named = [...mentions, ...reactions.flatMap(({ users }) => users), ...(call?.participants ?? [])];
    for (const id of author === undefined ? named : [author, ...named]) yield* this.#person(id);
    const key = `conversation ${origin.conversation}`;
    if (this.#given.has(key)) return;
    this.#given.add(key);
    const conversation = this.#records.conversation(origin.conversation);
    if (!conversation) return;
    // Chats without a name of their own are called by their members.
    if (conversation.type === 'direct' || conversation.type === 'group-direct') {
      for (const id of conversation.members) yield* this.#person(id);
    }
    yield conversation;
  }

  *#person(id: string): Generator<ChatRecord> {
    const key = `person ${id}`;
    if (this.#given.has(key)) return;
    this.#given.add(key);
    const person = this.#records.person(id);
    if (person) yield person;
  }
}
