import type { Store } from '../store/open.ts';
import type { ReadFile } from '../store/totals.ts';
import { openExport } from '../io/input/open-export.ts';
import { addressKeptAs, isServerAddress } from '../io/input/server-input.ts';
import { standardInputKey } from '../io/input/standard-input.ts';
import { type RawRowOptions, rawRows } from '../io/raw-rows.ts';
import { ChatferryError } from '../lib/errors.ts';
import { formatLocation } from '../lib/text/location.ts';
import { hasColumns } from '../sources/table-source.ts';
import { parseLocation, openAgain, type PlacedMessage } from './read-again.ts';

/** UTF-16 units of a row that are shown. */
const shownMax = 200_000;
/** Bytes of its file that are searched; a row further on is not looked for. */
const bytesMax = 64 * 1024 * 1024;

/** Findings in rows that only few people may read, or no one any more: their rows are not shown. */
export const hiddenCodes: ReadonlySet<string> = new Set([
  'attachment-token',
  'private-note',
  'deleted-with-text',
  'ekm-access-denied',
]);

/** Why the row of a note, or of a deleted message, is not shown. */
export const hiddenWhy = 'The row has something that few may read.';

/** Returns why the row at a location must not be shown; undefined if it may. */
export function whyHidden(store: Store, location: string): string | undefined {
  if (store.facts.read('contentPurged') !== undefined) return 'Content was purged: the export is not shown.';
  return store.totals.findings.placesWith(hiddenCodes, [location]).length > 0 ? hiddenWhy : undefined;
}

/** A row; or why there is none. With a row, what is to be known of it. */
export interface RowText {
  readonly row: string | null;
  readonly why?: string;
}

const missing = (why: string): RowText => ({ row: null, why });

/**
 * Returns the row at a place of the export that the store was planned from: as it is in the file, or the columns of a table as JSON.
 *
 * @param exports As they are configured, to ask a database on a server again.
 */
export async function readRow(
  store: Store,
  place: Omit<PlacedMessage, 'muid'>,
  exports: readonly string[],
): Promise<RowText> {
  const { location, path, input, inputSource } = place;
  const hidden = whyHidden(store, location);
  if (hidden !== undefined) return missing(hidden);
  const files = store.totals.readFiles([path]).filter((file) => file.input === input);
  if (files.length === 0) return missing('The place of the row is not known.');
  const isServer = isServerAddress(input);
  if (isServer && addressKeptAs(input, exports) === undefined)
    return missing('The row is in a database on a server, and nothing here says with which user to ask it.');
  // The place of a row of a database is no piece of a text.
  const isText = !isServer && (inputSource ?? store.facts.read('source')) !== 'database';
  const texts = isText ? await readRowTexts(files, () => parsePlaces(location), { shownMax, bytesMax }) : undefined;
  const row = texts?.get(location) ?? (await readColumns(store, place, files[0]!, exports));
  if (row !== undefined) return { row, ...(isServer && { why: 'As the server has it now.' }) };
  return missing(
    isServer
      ? 'The row is gone from the server, or the server cannot be asked for one row.'
      : 'The export is missing or has changed, or the row is too far into the file.',
  );
}

/** Columns of the row of a table or database, as JSON; undefined if it is gone, its file has changed, or it is not found within the limits. */
async function readColumns(
  store: Store,
  message: Omit<PlacedMessage, 'muid'>,
  { path, fingerprint }: ReadFile,
  exports: readonly string[],
): Promise<string | undefined> {
  const location = parseLocation(message.location, message.path);
  if (location === undefined) return undefined;
  let row: string | undefined;
  const again = { exports, signal: new AbortController().signal };
  await openAgain(store, [{ ...message, muid: null }], again, async ({ adapter, input, options }) => {
    // Nothing says whether a server has changed.
    if (input.server === undefined && (await input.stat(path)).fingerprint !== fingerprint) return;
    const found = hasColumns(adapter) ? await adapter.rowsAt(input, options, [location], bytesMax) : undefined;
    const columns = found?.get(formatLocation(location));
    if (columns !== undefined) row = JSON.stringify(Object.fromEntries(columns));
  });
  return row;
}

interface Place {
  readonly path: string;
  /** As `rawRows` takes it. */
  readonly place: string;
  readonly location: string;
}

/** The parts of `path:line`, `path#/pointer` and `path:line#/pointer`; nothing of a path alone. */
export function parsePlaces(location: string): readonly Place[] {
  const [, path, line, pointer] = /^(.+?)(?::(\d+))?(?:#(\/.*))?$/s.exec(location) ?? [];
  const place = [line, pointer].filter((part) => part !== undefined).join('#');
  return path === undefined || place === '' ? [] : [{ path, place, location }];
}

/**
 * Returns rows as they are in files, by location. An export that was moved, or a file that changed since the plan, has none.
 *
 * @param placesIn The rows that are wanted of a file.
 */
export async function readRowTexts(
  files: readonly ReadFile[],
  placesIn: (file: ReadFile) => readonly Place[],
  limits: Omit<RawRowOptions, 'places'>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const [path, ofInput] of Map.groupBy(files, ({ input }) => input)) {
    // Input from a pipe is gone.
    if (path === standardInputKey) continue;
    const only = ofInput.map((file) => file.path);
    for (const input of (await orNothing(openExport([path], {}, only))) ?? []) {
      try {
        for (const file of ofInput) {
          const wanted = placesIn(file);
          const stat = await orNothing(input.stat(file.path));
          if (wanted.length === 0 || stat?.fingerprint !== file.fingerprint) continue;
          const places = wanted.map(({ place }) => place);
          const found = await orNothing(rawRows(input, file.path, { ...limits, places }));
          for (const { place, location } of wanted) if (found?.has(place)) texts.set(location, found.get(place)!);
        }
      } finally {
        await input.close();
      }
    }
  }
  return texts;
}

async function orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    return undefined;
  }
}
