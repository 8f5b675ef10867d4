import type { StagedConversation, StagedPerson } from '../../model/staged-item.ts';
import type { SeenNames } from '../../store/staging.ts';
import type { Store } from '../../store/open.ts';
import { IdCounts } from '../../lib/maps/id-counts.ts';
import type { Recent } from '../../lib/maps/recent.ts';

/** Writes people and conversations, and gives their ids in the store by their ids at the source. */
export class NameWriter {
  readonly #savePerson: (person: StagedPerson) => number;
  readonly #saveConversation: (conversation: StagedConversation) => number;
  readonly #people: Recent<string, number>;
  readonly #seenPeople = new IdCounts();
  readonly #conversations = new Map<string, number>();

  constructor(store: Store) {
    this.#people = store.staging.personIdReader();
    this.#savePerson = store.staging.personWriter();
    this.#saveConversation = store.staging.conversationWriter((sourceId) => this.personId(sourceId));
  }

  writePerson(person: StagedPerson): void {
    const id = this.#savePerson(person);
    this.seePerson(id);
    this.#people.set(person.sourceId, id);
  }

  writeConversation(conversation: StagedConversation): void {
    this.#conversations.set(conversation.sourceId, this.#saveConversation(conversation));
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

  get seen(): SeenNames {
    return { people: this.#seenPeople, conversations: new Set(this.#conversations.values()) };
  }
}
