import type { ExportInput } from '../../io/input/export-input.ts';
import { readJsonLists } from '../../io/json/json-lists.ts';
import { SourceError } from '../../lib/errors.ts';

/** Characters of a row that are shown. */
const shownMax = 4000;

/**
 * What stands at places of a file, as text: lines by their numbers, elements of JSON lists by their pointers. What is no
 * JSON inside a list has no text: where it ends is not known. At most 4,000 characters of each.
 *
 * @param places As the store has them: `12`, `/messages/41`, `12#/41`.
 */
export async function rawRows(
  input: ExportInput,
  path: string,
  places: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>();
  try {
    await addLines(input, path, places, rows);
    await addElements(input, path, places, rows);
  } catch (error) {
    // What cannot be read any more has no text; that it was rejected stays true.
    if (!(error instanceof SourceError)) throw error;
  }
  return rows;
}

async function addLines(input: ExportInput, path: string, places: readonly string[], rows: Map<string, string>) {
  const wanted = Map.groupBy(
    places.filter((place) => /^\d/.test(place)),
    (place) => Number.parseInt(place, 10),
  );
  const last = Math.max(0, ...wanted.keys());
  const decoder = new TextDecoder();
  let line = 1;
  let text = '';
  const take = () => {
    for (const place of wanted.get(line) ?? []) rows.set(place, cut(text.replace(/\r$/, '')));
  };
  if (last === 0) return;
  for await (const chunk of input.open(path)) {
    const [first, ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    if (wanted.has(line) && text.length <= shownMax) text += first;
    for (const next of others) {
      take();
      line++;
      text = wanted.has(line) ? next : '';
    }
    if (line > last) return;
  }
  take();
}

async function addElements(input: ExportInput, path: string, places: readonly string[], rows: Map<string, string>) {
  const wanted = new Set(places.filter((place) => place.startsWith('/')));
  const lists = new Set([...wanted].map((place) => place.slice(0, place.lastIndexOf('/'))));
  for (const list of lists) {
    for await (const elements of readJsonLists(input.open(path), partsOf(list))) {
      for (const { pointer, value, error } of elements) {
        if (error === undefined && wanted.has(pointer)) rows.set(pointer, cut(JSON.stringify(value)));
      }
    }
  }
}

/** The parts of a JSON pointer (RFC 6901). */
const partsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const cut = (text: string): string => (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text).toWellFormed();
