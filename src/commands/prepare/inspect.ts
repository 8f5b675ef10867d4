import { ownFileCode, listOwnFiles } from '../../io/input/own-files.ts';
import type { Entry } from '../../model/entry.ts';
import type { MessageRecord } from '../../model/records.ts';
import type { Mapping } from '../../mapping/load.ts';
import { NotCarried } from '../../sources/not-migrated.ts';
import { type IgnoredFile, ignoredFiles } from '../../sources/signatures.ts';
import { parseSourceOptions } from '../../plan/choose-source.ts';
import { SourceError } from '../../lib/errors.ts';
import { silent } from '../../lib/flow/progress.ts';
import { type Finding, isTableSource, type TableOutline } from '../../sources/table-source.ts';
import { UnreadChats } from '../../sources/detect.ts';
import { rowsWithMessages } from '../../rows/rows-with-messages.ts';
import { previewIfReadable } from '../../decisions/preview.ts';
import { decideSource } from '../../decisions/proposal.ts';
import { questionDecision } from '../../decisions/question.ts';
import { closeOpened, type OpenedExport, openToAsk } from '../../decisions/questions.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { PackedMap } from '../../lib/maps/packed-map.ts';
import { formatLocation, type Location } from '../../lib/text/location.ts';
import { readOnce } from '../../lib/text/schema-words.ts';
import type { InspectOptions } from '../requests.ts';
import type { Inspection, TableRole, CountedPart } from '../results.ts';
import { ConversationCounter } from './count-conversations.ts';
import { parsePointer } from '../../io/json/json-pointer.ts';
import type { SourceAdapter } from '../../sources/source.ts';

const examplesMax = 5;
const notesMax = 5;
const ignoredMax = 1000;

export async function inspect(options: InspectOptions): Promise<Inspection> {
  const { signal = new AbortController().signal } = options;
  const opened = await openToAsk([options.from].flat(), options.source);
  const { inputs, adapter, recognised } = opened;
  try {
    const columns = await proposedColumns(opened, options.mapping);
    const tables = options.listTables ? await tablesOf(opened, options.mapping) : [];
    const whose = { source: adapter.name, title: adapter.title, inputs: recognised };
    if (columns && columns.open.length > 0) {
      const beforeAfter = await previewIfReadable(adapter, inputs, columns, { workspace: options.workspace, signal });
      const others = { tables, ignored: await ignoredFiles(inputs), own: listOwnFiles(inputs), beforeAfter };
      const nothing = new Counter(new PartCounter(adapter)).result();
      const roles = rolesOf(columns.options, columns.findings);
      return {
        ...whose,
        columns: columns.findings,
        roles,
        open: columns.open.map((question) => questionDecision(question)),
        ...nothing,
        ...others,
      };
    }
    const sourceOptions = columns
      ? adapter.options.parse(columns.options, readOnce)
      : options.mapping
        ? parseSourceOptions(adapter, options.mapping)
        : adapter.options.parse({}, readOnce);
    const count = new Counter(new PartCounter(adapter), await ignoredFiles(inputs));
    const beforeAfter = await countEntries({ inputs, adapter, sourceOptions, count }, options);
    const found = (columns?.findings ?? []).filter(({ value }) => value !== undefined);
    return {
      ...whose,
      columns: found,
      roles: rolesOf(sourceOptions, found),
      open: [],
      ...count.result(),
      tables,
      ignored: count.ignored(),
      own: listOwnFiles(inputs),
      beforeAfter,
    };
  } finally {
    await closeOpened(opened);
  }
}

/** @param findings How the tables were recognised; a role without one is given by the mapping. */
function rolesOf(sourceOptions: unknown, findings: readonly Finding[]): readonly TableRole[] {
  const tables = isObject(sourceOptions) && isObject(sourceOptions.tables) ? sourceOptions.tables : {};
  return Object.entries(tables).map(([role, value]) => {
    const because = findings.find(({ key }) => key === `tables.${role}`)?.because ?? 'the mapping says so';
    return { role, value, because };
  });
}

interface Counting extends Pick<OpenedExport, 'inputs' | 'adapter'> {
  readonly sourceOptions: unknown;
  readonly count: Counter;
}

const countEntries = (
  { count, ...reading }: Counting,
  { workspace, progress = silent, signal = new AbortController().signal }: InspectOptions,
): Promise<Inspection['beforeAfter']> =>
  rowsWithMessages({
    ...reading,
    workspace,
    signal,
    nameOf: (kind, id) => count.nameOf(kind, id),
    count: () => count.rows,
    stage: progress.stage('Reading'),
    buildVisitor(input) {
      for (const { code, reason, location } of input.problems)
        if (code !== ownFileCode) count.note(code, reason, formatLocation(location));
      const unread = new UnreadChats(input, reading.adapter);
      return async (entries) => {
        for (const entry of entries) count.add(entry.type === 'file' ? await unread.judge(entry) : entry);
        return false;
      };
    },
  });

/** How a table would be read of which no mapping says it. */
async function proposedColumns(opened: OpenedExport, mapping: Mapping | undefined) {
  const { adapter } = opened;
  const said = mapping?.rules.source ?? {};
  if (!isTableSource(adapter) || said.messages !== undefined) return undefined;
  const proposed = await decideSource(opened, said);
  return proposed.open.length > 0 || adapter.options.safeParse(proposed.options).success ? proposed : undefined;
}

const tablesMax = 2000;

async function tablesOf(
  { adapter, inputs }: OpenedExport,
  mapping: Mapping | undefined,
): Promise<readonly TableOutline[]> {
  if (!isTableSource(adapter)) return [];
  const tables: TableOutline[] = [];
  for (const input of inputs) {
    try {
      tables.push(...(await adapter.outline(input, mapping?.rules.source ?? {})));
    } catch (error) {
      // Reading says what is wrong with it.
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return tables.slice(0, tablesMax);
}

const dayMs = 86_400_000;
/** A hostile export has times of all days between year 1 and 9999. */
const [firstDay, lastDay] = [Date.UTC(1990, 0, 1) / dayMs, Date.UTC(2100, 0, 1) / dayMs];

class Counter {
  rows = 0;
  #messages = 0;
  #internal = 0;
  #system = 0;
  #invalid = 0;
  #problems = 0;
  readonly #people = new PackedMap();
  readonly #conversations = new ConversationCounter();
  readonly #files: Record<string, number> = {};
  readonly #chats: IgnoredFile[] = [];
  readonly #ignored: IgnoredFile[] = [];
  readonly #notes: { location: string; code: string; reason: string }[] = [];
  readonly #notMigrated = new NotCarried();
  readonly #examples: MessageRecord[] = [];
  #firstAtMs: number | null = null;
  #lastAtMs: number | null = null;
  /** By days since 1970: at most 40,177. */
  readonly #days = new Map<number, number>();
  /** Files in forms that no source reads by their names, such as a workbook, that the source has not mentioned yet. By path. */
  readonly #foreign: Map<string, IgnoredFile>;

  readonly #parts: PartCounter;

  constructor(parts: PartCounter, foreign: readonly IgnoredFile[] = []) {
    this.#parts = parts;
    this.#foreign = new Map(foreign.map((file) => [file.path, file]));
  }

  add(entry: Entry): void {
    this.#parts.add(entry);
    if (entry.type === 'file') this.#addFile(entry);
    else if (entry.type === 'problem') {
      this.#notMigrated.note(entry);
      this.note(entry.code, entry.reason, formatLocation(entry.location));
    } else if (entry.type === 'invalid') this.#addInvalid(entry);
    else if (entry.type === 'skipped') this.rows++;
    else if (entry.record.kind === 'message') this.#addMessage(entry.record);
    else if (entry.record.kind === 'user') this.#people.set(entry.record.id, entry.record.name ?? '');
    else if (entry.record.kind === 'conversation') this.#conversations.describe(entry.record);
  }

  ignored(): readonly IgnoredFile[] {
    return [...this.#chats, ...this.#ignored, ...this.#foreign.values()];
  }

  #addFile({ path, role, reason = 'Not part of the format', isChat }: Extract<Entry, { type: 'file' }>): void {
    this.#files[role] = (this.#files[role] ?? 0) + 1;
    this.#foreign.delete(path);
    const list = isChat ? this.#chats : this.#ignored;
    if ((role === 'skipped' || role === 'unknown') && list.length < ignoredMax) list.push({ path, reason });
  }

  note(code: string, reason: string, location: string): void {
    this.#problems++;
    if (this.#notes.length < notesMax) this.#notes.push({ location, code, reason });
  }

  nameOf(kind: 'person' | 'conversation', id: string): string | undefined {
    return kind === 'person' ? this.#people.get(id) : this.#conversations.nameOf(id);
  }

  result(): Omit<
    Inspection,
    'source' | 'title' | 'inputs' | 'columns' | 'roles' | 'open' | 'own' | 'beforeAfter' | 'ignored' | 'tables'
  > {
    return {
      rows: this.rows,
      messages: this.#messages,
      internal: this.#internal,
      system: this.#system,
      invalid: this.#invalid,
      problems: this.#problems,
      people: this.#people.size,
      conversations: this.#conversations.types(),
      conversationList: this.#conversations.list((id) => this.#people.get(id)),
      files: this.#files,
      parts: this.#parts.list(),
      firstAtMs: this.#firstAtMs,
      lastAtMs: this.#lastAtMs,
      days: [...this.#days]
        .sort(([one], [other]) => one - other)
        .map(([day, count]) => ({ day: new Date(day * dayMs).toISOString().slice(0, 10), count })),
      notMigrated: this.#notMigrated.list(),
      notes: this.#notes,
      examples: this.#examples,
      names: this.#namesOfExamples(),
    };
  }

  #namesOfExamples(): Record<string, string> {
    const names = this.#examples.flatMap(
      ({ origin: { conversation }, author, authorDetails }): [string, string | undefined][] => [
        [conversation, this.#conversations.nameOf(conversation)],
        ...(author === undefined
          ? []
          : [[author, this.#people.get(author) || authorDetails?.name] satisfies [string, string | undefined]]),
      ],
    );
    return Object.fromEntries(names.flatMap(([id, name]) => (name ? [[id, name]] : [])));
  }

  #addInvalid({ code, reason, location }: Extract<Entry, { type: 'invalid' }>): void {
    this.rows++;
    this.#invalid++;
    if (this.#notes.length < notesMax) this.#notes.push({ location: formatLocation(location), code, reason });
  }

  #addMessage(record: MessageRecord): void {
    this.rows++;
    const isSaid = record.systemEvent === undefined && record.internal === undefined;
    if (record.internal !== undefined) this.#internal++;
    else if (record.systemEvent !== undefined) this.#system++;
    else this.#messages++;
    const day = Math.min(Math.max(Math.floor(record.sentAtMs / dayMs), firstDay), lastDay);
    if (isSaid) this.#days.set(day, (this.#days.get(day) ?? 0) + 1);
    if (this.#examples.length < examplesMax && isSaid) this.#examples.push(record);
    if (isSaid) this.#conversations.add(record);
    if (this.#firstAtMs === null || record.sentAtMs < this.#firstAtMs) this.#firstAtMs = record.sentAtMs;
    if (this.#lastAtMs === null || record.sentAtMs > this.#lastAtMs) this.#lastAtMs = record.sentAtMs;
  }
}

type Counts = { -readonly [Key in keyof CountedPart]: CountedPart[Key] };

type Counted = 'rows' | 'people' | 'conversations';

const partsMax = 1000;

/** `2026-03-02` or `20260302` in the name of a file. */
const date = /\d{4}([-_.]?)\d{2}\1\d{2}(?=[^/]*$)/;

/**
 * Counts the records of each file, or of each table if the source is a database. Files of a conversation, one for each day,
 * are one: `general/*.json`. Those beyond the first 1,000 are not kept.
 */
export class PartCounter {
  readonly #parts = new Map<string, Counts>();
  readonly #hasTables: boolean;
  readonly #hasDays: boolean;
  /** Those of the row before: rows of a file come one after another. */
  #path = '';
  #files = '';

  constructor(adapter: Pick<SourceAdapter, 'name'>) {
    this.#hasTables = adapter.name === 'database';
    this.#hasDays = !('propose' in adapter);
  }

  add(entry: Entry): void {
    const counted = countedAs(entry);
    if (counted === undefined || entry.type === 'file') return;
    const part = this.#partAt(entry.location);
    if (part === undefined) return;
    part[counted]++;
    if (entry.type === 'record' && entry.record.kind === 'message') noteTime(part, entry.record.sentAtMs);
  }

  list(): readonly CountedPart[] {
    return [...this.#parts.values()];
  }

  #partAt({ path, pointer = '' }: Location) {
    const table = this.#hasTables ? parsePointer(pointer)?.[0] : undefined;
    if (path !== this.#path) [this.#path, this.#files] = [path, this.#hasDays ? path.replace(date, '*') : path];
    const files = this.#files;
    const key = table === undefined ? files : `${path}\0${table}`;
    const known = this.#parts.get(key);
    if (known && known.path !== path) known.path = files;
    if (known || this.#parts.size >= partsMax) return known;
    const counts = { rows: 0, people: 0, conversations: 0, firstAtMs: null, lastAtMs: null };
    const part = { path, ...(table !== undefined && { table }), ...counts };
    this.#parts.set(key, part);
    return part;
  }
}

function noteTime(part: Counts, atMs: number): void {
  part.firstAtMs = Math.min(part.firstAtMs ?? atMs, atMs);
  part.lastAtMs = Math.max(part.lastAtMs ?? atMs, atMs);
}

function countedAs(entry: Entry): Counted | undefined {
  if (entry.type === 'invalid' || entry.type === 'skipped') return 'rows';
  if (entry.type !== 'record') return undefined;
  const { kind } = entry.record;
  if (kind === 'message') return 'rows';
  if (kind === 'user') return 'people';
  return kind === 'conversation' ? 'conversations' : undefined;
}
