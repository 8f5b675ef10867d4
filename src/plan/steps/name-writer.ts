import type { StagedConversation, StagedPerson } from '../../model/staged-item.ts';
import type { Store } from '../../store/open.ts';
import { IdCounts } from '../../lib/maps/id-counts.ts';
import { Recent } from '../../lib/maps/recent.ts';

/** Writes people and conversations, and gives their ids in the store by their ids at the source. */
export class NameWriter {
  readonly #store: Store;
  readonly #people: Recent<string, number>;
  readonly #seenPeople = new IdCounts();
  readonly #conversations = new Map<string, number>();

  constructor(store: Store) {
    this.#store = store;
    this.#people = new Recent((sourceId) => store.people.id(sourceId)!);
  }

  writePerson(person: StagedPerson): void {
    const id = this.#store.people.save(person);
    this.seePerson(id);
    this.#people.set(person.sourceId, id);
  }

  writeConversation(conversation: StagedConversation): void {
    const { sourceId, people } = conversation;
    const ids = people && ([this.personId(people[0]), this.personId(people[1])] as const);
    this.#conversations.set(sourceId, this.#store.conversations.save(conversation, ids));
  }

  /** A person that an earlier plan wrote, by the id in the store. */
  seePerson(id: number): void {
    this.#seenPeople.add(id);
  }

  /** @param sourceId Of a person that was written. */
  personId(sourceId: string): number {
    return this.#people.get(sourceId);
  }

  /** @param sourceId Of a conversation that was written since this writer was made. */
  conversationId(sourceId: string): number {
    return this.#conversations.get(sourceId)!;
  }

  /** People and conversations that nothing named since this writer was made, and nothing that stays, leave the store. */
  forgetUnseen(): void {
    this.#store.conversations.forgetUnseen(new Set(this.#conversations.values()));
    this.#store.people.forgetUnseen(this.#seenPeople);
  }
}
