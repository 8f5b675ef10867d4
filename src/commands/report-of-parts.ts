import { openStoreToRead } from '../checkpoint/base/store.ts';
import { readMeta } from '../checkpoint/base/meta.ts';
import { UsageError } from '../lib/errors.ts';
import type { Clock } from '../lib/flow/clock.ts';
import { formatCount } from '../lib/text/count.ts';
import { formatPart, type Part } from '../model/part.ts';
import { storedPart } from '../plan/claim-part.ts';
import type { ReportedStore } from '../report/collect/report-files.ts';
import { exitCodes } from '../report/exit-codes.ts';
import type { ReportData } from '../report/report-data.ts';
import { sumReports } from '../report/sum/sum-reports.ts';
import { readBooks } from './status.ts';

/** The report of an export that was carried over in parts, and of each part, in their order. */
export interface PartsOutcome {
  readonly report: ReportData;
  readonly exit: number;
  readonly parts: readonly [ReportedStore, ...ReportedStore[]];
}

/**
 * Adds up the stores of all parts of an export, in whatever order they are named. One store is open at a time; what is kept of each is its report.
 *
 * @throws UsageError where they are not the parts of one export, each once; StoreError where one cannot be read.
 */
export function reportOfParts(
  stores: readonly [string, ...string[]],
  { clock }: { readonly clock: Clock },
  command: string,
): PartsOutcome {
  const held = stores.map((path) => ({ path, ...partIn(path) })).sort((a, b) => a.part.index - b.part.index);
  assertOneExport(held);
  const parts = held.map(({ path }) => {
    const { report, counted } = readBooks({ store: path, clock }, command);
    // Added up again for its lists: of thousands of conversations in hundreds of parts nothing is kept meanwhile.
    return { store: path, report, counted: { destination: counted.destination } };
  }) as unknown as PartsOutcome['parts'];
  const reports = parts.map(({ report }) => report) as unknown as readonly [ReportData, ...ReportData[]];
  return { report: sumReports(reports), exit: exitCodes.done, parts };
}

interface HeldPart {
  readonly path: string;
  readonly part: Pick<Part, 'index' | 'of'>;
  /** Source and workspace. */
  readonly from: string;
}

function partIn(path: string): Omit<HeldPart, 'path'> {
  const store = openStoreToRead(path);
  try {
    const part = storedPart(store.db);
    if (!part)
      throw new UsageError(`Cannot add up "${path}" with others: it holds no part of an export, but a whole one`, {
        hint: 'Of several stores only those of plan --part, import --part or a fleet are one export; report the others one by one',
      });
    return { part, from: `${readMeta(store.db, 'source')} ${readMeta(store.db, 'workspace')}`.trim() };
  } finally {
    store.close();
  }
}

function assertOneExport(held: readonly HeldPart[]): void {
  const [first] = held;
  const { of } = first!.part;
  const other = held.find(({ part, from }) => part.of !== of || from !== first!.from);
  if (other)
    throw new UsageError(
      `Cannot add up "${first!.path}" and "${other.path}": they are ${wordsOf(first!)}, and ${wordsOf(other)}`,
      { hint: 'Name the stores of one export, as many as it has parts' },
    );
  const twice = held.find(({ part }, index) => held[index + 1]?.part.index === part.index);
  if (twice)
    throw new UsageError(`Cannot add up: ${formatPart(twice.part)} is in two of the stores, "${twice.path}" is one`, {
      hint: 'Name one store for each part',
    });
  const missing = Array.from({ length: of }, (_, index) => index).filter(
    (index) => !held.some(({ part }) => part.index === index),
  );
  if (missing.length === 0) return;
  const numbers = missing.slice(0, 10).map((index) => String(index + 1));
  const more = missing.length > numbers.length ? ` and ${formatCount(missing.length - numbers.length)} more` : '';
  throw new UsageError(
    `Cannot add up the parts of an export: of ${formatCount(of)}, ${numbers.join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} missing`,
    { hint: 'Name the stores of all its parts: sums of some would look like losses' },
  );
}

const wordsOf = ({ part, from }: HeldPart): string => `${formatPart(part)} of ${from}`;
