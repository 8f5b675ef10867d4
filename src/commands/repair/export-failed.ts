import { setImmediate as nextTurn } from 'node:timers/promises';
import { openStoreToRead, type Store } from '../../store/open.ts';
import type { FailedInput, FailedMessage, FailedMessages } from '../../store/failures.ts';
import { printPlace, formatPlace, type Location } from '../../lib/text/location.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { addressKeptAs, isServerAddress } from '../../io/input/server-input.ts';
import { rawRows } from '../../io/raw-rows.ts';
import { silent } from '../../lib/flow/progress.ts';
import { SourceError, UsageError } from '../../lib/errors.ts';
import { muidOf } from '../../mapping/ids.ts';
import type { ChatRecord, MessageRecord } from '../../model/records.ts';
import { sourceNamed } from '../../plan/choose-source.ts';
import { writeFailedMessage, writeHeader, writeLine, writeUnreadableRow } from '../../sources/chatferry-lines.ts';
import { type OpenedTogether, openTogether } from '../../rows/read-again.ts';
import { checkOutput, writeOutput } from '../../io/output.ts';
import type { ExportFailedRequest } from '../requests.ts';
import type { RunControls } from '../../lib/flow/run-controls.ts';
import type { ExportedFailures } from '../results.ts';

/** Rows of one file that are named at once, each with its text. */
const namedAtOnce = 1000;

export async function exportFailed(request: ExportFailedRequest): Promise<ExportedFailures> {
  const store = openStoreToRead(request.store);
  try {
    const failed = store.failures.collect(store.destinations.latest()?.id ?? null);
    const writing = new FailuresExport(store, failed, request);
    checkOutput(request.to, []);
    const written = await writeOutput(request.to, writing.pieces());
    return { messages: writing.messages, unreadable: writing.unreadable, ...written };
  } finally {
    store.close();
  }
}

class FailuresExport {
  messages = 0;
  unreadable = 0;
  readonly #store: Store;
  readonly #failed: FailedMessages;
  readonly #request: ExportFailedRequest & Pick<RunControls, 'progress' | 'signal'>;
  readonly #contextOf: ReturnType<typeof contextRecords>;

  constructor(store: Store, failed: FailedMessages, request: ExportFailedRequest) {
    this.#store = store;
    this.#failed = failed;
    this.#request = { progress: silent, signal: new AbortController().signal, ...request };
    this.#contextOf = contextRecords(store);
  }

  async *pieces(): AsyncGenerator<string> {
    const { progress, exports } = this.#request;
    const stage = progress.stage('Writing', { total: this.#failed.count });
    yield writeHeader(this.#store.facts.read('originSource')).text;
    const named = exports.length > 0 ? [{ id: 0, path: '', source: null }] : this.#failed.inputs();
    for (const found of named) {
      for await (const piece of this.#input(found)) {
        yield piece;
        stage.update({ done: this.messages + this.unreadable });
      }
    }
    // Rows that the export no longer has, or that cannot be read again.
    for (let rows = this.#failed.takeSome(namedAtOnce); rows.length > 0; rows = this.#failed.takeSome(namedAtOnce)) {
      yield this.#unreadable(rows, new Map());
    }
    stage.finish();
  }

  async *#input(found: FailedInput): AsyncGenerator<string> {
    const { exports, configured = [] } = this.#request;
    const paths = exports.length > 0 ? exports : [whereIs(found.path, configured)];
    let opened: OpenedTogether;
    try {
      opened = await openTogether(this.#store, paths);
    } catch (error) {
      if (!(error instanceof SourceError) || this.#request.exports.length > 0) throw error;
      throw new SourceError(`Cannot read the export again: ${error.message}`, {
        hint: 'Name it, if it was moved: chatferry export-failed EXPORT --out FILE',
        cause: error,
      });
    }
    try {
      for (const input of opened.wanted) yield* this.#read(input, opened.all, found.source);
    } finally {
      for (const input of opened.all) await input.close();
    }
  }

  async *#read(input: ExportInput, inputs: readonly ExportInput[], otherSource: string | null): AsyncGenerator<string> {
    const store = this.#store;
    const { signal } = this.#request;
    const adapter = sourceNamed(otherSource ?? store.facts.read('source') ?? '');
    const options = otherSource === null ? (JSON.parse(store.facts.read('sourceOptions') ?? '{}') as unknown) : {};
    const workspace = store.facts.read('workspace') ?? '';
    const wants = (path: string) => this.#failed.isIn(path);
    for await (const entries of adapter.read(input, options, { signal, inputs, workspace, wants })) {
      for (const entry of entries) {
        if (entry.type === 'record' && entry.record.kind === 'message')
          yield* this.#message(entry.record, entry.location);
        else if (entry.type === 'file' && wants(entry.path)) yield* this.#rowsOf(input, entry.path);
      }
      await nextTurn();
      signal.throwIfAborted();
    }
  }

  /** The message, if it is one of them, and before it whom and what it names. */
  *#message(record: MessageRecord, location: Location): Generator<string> {
    const failed = this.#failed.take(location.path, formatPlace(location), muidOf(record.origin));
    if (!failed) return;
    this.messages++;
    for (const context of this.#contextOf(record)) yield writeLine({ type: 'record', record: context, location }).text;
    yield writeFailedMessage(record, correctionOf(failed), location).text;
  }

  /** Yields the remaining rows of a file that was read: those that are no messages. */
  async *#rowsOf(input: ExportInput, path: string): AsyncGenerator<string> {
    for (let isFirst = true; ; isFirst = false) {
      const rows = this.#failed.takeSome(namedAtOnce, path);
      if (rows.length === 0) return;
      // Each look reads the file again: of a file that is broken all over, the first ones will do.
      const texts = isFirst
        ? await rawRows(input, path, { places: rows.map(({ place }) => place), shownMax })
        : new Map<string, string>();
      yield this.#unreadable(rows, texts);
    }
  }

  #unreadable(rows: readonly FailedMessage[], texts: ReadonlyMap<string, string>): string {
    this.unreadable += rows.length;
    return rows.map((row) => writeUnreadableRow(correctionOf(row), texts.get(row.place)).text).join('');
  }
}

const correctionOf = ({ code, reason, path, place }: FailedMessage) => ({
  code: code || 'unknown',
  reason: reason || 'No reason was given',
  at: printPlace(path, place),
});

/**
 * Records that a message needs before it to mean the same in a file of its own: its conversation, its author, and
 * everyone it names. Each is written once a file; remembers their ids, about 100 bytes each.
 */
function contextRecords(store: Store): (message: MessageRecord) => Generator<ChatRecord> {
  const given = new Set<string>();
  const isFirst = (key: string): boolean => given.size < given.add(key).size;
  function* person(id: string): Generator<ChatRecord> {
    const record = isFirst(`person ${id}`) ? store.people.find(id)?.record : undefined;
    if (record) yield record;
  }
  return function* before({ origin, author, mentions = [], reactions = [], call }) {
    const named = [...mentions, ...reactions.flatMap(({ users }) => users), ...(call?.participants ?? [])];
    for (const id of author === undefined ? named : [author, ...named]) yield* person(id);
    if (!isFirst(`conversation ${origin.conversation}`)) return;
    const conversation = store.conversations.record(origin.conversation);
    if (!conversation) return;
    // Chats without a name of their own are called by their members.
    if (conversation.type === 'direct' || conversation.type === 'group-direct') {
      for (const id of conversation.members) yield* person(id);
    }
    yield conversation;
  };
}

/** Characters of a row that are shown. */
const shownMax = 4000;

/** @throws UsageError for a database whose user nothing names */
function whereIs(path: string, configured: readonly string[]): string {
  if (!isServerAddress(path)) return path;
  const address = addressKeptAs(path, configured);
  if (address !== undefined) return address;
  throw new UsageError(`Cannot read "${path}" again: the store keeps no user and no settings of a database`, {
    hint: `Name it with its user: chatferry export-failed ${path.replace('://', '://USER@')} --out FILE`,
  });
}
