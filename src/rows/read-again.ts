import type { Store } from '../store/open.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import { addressKeptAs, isServerAddress } from '../io/input/server-input.ts';
import { ChatferryError, SourceError } from '../lib/errors.ts';
import { formatLocation, type Location } from '../lib/text/location.ts';
import { muidOf } from '../mapping/ids.ts';
import { type Entry, isTimelineRow } from '../model/entry.ts';
import type { MessageRecord } from '../model/records.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { isTableSource, type TableContext } from '../sources/table-source.ts';

/** Exports that are opened to read some of their rows again. */
export interface OpenedTogether {
  readonly wanted: readonly ExportInput[];
  /** The wanted ones, and those of the store that were read with them and are still there: names of chats depend on them. */
  readonly all: readonly ExportInput[];
}

/**
 * Opens exports as the plan of a store read them. The caller closes `all`.
 *
 * @throws SourceError if one of `paths` cannot be opened.
 */
export async function openTogether(store: Store, paths: readonly string[]): Promise<OpenedTogether> {
  const wanted = await openExport(paths);
  const all = [...wanted];
  for (const path of store.files.inputPaths()) {
    if (isServerAddress(path) || all.some(({ key }) => key === path)) continue;
    try {
      all.push(...(await openExport([path])));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return { wanted, all };
}

/** A message of a store, and where it was read. */
export interface PlacedMessage {
  readonly muid: string | null;
  /** Path of the folder, archive or file. */
  readonly input: string;
  /** Source of the input, if it is not that of the store. */
  readonly inputSource: string | null;
  readonly path: string;
  readonly location: string;
}

/** One input as the plan read it, opened again. */
export interface OpenedAgain {
  readonly adapter: SourceAdapter;
  readonly input: ExportInput;
  /** As the source takes them. */
  readonly options: unknown;
  /** Reads the files of these messages; the lists of people and conversations come with them. @param given Differs from how the plan read them. */
  read(
    messages: readonly PlacedMessage[],
    given?: { readonly options?: unknown; readonly isWithoutPeople?: boolean },
  ): AsyncIterable<readonly Entry[]>;
}

/** Where exports are found again. */
export interface AgainOptions {
  /** The exports as they are configured: a store does not keep with which user a server is asked. */
  readonly exports: readonly string[];
  readonly signal: AbortSignal;
}

/** Rows of each table of a server that are read at most, besides those that are found by their keys. */
const serverRowsMax = 5000;

/**
 * Opens the inputs of messages as the plan read them, one after another, and closes them. An export that was moved or can no longer be read
 * is left out, as is a server whose user is not known, or of which all would be read for one row: its messages are made by a query.
 */
export async function openAgain<Message extends PlacedMessage>(
  store: Store,
  messages: readonly Message[],
  { exports, signal }: AgainOptions,
  use: (opened: OpenedAgain, messages: readonly Message[]) => Promise<void>,
): Promise<void> {
  if (messages.length === 0) return;
  // Late: reports of most stores read nothing again.
  const { sources } = await import('../sources/registry.ts');
  for (const ofInput of Map.groupBy(messages, ({ input }) => input).values()) {
    const { input: kept, inputSource } = ofInput[0]!;
    const name = inputSource ?? store.facts.read('source') ?? '';
    const adapter = sources.find((candidate) => candidate.name === name);
    const isServer = isServerAddress(kept);
    const path = isServer ? addressKeptAs(kept, exports) : kept;
    const options: unknown = inputSource === null ? JSON.parse(store.facts.read('sourceOptions') ?? '{}') : {};
    if (!adapter || path === undefined) continue;
    if (isServer && isTableSource(adapter) && adapter.queryPaths(options).length > 0) continue;
    const bounds = isServer ? { rowsMax: serverRowsMax } : {};
    const context = { signal, workspace: store.facts.read('workspace') ?? '' };
    try {
      const { wanted, all } = await openTogether(store, [path]);
      try {
        for (const input of wanted) {
          const read: OpenedAgain['read'] = (ones, { options: others = options, ...given } = {}) => {
            const paths = new Set(ones.map((message) => message.path));
            const rowsWanted = ones.flatMap((message) => parseLocation(message.location, message.path) ?? []);
            const wants = (file: string) => paths.has(file);
            const look = { ...bounds, ...given, rowsWanted };
            const asked: TableContext = { ...context, inputs: all, wants, look };
            return adapter.read(input, others, asked);
          };
          await use({ adapter, input, options, read }, ofInput);
        }
      } finally {
        for (const input of all) await input.close();
      }
    } catch (error) {
      if (!(error instanceof ChatferryError)) throw error;
    }
  }
}

/** Reads messages again, each file once, and stops when all are found. Messages that are not found are missing. */
export async function recordsAt<Message extends PlacedMessage>(
  store: Store,
  messages: readonly Message[],
  options: AgainOptions,
): Promise<ReadonlyMap<Message, MessageRecord>> {
  const found = new Map<Message, MessageRecord>();
  await openAgain(store, messages, options, ({ read }, ofInput) =>
    findRecords(read, ofInput, Number.POSITIVE_INFINITY, found),
  );
  return found;
}

/** Reads the files of messages until all are found, among the first `messagesMax`, and adds them to `found`. */
export async function findRecords<Message extends PlacedMessage>(
  read: OpenedAgain['read'],
  messages: readonly Message[],
  messagesMax: number,
  found: Map<Message, MessageRecord>,
): Promise<void> {
  const left = new Set(messages);
  const byLocation = Map.groupBy(messages, ({ location }) => location);
  await visitEntries(read(messages, { isWithoutPeople: true }), messagesMax, (entry) => {
    if (entry.type !== 'record' || entry.record.kind !== 'message') return true;
    const { record, location } = entry;
    // If a file has several versions, the one that the store refers to. A row may hold several messages.
    const wanted = byLocation
      .get(formatLocation(location))
      ?.find((message) => left.has(message) && message.muid === muidOf(record.origin));
    if (wanted === undefined) return true;
    found.set(wanted, record);
    left.delete(wanted);
    return left.size > 0;
  });
}

/** @param visit Returns whether more is wanted. @returns Whether all was read. */
export async function visitEntries(
  lists: AsyncIterable<readonly Entry[]>,
  messagesMax: number,
  visit: (entry: Exclude<Entry, { type: 'file' }>) => boolean,
): Promise<boolean> {
  let count = 0;
  for await (const entries of lists) {
    for (const entry of entries) {
      if (entry.type === 'file') continue;
      if (!visit(entry)) return false;
      if (isTimelineRow(entry)) count++;
    }
    if (count > messagesMax) return false;
  }
  return true;
}

/** Returns a location as sources name it: `path:line`, `path#/pointer`, `path:line#/pointer`; undefined for a file as a whole. */
export function parseLocation(printed: string, path: string): Location | undefined {
  const [, line, pointer] = /^(?::(\d+))?(?:#(\/.*))?$/s.exec(printed.slice(path.length)) ?? [];
  if (line === undefined && pointer === undefined) return undefined;
  return { path, ...(line !== undefined && { line: Number(line) }), ...(pointer !== undefined && { pointer }) };
}
