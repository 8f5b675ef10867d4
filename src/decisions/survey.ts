import type { ExportInput } from '../io/input/export-input.ts';
import type { Entry } from '../model/entry.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../model/records.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { NotCarried } from '../sources/not-migrated.ts';
import { authorId, unknownAuthor, unknownAuthorName } from '../mapping/ids.ts';
import { joinSeen, Looks, usualTimes } from '../plan/looks.ts';
import { mostFirst, WriterCounts } from '../plan/writer-counts.ts';
import { Latest } from '../lib/maps/latest.ts';
import { PairCounts } from '../lib/maps/pair-counts.ts';
import { systemClock } from '../lib/flow/clock.ts';
import { skipRule } from '../mapping/message.ts';
import { defaultRules } from '../mapping/rules.ts';
import type { ReadingResult } from '../model/reading-result.ts';
import { isTableSource, type TableContext } from '../sources/table-source.ts';
import { formatLocation } from '../lib/text/location.ts';
import type { Progress } from '../lib/flow/progress.ts';
import { type BeforeAfter, type ReadRequest, rowsWithMessages } from '../rows/rows-with-messages.ts';

/** A person whom no file of the export describes. */
export interface UnresolvedPerson {
  readonly id: string;
  /** As their own messages name them, else the id. */
  readonly name: string;
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
  /** The fate of the rows by a mapping that leaves all rules as they are. */
  readonly reading: ReadingResult;
  /** For tables: rows of different kinds, and the messages that they become. */
  readonly beforeAfter: readonly BeforeAfter[];
  /** Columns and fields that nothing reads, and in how many rows each has a value. */
  readonly notMigrated: ReturnType<NotCarried['list']>;
  /** Whether a table has more rows than were read: then all of this is of the first ones, and names of people may be missing. */
  readonly isCut: boolean;
}

interface SurveyRequest {
  /** Parsed by the adapter's schema. */
  readonly sourceOptions: unknown;
  readonly workspace: string | undefined;
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly onWord?: TableContext['onWord'];
}

/** Rows of each table: some 5 s of messages. */
const rowsMax = 100_000;
const examplesMax = 3;
const invalidRowsMax = 5;

/** Messages among which another version is not counted again: some 10 MB for twice as many. */
const latestMin = 50_000;

/**
 * Reads the export once and counts; of large tables the first rows. Holds some 200 bytes per person and conversation, and 10 MB for the last messages.
 *
 * @throws SourceError
 */
export async function survey(
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  { progress, ...request }: SurveyRequest,
): Promise<Survey> {
  const counter = new Counter(Number.POSITIVE_INFINITY, adapter);
  const stage = progress.stage('Counting');
  let isCut = false;
  const onCut = () => {
    isCut = true;
  };
  const look = { rowsMax, onCut };
  const beforeAfter = await rowsWithMessages({ ...request, ...counter.reading, look, adapter, inputs, stage });
  return { ...counter.result(), beforeAfter, isCut };
}

interface PersonCount {
  readonly number: number;
  email?: string | undefined;
  handle?: string | undefined;
  isBot: boolean;
  name: string | undefined;
  isDescribed: boolean;
  wrote: number;
  received: number;
}

interface ConversationCount {
  readonly number: number;
  type?: ConversationRecord['type'];
  name: string;
  /** Only for direct conversations. */
  members: readonly string[];
  messageCount: number;
  firstAtMs: number | null;
  lastAtMs: number | null;
}

export class Counter {
  messageCount = 0;
  #invalidCount = 0;
  #input = 0;
  readonly invalidRows: InvalidRow[] = [];
  readonly #people = new Map<string, PersonCount>();
  readonly #conversations = new Map<string, ConversationCount>();
  readonly #notMigrated = new NotCarried();
  readonly #examples: MessageRecord[] = [];
  readonly #latest = new Latest<string, true>(latestMin);
  readonly #enough: number;
  readonly #outcome: Outcome;

  /** @param enough Messages after which no more are read of an input. Default: all. */
  constructor(enough = Number.POSITIVE_INFINITY, adapter?: SourceAdapter) {
    this.#enough = enough;
    this.#outcome = new Outcome(adapter);
  }

  add(entry: Entry): void {
    if (entry.type === 'invalid') this.#addInvalid(entry);
    if (entry.type === 'problem') this.#notMigrated.note(entry);
    if (entry.type === 'skipped') this.#outcome.skip(entry.rule);
    if (entry.type !== 'record') return;
    const { record } = entry;
    this.#outcome.looks.add(record, this.#input);
    if (record.kind === 'message') this.#addMessage(record);
    else if (record.kind === 'conversation') this.#addConversation(record);
    else if (record.kind === 'user') this.#addUser(record);
  }

  /** Adds all that is read, and knows the names of people and conversations in it. */
  readonly reading: Pick<ReadRequest, 'nameOf' | 'typeOf' | 'count' | 'buildVisitor'> = {
    nameOf: (kind, id) => (kind === 'person' ? this.#people : this.#conversations).get(id)?.name,
    typeOf: (id) => this.#conversations.get(id)?.type,
    count: () => this.messageCount,
    buildVisitor: () => {
      this.#input++;
      return (entries) => {
        for (const entry of entries) this.add(entry);
        return this.messageCount >= this.#enough;
      };
    },
  };

  result(): Omit<Survey, 'beforeAfter' | 'isCut'> {
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
      reading: this.#outcome.result(this.#invalidCount, this.#people, this.#conversations),
      people: people.sort((a, b) => b.wrote + b.received - a.wrote - a.received || compare(a.id, b.id)),
      conversations: conversations.sort((a, b) => b.messageCount - a.messageCount || compare(a.id, b.id)),
    };
  }

  #addInvalid({ location, reason }: Extract<Entry, { type: 'invalid' }>): void {
    this.#invalidCount++;
    if (this.invalidRows.length < invalidRowsMax) this.invalidRows.push({ place: formatLocation(location), reason });
  }

  #addUser({ id, name, email, handle, isBot, isPlaceholder }: UserRecord): void {
    const person = this.#person(id);
    person.email = email;
    person.handle = handle;
    person.isBot = isBot === true;
    // As in a plan, the last description counts.
    if (!isPlaceholder || !person.isDescribed) person.name = name;
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
    if (this.#isKnown(origin)) return;
    const rule = this.#outcome.leavesOut(record);
    if (systemEvent !== undefined) return;
    this.messageCount++;
    if (this.#examples.length < examplesMax) this.#examples.push(record);
    const writer = this.#person(author);
    writer.wrote++;
    if (!writer.isDescribed) writer.name = authorDetails?.name ?? writer.name;
    const conversation = this.#conversation(origin.conversation);
    conversation.messageCount++;
    if (!rule) this.#outcome.send(conversation.number, writer.number, sentAtMs);
    conversation.firstAtMs = Math.min(sentAtMs, conversation.firstAtMs ?? sentAtMs);
    conversation.lastAtMs = Math.max(sentAtMs, conversation.lastAtMs ?? sentAtMs);
    for (const member of conversation.members) if (member !== author) this.#person(member).received++;
  }

  /** Whether it is another version of a message that was counted: tables may have a row for each edit or reaction. */
  #isKnown({ conversation, id }: MessageRecord['origin']): boolean {
    const key = `${conversation}\n${id}`;
    if (this.#latest.get(key)) return true;
    this.#latest.set(key, true);
    return false;
  }

  #nameOf(id: string): string {
    return this.#people.get(id)?.name ?? id;
  }

  #person(id: string): PersonCount {
    let person = this.#people.get(id);
    if (!person) {
      person = {
        number: this.#people.size + 1,
        name: undefined,
        isBot: false,
        isDescribed: false,
        wrote: 0,
        received: 0,
      };
      this.#people.set(id, person);
    }
    return person;
  }

  #conversation(id: string): ConversationCount {
    let conversation = this.#conversations.get(id);
    if (!conversation) {
      conversation = {
        number: this.#conversations.size + 1,
        name: '',
        members: [],
        messageCount: 0,
        firstAtMs: null,
        lastAtMs: null,
      };
      this.#conversations.set(id, conversation);
    }
    return conversation;
  }
}

/** The fate of rows by rules that are left as they are. Takes 48 bytes for each person in each conversation. */
class Outcome {
  readonly looks: Looks;
  readonly #pairs = new PairCounts();
  readonly #skipped = new Map<string, number>();
  readonly #isName: (id: string) => boolean;
  readonly #usual: ReturnType<typeof usualTimes>;
  readonly #context: Parameters<typeof skipRule>[1];
  #firstMs = Number.POSITIVE_INFINITY;
  #lastMs = Number.NEGATIVE_INFINITY;
  #outside = 0;

  constructor(adapter: SourceAdapter | undefined) {
    const nowMs = systemClock.now();
    this.looks = new Looks(adapter === undefined || isTableSource(adapter));
    this.#isName = (id) => adapter?.isName?.(id) === true;
    this.#usual = usualTimes(nowMs);
    const traits = { isKnown: true, isBot: false, isGuest: false, isDeleted: false, isListed: true };
    this.#context = { rules: defaultRules(), nowMs, traitsOf: () => traits };
  }

  skip(rule: string): void {
    this.#skipped.set(rule, (this.#skipped.get(rule) ?? 0) + 1);
  }

  leavesOut(record: MessageRecord): boolean {
    const rule = skipRule(record, this.#context) ?? (isEmpty(record) ? 'empty message' : undefined);
    if (rule !== undefined) this.skip(rule);
    return rule !== undefined;
  }

  send(conversation: number, person: number, sentAtMs: number): void {
    this.#pairs.add(conversation, person);
    this.#firstMs = Math.min(this.#firstMs, sentAtMs);
    this.#lastMs = Math.max(this.#lastMs, sentAtMs);
    if (sentAtMs < this.#usual.fromMs || sentAtMs > this.#usual.toMs) this.#outside++;
  }

  result(
    invalid: number,
    people: ReadonlyMap<string, PersonCount>,
    conversations: ReadonlyMap<string, ConversationCount>,
  ): ReadingResult {
    const writers = new WriterCounts();
    for (const [conversation, person, count] of this.#pairs) writers.add(conversation, person, count);
    const nameOf = (id: string) => people.get(id)?.name ?? (id === unknownAuthor ? unknownAuthorName : id);
    const listed = [...conversations];
    const seen = this.looks.seen();
    const counts = writers.result({
      people: people.entries().map(([sourceId, { number: id, email, handle, isBot, isDescribed }]) => {
        return { id, sourceId, name: nameOf(sourceId), email, handle, isBot, isPlaceholder: !isDescribed };
      }),
      direct: conversations
        .values()
        .flatMap(({ type, members, number }) => (type === 'direct' && members.length === 2 ? [number] : [])),
      conversationName: (number) => {
        const [id, { name, members }] = listed[number - 1]!;
        return name || members.map(nameOf).join(', ') || id;
      },
      isName: this.#isName,
    });
    return {
      ...joinSeen(counts, seen),
      invalid,
      skipped: mostFirst([...this.#skipped].map(([name, count]) => ({ name, count }))),
      times: {
        firstMs: Number.isFinite(this.#firstMs) ? this.#firstMs : null,
        lastMs: Number.isFinite(this.#lastMs) ? this.#lastMs : null,
        outside: this.#outside,
        ordered: seen.ordered,
        againstIds: seen.againstIds,
      },
    };
  }
}

const isEmpty = ({ text, attachments, call, unread }: MessageRecord): boolean =>
  text.trim() === '' && attachments === undefined && call === undefined && unread === undefined;

/** By code unit, so that the order does not depend on the machine. */
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
