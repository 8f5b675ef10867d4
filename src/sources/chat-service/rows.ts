import type { ExportInput } from '../../io/input/export-input.ts';
import { parseJsonHead } from '../../io/json/json-head.ts';
import { escapePart } from '../../io/json/json-pointer.ts';
import { ToUtf8 } from '../../io/to-utf8.ts';
import type { Location } from '../../lib/text/location.ts';
import { type FoundRow, type JsonRowFault, type JsonRowsAt, readJsonRows } from '../kit/rows/json-rows.ts';
import { asObject } from '../kit/narrow.ts';

/** An answer of 1,000 messages of 10 KB has 10 MB; it is the most that is held at once. */
const jsonOptions = { elementBytesMax: 32 * 2 ** 20 };

/**
 * The rows of a file of any size, in lists, one for a chunk: its messages, and those inside its answers and import bodies.
 *
 * @throws SourceError if the file cannot be read (any further).
 */
export async function* readRows(input: ExportInput, path: string): AsyncGenerator<readonly FoundRow[]> {
  const at = findShape(path, await input.head(path, shapeBytes));
  for await (const rows of readJsonRows(input.open(path), path, at, jsonOptions)) {
    yield rows.flatMap((row) => (row.fault ? [withHint(row)] : [...rowsIn(row.value, row.location, row.key)]));
  }
}

/** The rows that a value is or holds: an answer (`data`), an import body (`messages`), or a message. */
function* rowsIn(value: unknown, location: Location, key: string | undefined): Generator<FoundRow> {
  const { data, messages, receiverType } = asObject<Wrapper>(value) ?? {};
  const inside = receiverType === undefined && key === undefined;
  if (inside && Array.isArray(data)) yield* listElements(data, 'data', location);
  else if (inside && asObject<Wrapper>(data)?.receiverType !== undefined)
    yield { value: data, location: into(location, 'data') };
  else if (inside && Array.isArray(messages)) yield* listElements(messages, 'messages', location);
  else if (inside && asObject(messages)) yield* listMembers(messages as object, location);
  else yield { value, location, key };
}

type Wrapper = { data: unknown; messages: unknown; receiverType: unknown };

function* listElements(values: readonly unknown[], name: string, location: Location): Generator<FoundRow> {
  for (const [index, value] of values.entries()) yield { value, location: into(location, name, String(index)) };
}

function* listMembers(messages: object, location: Location): Generator<FoundRow> {
  for (const [key, value] of Object.entries(messages)) yield { value, key, location: into(location, 'messages', key) };
}

const into = (location: Location, ...parts: readonly string[]): Location => ({
  ...location,
  pointer: [location.pointer ?? '', ...parts.map(escapePart)].join('/'),
});

function withHint(row: FoundRow & { readonly fault: JsonRowFault }): FoundRow {
  if (row.fault.code !== 'json-trailing') return row;
  const reason = `${row.fault.reason}; a file with one answer on each line is read where its name ends in ".ndjson"`;
  return { ...row, fault: { ...row.fault, reason } };
}

/** How much of a file is looked at. The lists come first in what the service writes, so the first kilobytes show them. */
const shapeBytes = 64 * 1024;

/**
 * How the rows of a file are reached: `lines` and `values` hold messages, answers or bodies one behind another; `list` is one
 * array, answer or body.
 *
 * @param head The beginning of the file, `shapeBytes` or all of it.
 */
function findShape(path: string, head: Uint8Array): JsonRowsAt {
  const isNamedByLine = /\.(?:ndjson|jsonl)$/i.test(path);
  if (isNamedByLine) return { layout: 'lines' };
  const text = new ToUtf8();
  const bytes = Buffer.concat([text.push(head), text.end()]);
  const first = parseJsonHead(bytes);
  const behind = first?.isComplete ? bytes.toString('latin1', first.byteCount) : '';
  // Another value follows the first one: they come one a line, unless one needs several.
  if (/\S/.test(behind)) {
    const isOneLine = /^[ \t\r]*\n/.test(behind) && !bytes.subarray(0, first!.byteCount).includes('\n');
    return { layout: isOneLine ? 'lines' : 'values' };
  }
  const value = first?.value;
  if (Array.isArray(value)) return { layout: 'list', pattern: [] };
  if (value && 'data' in value && Array.isArray(value.data)) return { layout: 'list', pattern: ['data'] };
  if (value && 'messages' in value && isContainer(value.messages)) return { layout: 'list', pattern: ['messages'] };
  return { layout: 'values' };
}

const isContainer = (value: unknown): boolean => typeof value === 'object' && value !== null;
