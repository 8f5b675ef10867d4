import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import type { Entry } from '../../model/entry.ts';
import { recordEntry } from '../kit/entries.ts';
import { idByName } from '../kit/message-names.ts';
import { asArray, asObject, asString } from '../kit/narrow.ts';
import type { Directory } from './directory.ts';
import { idOf, type RocketMessage, type RocketPerson } from './format.ts';

const seenMax = 20_000;

/** Who a file of messages speaks of: those whom nothing else describes, and names that people had before. */
export class People {
  readonly #directory: Directory;
  /** Ids by usernames, and names by ids, of what the directory does not have. */
  readonly #ids = new PackedMap();
  readonly #names = new PackedMap();
  /** Usernames by ids. */
  readonly #seen = new Map<string, string>();

  constructor(directory: Directory) {
    this.#directory = directory;
  }

  /** Remembers by which names a row calls people. */
  learn(value: unknown): void {
    const row = asObject<RocketMessage>(value) ?? {};
    for (const one of [row.u, row.editedBy, ...asArray(row.mentions)]) {
      const person = asObject<RocketPerson>(one);
      this.#remember(idOf(person?._id), asString(person?.username));
    }
  }

  #remember(id: string | undefined, username: string | undefined): void {
    if (id !== undefined && username !== undefined && this.idOfUsername(username) === undefined)
      this.#ids.set(username, id);
  }

  /**
   * Describes a person unless already described.
   *
   * @returns their id.
   */
  see(value: unknown, location: Location, into: Entry[], isBot = false): string | undefined {
    const person = asObject<RocketPerson>(value);
    const handle = asString(person?.username);
    const id = idOf(person?._id) ?? idByName('name', handle ?? asString(person?.name));
    if (person === undefined || id === undefined) return undefined;
    // Nearly every row is by a person already seen under the same name.
    if (handle !== undefined && this.#seen.get(id) === handle) return id;
    if (this.#seen.size >= seenMax) this.#seen.clear();
    this.#seen.set(id, handle ?? '');
    this.#remember(id, handle);
    if (this.nameOf(id) !== undefined) return id;
    const name = asString(person.name) ?? handle ?? id;
    this.#names.set(id, name);
    const record = { kind: 'user', id, name, ...(handle && { handle }), ...(isBot && { isBot }) } as const;
    into.push(recordEntry(record, location));
    return id;
  }

  nameOf(id: string): string | undefined {
    return this.#directory.nameOf(id) ?? this.#names.get(id);
  }

  idOfUsername(username: string): string | undefined {
    return this.#directory.idOfUsername(username) ?? this.#ids.get(username);
  }
}
