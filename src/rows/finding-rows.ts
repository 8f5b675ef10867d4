import { openStoreToRead, type Store } from '../store/open.ts';
import type { FoundMessage, FoundSubjects } from '../store/totals.ts';
import { isServerAddress } from '../io/input/server-input.ts';
import { formatLocation } from '../lib/text/location.ts';
import { findCheck, leftOutByDefault } from '../mapping/checks.ts';
import { type Mapping, withSettings } from '../mapping/load.ts';
import { isTable, type Settings } from '../lib/settings.ts';
import type { MessageRecord } from '../model/records.ts';
import { hasColumns, type ShownRow } from '../sources/table-source.ts';
import { conversationsWithFinding, peopleWithFinding } from './found-subjects.ts';
import { type AgainOptions, findRecords, parseLocation, openAgain, visitEntries } from './read-again.ts';
import { hiddenWhy, readRow, whyHidden } from './row-text.ts';
import { notSent, shown, trialIn, type WhatIf } from './trial.ts';

/** A message that a finding is about, as it is in the export. */
export interface SampledMessage extends FoundMessage {
  /** Null if it cannot be shown. */
  readonly row: ShownRow | null;
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
    const subjects = findSubjects(store, code);
    const messages = subjects === undefined ? [] : store.totals.findings.messages(subjects, max);
    const records = new Map<FoundMessage, MessageRecord>();
    const rows = new Map<FoundMessage, ShownRow>();
    await openAgain(store, messages, again, async ({ adapter, input, options, read }, ofInput) => {
      const readable = ofInput.filter(({ muid }) => muid !== null);
      if (readable.length > 0) await findRecords(read, readable, messagesMax, records);
      const locations = ofInput.flatMap(({ location, path }) => parseLocation(location, path) ?? []);
      const found = hasColumns(adapter) ? await adapter.rowsAt(input, options, locations) : undefined;
      for (const message of ofInput) {
        const row = found?.get(message.location);
        if (row !== undefined) rows.set(message, row);
      }
    });
    const sampled: SampledMessage[] = [];
    for (const message of messages) {
      const record = records.get(message) ?? null;
      sampled.push({
        ...message,
        record,
        ...(await shownRow(store, message, { record, columns: rows.get(message), exports: again.exports })),
      });
    }
    return sampled;
  } finally {
    store.close();
  }
}

/** Nothing for a code that is about no message. */
function findSubjects(store: Store, code: string): FoundSubjects | undefined {
  const leftOut = leftOutByDefault.find((kind) => kind.code === code);
  if (leftOut !== undefined) return { about: 'fact', fact: leftOut.fact };
  const check = findCheck(code);
  if (check?.severity !== 'decision') return { about: 'invalid', code };
  switch (check.about) {
    case 'message':
    case 'attachment':
      return {
        about: 'location',
        locations: store.totals.findings.locations(code, findingsMax),
      };
    case 'person':
      return { about: 'sender', ids: peopleWithFinding(store, code).take(findingsMax).toArray() };
    case 'conversation':
      return { about: 'conversation', ids: conversationsWithFinding(store, code).take(findingsMax).toArray() };
    case 'file':
      return { about: 'file', code };
    case 'zone':
      return { about: 'planned fact', fact: 'zoneAssumed' };
    default:
      return undefined;
  }
}

/** @param columns The row of a table; other rows are texts. */
async function shownRow(
  store: Store,
  message: FoundMessage,
  {
    record,
    columns,
    exports,
  }: {
    readonly record: MessageRecord | null;
    readonly columns: ShownRow | undefined;
    readonly exports: readonly string[];
  },
): Promise<Pick<SampledMessage, 'row' | 'why' | 'isHidden'>> {
  // By the plan, because the message may not be found again; and by its record, because the export may have changed since.
  const isForFew = message.isForFew || record?.isDeleted === true || record?.internal !== undefined;
  const hidden = isForFew ? hiddenWhy : whyHidden(store, message.location);
  if (hidden !== undefined) return { row: null, why: hidden, isHidden: true };
  if (columns !== undefined)
    return { row: columns.map(([column, value]) => [column, shown(value)]), why: null, isHidden: false };
  const { row, why = null } = await readRow(store, message, exports);
  return { row: row === null ? null : parseCells(row), why, isHidden: false };
}

/** The members of a JSON object; any other row as one text. */
function parseCells(text: string): ShownRow {
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
      outcomes.push(
        change.source === undefined
          ? sample.map((message) => mappedUnder(store, message, mapping))
          : await readUnder(store, sample, mapping, again),
      );
    }
    return outcomes;
  } finally {
    store.close();
  }
}

/** Whether a message that seems to be empty may have a file: only the first rows of each table of files are read from a server. */
const mayHaveFiles = (input: string, { text, attachments }: MessageRecord): boolean =>
  isServerAddress(input) && text.trim() === '' && (attachments ?? []).length === 0;

/** Returns null if that is uncertain. A row that no source can read stays so, whatever the mapping says. */
function mappedUnder(store: Store, message: SampledMessage, mapping: Mapping): WhatIf | null {
  const { muid, record, detail, conversation, input, inputSource, path, isHidden } = message;
  if (record === null) return muid === null ? notSent('invalid', detail) : null;
  if (muid !== null && mayHaveFiles(input, record)) return null;
  const given = conversation === null ? undefined : store.totals.conversationRecord(conversation);
  const trial = trialIn(store, inputSource, mapping);
  if (given) trial.add({ type: 'record', record: given, location: { path: '' } });
  return trial.outcome({ type: 'record', record, location: { path } }, isHidden);
}

/** Reads the messages with other options of the source. @throws UsageError if it does not accept them. */
async function readUnder(
  store: Store,
  sample: readonly SampledMessage[],
  mapping: Mapping,
  again: AgainOptions,
): Promise<readonly (WhatIf | null)[]> {
  const { sources } = await import('../sources/registry.ts');
  const { parseSourceOptions } = await import('../plan/choose-source.ts');
  const planned = sources.find(({ name }) => name === store.facts.read('source'));
  if (planned !== undefined) parseSourceOptions(planned, mapping);
  const found = new Map<SampledMessage, WhatIf>();
  await openAgain(store, sample, again, async ({ adapter, read }, ofInput) => {
    const options = adapter.options.safeParse(mapping.rules.source);
    if (!options.success) return;
    const trial = trialIn(store, ofInput[0]!.inputSource, mapping);
    const left = new Map(ofInput.map((message) => [message.location, message]));
    const isWhole = await visitEntries(read(ofInput, { options: options.data }), messagesMax, (entry) => {
      const message = left.get(formatLocation(entry.location));
      if (entry.type === 'record' && entry.record.kind !== 'message') trial.add(entry);
      else if (message !== undefined && entry.type !== 'problem') {
        left.delete(message.location);
        if (entry.type === 'invalid') found.set(message, notSent('invalid', entry.code));
        else if (entry.type === 'skipped') found.set(message, notSent('skipped', entry.rule));
        else if (!mayHaveFiles(message.input, entry.record as MessageRecord))
          found.set(message, trial.outcome(entry, message.isHidden));
      }
      return left.size > 0;
    });
    // One that could not be found before tells nothing by not being found now.
    const known = isWhole ? left.values().filter(({ record, row }) => record !== null || row !== null) : [];
    for (const message of known) found.set(message, notSent('skipped', 'not read as a message'));
  });
  return sample.map((message) => found.get(message) ?? null);
}
