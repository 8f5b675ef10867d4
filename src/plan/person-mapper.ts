import type { StagedPerson } from '../model/staged-item.ts';
import { foldedNames } from '../mapping/filter.ts';
import type { Mapping } from '../mapping/load.ts';
import { knownUid, type MappedPerson, mapPersonByMapping, withContactsApart } from '../mapping/person.ts';
import type { PersonTraits } from '../mapping/rules.ts';
import { authorId, uidWithHash, unknownAuthorName } from '../mapping/ids.ts';
import type { MessageRecord, UserRecord } from '../model/records.ts';
import { mergedInto } from './merges.ts';

/** A person, as far as reading has come. */
export interface KnownPerson extends PersonTraits {
  /** The id of the export: of those that are merged, the first. */
  readonly sourceId: string;
  readonly uid: string;
  readonly name: string;
  /** Names by which a filter may refer to them; kept only if there is a filter. */
  readonly filterNames: readonly string[];
}

/** Everybody who was met, by the id under which they are staged. */
export interface KnownPeople {
  get(id: string): KnownPerson | undefined;
  set(id: string, known: KnownPerson): unknown;
}

export interface PersonMapperOptions {
  readonly people: KnownPeople;
  /** Returns a person who was seen by an earlier plan: nothing is staged for them, unless they are described again. */
  readonly storedPerson?: ((id: string) => UserRecord | undefined) | undefined;
  readonly mapping: Mapping;
  /** People whose uid gets a hash of their id, because others have the same uid: ids at the source. Default: none. */
  readonly hashed?: ReadonlySet<string> | undefined;
  /** Whether a filter may ask for people by name. */
  readonly isFiltered: boolean;
  /** Called with each person who is new, or described again. */
  onPerson(person: StagedPerson, user: UserRecord): void;
  /** Called when a module's step failed for a person. */
  onFault(fault: string): void;
}

interface Mapped {
  readonly mapped: MappedPerson;
  /** Error of a module's step: the result is then the same as without it. */
  readonly fault?: string | undefined;
}

/** Maps people, and makes up those whom messages name and no file describes. */
export class PersonMapper {
  readonly #options: PersonMapperOptions;
  readonly #mergedInto: ReadonlyMap<string, string> | undefined;

  constructor(options: PersonMapperOptions) {
    this.#options = options;
    this.#mergedInto = mergedInto(options.mapping.rules.people.merge);
  }

  /** Returns the id under which a person is staged: for merged accounts, the first. */
  idOf(userId: string): string {
    return this.#mergedInto?.get(userId) ?? userId;
  }

  /** Returns a person who was seen; none is made up. */
  find(userId: string): KnownPerson | undefined {
    return this.#find(this.idOf(userId));
  }

  /** Returns a person whom a record names: a placeholder if they were not described so far. */
  get(userId: string): KnownPerson {
    const id = this.idOf(userId);
    return this.#find(id) ?? this.#add({ kind: 'user', id, name: id, isPlaceholder: true });
  }

  /** Adds a description. For merged accounts, only that of the first counts. */
  add(user: UserRecord): void {
    if (!this.#mergedInto?.has(user.id)) this.#add(user);
  }

  /** Returns the author, with the details in the message itself if no file describes them. */
  author(record: MessageRecord): KnownPerson {
    const { author, authorDetails } = record;
    const id = this.idOf(authorId(record));
    const known = this.#find(id);
    // A placeholder that others only mentioned so far is called by its id: its own message knows more.
    const isNameless = known?.isKnown === false && known.name === id && authorDetails !== undefined;
    if (known && !isNameless) return known;
    return this.#add({
      kind: 'user',
      id,
      name: authorDetails?.name || (author ? id : unknownAuthorName),
      ...(authorDetails?.avatarUrl !== undefined && { avatarUrl: authorDetails.avatarUrl }),
      ...(authorDetails?.isBot !== undefined && { isBot: authorDetails.isBot }),
      isPlaceholder: true,
    });
  }

  #find(id: string): KnownPerson | undefined {
    const { people, storedPerson } = this.#options;
    const known = people.get(id);
    if (known || !storedPerson) return known;
    const stored = storedPerson(id);
    // Anything that a module does not accept was reported when the person was described.
    return stored && this.#know(stored, this.#map(stored).mapped);
  }

  #know(user: UserRecord, mapped: MappedPerson): KnownPerson {
    const known = this.#toKnown(user, mapped);
    this.#options.people.set(user.id, known);
    return known;
  }

  #add(given: UserRecord): KnownPerson {
    const user = withContactsApart(given);
    const { mapped, fault } = this.#map(user);
    if (fault !== undefined) this.#options.onFault(fault);
    const known = this.#know(user, mapped);
    this.#options.onPerson(
      {
        sourceId: user.id,
        uid: mapped.uid,
        name: mapped.name,
        details: JSON.stringify(mapped.details),
        record: JSON.stringify(user),
        isPlaceholder: user.isPlaceholder === true,
      },
      user,
    );
    return known;
  }

  #map(user: UserRecord): Mapped {
    const { hashed, mapping } = this.#options;
    const { mapped, fault } = mapPersonByMapping(user, mapping);
    if (!hashed?.has(user.id) || knownUid(user, mapping.rules, mapping.lookup) !== undefined) return { mapped, fault };
    const uid = uidWithHash(mapped.uid, user.id);
    return { mapped: { ...mapped, uid, details: { ...mapped.details, uid } }, fault };
  }

  #toKnown(user: UserRecord, { uid, name }: MappedPerson): KnownPerson {
    const { mapping, isFiltered } = this.#options;
    const { id, name: sourceName, handle, email } = user;
    return {
      sourceId: id,
      uid,
      name,
      isKnown: user.isPlaceholder !== true,
      isBot: user.isBot === true,
      isGuest: user.role === 'guest' || user.role === 'single-conversation-guest',
      isDeleted: user.isDeleted === true,
      isListed: mapping.lookup === undefined || knownUid(user, mapping.rules, mapping.lookup) !== undefined,
      filterNames: isFiltered ? foldedNames(id, uid, sourceName, handle, email) : [],
    };
  }
}
