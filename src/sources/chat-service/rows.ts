import type { ExportInput } from '../../io/input/export-input.ts';
import type { JsonFault } from '../../io/json/json-element.ts';
import { readJsonLines } from '../../io/json/json-lines.ts';
import { readJsonLists } from '../../io/json/json-lists.ts';
import { escapePart } from '../../io/json/json-pointer.ts';
import { readJsonValues } from '../../io/json/json-values.ts';
import { SourceError } from '../../lib/errors.ts';
import type { Location } from '../../lib/location.ts';
import { shapeBytes, shapeOf } from './file-shape.ts';
import type { FetchHeader } from './format.ts';
import { asObject, type Untrusted } from './narrow.ts';

/** A row, or why what stands in its place cannot be read. */
export type FoundRow =
  | {
      readonly location: Location;
      readonly value: unknown;
      /** In an import body: the row's muid. */
      readonly key?: string | undefined;
      readonly fault?: never;
    }
  | { readonly location: Location; readonly fault: { readonly code: string; readonly reason: string } };

/** An answer of 1,000 messages of 10 KB has 10 MB; it is the most that is held at once. */
const jsonOptions = { elementBytesMax: 32 * 2 ** 20 };

/**
 * The rows of a file of any size, in lists, one for a chunk: its messages, and those inside its answers and import bodies.
 * What cannot be read is a fault in its place: nothing is thrown, and what stands before it is read.
 */
export async function* readRows(input: ExportInput, path: string): AsyncGenerator<readonly FoundRow[]> {
  let hasBegun = false;
  try {
    for await (const rows of rowsOf(input, path)) {
      hasBegun = true;
      yield rows;
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const reason = hasBegun ? `Cannot read the file from here on: ${error.message}` : error.message;
    yield [{ location: { path }, fault: { code: 'unreadable-file', reason } }];
  }
}

async function* rowsOf(input: ExportInput, path: string): AsyncGenerator<readonly FoundRow[]> {
  const shape = shapeOf(path, await input.head(path, shapeBytes));
  if (shape.kind === 'list') {
    for await (const elements of readJsonLists(input.open(path), shape.pattern, jsonOptions)) {
      yield elements.flatMap((element) =>
        element.error
          ? [faultAt({ path, pointer: element.pointer }, element.error)]
          : [...rowsIn(element.value, { path, pointer: element.pointer }, element.key)],
      );
    }
    return;
  }
  const read = shape.isByLine ? readJsonLines : readJsonValues;
  for await (const values of read(input.open(path), jsonOptions)) {
    yield values.flatMap(({ line, value, error }) =>
      error ? [faultAt({ path, line }, error)] : [...rowsIn(value, { path, line }, undefined)],
    );
  }
}

/** The rows that a value is or holds: an answer (`data`), an import body (`messages`), or a message. */
function* rowsIn(value: unknown, location: Location, key: string | undefined): Generator<FoundRow> {
  const { data, messages, receiverType } = asObject<Wrapper>(value) ?? {};
  const inside = receiverType === undefined && key === undefined;
  if (inside && Array.isArray(data)) yield* elementsOf(data, 'data', location);
  else if (inside && asObject<Wrapper>(data)?.receiverType !== undefined)
    yield { value: data, location: into(location, 'data') };
  else if (inside && Array.isArray(messages)) yield* elementsOf(messages, 'messages', location);
  else if (inside && asObject(messages)) yield* membersOf(messages as object, location);
  else yield { value, location, key };
}

type Wrapper = { data: unknown; messages: unknown; receiverType: unknown };

function* elementsOf(values: readonly unknown[], name: string, location: Location): Generator<FoundRow> {
  for (const [index, value] of values.entries()) yield { value, location: into(location, name, String(index)) };
}

function* membersOf(messages: object, location: Location): Generator<FoundRow> {
  for (const [key, value] of Object.entries(messages)) yield { value, key, location: into(location, 'messages', key) };
}

const into = (location: Location, ...parts: readonly string[]): Location => ({
  ...location,
  pointer: [location.pointer ?? '', ...parts.map(escapePart)].join('/'),
});

function faultAt(location: Location, { code, scope, reason }: JsonFault): FoundRow {
  const what = scope === 'element' ? 'this row' : 'the file from here on';
  const hint =
    code === 'trailing' ? '; a file with one answer on each line is read where its name ends in ".ndjson"' : '';
  return {
    location: location.pointer === '' ? { path: location.path } : location,
    fault: { code: `json-${code}`, reason: `Cannot read ${what}: ${reason}${hint}` },
  };
}

/** Whether a value is the first line of a file that was fetched. */
export const isFetchHeader = (value: unknown): value is Untrusted<FetchHeader> =>
  asObject<FetchHeader>(value)?.kind === 'chat-service-fetch';
