import { SourceError } from '../lib/errors.ts';
import { isFaultLine } from './fault-line.ts';
import type { ExportInput } from './input/export-input.ts';
import { readJsonLists } from './json/json-lists.ts';

export interface RawRowOptions {
  /** As the store has them: `12`, `/messages/41`, `12#/41`. */
  readonly places: readonly string[];
  /** UTF-16 units of a row that are given. */
  readonly shownMax: number;
  /** Bytes of the file behind which nothing is looked for. Default: no limit. */
  readonly bytesMax?: number;
}

/**
 * Returns the text at locations of a file: lines by their numbers, elements of JSON lists by their pointers. Invalid
 * JSON inside a list has no text, because its end is unknown. Reads no further than the last location, once for each
 * list.
 */
export async function rawRows(
  input: ExportInput,
  path: string,
  { places, shownMax, bytesMax = Number.POSITIVE_INFINITY }: RawRowOptions,
): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>();
  const save = (place: string, text: string) =>
    isFaultLine(text) ||
    rows.set(place, (text.length > shownMax ? `${text.slice(0, shownMax)}…` : text).toWellFormed());
  const open = () => upTo(input.open(path), bytesMax);
  try {
    await addLines(open, places, { shownMax, save });
    await addElements(open, places, save);
  } catch (error) {
    // A row that can no longer be read has no text; it stays an invalid row.
    if (!(error instanceof SourceError)) throw error;
  }
  return rows;
}

type Save = (place: string, text: string) => void;

async function* upTo(chunks: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    if (bytes >= bytesMax) return;
    bytes += chunk.length;
    yield chunk;
  }
}

async function addLines(
  open: () => AsyncIterable<Uint8Array>,
  places: readonly string[],
  { shownMax, save }: { readonly shownMax: number; readonly save: Save },
) {
  const wanted = Map.groupBy(
    places.filter((place) => /^\d/.test(place)),
    (place) => Number.parseInt(place, 10),
  );
  const last = Math.max(0, ...wanted.keys());
  const decoder = new TextDecoder();
  let line = 1;
  let text = '';
  const take = () => {
    for (const place of wanted.get(line) ?? []) save(place, text.replace(/\r$/, ''));
  };
  if (last === 0) return;
  for await (const chunk of open()) {
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

async function addElements(open: () => AsyncIterable<Uint8Array>, places: readonly string[], save: Save) {
  const pointers = places.filter((place) => place.startsWith('/'));
  const lists = Map.groupBy(pointers, (place) => place.slice(0, place.lastIndexOf('/')));
  for (const [list, ofList] of lists) await addListElements(open(), list, { wanted: new Set(ofList), save });
}

async function addListElements(
  bytes: AsyncIterable<Uint8Array>,
  list: string,
  { wanted, save }: { readonly wanted: Set<string>; readonly save: Save },
) {
  for await (const elements of readJsonLists(bytes, parsePointer(list), { takesArraysBehind: true })) {
    for (const { pointer, value, error } of elements) {
      if (!wanted.delete(pointer)) continue;
      if (error === undefined) save(pointer, JSON.stringify(value));
      if (wanted.size === 0) return;
    }
  }
}

/** The parts of a JSON pointer (RFC 6901). */
const parsePointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
