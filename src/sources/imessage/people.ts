import type { UserRecord } from '../../model/records.ts';
import { alikeNumbers } from '../kit/alike-numbers.ts';
import { asString } from '../kit/narrow.ts';
import { type DatabaseRow as Row, numberOf } from '../kit/rows/database-row.ts';
import { self } from './format.ts';

/** People by the addresses from which they write. */
export class People {
  readonly ownName: string;
  readonly #byHandle = new Map<number, string>();
  readonly #byAddress = new Map<string, string>();
  readonly #addresses = new Map<string, string[]>();

  /** @param handles In the order of their numbers: a person is called by the first address. */
  constructor(handles: Iterable<Row>, ownName: string) {
    this.ownName = ownName;
    const byCentricId = new Map<string, string>();
    for (const { rowid, id, person_centric_id } of handles) {
      const address = asString(id);
      const number = numberOf(rowid);
      if (address === undefined || number === undefined) continue;
      const centricId = asString(person_centric_id);
      const person =
        this.#byAddress.get(address) ?? (centricId === undefined ? undefined : byCentricId.get(centricId)) ?? address;
      if (centricId !== undefined && !byCentricId.has(centricId)) byCentricId.set(centricId, person);
      this.#byHandle.set(number, person);
      this.#add(address, person);
    }
  }

  /** The person of a handle's number; 0 is nobody's. */
  ofHandle(number: unknown): string | undefined {
    return this.#byHandle.get(numberOf(number) ?? 0);
  }

  /** The person with an address, which need not be that of a handle. */
  ofAddress = (address: string): string => this.#byAddress.get(address) ?? address;

  nameOf(person: string | undefined): string {
    if (person === undefined) return 'Unknown';
    return person === self ? this.ownName : person;
  }

  *records(): Generator<UserRecord> {
    yield { kind: 'user', id: self, name: this.ownName };
    for (const [id, addresses] of this.#addresses) {
      const mail = addresses.find((address) => address.includes('@'));
      yield {
        kind: 'user',
        id,
        name: id,
        ...(mail !== undefined && { email: mail }),
        ...(addresses.length > 1 && { metadata: { addresses } }),
      };
    }
  }

  /** Addresses that the database says to be one person. */
  merged(): readonly (readonly string[])[] {
    return [...this.#addresses.values()].filter((addresses) => addresses.length > 1);
  }

  /** People whose telephone numbers end alike. */
  alike(): readonly (readonly string[])[] {
    return alikeNumbers(this.#byAddress);
  }

  #add(address: string, person: string): void {
    if (this.#byAddress.has(address)) return;
    this.#byAddress.set(address, person);
    const known = this.#addresses.get(person);
    if (known) known.push(address);
    else this.#addresses.set(person, [address]);
  }
}
