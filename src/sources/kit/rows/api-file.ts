import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { UserRecord } from '../../../model/records.ts';
import type { DeskPeople } from '../desk/desk-people.ts';
import { invalidEntry, problemEntry } from '../entries.ts';
import { CountedProblems } from './counted-problems.ts';
import type { BadRow, GoodRow, JsonFile } from './json-entries.ts';
import { type Inside, readInside } from './row-boundary.ts';

/** A file of saved answers, and what its rows need. */
export interface ApiFileFacts<Layout, Directory> {
  readonly path: string;
  readonly layout: Layout;
  readonly workspace: string;
  /** Facts from other files of the export. */
  readonly directory: Directory;
  /** A row that cannot be read is an invalid row, as it may have been a message. Otherwise it is a problem. */
  readonly hasMessages: boolean;
  /** Of `counts`, in the order in which the file says them at its end. */
  readonly codes: readonly string[];
}

/**
 * The rows of a file of saved answers. A source extends it with what its rows are:
 *
 *     class RowsFile extends ApiFile<Layout, Directory> {
 *       add({ value, location }: GoodRow, into: Entry[]): undefined {
 *         const ticket = asObject<Ticket>(value) ?? {};
 *         const id = asId(ticket.id);
 *         if (id === undefined) into.push(this.bad('missing-id', 'Expected a ticket with an "id"', location));
 *         else this.each(asArray(ticket.comments), { into, location, under: '/comments', conversation: id }, (comment, at) => …);
 *       }
 *     }
 *     readJsonEntries(input, path, layout.at, new RowsFile({ path, layout, workspace, directory, hasMessages, codes }));
 */
export abstract class ApiFile<Layout, Directory extends { readonly people: DeskPeople }> implements JsonFile {
  readonly path: string;
  readonly layout: Layout;
  readonly workspace: string;
  readonly directory: Directory;
  readonly hasMessages: boolean;
  readonly counts: CountedProblems;
  /** Those of a file of messages are its own: what it says must not depend on the files before it. */
  readonly people: DeskPeople;

  constructor({ path, layout, workspace, directory, hasMessages, codes }: ApiFileFacts<Layout, Directory>) {
    this.path = path;
    this.layout = layout;
    this.workspace = workspace;
    this.directory = directory;
    this.hasMessages = hasMessages;
    this.counts = new CountedProblems(...codes);
    this.people = hasMessages ? directory.people.inFile() : directory.people;
  }

  abstract add(row: GoodRow, into: Entry[]): Promise<void> | undefined;

  /** A value between the lists is no row. */
  addFault({ fault, location }: BadRow, into: Entry[]): void {
    if (fault.scope !== 'no-row') into.push(this.bad(fault.code, fault.reason, location));
  }

  end(): readonly Entry[] {
    return this.counts.ended(this.path);
  }

  bad(code: string, reason: string, location: Location, conversation?: string): Entry {
    return this.hasMessages ? invalidEntry(code, reason, location, conversation) : problemEntry(code, reason, location);
  }

  /** Reads the elements of a list inside of a row. One that throws costs none of the others. */
  each(values: readonly unknown[], inside: Inside, read: (value: unknown, at: Location, index: number) => void): void {
    readInside(values, { ...inside, isList: !this.hasMessages }, read);
  }

  /** Adds a person of a list, or next to messages. @returns false, and says `reason`, if the row is none. */
  addPerson(person: UserRecord | undefined, reason: string, location: Location, into: Entry[]): boolean {
    if (person === undefined) into.push(problemEntry('user-without-id', reason, location));
    else if (this.hasMessages) this.people.see(person, location, into);
    else this.people.list(person, location, into);
    return person !== undefined;
  }
}
