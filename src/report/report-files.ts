import type { ListedProblem } from '../store/totals.ts';
import { openStoreToRead, type Store } from '../store/open.ts';
import type { MediaData, ReportData } from './report-data.ts';
import { type ProblemRow, type ReportLists, writeReport } from './write.ts';
import type { ReportFormat } from '../model/report-formats.ts';
import { listConversations } from './collect-report.ts';
import { withExcerpts } from './excerpts.ts';
import { onlyFilesCode } from './collect/media-figures.ts';
import { explain } from './collect/explanations.ts';
import { addUpMessages, type Tally } from './tally.ts';

/** Destination whose totals a report shows, and its messages if they are added up already. */
export interface Counted {
  readonly destination: number | null;
  readonly tally?: Tally | undefined;
}

/** Writes the files of a report; the long lists go from the store to the disk row by row. */
export async function writeReportFiles(
  directory: string,
  { report, counted }: { readonly report: ReportData; readonly counted: Counted },
  { store: path, formats }: { readonly store: string; readonly formats: readonly ReportFormat[] },
): Promise<void> {
  const store = openStoreToRead(path);
  try {
    const lists = formats.includes('csv') ? listsOf(store, report, counted) : undefined;
    const data = formats.includes('html') || formats.includes('json') ? await withExcerpts(report, store) : report;
    await writeReport(directory, data, { formats, ...(lists && { lists }) });
  } finally {
    store.close();
  }
}

function listsOf(store: Store, report: ReportData, { destination, tally }: Counted): ReportLists {
  return {
    conversations: () => listConversations(tally ?? addUpMessages(store, destination), store),
    problems: () => problemsOf(store, report, destination),
    ...(report.media && { files: () => store.media.listMedia() }),
  };
}

/** Yields the problems. Messages are only gone through if there is something to find. */
function* problemsOf(store: Store, { totals, media }: ReportData, destination: number | null): Generator<ProblemRow> {
  if (totals.failed > 0) yield* described('failed', 'blocks', store.totals.refusedRows(destination));
  if (totals.invalid > 0) yield* described('invalid', 'blocks', store.totals.invalidRows(destination));
  yield* described('finding', 'information', media ? findingsBesides(store, media) : store.totals.findingRows());
  if (destination !== null) yield* described('difference', 'blocks', differences(store, destination));
}

/** Without what copying files settles. */
function* findingsBesides(store: Store, { settled }: MediaData): Generator<ListedProblem> {
  const known = new Set([...settled, onlyFilesCode]);
  yield* store.totals.findingRows().filter(({ code }) => !known.has(code));
  if (settled.includes(onlyFilesCode)) return;
  for (const place of store.media.messagesOfOnlyFiles())
    yield { code: onlyFilesCode, count: 1, conversation: '', muid: '', ...place };
}

function* described(
  family: string,
  usual: ReportData['problems'][number]['severity'],
  rows: Iterable<ListedProblem>,
): Generator<ProblemRow> {
  for (const row of rows) {
    const { severity = usual, remedy } = explain(row.code);
    yield { family, severity, ...row, remedy };
  }
}

function* differences(store: Store, destination: number): Generator<ListedProblem> {
  for (const { kind, ...row } of store.totals.differenceRows(destination)) yield { ...row, code: kind, count: 1 };
}
