import type { StagedPerson } from '../checkpoint/staging.ts';
import { foldedNames } from '../mapping/filter.ts';
import type { Mapping } from '../mapping/load-mapping.ts';
import { knownUid, type MappedPerson, mapPerson } from '../mapping/map-person.ts';
import type { PersonTraits } from '../mapping/draft-message.ts';
import { mapPersonByModule } from '../mapping/module.ts';
import { uidWithHash } from '../mapping/service-id.ts';
import type { MessageRecord, UserRecord } from '../model/records.ts';
import { mergedInto } from './merges.ts';

/** Somebody, as far as reading has come. */
export interface KnownPerson extends PersonTraits {
  /** The id of the export: of those that are merged, the first. */
  readonly sourceId: string;
  readonly uid: string;
  readonly name: string;
  /** Names by which a filter may call them; kept only where there is one. */
  readonly filterNames: readonly string[];
}

/** Everybody who was met, by the id under which they are staged. */
export interface KnownPeople {
  get(id: string): KnownPerson | undefined;
  set(id: string, known: KnownPerson): unknown;
}

export interface PersonMapperOptions {
  readonly people: KnownPeople;
  /** Somebody whom an earlier plan has met: nothing is staged for them, unless they are described again. */
  readonly storedPerson?: ((id: string) => UserRecord | undefined) | undefined;
  readonly mapping: Mapping;
  /** Whose uid gets a hash of their id, because others have it: ids at the source. Default nobody's. */
  readonly hashed?: ReadonlySet<string> | undefined;
  /** Whether a filter may ask for people by name. */
  readonly isFiltered: boolean;
  /** Gets everybody who is new, or described anew. */
  onPerson(person: StagedPerson, user: UserRecord): void;
  /** A module's step failed for somebody. */
  onFault(fault: string): void;
}

interface Mapped {
  readonly mapped: MappedPerson;
  /** What a module's step failed with: then it is as without it. */
  readonly fault?: string | undefined;
}

/** Who wrote messages whose export does not say: one placeholder for all of them. */
export const unknownAuthor = 'unknown';

/** Maps people, and makes up those whom messages name and no file describes. */
export class PersonMapper {
  readonly #options: PersonMapperOptions;
  readonly #mergedInto: ReadonlyMap<string, string> | undefined;

  constructor(options: PersonMapperOptions) {
    this.#options = options;
    this.#mergedInto = mergedInto(options.mapping.rules.people.merge);
  }

  /** The id under which somebody is staged: of accounts that are merged, the first. */
  idOf(userId: string): string {
    return this.#mergedInto?.get(userId) ?? userId;
  }

  /** Somebody who was met; nobody is made up. */
  find(userId: string): KnownPerson | undefined {
    return this.#find(this.idOf(userId));
  }

  /** Somebody whom a record names: a placeholder where nobody described them so far. */
  get(userId: string): KnownPerson {
    const id = this.idOf(userId);
    return this.#find(id) ?? this.#add({ kind: 'user', id, name: id, isPlaceholder: true });
  }

  /** A description. Of accounts that are merged only that of the first counts. */
  add(user: UserRecord): void {
    if (!this.#mergedInto?.has(user.id)) this.#add(user);
  }

  /** The author, with what the message says about itself where no file describes them. */
  author({ author, authorDetails }: MessageRecord): KnownPerson {
    const id = author === undefined ? unknownAuthor : this.idOf(author);
    const known = this.#find(id);
    // A placeholder that others only mentioned so far is called by its id: its own message knows more.
    const isNameless = known?.isKnown === false && known.name === id && authorDetails !== undefined;
    if (known && !isNameless) return known;
    return this.#add({
      kind: 'user',
      id,
      name: authorDetails?.name || (author ? id : 'Unknown author'),
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
    // What a module does not take was said when they were described.
    return stored && this.#know(stored, this.#map(stored).mapped);
  }

  #know(user: UserRecord, mapped: MappedPerson): KnownPerson {
    const known = this.#knownOf(user, mapped);
    this.#options.people.set(user.id, known);
    return known;
  }

  #add(user: UserRecord): KnownPerson {
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
    const { mapped, fault } = this.#mapByRules(user);
    const { hashed, mapping } = this.#options;
    if (!hashed?.has(user.id) || knownUid(user, mapping.rules, mapping.lookup) !== undefined) return { mapped, fault };
    const uid = uidWithHash(mapped.uid, user.id);
    return { mapped: { ...mapped, uid, details: { ...mapped.details, uid } }, fault };
  }

  #mapByRules(user: UserRecord): Mapped {
    const { rules, lookup, module } = this.#options.mapping;
    const ours = (given: UserRecord) => mapPerson(given, rules, lookup);
    return module?.mapPerson ? mapPersonByModule(user, module.mapPerson, rules, ours) : { mapped: ours(user) };
  }

  #knownOf(user: UserRecord, { uid, name }: MappedPerson): KnownPerson {
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
      filterNames: isFiltered ? foldedNames(id, uid, sourceName, handle, email) : noNames,
    };
  }
}

const noNames: readonly string[] = [];
