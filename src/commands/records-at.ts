import type { Store } from '../checkpoint/open.ts';
import type { ExportInput } from '../io/input/export-input.ts';
import { addressKeptAs, isServerAddress } from '../io/input/server-input.ts';
import { ChatferryError } from '../lib/errors.ts';
import { formatLocation, type Location } from '../lib/text/location.ts';
import { muidOf } from '../mapping/muid.ts';
import type { Entry } from '../model/entry.ts';
import type { MessageRecord } from '../model/records.ts';
import { sources } from '../sources/registry.ts';
import type { SourceAdapter } from '../sources/source.ts';
import { openTogether } from './open-together.ts';

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

/** A message that was read again. */
export interface ReadAgain {
  readonly record: MessageRecord;
  readonly at: Location;
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
  for (const ofInput of Map.groupBy(messages, ({ input }) => input).values()) {
    const { input: kept, inputSource } = ofInput[0]!;
    const name = inputSource ?? store.readMeta('source') ?? '';
    const adapter = sources.find((candidate) => candidate.name === name);
    const isServer = isServerAddress(kept);
    const path = isServer ? addressKeptAs(kept, exports) : kept;
    const options: unknown = inputSource === null ? JSON.parse(store.readMeta('sourceOptions') ?? '{}') : {};
    if (!adapter || path === undefined) continue;
    if (isServer && (adapter.queryPaths?.(options as never) ?? []).length > 0) continue;
    const bounds = isServer ? { isSurvey: true, rowsMax: serverRowsMax } : {};
    const workspace = store.readMeta('workspace') ?? '';
    try {
      const { wanted, all } = await openTogether(store, [path]);
      try {
        for (const input of wanted) {
          const read: OpenedAgain['read'] = (wantedOnes, { options: others = options, ...given } = {}) => {
            const paths = new Set(wantedOnes.map((message) => message.path));
            const rowsWanted = wantedOnes.flatMap((message) => locationOf(message.location, message.path) ?? []);
            const wants = (file: string) => paths.has(file);
            return adapter.read(input, others, {
              ...bounds,
              ...given,
              signal,
              workspace,
              inputs: all,
              wants,
              rowsWanted,
            });
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
): Promise<ReadonlyMap<Message, ReadAgain>> {
  const found = new Map<Message, ReadAgain>();
  await openAgain(store, messages, options, async ({ read }, ofInput) => {
    await findRecords(read, ofInput, Number.POSITIVE_INFINITY, found);
  });
  return found;
}

/** Reads the files of messages until all are found, among the first `messagesMax`, and adds them to `found`. */
export async function findRecords<Message extends PlacedMessage>(
  read: OpenedAgain['read'],
  messages: readonly Message[],
  messagesMax: number,
  found: Map<Message, ReadAgain>,
): Promise<void> {
  const left = Map.groupBy(messages, ({ location }) => location);
  let count = 0;
  for await (const entries of read(messages, { isWithoutPeople: true })) {
    for (const entry of entries) {
      if (entry.type !== 'record' || entry.record.kind !== 'message') continue;
      count++;
      const { record, location: at } = entry;
      const location = formatLocation(at);
      // If a file has several versions, the one that the store refers to. A row may hold several messages.
      const wanted = left.get(location)?.find(({ muid }) => muid === muidOf(record.origin));
      if (wanted === undefined) continue;
      found.set(wanted, { record, at });
      const others = left.get(location)!.filter((other) => other !== wanted);
      if (others.length > 0) left.set(location, others);
      else left.delete(location);
    }
    if (left.size === 0 || count > messagesMax) return;
  }
}

/** Returns a location as sources name it: `path:line`, `path#/pointer`, `path:line#/pointer`; undefined for a file as a whole. */
export function locationOf(printed: string, path: string): Location | undefined {
  const [, line, pointer] = /^(?::(\d+))?(?:#(\/.*))?$/s.exec(printed.slice(path.length)) ?? [];
  if (line === undefined && pointer === undefined) return undefined;
  return { path, ...(line !== undefined && { line: Number(line) }), ...(pointer !== undefined && { pointer }) };
}
