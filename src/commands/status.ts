import { lastDestination } from '../checkpoint/base/destinations.ts';
import { openStoreToRead } from '../checkpoint/base/store.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { collectReport, tallyOf } from '../report/collect/collect-report.ts';
import { exitCodes } from '../report/exit-codes.ts';
import type { ReportData } from '../report/report-data.ts';
import { profileNamed, profileOf } from '../upload/target.ts';
import type { Outcome } from './session.ts';

export interface LookRequest {
  readonly store: string;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** The books as they stand, of the destination that was used last. Works while another process imports. */
export const readStatus = (request: LookRequest, command: string): ReportData => readBooks(request, command).report;

/** The same, for writing them out. */
export function readBooks({ store: path, clock = systemClock }: LookRequest, command: string): Outcome {
  const store = openStoreToRead(path);
  try {
    const last = lastDestination(store.db);
    const destination = last?.id ?? null;
    const tally = tallyOf(store, destination);
    const report = collectReport(store, {
      command,
      nowMs: clock.now(),
      destination: last && {
        id: last.id,
        name: last.name,
        profile: profileOf({ to: last.address, overrides: {}, profile: profileNamed(last.profile) }),
      },
      elapsedMs: null,
      tally,
    });
    return { report, exit: exitCodes.done, counted: { destination, tally } };
  } finally {
    store.close();
  }
}

/** The address of the destination that was used last: what `verify` speaks of unless told otherwise. */
export function lastAddress(storePath: string): string | undefined {
  const store = openStoreToRead(storePath);
  try {
    const address = lastDestination(store.db)?.address;
    return address?.startsWith('sandbox:') ? 'sandbox' : address;
  } finally {
    store.close();
  }
}
