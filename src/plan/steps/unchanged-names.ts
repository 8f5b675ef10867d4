import type { StagedConversation, StagedPerson } from '../../checkpoint/staging.ts';
import type { Store } from '../../checkpoint/open.ts';
import type { UserRecord } from '../../model/records.ts';
import { NameWriter } from './name-writer.ts';

/**
 * People and conversations of an export that did not change: those that the plan before staged stay as they are, and only placeholders of people
 * whom more messages mention are written. Notices if a file describes someone in another way than the store, which means that a later file decided.
 */
export class UnchangedNames extends NameWriter {
  /** Whether everything was met as the plan before staged it. */
  isAsStored = true;
  /** Ids in the store of conversations that were described. */
  readonly described: Set<number> = new Set();
  readonly #storedPerson: ReturnType<Store['staging']['storedNameReader']>;
  readonly #storedConversation: ReturnType<Store['staging']['storedNameReader']>;

  constructor(store: Store) {
    super(store);
    this.#storedPerson = store.staging.storedNameReader('person');
    this.#storedConversation = store.staging.storedNameReader('conversation');
  }

  /**
   * Called when something names a person before a file describes them. If a file that is not read does so, it is not certain whether that was before or
   * behind, and a person who is named before counts as unknown.
   */
  noteFound({ id, record }: { readonly id: number; readonly record: UserRecord }): void {
    this.seePerson(id);
    if (record.isPlaceholder !== true) this.isAsStored = false;
  }

  override writePerson(person: StagedPerson): void {
    const stored = this.#storedPerson(person.sourceId);
    if (stored?.record !== person.record && !(stored === undefined && person.isPlaceholder)) this.isAsStored = false;
    if (stored) this.seePerson(stored.id);
    else super.writePerson(person);
  }

  override writeConversation(conversation: StagedConversation): void {
    const { sourceId, record, isPlaceholder } = conversation;
    const stored = this.#storedConversation(sourceId);
    if (stored?.record !== record || (stored.isPlaceholder === 1) !== isPlaceholder) this.isAsStored = false;
    if (!stored) super.writeConversation(conversation);
    else {
      this.seeConversation(sourceId, stored.id);
      if (!isPlaceholder) this.described.add(stored.id);
    }
  }
}
