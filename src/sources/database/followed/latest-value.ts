import { SourceError } from '../../../lib/errors.ts';
import type { CellText, ServerClock } from '../database.ts';
import type { CopyTable } from './copy-tables.ts';
import { writtenTime } from './written-time.ts';

/** The zone farthest ahead of UTC, for columns without a zone. */
export const zoneMaxMs = 14 * 3_600_000;

/** The latest value of a column that says when rows changed. A row that claims to be of the future must not hide those that are changed until then. */
export class LatestValue {
  readonly #table: CopyTable;
  readonly #nowMs: number;
  #value: string | undefined;
  #ms: number;

  /** @param known The latest value so far. */
  constructor(table: CopyTable, known: string | undefined, clock: ServerClock | undefined) {
    this.#table = table;
    // Without a clock nothing is known to be of the past: the next run reads the table whole.
    this.#nowMs = clock?.nowMs ?? Number.NEGATIVE_INFINITY;
    this.#value = known;
    this.#ms = (known === undefined ? undefined : writtenTime(known)?.ms) ?? Number.NEGATIVE_INFINITY;
  }

  get value(): string | undefined {
    return this.#value;
  }

  /** @throws SourceError for a value that is no time. */
  note(value: CellText): void {
    if (value === null || /^-?infinity$|^0000-/.test(value)) return;
    const time = writtenTime(value);
    if (!time) throw noTime(this.#table, value);
    if (time.ms <= this.#ms || time.ms > this.#nowMs + (time.hasZone ? 0 : zoneMaxMs)) return;
    this.#ms = time.ms;
    this.#value = value;
  }
}

const noTime = ({ name, cursor }: CopyTable, value: string) =>
  new SourceError(
    `Cannot follow the table "${name}" by its column "${cursor}": expected times, found ${JSON.stringify(value.slice(0, 40))}`,
    {
      hint: 'Name a column that is set to the time whenever a row changes, or leave the table out of "cursor": it is then read whole at each run',
    },
  );
