import type { UserRecord } from '../../model/records.ts';
import { asString } from '../kit/narrow.ts';
import { type DatabaseRow, numberOf } from '../kit/rows/database-row.ts';
import { bareName, self } from './format.ts';
import type { ViberOptions } from './options.ts';

interface Person {
  readonly id: string;
  name: string;
  readonly isListed: boolean;
}

/** Rows of the tables that describe people. */
export interface PeopleRows {
  readonly contacts: Iterable<DatabaseRow>;
  /** Names by number, of older databases. */
  readonly numbers: Iterable<DatabaseRow>;
  /** Number of the contact that wrote what was sent. */
  readonly ownContact: number | undefined;
}

/** People: contacts, or in older databases numbers. Memory: some 300 bytes each. */
export class People {
  readonly #byContact = new Map<number, string>();
  readonly #byMember = new Map<string, string>();
  readonly #all = new Map<string, Person>();
  #ownName: string;
  /** Whether a contact is known to be oneself. */
  isOwnKnown = false;

  constructor({ contacts, numbers, ownContact }: PeopleRows, options: ViberOptions) {
    this.#ownName = options.me;
    const ownDigits = digitsOf(options.number);
    for (const row of contacts) this.#addContact(row, { ownContact, ownDigits });
    for (const row of numbers) this.#addNumber(row);
    this.#ownName ||= 'Me';
  }

  /** The person of a row, by the number of the contact or by the telephone number. */
  of({ ContactID, Number: number }: DatabaseRow): string | undefined {
    const contact = numberOf(ContactID);
    if (contact !== undefined) return this.#byContact.get(contact);
    const address = asString(number);
    if (address === undefined) return undefined;
    if (!this.#all.has(address)) this.#all.set(address, { id: address, name: address, isListed: false });
    return address;
  }

  /** The person with an id of Viber. */
  ofMember = (id: unknown): string | undefined => (typeof id === 'string' ? this.#byMember.get(id) : undefined);

  nameOf(person: string | undefined): string {
    if (person === undefined) return 'Unknown';
    return person === self ? this.#ownName : (this.#all.get(person)?.name ?? person);
  }

  *records(): Generator<UserRecord> {
    yield { kind: 'user', id: self, name: this.#ownName };
    for (const { id, name, isListed } of this.#all.values())
      yield { kind: 'user', id, name, ...(!isListed && { isPlaceholder: true }) };
  }

  #addContact(row: DatabaseRow, own: { ownContact: number | undefined; ownDigits: string }): void {
    const contact = numberOf(row.ContactID);
    if (contact === undefined) return;
    const number = asString(row.Number);
    const name = bareName(row.Name) ?? bareName(row.ClientName);
    const isOwn =
      own.ownDigits === '' ? contact === own.ownContact : number !== undefined && digitsOf(number) === own.ownDigits;
    const id = isOwn ? self : (number ?? asString(row.MID) ?? `contact-${contact}`);
    this.#byContact.set(contact, id);
    const member = asString(row.MID);
    if (member !== undefined) this.#byMember.set(member, id);
    if (isOwn) {
      this.isOwnKnown = true;
      this.#ownName ||= name ?? '';
    } else if (isNamed(row) && !this.#all.has(id)) this.#all.set(id, { id, name: name ?? id, isListed: true });
  }

  #addNumber({ Number: number, name, clientName }: DatabaseRow): void {
    const id = asString(number);
    if (id === undefined) return;
    const shown = bareName(name) ?? bareName(clientName);
    const known = this.#all.get(id);
    if (!known) this.#all.set(id, { id, name: shown ?? id, isListed: true });
    else if (known.name === id && shown !== undefined) known.name = shown;
  }
}

/** In older databases a contact has names alone: its numbers are the people. */
const isNamed = (row: DatabaseRow): boolean =>
  row.Number !== null || row.MID !== null || (row.FirstName === null && row.SecondName === null);

const digitsOf = (number: string): string => number.replace(/\D/g, '');
