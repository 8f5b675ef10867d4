import type { JsonFault } from '../../io/json/json-element.ts';
import { readJsonLines } from '../../io/json/json-lines.ts';
import { readJsonLists } from '../../io/json/json-lists.ts';
import { readJsonValues } from '../../io/json/json-values.ts';
import type { Location } from '../../lib/location.ts';
import type { GrowingRows, RowStep } from '../tables/row.ts';
import { JsonRow, type RowPlace } from './json-row.ts';

/** Where the rows of a file stand. */
export type RowsAt =
  | { readonly layout: 'lines' | 'values' }
  /** `pattern`: parts of a JSON pointer, `*` for any key or index. */
  | { readonly layout: 'list'; readonly pattern: readonly string[] };

/** The rows of one file, in lists, and what is broken in its place. Throws only what `chunks` throws. */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  at: RowsAt,
  growing?: GrowingRows,
): AsyncGenerator<readonly RowStep[]> {
  if (at.layout === 'list') {
    for await (const elements of readJsonLists(chunks, at.pattern)) {
      yield elements.map((element) => {
        const location = { path, pointer: element.pointer };
        if (element.error !== undefined) return faultStep(element.error, location);
        const { key, list } = element;
        return rowStep(element.value, location, { key, parentKey: list.wildcardKey, surroundings: list.surroundings });
      });
    }
    return;
  }
  for await (const values of at.layout === 'lines' ? linesOf(chunks, growing) : readJsonValues(chunks)) {
    yield values.map(({ line, value, error }) => {
      const location = { path, line };
      return error === undefined ? rowStep(value, location, nowhere) : faultStep(error, location);
    });
  }
}

const linesOf = (chunks: AsyncIterable<Uint8Array>, growing: GrowingRows | undefined) =>
  readJsonLines(chunks, {}, growing && { from: growing.from, onEnd: (end) => growing.onEnd({ ...end, state: null }) });

const nowhere: RowPlace = {};

function rowStep(value: unknown, location: Location, place: RowPlace): RowStep {
  if (typeof value === 'object' && value !== null) return new JsonRow(value, location, place);
  const found = value === null ? 'null' : `a ${typeof value}`;
  const reason = `Cannot read this row: expected an object, found ${found}`;
  return { type: 'reject', code: 'json-not-an-object', reason, location };
}

function faultStep({ code, scope, reason }: JsonFault, location: Location): RowStep {
  // A number between lists is no row: it says how many there are.
  if (code === 'no-list' && scope === 'element') {
    return { type: 'problem', code: 'json-no-list', reason: `Cannot read a list here: ${reason}`, location };
  }
  const what = scope === 'element' ? 'this row' : 'the file from here on';
  return { type: 'reject', code: `json-${code}`, reason: `Cannot read ${what}: ${reason}`, location };
}
