import type { JsonFault, JsonOptions } from '../../../io/json/json-element.ts';
import { readJsonLines } from '../../../io/json/json-lines.ts';
import { readJsonLists } from '../../../io/json/json-lists.ts';
import { readJsonValues } from '../../../io/json/json-values.ts';
import { escapePart } from '../../../io/json/json-pointer.ts';
import type { Location } from '../../../lib/text/location.ts';
import type { RowProblem } from '../entries.ts';

/** Location of the rows in a JSON file. */
export type JsonRowsAt =
  /** One on each line; or one after another, with anything between them. */
  | { readonly layout: 'lines' | 'values' }
  /** In lists of the object on each line, if one of them has a key of `keys`, or any without these. Any other line is a row itself. */
  | { readonly layout: 'lists-on-lines'; readonly pattern: readonly string[]; readonly keys?: readonly string[] }
  /** `pattern`: parts of a JSON pointer, `*` for any key or index; none for the file's own array or object. */
  | { readonly layout: 'list'; readonly pattern: readonly string[] };

/** A row of a JSON file, or why it cannot be read. */
export type FoundRow =
  | {
      readonly location: Location;
      readonly value: unknown;
      /** Key of the row, if the list is an object whose values are rows. */
      readonly key?: string | undefined;
      /** The key that the last `*` of the pattern matched. */
      readonly parentKey?: string | undefined;
      /** Fields of the objects around the list, the nearest first. */
      readonly surroundings?: readonly ReadonlyMap<string, unknown>[] | undefined;
      /** For a list: whether it became valid JSON only after the `repair` option fixed it. */
      readonly isRepaired?: boolean;
      /** No row: the list has none (`tellsEmptyLists` of the options). */
      readonly isEmptyList?: true | undefined;
      readonly fault?: never;
    }
  | { readonly location: Location; readonly fault: JsonRowFault; readonly value?: never };

export interface JsonRowFault extends RowProblem {
  /** `row`: the next one is read again. `rest`: nothing behind it is. `no-row`: what is broken is no row (a list that is none). */
  readonly scope: 'row' | 'rest' | 'no-row';
}

/**
 * Reads the rows of a JSON file of any size, in lists cut anywhere. A row that cannot be read is yielded as a fault in
 * order, and the rows around it are read. Integers that a number cannot hold are strings.
 *
 * for await (const rows of readJsonRows(input.open(path), path, { layout: 'list', pattern: ['messages'] })) { for
 * (const { location, value, fault } of rows) { if (fault) yield invalidEntry(fault.code, fault.reason, location);
 *
 * A file that is one small array is read twice as fast by `readArrayFile`.
 *
 * @param options Limits of one row: by default at most 16 MiB and 64 levels.
 * @throws Only errors that `chunks` throws.
 */
export async function* readJsonRows(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  at: JsonRowsAt,
  options: JsonOptions = {},
): AsyncGenerator<readonly FoundRow[]> {
  if (at.layout === 'list') {
    for await (const elements of readJsonLists(chunks, at.pattern, options)) {
      yield elements.map((element): FoundRow => {
        const location = element.pointer === '' ? { path } : { path, pointer: element.pointer };
        if (element.error) return { location, fault: jsonRowFault(element.error) };
        const { value, key, list, isRepaired, isEmptyList } = element;
        const { wildcardKey: parentKey, surroundings } = list;
        return { location, value, key, parentKey, surroundings, isRepaired, isEmptyList };
      });
    }
    return;
  }
  const located = at.layout === 'values' ? readJsonValues(chunks, options) : readJsonLines(chunks, options);
  for await (const values of located) {
    const rows: FoundRow[] = [];
    for (const { line, value, error } of values) {
      const location = { path, line };
      const holder = at.layout === 'lists-on-lines' && !error ? findHolder(value, at) : undefined;
      if (error) rows.push({ location, fault: jsonRowFault(error) });
      else if (holder && at.layout === 'lists-on-lines') rows.push(...rowsOnLine(holder, at.pattern, location));
      else rows.push({ location, value });
    }
    yield rows;
  }
}

type ListsOnLines = Extract<JsonRowsAt, { layout: 'lists-on-lines' }>;
type Fields = Readonly<Record<string, unknown>>;

/** The object on a line that has lists of rows. */
function findHolder(line: unknown, { pattern, keys }: ListsOnLines): Fields | undefined {
  let holder = line;
  for (const key of pattern.slice(0, -1)) holder = isFields(holder) ? holder[key] : undefined;
  if (!isFields(holder)) return undefined;
  const isHolder = Object.entries(holder).some(
    ([key, list]) => Array.isArray(list) && (keys === undefined || keys.includes(key)),
  );
  return isHolder ? holder : undefined;
}

function* rowsOnLine(holder: Fields, pattern: readonly string[], location: Location): Generator<FoundRow> {
  const surroundings = [new Map(Object.entries(holder))];
  const around = pattern.slice(0, -1).map((key) => `/${escapePart(key)}`);
  for (const [parentKey, list] of Object.entries(holder)) {
    if (!Array.isArray(list)) continue;
    for (const [index, value] of list.entries()) {
      const pointer = `${around.join('')}/${escapePart(parentKey)}/${index}`;
      yield { location: { ...location, pointer }, value: value as unknown, parentKey, surroundings };
    }
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A fault of `io/json` in the words of a report: `Cannot read this row: …`, `Cannot read the file from here on: …`. */
export function jsonRowFault({ code, scope, reason }: JsonFault): JsonRowFault {
  // A number between lists is no row: it says how many there are.
  if (code === 'no-list' && scope === 'element') {
    return { code: 'json-no-list', reason: `Cannot read a list here: ${reason}`, scope: 'no-row' };
  }
  const what = scope === 'element' ? 'this row' : 'the file from here on';
  return {
    code: `json-${code}`,
    reason: `Cannot read ${what}: ${reason}`,
    scope: scope === 'element' ? 'row' : 'rest',
  };
}
