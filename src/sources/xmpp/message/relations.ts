import { PackedMap } from '../../../lib/maps/packed-map.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { Attachment, Reaction } from '../../../model/records.ts';
import type { LostPart } from '../../../model/lost-parts.ts';
import type { About } from './kinds.ts';

/** A stanza about another message, as it is held. */
export interface Relation {
  readonly kind: About['kind'];
  readonly conversation: string;
  readonly target: string;
  /** Its own id, the same in each copy. */
  readonly id: string;
  readonly speaker: string;
  readonly author: string | undefined;
  readonly atMs: number;
  readonly location: Location;
  /** For a deletion: the room did it. */
  readonly isByRoom?: boolean;
  readonly emoji?: readonly string[];
  readonly text?: string;
  readonly attachments?: readonly Attachment[];
  readonly lost?: Readonly<Partial<Record<LostPart, number>>>;
  /** For a correction: what it needs to be a message by itself. */
  readonly alone?: {
    readonly kind: 'direct' | 'room';
    readonly members: readonly string[];
    readonly nicks: readonly (readonly [string, string])[];
    readonly sortKey: string;
  };
}

interface Stored extends Relation {
  /** Number of the relation before it that belongs to the same message; -1 for none. */
  readonly before: number;
  /** How many came before it. */
  readonly rank: number;
}

/** Relations of one message: further ones are counted. */
const ofOneMax = 1000;

/** A message to which relations may belong. */
export interface Target {
  readonly conversation: string;
  readonly names: readonly string[];
  readonly speaker: string;
  readonly atMs: number;
  readonly id: string;
}

/**
 * Corrections, deletions and reactions of a file, and the names of messages that are answered. Memory: some 400 bytes for each of
 * them, and the text of a correction; nothing for a message.
 */
export class Relations {
  readonly #last = new PackedMap();
  readonly #rows = new PackedMap();
  /** Corrections by their own ids: programs may mean a message by the id of its latest version. */
  readonly #roots = new PackedMap();
  /** Names of messages that are answered; their ids once they are seen. */
  readonly #answered = new PackedMap();
  #count = 0;
  #isHere = new Uint8Array(1024);
  /** Corrections whose messages were seen. */
  correctedCount = 0;
  /** Relations that are not held. */
  furtherCount = 0;

  /** @param name Of the stanza itself. */
  add(relation: Relation, name: string | undefined): void {
    const { conversation } = relation;
    const target = this.#rootOf(conversation, relation.target);
    const key = keyOf(conversation, target);
    const before = Number(this.#last.get(key) ?? -1);
    const rank = before === -1 ? 0 : this.#rowAt(before).rank + 1;
    // A deletion always counts: without it the message would be sent.
    if (rank >= ofOneMax && relation.kind !== 'deletion') {
      this.furtherCount += 1;
      return;
    }
    this.#rows.set(String(this.#count), JSON.stringify({ ...relation, target, before, rank }));
    this.#last.set(key, String(this.#count));
    if (relation.kind === 'edit' && name !== undefined) this.#roots.set(keyOf(conversation, name), target);
    this.#count += 1;
    if (this.#count <= this.#isHere.length) return;
    const marks = new Uint8Array(2 * this.#isHere.length);
    marks.set(this.#isHere);
    this.#isHere = marks;
  }

  answer(conversation: string, target: string): void {
    this.#answered.set(keyOf(conversation, this.#rootOf(conversation, target)), '');
  }

  /** Id of the message that is answered, if it came before. */
  answeredId(conversation: string, target: string): string | undefined {
    return this.#answered.get(keyOf(conversation, this.#rootOf(conversation, target))) || undefined;
  }

  /** Returns the relations of a message, each once, in order of time. Only its sender corrects it; its sender or the room deletes it. */
  of(message: Target): readonly Relation[] {
    const found = new Map<string, Relation>();
    for (const name of message.names) {
      const key = keyOf(message.conversation, name);
      if (this.#answered.get(key) === '') this.#answered.set(key, message.id);
      for (let number = Number(this.#last.get(key) ?? -1); number >= 0; ) {
        const row = this.#rowAt(number);
        if (isOf(row, message)) {
          const isNew = !found.has(row.id);
          if (isNew && row.kind === 'edit' && this.#isHere[number] === 0) this.correctedCount += 1;
          this.#isHere[number] = 1;
          if (isNew) found.set(row.id, row);
        }
        number = row.before;
      }
    }
    return found.size === 0 ? [] : [...found.values()].sort((a, b) => a.atMs - b.atMs);
  }

  /** Those of messages that the file does not have. */
  *left(): Generator<Relation> {
    for (let number = 0; number < this.#count; number++) if (this.#isHere[number] === 0) yield this.#rowAt(number);
  }

  #rowAt(number: number): Stored {
    return JSON.parse(this.#rows.get(String(number))!) as Stored;
  }

  #rootOf(conversation: string, name: string): string {
    return this.#roots.get(keyOf(conversation, name)) ?? name;
  }
}

const keyOf = (conversation: string, name: string): string => `${conversation}\n${name}`;

function isOf(row: Relation, message: Target): boolean {
  if (row.kind === 'reaction') return true;
  if (row.atMs < message.atMs) return false;
  return row.speaker === message.speaker || row.isByRoom === true;
}

/** Each person's latest reactions count: they replace those before. */
export function reactionsIn(relations: readonly Relation[]): readonly Reaction[] {
  const latest = new Map<string, readonly string[]>();
  for (const { kind, author, emoji } of relations)
    if (kind === 'reaction' && author !== undefined) latest.set(author, emoji ?? []);
  const users = new Map<string, string[]>();
  for (const [author, all] of latest) for (const emoji of all) users.set(emoji, [...(users.get(emoji) ?? []), author]);
  return [...users].map(([emoji, who]) => ({ emoji, users: who, count: who.length }));
}
