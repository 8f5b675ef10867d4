import { PackedMap } from '../../lib/maps/packed-map.ts';
import type { Location } from '../../lib/text/location.ts';
import { problemEntry, recordEntry, invalidEntry } from '../kit/entries.ts';
import { oneLine, truncate } from '../../lib/text/plain-text.ts';
import type { Entry } from '../../model/entry.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../../model/records.ts';
import { type Header, type Line, lineSchema } from './format.ts';
import { describeFault, isHeader, readHeader } from './line-fault.ts';

/** People and conversations of the files that are always read. */
export interface Directory {
  readonly people: Described;
  readonly conversations: Described;
}

/** A line of a file: its value, or why it has none. `rest`: nothing behind it is read either. */
export interface ReadLine {
  readonly line: number;
  readonly value?: unknown;
  readonly error?: { readonly code: string; readonly scope: 'element' | 'rest'; readonly reason: string };
}

/** State from the earlier lines of a file that is needed for the next one. */
export class FileLines {
  readonly #path: string;
  /** Absent for a file of messages, which other files do not refer to. */
  readonly #directory: Directory | undefined;
  /** Source of all messages up to the next header. */
  #source: string | undefined;
  #workspace: string | undefined;
  #isLateNoted = false;

  constructor(path: string, directory: Directory | undefined) {
    this.#path = path;
    this.#directory = directory;
  }

  /** @throws SourceError at a header that we cannot read. */
  *entries({ line, value, error }: ReadLine): Generator<Entry> {
    const location = { path: this.#path, line };
    if (error) return yield invalidEntry(`json-${error.code}`, cannotRead(error), location);
    if (isHeader(value)) return this.#begin(readHeader(value, location));
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) return yield invalid(value, describeFault(parsed.error.issues, value), location);
    // The value as it is in the file: its fields keep their order, and a key may have any name.
    yield* this.#take(value as Exclude<Line, { kind: 'chatferry' }>, location);
  }

  #begin({ source, workspace }: Header): void {
    this.#source = source;
    this.#workspace = workspace;
  }

  *#take(line: Exclude<Line, { kind: 'chatferry' }>, location: Location): Generator<Entry> {
    switch (line.kind) {
      case 'message':
        return yield this.#message(withoutCorrection(line), location);
      case 'invalid':
        return yield invalidEntry(line.code, withPlace(line), location, line.conversation);
      case 'skipped':
        return yield { type: 'skipped', rule: line.rule, location };
      case 'problem':
        return yield toProblem(line, location);
      case 'relation':
        return yield recordEntry(line, location);
      default:
        yield recordEntry(line, location);
        if (this.#isLate(line)) yield late(line, location);
    }
  }

  #message(record: MessageRecord, location: Location): Entry {
    const { source, workspace, conversation } = record.origin;
    this.#source ??= source;
    this.#workspace ??= workspace;
    if (source !== this.#source || workspace !== this.#workspace) {
      const [field, wanted, found] =
        source === this.#source ? ['workspace', this.#workspace, workspace] : ['source', this.#source, source];
      const reason = `Cannot take this message: /origin/${field}: expected "${short(wanted)}" as above, found "${short(found)}"; give each ${field} a file and a store of its own`;
      return invalidEntry(`other-${field}`, reason, location);
    }
    if (record.author !== undefined) this.#directory?.people.name(record.author);
    this.#directory?.conversations.name(conversation);
    return recordEntry(record, location);
  }

  /** Said once for a file. */
  #isLate(record: UserRecord | ConversationRecord): boolean {
    const described = record.kind === 'user' ? this.#directory?.people : this.#directory?.conversations;
    const isLate = (described === undefined || described.describe(record.id)) && !this.#isLateNoted;
    this.#isLateNoted ||= isLate;
    return isLate;
  }
}

/** Words for the person who corrected the line are no part of the record. */
function withoutCorrection(line: Extract<Line, { kind: 'message' }>): MessageRecord {
  if (line.fault === undefined) return line;
  const { fault: _, ...record } = line;
  return record;
}

/** An id in a reason: as far as a person looks at it. */
const short = (id: string) => truncate(oneLine(id), 40);

/** Returns an entry for an invalid line. A line that was meant as a message counts as one. */
function invalid(value: unknown, fault: string, location: Location): Entry {
  const { kind, origin } = (value ?? {}) as {
    readonly kind?: unknown;
    readonly origin?: { readonly conversation?: unknown };
  };
  const reason = `Cannot use this line: ${fault}`;
  if (kind === 'user' || kind === 'conversation' || kind === 'relation' || kind === 'problem') {
    return problemEntry('invalid-line', reason, location);
  }
  const conversation = origin?.conversation;
  return invalidEntry('invalid-line', reason, location, typeof conversation === 'string' ? conversation : undefined);
}

const cannotRead = ({ scope, reason }: NonNullable<ReadLine['error']>) =>
  `Cannot read ${scope === 'element' ? 'this line' : 'the file from here on'}: ${reason}`;

function toProblem(line: Extract<Line, { kind: 'problem' }>, location: Location): Entry {
  const { code, count, about } = line;
  return { ...problemEntry(code, withPlace(line), location, about), ...(count !== undefined && { count }) };
}

const withPlace = ({ reason, at }: { readonly reason: string; readonly at?: string | undefined }) =>
  at === undefined ? reason : `${reason} (at ${at})`;

const late = ({ kind, id }: UserRecord | ConversationRecord, location: Location): Entry =>
  problemEntry(
    'described-late',
    `The ${kind === 'user' ? 'person' : 'conversation'} "${short(id)}" is described behind messages, which know it by its id alone: people and conversations should come first, or in a file of their own`,
    location,
  );

/**
 * Who and what was described so far, and who was only named: about 50 bytes for each person and conversation.
 *
 * A plan takes lines in their order: a message that comes before the description of its author knows the author by id
 * alone. That deserves a word.
 */
export class Described {
  /** By id. */
  readonly #met = new PackedMap();

  /** A message names it. */
  name(id: string): void {
    if (this.#met.get(id) === undefined) this.#met.set(id, 'named');
  }

  /** @returns Whether messages named it before. */
  describe(id: string): boolean {
    const before = this.#met.get(id);
    this.#met.set(id, '');
    return before === 'named';
  }
}
