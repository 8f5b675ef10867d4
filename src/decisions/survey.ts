import type { ExportInput } from '../io/input/export-input.ts';
import type { Entry } from '../model/entry.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../model/records.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { NotCarried } from '../sources/not-migrated.ts';
import { authorId } from '../plan/person-mapper.ts';
import { formatLocation } from '../lib/text/location.ts';
import type { Progress } from '../lib/flow/progress.ts';
import { type BeforeAfter, type ReadRequest, rowsWithMessages } from '../rows/rows-with-messages.ts';

/** A person whom no file of the export describes. */
export interface UnresolvedPerson {
  readonly id: string;
  /** As their own messages name them, else the id. */
  readonly name: string;
  /** Messages that they wrote. */
  readonly wrote: number;
  /** Messages that others wrote in a direct conversation with them. */
  readonly received: number;
}

export interface SurveyedConversation {
  readonly id: string;
  /** Absent if no file describes it. */
  readonly type?: ConversationRecord['type'];
  /** For a direct conversation, the names of its members; may be empty. */
  readonly name: string;
  readonly messageCount: number;
  readonly firstAtMs: number | null;
  readonly lastAtMs: number | null;
}

/** A row that cannot be read, and why. */
export interface InvalidRow {
  /** As locations are printed. */
  readonly place: string;
  readonly reason: string;
}

/** Who and what messages hang on. Most messages first, then by id. */
export interface Survey {
  readonly messageCount: number;
  readonly invalidCount: number;
  /** The first few rows that cannot be read. */
  readonly invalidRows: readonly InvalidRow[];
  readonly people: readonly UnresolvedPerson[];
  readonly conversations: readonly SurveyedConversation[];
  /** The first few messages, by which the user can check that they are read right. */
  readonly examples: readonly MessageRecord[];
  /** For tables: rows of different kinds, and the messages that they become. */
  readonly beforeAfter: readonly BeforeAfter[];
  /** Columns and fields that nothing reads, and in how many rows each has a value. */
  readonly notMigrated: ReturnType<NotCarried['list']>;
}

interface SurveyRequest {
  /** Parsed by the adapter's schema. */
  readonly sourceOptions: unknown;
  readonly workspace: string | undefined;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

const examplesMax = 3;
const invalidRowsMax = 5;

/** Messages among which another version is not counted again: some 10 MB. */
const latestMax = 100_000;

/**
 * Reads the export once and counts. Holds some 200 bytes per person and conversation, and 10 MB for the last messages.
 *
 * @throws SourceError
 */
export async function survey(
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  { progress, ...request }: SurveyRequest,
): Promise<Survey> {
  const counter = new Counter();
  const stage = progress.stage('Counting');
  const beforeAfter = await rowsWithMessages({ ...request, ...counter.reading, adapter, inputs, stage });
  return { ...counter.result(), beforeAfter };
}

interface PersonCount {
  name: string | undefined;
  isDescribed: boolean;
  wrote: number;
  received: number;
}

interface ConversationCount {
  type?: ConversationRecord['type'];
  name: string;
  /** Only for direct conversations. */
  members: readonly string[];
  messageCount: number;
  firstAtMs: number | null;
  lastAtMs: number | null;
}

/** Counts messages, and who wrote them. */
export class Counter {
  messageCount = 0;
  #invalidCount = 0;
  readonly invalidRows: InvalidRow[] = [];
  readonly #people = new Map<string, PersonCount>();
  readonly #conversations = new Map<string, ConversationCount>();
  readonly #notMigrated = new NotCarried();
  readonly #examples: MessageRecord[] = [];
  /** The last messages that were counted. */
  readonly #latest = new Set<string>();
  readonly #enough: number;

  /** @param enough Messages after which no more are read of an input. Default: all. */
  constructor(enough = Number.POSITIVE_INFINITY) {
    this.#enough = enough;
  }

  add(entry: Entry): void {
    if (entry.type === 'invalid') this.#addInvalid(entry);
    if (entry.type === 'problem') this.#notMigrated.note(entry);
    if (entry.type !== 'record') return;
    const { record } = entry;
    if (record.kind === 'message') this.#addMessage(record);
    else if (record.kind === 'conversation') this.#addConversation(record);
    else if (record.kind === 'user') this.#addUser(record);
  }

  /** Adds all that is read, and knows the names of people and conversations in it. */
  readonly reading: Pick<ReadRequest, 'nameOf' | 'typeOf' | 'count' | 'buildVisitor'> = {
    nameOf: (kind, id) => (kind === 'person' ? this.#people : this.#conversations).get(id)?.name,
    typeOf: (id) => this.#conversations.get(id)?.type,
    count: () => this.messageCount,
    buildVisitor: () => (entries) => {
      for (const entry of entries) this.add(entry);
      return this.messageCount >= this.#enough;
    },
  };

  result(): Omit<Survey, 'beforeAfter'> {
    const people = [...this.#people]
      .filter(([, { isDescribed, wrote, received }]) => !isDescribed && wrote + received > 0)
      .map(([id, { name, wrote, received }]) => ({ id, name: name ?? id, wrote, received }));
    const conversations = [...this.#conversations].map(([id, { members, ...counted }]) => {
      return { ...counted, id, name: counted.name || members.map((member) => this.#nameOf(member)).join(', ') };
    });
    return {
      messageCount: this.messageCount,
      invalidCount: this.#invalidCount,
      invalidRows: this.invalidRows,
      examples: this.#examples,
      notMigrated: this.#notMigrated.list(),
      people: people.sort((a, b) => b.wrote + b.received - a.wrote - a.received || compare(a.id, b.id)),
      conversations: conversations.sort((a, b) => b.messageCount - a.messageCount || compare(a.id, b.id)),
    };
  }

  #addInvalid({ location, reason }: Extract<Entry, { type: 'invalid' }>): void {
    this.#invalidCount++;
    if (this.invalidRows.length < invalidRowsMax) this.invalidRows.push({ place: formatLocation(location), reason });
  }

  #addUser({ id, name, isPlaceholder }: UserRecord): void {
    const person = this.#person(id);
    person.name ??= name;
    if (!isPlaceholder) person.isDescribed = true;
  }

  #addConversation({ id, type, name, members }: ConversationRecord): void {
    const conversation = this.#conversation(id);
    conversation.type = type;
    conversation.name = name;
    conversation.members = type === 'direct' ? members : [];
  }

  /** Lines that the platform wrote count for no person. */
  #addMessage(record: MessageRecord): void {
    const { origin, authorDetails, sentAtMs, systemEvent } = record;
    const author = authorId(record);
    if (systemEvent !== undefined || this.#isKnown(origin)) return;
    this.messageCount++;
    if (this.#examples.length < examplesMax) this.#examples.push(record);
    const writer = this.#person(author);
    writer.wrote++;
    writer.name ??= authorDetails?.name;
    const conversation = this.#conversation(origin.conversation);
    conversation.messageCount++;
    conversation.firstAtMs = Math.min(sentAtMs, conversation.firstAtMs ?? sentAtMs);
    conversation.lastAtMs = Math.max(sentAtMs, conversation.lastAtMs ?? sentAtMs);
    for (const member of conversation.members) if (member !== author) this.#person(member).received++;
  }

  /** Whether it is another version of a message that was counted: tables may have a row for each edit or reaction. */
  #isKnown({ conversation, id }: MessageRecord['origin']): boolean {
    const key = `${conversation}\n${id}`;
    if (this.#latest.has(key)) return true;
    this.#latest.add(key);
    if (this.#latest.size > latestMax) this.#latest.delete(this.#latest.values().next().value!);
    return false;
  }

  #nameOf(id: string): string {
    return this.#people.get(id)?.name ?? id;
  }

  #person(id: string): PersonCount {
    let person = this.#people.get(id);
    if (!person) {
      person = { name: undefined, isDescribed: false, wrote: 0, received: 0 };
      this.#people.set(id, person);
    }
    return person;
  }

  #conversation(id: string): ConversationCount {
    let conversation = this.#conversations.get(id);
    if (!conversation) {
      conversation = { name: '', members: [], messageCount: 0, firstAtMs: null, lastAtMs: null };
      this.#conversations.set(id, conversation);
    }
    return conversation;
  }
}

/** By code unit, so that the order does not depend on the machine. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
