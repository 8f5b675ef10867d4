import type { ExportInput } from '../io/input/export-input.ts';
import { formatLocation, type Location } from '../lib/text/location.ts';
import type { ConversationRecord, MessageRecord } from '../model/records.ts';
import type { ShownRow, SourceAdapter } from '../sources/source.ts';

/** A row of a table, and the message that it becomes. */
export interface BeforeAfter {
  /** As locations are printed. */
  readonly place: string;
  readonly row: ShownRow;
  readonly message: MessageRecord;
  /** Names of the author and the conversation, if the export has them. */
  readonly names: { readonly author?: string; readonly conversation?: string };
  /** Type of the conversation, if it is known. */
  readonly type?: ConversationRecord['type'];
  /** IANA zone of times that name none. */
  readonly zone?: string;
  /** Parts of the message that are not decided yet. */
  readonly open: readonly MessagePart[];
}

export type MessagePart = 'time' | 'author' | 'conversation' | 'seen by' | 'text' | 'files' | 'reactions' | 'reply';

/** Whether a mapping says what the columns of an export mean, and rows show whether that is right. */
export const isReadByMapping = ({ propose, rowsAt }: SourceAdapter): boolean =>
  propose !== undefined && rowsAt !== undefined;

/** Rows that are shown. */
const shownMax = 3;

/** Messages among which they are chosen, and different kinds of them that are held. */
const sampledMax = 10_000;
const kindsMax = 64;

interface Candidate<Input> {
  readonly message: MessageRecord;
  readonly location: Location;
  readonly input: Input;
  /** Names of the fields that it has beyond those of every message. */
  readonly kind: readonly string[];
}

/** For inputs that stay open. */
export const itself = (input: ExportInput): ExportInput => input;

interface ShowRequest<Input> {
  readonly adapter: SourceAdapter;
  /** Parsed by the adapter's schema. */
  readonly sourceOptions: unknown;
  readonly inputOf: (input: Input) => ExportInput;
  /** Returns the name of a person or a conversation, if it is known. */
  readonly nameOf: (kind: 'person' | 'conversation', id: string) => string | undefined;
  readonly typeOf?: (conversation: string) => ConversationRecord['type'] | undefined;
  readonly open?: readonly MessagePart[];
}

/** Collects messages of different kinds from the first 10,000, and shows three of them with their rows. Holds 67 at most. */
export class BeforeAfterChoice<Input> {
  readonly #kinds = new Map<string, Candidate<Input>>();
  readonly #first: Candidate<Input>[] = [];
  #count = 0;

  /** Whether enough were looked at. */
  get isDone(): boolean {
    return this.#count >= sampledMax;
  }

  /** @param input Of which the message is: `show` is asked to open it. */
  add(message: MessageRecord, location: Location, input: Input): void {
    if (this.isDone) return;
    this.#count++;
    const kind = kindOf(message, this.#first[0]?.message.author);
    const candidate = { message, location, input, kind };
    if (this.#first.length < shownMax) this.#first.push(candidate);
    const key = kind.join();
    if (!this.#kinds.has(key) && this.#kinds.size < kindsMax) this.#kinds.set(key, candidate);
  }

  /** Returns none if no mapping says how the source is read: then there is nothing to decide by its rows. */
  async show({
    adapter,
    sourceOptions,
    inputOf,
    nameOf,
    typeOf,
    open = [],
  }: ShowRequest<Input>): Promise<readonly BeforeAfter[]> {
    if (!isReadByMapping(adapter)) return [];
    const chosen = this.#chosen();
    const rows = await rowsOf(chosen, { adapter, sourceOptions, inputOf });
    const zone = zoneOf(sourceOptions);
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
  #chosen(): readonly Candidate<Input>[] {
    const left = [...this.#kinds.values()].toSorted((one, other) => one.kind.length - other.kind.length);
    const chosen = left.splice(0, 1);
    const seen = new Set(chosen[0]?.kind);
    while (chosen.length < shownMax && left.length > 0) {
      const news = left.map(({ kind }) => kind.filter((name) => !seen.has(name)).length);
      const [best] = left.splice(news.indexOf(Math.max(...news)), 1);
      chosen.push(best!);
      for (const name of best!.kind) seen.add(name);
    }
    const others = this.#first.filter((candidate) => !chosen.includes(candidate));
    return [...chosen, ...others].slice(0, shownMax);
  }
}

async function rowsOf<Input>(
  chosen: readonly Candidate<Input>[],
  { adapter, sourceOptions, inputOf }: Pick<ShowRequest<Input>, 'adapter' | 'sourceOptions' | 'inputOf'>,
): Promise<ReadonlyMap<Candidate<Input>, ShownRow>> {
  const rows = new Map<Candidate<Input>, ShownRow>();
  for (const [input, ofInput] of Map.groupBy(chosen, (candidate) => candidate.input)) {
    const locations = ofInput.map(({ location }) => location);
    const found = await adapter.rowsAt?.(inputOf(input), sourceOptions, locations);
    for (const candidate of ofInput) {
      const row = found?.get(formatLocation(candidate.location));
      if (row !== undefined) rows.set(candidate, row);
    }
  }
  return rows;
}

/** @param firstAuthor Who wrote the first message. */
function kindOf(message: MessageRecord, firstAuthor: string | undefined): readonly string[] {
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

const zoneOf = (sourceOptions: unknown): string | undefined => {
  const { zone } = (sourceOptions ?? {}) as { readonly zone?: unknown };
  return typeof zone === 'string' ? zone : undefined;
};

/** The part of a message that a key of the `source:` section decides; none for one that decides whether there is a message. */
export function partOf(key: string): MessagePart | undefined {
  if (key === 'zone') return 'time';
  if (key === 'conversations.type') return 'seen by';
  const [section, name = ''] = key.split('.');
  return section === 'messages' ? parts[name] : undefined;
}

const parts: Readonly<Record<string, MessagePart>> = {
  ...{ time: 'time', author: 'author', authorName: 'author', conversation: 'conversation', text: 'text' },
  ...{ attachments: 'files', reactions: 'reactions', reply: 'reply', quote: 'reply' },
};
