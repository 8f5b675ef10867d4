import { type Hours, holdsMinute } from './config/hours.ts';
import { localMinute } from './hours.ts';

/** Slow by day, full by night. */
export interface RateTable {
  readonly rates: readonly { readonly hours: Hours; readonly rate: number }[];
  readonly timeZone: string;
}

/** Import requests per minute at this instant; nothing where the table leaves it to the job's own rate. */
export function rateAt({ rates, timeZone }: RateTable, atMs: number): number | undefined {
  const minute = localMinute(timeZone, atMs);
  return rates.find(({ hours }) => holdsMinute(hours, minute))?.rate;
}
