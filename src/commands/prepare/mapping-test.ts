import { isObject } from '../../lib/maps/objects.ts';
import type { StagedItem } from '../../model/staged-item.ts';
import { loadMappingFile, type Mapping, type PlacedExample } from '../../mapping/load.ts';
import { type ChatRecord, recordSchema } from '../../model/records.ts';
import { type MessageOutcome, Trial } from '../../rows/trial.ts';
import type { MessageLimits } from '../../service/profiles.ts';
import { bindExampleRow } from '../../sources/table-rows.ts';
import type { ExampleResult, Difference } from '../results.ts';
import type { MappingTestOptions } from '../requests.ts';

export async function testMapping(path: string, options: MappingTestOptions): Promise<readonly ExampleResult[]> {
  const { mapping, examples } = await loadMappingFile(path);
  return examples.map((example) => ({
    name: example.name,
    place: example.place,
    differences: runExample(example, mapping, options),
  }));
}

function runExample(example: PlacedExample, mapping: Mapping, { limits }: MappingTestOptions): readonly Difference[] {
  const { name: _, place, given, record, row, ...wanted } = example;
  const before = given.map((one, index) => recordOf(one, index));
  const read = row === undefined ? [recordOf(record!, given.length)] : recordsOfRow(mapping, row, place);
  if ('invalid' in read) return differences(wanted, read);
  const records: ChatRecord[] = [];
  for (const one of [...before, ...read]) {
    if (typeof one === 'string') return [{ path: 'record', expected: 'a record', found: one }];
    records.push(one);
  }
  if (read.length === 0) return differences(wanted, { skipped: 'left out by the table' });
  return differences(wanted, mapLast(records, mapping, limits, place));
}

function recordsOfRow(mapping: Mapping, row: object, place: string): readonly ChatRecord[] | { invalid: string } {
  const read = bindExampleRow(mapping.rules.source, row as Readonly<Record<string, unknown>>, { path: place });
  return read.records ?? { invalid: read.invalid };
}

function mapLast(records: readonly ChatRecord[], mapping: Mapping, limits: MessageLimits, place: string): object {
  const last = records.at(-1)!;
  const nowMs = last.kind === 'message' ? last.sentAtMs + 1000 : 0;
  const trial = new Trial({ mapping, limits, nowMs });
  const entryOf = (record: ChatRecord) => ({ type: 'record' as const, record, location: { path: place } });
  for (const record of records.slice(0, -1)) trial.add(entryOf(record));
  if (last.kind === 'message') return outcomeOf(trial.map(entryOf(last)));
  const items = trial.add(entryOf(last));
  const details =
    last.kind === 'user' ? find(items, 'person')?.person.details : find(items, 'conversation')?.conversation.details;
  return { payload: JSON.parse(details ?? 'null') };
}

/** Fields that a message of an example may leave out. */
const made = { sortKey: '', sentAtMs: Date.UTC(2024, 0, 1, 12), text: '' };

/** A record of an example with what it leaves out, or words for what is wrong with it. */
function recordOf(given: NonNullable<PlacedExample['record']>, index: number): ChatRecord | string {
  const { kind = 'message', origin, ...rest } = given;
  const ids = { source: 'example', workspace: '', conversation: 'C1', id: String(index + 1) };
  const record =
    kind === 'message' ? { kind, origin: { ...ids, ...(origin as object) }, ...made, ...rest } : { kind, ...rest };
  const parsed = recordSchema.safeParse(record);
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  return `${path.join('.')}: ${message}`;
}

/** The outcome of a message, under the keys of an example. */
const outcomeOf = ({ verdict, reason, payloads, sender, conversation }: MessageOutcome): object => ({
  ...(verdict === 'skipped' && { skipped: reason }),
  ...(verdict === 'invalid' && { invalid: reason }),
  ...(payloads.length > 0 && { payload: payloads[0] }),
  ...(payloads.length > 1 && { parts: payloads }),
  sender,
  conversation,
});

const find = <Type extends StagedItem['type']>(items: readonly StagedItem[], type: Type) =>
  items.findLast((item): item is Extract<StagedItem, { type: Type }> => item.type === type);

/**
 * Compares what is named: keys of `expected`, at any depth. A list is compared as a whole, with the keys that its elements
 * name. In the order of `expected`.
 */
export function differences(expected: unknown, found: unknown, path = ''): Difference[] {
  if (Array.isArray(expected) && Array.isArray(found) && expected.length === found.length) {
    return expected.flatMap((element, index) => differences(element, found[index], join(path, String(index))));
  }
  if (isObject(expected) && isObject(found)) {
    return Object.entries(expected)
      .filter(([, value]) => value !== undefined)
      .flatMap(([key, value]) =>
        differences(value, Object.hasOwn(found, key) ? found[key] : undefined, join(path, key)),
      );
  }
  if (JSON.stringify(expected) === JSON.stringify(found)) return [];
  return [{ path, expected: print(expected), found: print(found) }];
}

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);

const print = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value));
