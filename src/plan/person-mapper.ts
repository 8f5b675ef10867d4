import type { StagedPerson } from '../checkpoint/staging/staged-item.ts';
import { foldedNames } from '../mapping/filter/filter.ts';
import type { Mapping } from '../mapping/rules/load-rules.ts';
import { knownUid, type MappedPerson, mapPerson } from '../mapping/map-person.ts';
import type { PersonTraits } from '../mapping/message/draft-message.ts';
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

export interface PersonMapperOptions {
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

/** Who wrote messages whose export does not say: one placeholder for all of them. */
export const unknownAuthor = 'unknown';

/** Maps people, and makes up those whom messages name and no file describes. About 200 bytes for each in memory. */
export class PersonMapper {
  readonly #options: PersonMapperOptions;
  readonly #people = new Map<string, KnownPerson>();
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
    return this.#people.get(this.idOf(userId));
  }

  /** Somebody whom a record names: a placeholder where nobody described them so far. */
  get(userId: string): KnownPerson {
    const id = this.idOf(userId);
    return this.#people.get(id) ?? this.#add({ kind: 'user', id, name: id, isPlaceholder: true });
  }

  /** Somebody whom an earlier plan has met: nothing is staged, unless they are described again. */
  know(user: UserRecord): void {
    this.#people.set(user.id, this.#knownOf(user, this.#map(user)));
  }

  /** A description. Of accounts that are merged only that of the first counts. */
  add(user: UserRecord): void {
    if (!this.#mergedInto?.has(user.id)) this.#add(user);
  }

  /** The author, with what the message says about itself where no file describes them. */
  author({ author, authorDetails }: MessageRecord): KnownPerson {
    const id = author === undefined ? unknownAuthor : this.idOf(author);
    const known = this.#people.get(id);
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

  #add(user: UserRecord): KnownPerson {
    const mapped = this.#map(user);
    const known = this.#knownOf(user, mapped);
    this.#people.set(user.id, known);
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

  #map(user: UserRecord): MappedPerson {
    const mapped = this.#mapByRules(user);
    const { hashed, mapping } = this.#options;
    if (!hashed?.has(user.id) || knownUid(user, mapping.rules, mapping.lookup) !== undefined) return mapped;
    const uid = uidWithHash(mapped.uid, user.id);
    return { ...mapped, uid, details: { ...mapped.details, uid } };
  }

  #mapByRules(user: UserRecord): MappedPerson {
    const { rules, lookup, module } = this.#options.mapping;
    const ours = (given: UserRecord) => mapPerson(given, rules, lookup);
    if (!module?.mapPerson) return ours(user);
    const { mapped, fault } = mapPersonByModule(user, module.mapPerson, rules, ours);
    if (fault !== undefined) this.#options.onFault(fault);
    return mapped;
  }

  #knownOf(user: UserRecord, { uid, name }: ReturnType<typeof mapPerson>): KnownPerson {
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
