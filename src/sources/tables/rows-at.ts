import { SourceError } from '../../lib/errors.ts';
import { formatLocation, type Location } from '../../lib/text/location.ts';
import type { ShownRow } from '../table-source.ts';
import type { Row, RowReader, RowStep } from './row.ts';

/** Rows of a file behind which nothing is looked for. */
const rowsMax = 20_000;

/** UTF-16 units of a value that are shown at most. */
const valueMax = 500;

/**
 * Returns the unchanged rows of messages at some locations, by formatted location. Reads each file only up to the last
 * of them, and 20,000 rows at most. Rows that are not found there, or cannot be read, are missing.
 */
export async function rowsAt<T>(
  reader: RowReader<T>,
  table: T | undefined,
  locations: readonly Location[],
): Promise<ReadonlyMap<string, ShownRow>> {
  const found = new Map<string, ShownRow>();
  for (const [path, wanted] of Map.groupBy(locations, (location) => location.path)) {
    const places = new Set(wanted.map(formatLocation));
    try {
      await rowsOfTable(reader.rows(path, table), places, found);
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
    }
  }
  return found;
}

/** Looks for the rows at some places among those of one table, the first 20,000, and takes what it finds from `places`. */
export async function rowsOfTable(
  lists: AsyncIterable<readonly RowStep[]> | Iterable<readonly RowStep[]>,
  places: Set<string>,
  found: Map<string, ShownRow>,
): Promise<void> {
  let count = 0;
  for await (const steps of lists) {
    for (const step of steps) {
      if (step.type !== 'row') continue;
      const place = formatLocation(step.location);
      if (places.delete(place)) found.set(place, shown(step));
    }
    count += steps.length;
    if (places.size === 0 || count > rowsMax) return;
  }
}

const shown = (row: Row): ShownRow => row.names().map((name) => [name, shownValue(row.get(name))]);

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  return (text.length > valueMax ? `${text.slice(0, valueMax)}…` : text).toWellFormed();
}
