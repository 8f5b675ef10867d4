import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportInput } from '../io/input/export-input.ts';
import { formatLocation, type Location } from '../lib/text/location.ts';
import type { StageProgress } from '../lib/flow/progress.ts';
import type { Entry } from '../model/entry.ts';
import type { ConversationRecord, MessageRecord } from '../model/records.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { isTableSource, type Look, type ShownRow, type TableContext } from '../sources/table-source.ts';

/** A row of a table, and the message that it becomes. */
export interface BeforeAfter {
  /** As locations are printed. */
  readonly place: string;
  readonly row: ShownRow;
  readonly message: MessageRecord;
  /** Names of the author and the conversation, if the export has them. */
  readonly names: { readonly author?: string; readonly conversation?: string };
  readonly type?: ConversationRecord['type'];
  /** IANA zone of times that name none. */
  readonly zone?: string;
  /** Parts of the message that are not decided yet. */
  readonly open: readonly MessagePart[];
}

export type MessagePart = 'time' | 'author' | 'conversation' | 'seen by' | 'text' | 'files' | 'reactions' | 'reply';

/** Rows that are shown next to a question. */
const rowsOfQuestion = 3;

/** Messages among which they are chosen, and different kinds of them that are held. */
const sampledMax = 10_000;
const kindsMax = 64;

interface Candidate {
  readonly message: MessageRecord;
  readonly location: Location;
  readonly input: number;
  /** Names of the fields that it has beyond those of every message. */
  readonly kind: readonly string[];
}

interface ShowRequest {
  readonly adapter: SourceAdapter;
  /** Parsed by the adapter's schema. */
  readonly sourceOptions: unknown;
  readonly inputs: readonly ExportInput[];
  readonly nameOf: (kind: 'person' | 'conversation', id: string) => string | undefined;
  readonly typeOf?: (conversation: string) => ConversationRecord['type'] | undefined;
  /** Parts of messages that are not decided: they are not shown. */
  readonly open?: readonly MessagePart[];
}

export interface ReadRequest extends ShowRequest {
  readonly workspace?: string | undefined;
  readonly signal: AbortSignal;
  /** Default: all rows are read. */
  readonly look?: Pick<Look, 'rowsMax' | 'onCut'>;
  /** Called for each input; what it returns gets everything that is read, and says whether that is enough of this input. */
  readonly buildVisitor: (input: ExportInput) => (entries: readonly Entry[]) => Promise<boolean> | boolean;
  readonly onWord?: TableContext['onWord'];
  /** Ends with the reading. */
  readonly stage?: StageProgress;
  /** Number that the progress shows. */
  readonly count: () => number;
}

const countPerUpdate = 5000;

/**
 * Reads exports once and returns three rows of different kinds with the messages that they become; none if no mapping says how the source is
 * read: then there is nothing to decide by its rows.
 *
 * @throws SourceError
 */
export async function rowsWithMessages(request: ReadRequest): Promise<readonly BeforeAfter[]> {
  const {
    adapter,
    sourceOptions,
    inputs,
    workspace,
    signal,
    look = {},
    buildVisitor: visitorOf,
    stage,
    count,
  } = request;
  const choice = new RowChoice();
  const context: TableContext = {
    signal,
    inputs,
    wants: () => true,
    ...(workspace !== undefined && { workspace }),
    look,
    ...(request.onWord && { onWord: request.onWord }),
  };
  let shown = 0;
  for (const [index, input] of inputs.entries()) {
    const visit = visitorOf(input);
    for await (const entries of adapter.read(input, sourceOptions, context)) {
      for (const entry of entries)
        if (entry.type === 'record' && entry.record.kind === 'message') choice.add(entry.record, entry.location, index);
      if (await visit(entries)) break;
      if (count() - shown < countPerUpdate) continue;
      shown = count();
      stage?.update({ done: shown });
      await nextTurn();
      signal.throwIfAborted();
    }
  }
  signal.throwIfAborted();
  stage?.update({ done: count() });
  stage?.finish();
  return choice.show(request);
}

/** Collects messages of different kinds from the first 10,000, and shows some of them with their rows. Holds 70 at most. */
export class RowChoice {
  readonly #kinds = new Map<string, Candidate>();
  readonly #first: Candidate[] = [];
  #count = 0;
  readonly #shownMax: number;

  constructor(shownMax = rowsOfQuestion) {
    this.#shownMax = shownMax;
  }

  /** Whether enough were looked at. */
  get isDone(): boolean {
    return this.#count >= sampledMax;
  }

  /** @param input Number of its export. */
  add(message: MessageRecord, location: Location, input: number): void {
    if (this.isDone) return;
    this.#count++;
    const kind = classifyMessage(message, this.#first[0]?.message.author);
    const candidate = { message, location, input, kind };
    if (this.#first.length < this.#shownMax) this.#first.push(candidate);
    const key = kind.join();
    if (!this.#kinds.has(key) && this.#kinds.size < kindsMax) this.#kinds.set(key, candidate);
  }

  /** Returns none if no mapping says how the source is read. */
  async show(request: ShowRequest): Promise<readonly BeforeAfter[]> {
    const { adapter, sourceOptions, inputs, nameOf, typeOf, open = [] } = request;
    if (!isTableSource(adapter)) return [];
    const chosen = this.#chosen();
    const rows = new Map<Candidate, ShownRow>();
    for (const [input, ofInput] of Map.groupBy(chosen, (candidate) => candidate.input)) {
      const locations = ofInput.map(({ location }) => location);
      const found = await adapter.rowsAt(inputs[input]!, sourceOptions, locations);
      for (const candidate of ofInput) {
        const row = found.get(formatLocation(candidate.location));
        if (row !== undefined) rows.set(candidate, row);
      }
    }
    const zone = findZone(sourceOptions);
    return chosen.flatMap((candidate): BeforeAfter[] => {
      const row = rows.get(candidate);
      if (row === undefined) return [];
      const { message, location } = candidate;
      const author = (message.author && nameOf('person', message.author)) ?? message.authorDetails?.name;
      const conversation = nameOf('conversation', message.origin.conversation);
      const names = { ...(author && { author }), ...(conversation && { conversation }) };
      const type = typeOf?.(message.origin.conversation);
      return [
        { place: formatLocation(location), row, message, names, ...(type && { type }), ...(zone && { zone }), open },
      ];
    });
  }

  /** The plainest first, then each time the one that shows most of what was not there yet; in the end any. */
  #chosen(): readonly Candidate[] {
    const left = [...this.#kinds.values()].toSorted((one, other) => one.kind.length - other.kind.length);
    const chosen = left.splice(0, 1);
    const seen = new Set(chosen[0]?.kind);
    while (chosen.length < this.#shownMax && left.length > 0) {
      const news = left.map(({ kind }) => kind.filter((name) => !seen.has(name)).length);
      const [best] = left.splice(news.indexOf(Math.max(...news)), 1);
      chosen.push(best!);
      for (const name of best!.kind) seen.add(name);
    }
    const others = this.#first.filter((candidate) => !chosen.includes(candidate));
    return [...chosen, ...others].slice(0, this.#shownMax);
  }
}

/** @param firstAuthor Who wrote the first message. */
function classifyMessage(message: MessageRecord, firstAuthor: string | undefined): readonly string[] {
  const { attachments, reactions, threadRoot, quoteOf, systemEvent, edited, isDeleted, call, author } = message;
  const kinds = {
    file: (attachments?.length ?? 0) > 0,
    reactions: (reactions?.length ?? 0) > 0,
    reply: (threadRoot ?? quoteOf) !== undefined,
    system: systemEvent !== undefined || call !== undefined,
    changed: edited !== undefined || isDeleted === true,
    other: firstAuthor !== undefined && author !== firstAuthor,
  };
  return Object.entries(kinds).flatMap(([name, isSo]) => (isSo ? [name] : []));
}

const findZone = (sourceOptions: unknown): string | undefined => {
  const { zone } = (sourceOptions ?? {}) as { readonly zone?: unknown };
  return typeof zone === 'string' ? zone : undefined;
};

/** The part of a message that a key of the `source:` section decides; none for one that decides whether there is a message. */
export function decidedPart(key: string): MessagePart | undefined {
  if (key === 'zone') return 'time';
  if (key === 'conversations.type') return 'seen by';
  const [section, name = ''] = key.split('.');
  return section === 'messages' ? parts[name] : undefined;
}

type PartsByKey = Readonly<Record<string, MessagePart>>;
const own: PartsByKey = { time: 'time', author: 'author', conversation: 'conversation', text: 'text' };
const added: PartsByKey = { attachments: 'files', reactions: 'reactions', reply: 'reply', quote: 'reply' };
const parts: PartsByKey = { ...own, authorName: 'author', ...added };
