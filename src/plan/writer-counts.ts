import { IdCounts } from '../lib/maps/id-counts.ts';
import type { Counted, NameKind } from '../model/reading-result.ts';
import { unknownAuthor } from '../mapping/ids.ts';

export interface Writer {
  readonly id: number;
  readonly sourceId: string;
  readonly name: string;
  readonly email: string | null | undefined;
  /** By which the platform shows them. */
  readonly handle: string | null | undefined;
  readonly isBot: boolean;
  /** No file of the export describes this person. */
  readonly isPlaceholder: boolean;
}

export interface Named {
  /** Everybody, also those who did not write. */
  readonly people: Iterable<Writer>;
  /** Conversations of two people, by the export: numbers. */
  readonly direct: Iterable<number>;
  conversationName(id: number): string;
  /** Whether an id is the name of a person. */
  isName(sourceId: string): boolean;
}

/** Names that are shown. */
const topMax = 8;

/** A share of a conversation over which one person is its voice, and the messages from which it may have one. */
const voiceShare = 0.6;
const voiceMin = 3;

/** For each conversation: its messages, how many wrote, the most that one person wrote, and who. */
const width = 4;

/** Who wrote how much, by numbers of people and conversations from 1. Takes 16 bytes a conversation and 8 a person, and twice that while it grows. */
export class WriterCounts {
  #conversations = new Uint32Array(width * 1024);
  #conversationMax = 0;
  readonly #people = new IdCounts();

  /** Each pair of a conversation and a person once, in any order. */
  add(conversation: number, person: number, count: number): void {
    if (count === 0) return;
    const at = conversation * width;
    if (at >= this.#conversations.length) this.#grow(at + width);
    this.#conversationMax = Math.max(this.#conversationMax, conversation);
    const counts = this.#conversations;
    counts[at]! += count;
    counts[at + 1]!++;
    if (count > counts[at + 2]!) {
      counts[at + 2] = count;
      counts[at + 3] = person;
    }
    this.#people.add(person, count);
  }

  result(named: Named) {
    const conversations = { count: 0, ofTwo: 0, oneMessage: 0, oneWriter: 0 };
    const sizes = new IdCounts();
    const voices = new IdCounts();
    const direct = new IdCounts();
    for (const id of named.direct) direct.add(id);
    let messages = 0;
    for (let id = 0; id <= this.#conversationMax; id++) {
      const [count, writers, most, person] = this.#conversations.subarray(id * width, (id + 1) * width);
      if (!count) continue;
      messages += count;
      sizes.add(id, count);
      conversations.count++;
      if (direct.has(id) || writers === 2) conversations.ofTwo++;
      if (count === 1) conversations.oneMessage++;
      if (writers === 1) conversations.oneWriter++;
      if (count >= voiceMin && most! > count * voiceShare) voices.add(person!);
    }
    const top = sizes.most(topMax).map(({ id, count }): Counted => ({ name: named.conversationName(id), count }));
    const { voice, ...people } = this.#judgePeople(named, voices);
    return { messages, people, conversations: { ...conversations, top, voice } };
  }

  #judgePeople({ people, isName }: Named, voices: IdCounts) {
    const names = { name: 0, id: 0, hash: 0, mail: 0, local: 0 };
    const counts = { described: 0, once: 0, unknown: 0, nobody: 0, twice: 0 };
    const shown = this.#people.most(topMax);
    const shownNames = new Map<number, string>();
    let voice: Counted | null = null;
    for (const person of people) {
      if (!person.isPlaceholder) counts.described++;
      const wrote = this.#people.of(person.id);
      if (wrote === 0) continue;
      const { id, sourceId, name } = person;
      names[isName(sourceId) ? 'name' : nameKind(person)]++;
      if (wrote === 1) counts.once++;
      if (isUnknown(person) && !isName(sourceId)) counts.unknown += wrote;
      if (person.isPlaceholder && isNobody(sourceId)) counts.nobody += wrote;
      const led = voices.of(id);
      if (!person.isBot && led > (voice?.count ?? 0)) voice = { name, count: led };
      if (shown.some((one) => one.id === id)) shownNames.set(id, name);
    }
    const top = shown.map(({ id, count }): Counted => ({ name: shownNames.get(id) ?? '', count }));
    return { wrote: this.#people.size, top, names, ...counts, voice };
  }

  #grow(length: number): void {
    const counts = new Uint32Array(Math.max(length, this.#conversations.length * 2));
    counts.set(this.#conversations);
    this.#conversations = counts;
  }
}

export const mostFirst = (counts: readonly Counted[]): readonly Counted[] =>
  counts.toSorted((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));

/** Whether the export neither describes nor names somebody. */
export const isUnknown = ({ isPlaceholder, name, sourceId }: Writer): boolean =>
  isPlaceholder && (name === sourceId || sourceId === unknownAuthor);

/** Ids by which systems, visitors and deleted people go. */
export const isNobody = (sourceId: string): boolean =>
  ['', '0', '-1', unknownAuthor].includes(sourceId.slice(sourceId.lastIndexOf(':') + 1));

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** The kind of a name: a name, or a value that a table has in the place of one. */
function nameKind({ name, sourceId, email, handle }: Omit<Writer, 'id' | 'isBot' | 'isPlaceholder'>): NameKind {
  const text = name.trim();
  if (!/\s/.test(text)) {
    if (isAddress(text)) return 'mail';
    if (email && handle !== text && email.slice(0, email.lastIndexOf('@')) === text) return 'local';
  }
  if (uuid.test(text) || /^(?:[\da-f]{16}|[\da-f]{24,})$/i.test(text) || isMixed(text)) return 'hash';
  if (!/\p{L}/u.test(text)) return isPhone(text) || !/\d/.test(text) ? 'name' : 'id';
  return text === sourceId && /\d.*\p{L}|\d{5}/su.test(text) ? 'id' : 'name';
}

const isAddress = (text: string): boolean => {
  const at = text.indexOf('@');
  return at > 0 && text.indexOf('.', at) > at + 1;
};

/** The platform shows it so: `+49 170 1234567`. */
const isPhone = (text: string): boolean =>
  text.startsWith('+') || (/\d[\s()-]+\d/.test(text) && text.replace(/\D/g, '').length > 6);

/** Base64 and the like: long, in one word, with digits and both cases. */
const isMixed = (text: string): boolean =>
  text.length >= 20 && /^[\w+/=-]+$/.test(text) && /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
