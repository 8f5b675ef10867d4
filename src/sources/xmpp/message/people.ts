import type { Location } from '../../../lib/text/location.ts';
import type { Entry } from '../../../model/entry.ts';
import type { ConversationRecord, UserRecord } from '../../../model/records.ts';
import { Described } from '../../kit/described.ts';
import { recordEntry } from '../../kit/entries.ts';
import { nodeOf } from './addresses.ts';
import type { Where } from './where.ts';

/** Members of rooms, and names, that a file says. Memory: some 100 bytes for each. */
export class Directory {
  readonly #names = new Map<string, string>();
  readonly #members = new Map<string, Set<string>>();
  readonly #topics = new Map<string, { readonly text: string; readonly atMs: number }>();
  readonly #described = new Described();

  name(jid: string, name: string): void {
    this.#names.set(jid, name);
  }

  noteMembers(room: string, members: readonly string[]): void {
    const known = this.#members.get(room) ?? new Set();
    this.#members.set(room, known);
    for (const member of members) known.add(member);
  }

  noteTopic(room: string, text: string, atMs: number): void {
    if ((this.#topics.get(room)?.atMs ?? Number.NEGATIVE_INFINITY) <= atMs) this.#topics.set(room, { text, atMs });
  }

  /** People who gave their own name, before messages. */
  *named(path: string): Generator<Entry> {
    for (const id of this.#names.keys()) {
      const person = this.#person(id, undefined);
      if (this.#described.add(person) !== 'same') yield recordEntry(person, { path });
    }
  }

  /** Describes who and what a message names, as far as that is new. */
  describe(where: Where, others: readonly string[], location: Location, into: Entry[]): void {
    const members = where.kind === 'room' ? [...(this.#members.get(where.conversation) ?? [])] : where.members;
    for (const id of new Set([...where.members, ...others])) {
      const person = this.#person(id, where.nicks.get(id));
      if (this.#described.nameOf('user', id) === undefined && this.#described.add(person) !== 'same')
        into.push(recordEntry(person, location));
    }
    if (this.#described.nameOf('conversation', where.conversation) !== undefined) return;
    const topic = this.#topics.get(where.conversation)?.text;
    const record: ConversationRecord = {
      kind: 'conversation',
      id: where.conversation,
      members: [...members],
      ...(where.kind === 'room' ? { type: 'private', name: nodeOf(where.conversation) } : { type: 'direct', name: '' }),
      ...(topic !== undefined && topic !== '' && { topic }),
    };
    this.#described.add(record);
    into.push(recordEntry(record, location));
  }

  #person(id: string, nick: string | undefined): UserRecord {
    const name = this.#names.get(id);
    if (name !== undefined) return { kind: 'user', id, name };
    return { kind: 'user', id, name: nick || nodeOf(id), isPlaceholder: true };
  }
}
