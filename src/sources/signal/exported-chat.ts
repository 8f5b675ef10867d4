import type { Location } from '../../lib/location.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord } from '../../model/records.ts';
import { Seen } from '../kit/described.ts';
import { recordEntry } from '../kit/entries.ts';

/** As signal-export writes whoever uses the program. */
const ownName = 'Me';

/** How signal-export writes that it does not know who it was. */
const nobody: ReadonlySet<string> = new Set(['No-Sender', 'None', '']);

/**
 * A chat of signal-export: its folder says how it is called, which is the other person's name in a chat of two. That it is one is known
 * where the file ends: then it is described once more.
 */
export class ExportedChat {
  readonly id: string;
  readonly #me: string;
  readonly #people = new Seen();
  readonly #authors = new Set<string>();
  #first: Location | undefined;

  /** @param me The user's own name, where it is given. */
  constructor(id: string, me: string) {
    this.id = id;
    this.#me = me;
  }

  /** Before each message. */
  begin(location: Location, into: Entry[]): void {
    if (this.#first !== undefined) return;
    this.#first = location;
    into.push(
      recordEntry({ kind: 'conversation', id: this.id, type: 'private', name: this.id, members: [] }, location),
    );
  }

  /** @returns who wrote it. */
  author(name: string, location: Location, into: Entry[]): string | undefined {
    if (nobody.has(name)) return undefined;
    // A third one is enough.
    if (this.#authors.size < 3) this.#authors.add(name);
    return this.person(name, location, into);
  }

  person(name: string, location: Location, into: Entry[]): string {
    if (!this.#people.add(name)) return name;
    into.push(
      recordEntry({ kind: 'user', id: name, name: name === ownName && this.#me !== '' ? this.#me : name }, location),
    );
    return name;
  }

  end(into: Entry[]): void {
    const others = [...this.#authors].filter((name) => name !== ownName);
    if (this.#first === undefined || others.length !== 1 || others[0] !== this.id) return;
    this.person(ownName, this.#first, into);
    const direct: ConversationRecord = {
      kind: 'conversation',
      id: this.id,
      type: 'direct',
      name: '',
      members: [ownName, this.id],
    };
    into.push(recordEntry(direct, this.#first));
  }
}
