import { openStoreToRead, type Store } from '../checkpoint/open.ts';
import type { FoundMessage, FoundSubjects } from '../checkpoint/totals.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import { formatLocation } from '../lib/text/location.ts';
import { checkOf } from '../mapping/check-registry.ts';
import { leftOutByDefault } from '../mapping/left-out.ts';
import { type Mapping, withSettings } from '../mapping/load-mapping.ts';
import { isTable, type Settings } from '../mapping/settings.ts';
import type { Entry } from '../model/entry.ts';
import type { MessageRecord } from '../model/records.ts';
import { parseSourceOptions } from '../plan/choose-source.ts';
import { conversationsOf, peopleOf } from '../report/found-subjects.ts';
import { sources } from '../sources/registry.ts';
import type { ShownRow } from '../sources/source.ts';
import { hiddenWhy, rowOf, whyHidden } from './compare.ts';
import {
  type AgainOptions,
  findRecords,
  locationOf,
  openAgain,
  type OpenedAgain,
  type ReadAgain,
} from './records-at.ts';
import { outcomeOfRow } from './what-if/row-outcome.ts';
import { shown, Trial, type WhatIf } from './what-if/trial.ts';

export { outcomeOfRow, type WhatIf };

/** A message that a finding is about, as it is in the export. */
export interface SampledMessage extends FoundMessage {
  /** Null if it cannot be shown. */
  readonly row: ShownRow | null;
  /** Why there is no row. */
  readonly why: string | null;
  /** Null if it cannot be read again. */
  readonly record: MessageRecord | null;
  /** Few may read it: its text is shown nowhere. */
  readonly isHidden: boolean;
}

/** Findings whose subjects are looked up, and people or conversations among which messages are looked for. */
const findingsMax = 50;
/** Messages of an export that are read to find a few of them. */
const messagesMax = 100_000;
/**
 * Returns a few messages that the findings of one code are about, or that are invalid or left out by it, with their rows: the first of the
 * plan, of different people or conversations if the findings are about these. Reads the export again, no more than its first 100,000 messages.
 *
 * @throws StoreError
 */
export async function findingSample(
  storePath: string,
  code: string,
  { max, ...again }: AgainOptions & { readonly max: number },
): Promise<readonly SampledMessage[]> {
  const store = openStoreToRead(storePath);
  try {
    const subjects = subjectsOf(store, code);
    const messages = subjects === undefined ? [] : store.totals.messagesFound(subjects, max);
    const records = new Map<FoundMessage, ReadAgain>();
    const rows = new Map<FoundMessage, ShownRow>();
    await openAgain(store, messages, again, async (opened, ofInput) => {
      const readable = ofInput.filter(({ muid }) => muid !== null);
      if (readable.length > 0) await findRecords(opened.read, readable, messagesMax, records);
      await addTableRows(opened, ofInput, rows);
    });
    const sampled: SampledMessage[] = [];
    for (const message of messages) {
      const record = records.get(message)?.record ?? null;
      const shownOf = isForFew(message, record)
        ? hiddenRow
        : await shownRow(store, message, { row: rows.get(message), again });
      sampled.push({ ...message, record, ...shownOf });
    }
    return sampled;
  } finally {
    store.close();
  }
}

/** Nothing for a code that is about no message. */
function subjectsOf(store: Store, code: string): FoundSubjects | undefined {
  const leftOut = leftOutByDefault.find((kind) => kind.code === code);
  if (leftOut !== undefined) return { about: 'fact', fact: leftOut.fact };
  const check = checkOf(code);
  if (check?.severity !== 'decision') return { about: 'invalid', code };
  switch (check.about) {
    case 'message':
      return {
        about: 'location',
        locations: store.totals.findingsOf(code, findingsMax).map(({ location }) => location),
      };
    case 'person':
      return { about: 'sender', ids: peopleOf(store, code).take(findingsMax).toArray() };
    case 'conversation':
      return { about: 'conversation', ids: conversationsOf(store, code).take(findingsMax).toArray() };
    case 'file':
      return { about: 'file', code };
    case 'zone':
      return { about: 'planned fact', fact: 'zoneAssumed' };
    default:
      return undefined;
  }
}

/** Adds the rows of tables. */
async function addTableRows(
  { adapter, input, options }: OpenedAgain,
  messages: readonly FoundMessage[],
  rows: Map<FoundMessage, ShownRow>,
): Promise<void> {
  const locations = messages.flatMap(({ location, path }) => locationOf(location, path) ?? []);
  const found = await adapter.rowsAt?.(input, options, locations);
  for (const message of messages) {
    const row = found?.get(message.location);
    if (row !== undefined) rows.set(message, row);
  }
}

type SampledRow = Pick<SampledMessage, 'row' | 'why' | 'isHidden'>;

/** By the plan, because the message may not be found again; and by its record, because the export may have changed since. */
const isForFew = (message: FoundMessage, record: MessageRecord | null): boolean =>
  message.isForFew || (record !== null && (record.isDeleted === true || record.internal !== undefined));

const hiddenRow: SampledRow = { row: null, why: hiddenWhy, isHidden: true };

async function shownRow(
  store: Store,
  message: FoundMessage,
  { row, again }: { readonly row: ShownRow | undefined; readonly again: AgainOptions },
): Promise<SampledRow> {
  const hidden = whyHidden(store, message.location);
  if (hidden !== undefined) return { row: null, why: hidden, isHidden: true };
  if (row !== undefined)
    return { row: row.map(([column, value]) => [column, shown(value)]), why: null, isHidden: false };
  const { row: text, why = null } = await rowOf(store, message, again.exports);
  return { row: text === null ? null : cellsOf(text), why, isHidden: false };
}

/** The members of a JSON object; any other row as one text. */
function cellsOf(text: string): ShownRow {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (!isTable(value)) return [['row', shown(text)]];
  return Object.entries(value).map(([key, inner]) => [
    shown(key),
    shown(typeof inner === 'string' ? inner : JSON.stringify(inner)),
  ]);
}

/**
 * Returns what would become of messages of a sample if some keys of the mapping were set otherwise: for each change, for each message. Null if
 * that cannot be told. Maps each message as a plan does; rules that need all messages of the export, such as `messages.orphans`, change nothing
 * here, apart from `conversations.outsiders`. A change of `source` reads the export again, no more than its first 100,000 messages.
 *
 * @throws StoreError, UsageError for a change that the mapping does not accept.
 */
export async function outcomesUnder(
  storePath: string,
  sample: readonly SampledMessage[],
  {
    mapping: given,
    changes,
    ...again
  }: AgainOptions & { readonly mapping: Mapping; readonly changes: readonly Settings[] },
): Promise<readonly (readonly (WhatIf | null)[])[]> {
  const store = openStoreToRead(storePath);
  try {
    const outcomes: (readonly (WhatIf | null)[])[] = [];
    for (const change of changes) {
      const mapping = withSettings(given, change);
      const isReadOtherwise = change.source !== undefined;
      if (isReadOtherwise) assertOptions(store, mapping);
      outcomes.push(
        isReadOtherwise
          ? await readUnder(store, sample, mapping, again)
          : sample.map((message) =>
              message.record === null ? asInvalid(message) : mappedUnder(store, message, message.record, mapping),
            ),
      );
    }
    return outcomes;
  } finally {
    store.close();
  }
}

/** @throws UsageError if the source of the plan does not accept what the mapping says about it. */
function assertOptions(store: Store, mapping: Mapping): void {
  const adapter = sources.find(({ name }) => name === store.readMeta('source'));
  if (adapter !== undefined) parseSourceOptions(adapter, mapping);
}

/** A row that no source can read stays so, whatever the mapping says. */
const asInvalid = ({ muid, detail }: SampledMessage): WhatIf | null =>
  muid === null ? { verdict: 'invalid', reason: detail, parts: [] } : null;

/** Whether a message that seems to be empty may have a file: only the first rows of each table of files are read from a server. */
const mayHaveFiles = (input: string, { text, attachments }: MessageRecord): boolean =>
  isServerAddress(input) && text.trim() === '' && (attachments ?? []).length === 0;

/** Returns null if that is uncertain. */
function mappedUnder(store: Store, message: SampledMessage, record: MessageRecord, mapping: Mapping): WhatIf | null {
  if (message.muid !== null && mayHaveFiles(message.input, record)) return null;
  const given = message.conversation === null ? undefined : store.totals.storedConversation(message.conversation);
  const trial = new Trial(store, message, mapping);
  if (given) trial.add({ type: 'record', record: given, location: { path: '' } });
  return trial.outcome({ type: 'record', record, location: { path: message.path } }, message);
}

/** Reads the messages with other options of the source. */
async function readUnder(
  store: Store,
  sample: readonly SampledMessage[],
  mapping: Mapping,
  again: AgainOptions,
): Promise<readonly (WhatIf | null)[]> {
  const found = new Map<SampledMessage, WhatIf>();
  await openAgain(store, sample, again, async ({ adapter, read }, ofInput) => {
    const options = adapter.options.safeParse(mapping.rules.source);
    if (!options.success) return;
    const trial = new Trial(store, ofInput[0]!, mapping);
    const left = new Map(ofInput.map((message) => [message.location, message]));
    const isWhole = await visitEntries(read(ofInput, { options: options.data }), (entry) => {
      const message = left.get(formatLocation(entry.location));
      if (entry.type === 'record' && entry.record.kind !== 'message') trial.add(entry);
      else if (message !== undefined && entry.type !== 'problem') {
        left.delete(message.location);
        if (entry.type === 'record' && entry.record.kind === 'message' && mayHaveFiles(message.input, entry.record))
          return left.size > 0;
        found.set(
          message,
          entry.type === 'record'
            ? trial.outcome(entry, message)
            : { verdict: 'invalid', reason: entry.code, parts: [] },
        );
      }
      return left.size > 0;
    });
    // One that could not be found before tells nothing by not being found now.
    const known = isWhole ? left.values().filter(({ record, row }) => record !== null || row !== null) : [];
    for (const message of known) found.set(message, { verdict: 'skipped', reason: 'not read as a message', parts: [] });
  });
  return sample.map((message) => found.get(message) ?? null);
}

/** @param visit Returns whether more is wanted. @returns Whether all was read. */
async function visitEntries(
  lists: AsyncIterable<readonly Entry[]>,
  visit: (entry: Exclude<Entry, { type: 'file' }>) => boolean,
): Promise<boolean> {
  let count = 0;
  for await (const entries of lists) {
    for (const entry of entries) {
      if (entry.type === 'file') continue;
      if (!visit(entry)) return false;
      if (entry.type === 'invalid' || (entry.type === 'record' && entry.record.kind === 'message')) count++;
    }
    if (count > messagesMax) return false;
  }
  return true;
}
