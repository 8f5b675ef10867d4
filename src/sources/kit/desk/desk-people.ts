import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { UserRecord } from '../../../model/records.ts';
import { Described } from '../described.ts';

/**
 * People of a help desk. A list of people takes precedence over the data next to a message, whatever file comes first in the export: lists
 * are read before messages.
 *
 *     const people = new DeskPeople();
 *     people.list(agent, location, into); // of a file of agents
 *     people.inFile().see(author, location, into); // next to a message
 *
 * Memory: about 60 bytes for each person of a list, and what `Described` holds for each file.
 */
export class DeskPeople {
  readonly #listed: Set<string>;
  readonly #described = new Described();

  constructor(listed = new Set<string>()) {
    this.#listed = listed;
  }

  /** For one file of messages: its records must not depend on the files before it. */
  inFile(): DeskPeople {
    return new DeskPeople(this.#listed);
  }

  list(person: UserRecord, location: Location, into: Entry[]): void {
    this.#listed.add(person.id);
    this.#described.describe(person, location, into);
  }

  /** A person without a name, who is called by the id, takes no name away. */
  see(person: UserRecord, location: Location, into: Entry[]): void {
    const isNameless = person.name === person.id && this.#described.nameOf('user', person.id) !== undefined;
    if (isNameless || this.#listed.has(person.id)) return;
    this.#described.describe(person, location, into);
  }
}
