import type { ListedMedia } from '../store/media.ts';
import type { ListedProblem } from '../store/totals.ts';
import { openStoreToRead, type Store } from '../store/open.ts';
import { type MediaData, type ReportData, reportDataSchema } from './report-data.ts';
import type { ReportFormat } from '../model/report-formats.ts';
import { withExcerpts } from './collect/excerpts.ts';
import { onlyFilesCode } from './collect/media-figures.ts';
import { explain } from './collect/explanations.ts';
import { addUpMessages, type Tally } from './tally.ts';
import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../lib/files/atomic-file.ts';
import { StoreError } from '../lib/errors.ts';
import { readOnce } from '../lib/text/schema-words.ts';
import { makeFolder } from '../lib/files/make-folder.ts';
import { markedText, spreadsheetText } from '../lib/text/spreadsheet-text.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { z } from 'zod';
import type { UserRecord } from '../model/records.ts';
import type { LookupRule } from '../mapping/rules.ts';

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
    const lists = formats.includes('csv') ? buildLists(store, report, counted) : undefined;
    const data = formats.includes('html') || formats.includes('json') ? await withExcerpts(report, store) : report;
    await writeReport(directory, data, { formats, ...(lists && { lists }) });
  } finally {
    store.close();
  }
}

function buildLists(store: Store, report: ReportData, { destination, tally }: Counted): ReportLists {
  const { conversations, conversationCount } = report;
  return {
    conversations: () =>
      conversations.length === conversationCount ? conversations : store.totals.largestConversations(destination),
    countedAtMs: tally?.countedAtMs,
    problems: () => listProblems(store, report, destination),
    ...(report.media && { files: () => store.media.figures.all() }),
  };
}

/** Yields the problems. Messages are only gone through if there is something to find. */
function* listProblems(store: Store, { totals, media }: ReportData, destination: number | null): Generator<ProblemRow> {
  if (totals.failed > 0) yield* described('failed', 'blocks', store.totals.refusedRows(destination));
  if (totals.invalid > 0) yield* described('invalid', 'blocks', store.totals.invalidRows(destination));
  yield* described('finding', 'information', media ? findingsBesides(store, media) : store.totals.findings.each());
  if (destination !== null) yield* described('difference', 'blocks', differences(store, destination));
}

/** Without what copying files settles. */
function* findingsBesides(store: Store, { settled }: MediaData): Generator<ListedProblem> {
  const known = new Set([...settled, onlyFilesCode]);
  yield* store.totals.findings.each().filter(({ code }) => !known.has(code));
  if (settled.includes(onlyFilesCode)) return;
  for (const place of store.media.figures.onlyFiles())
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

export interface WriteReportOptions {
  /** `html` and `json` without it, and `csv` where there are lists. */
  readonly formats?: readonly ReportFormat[];
  /** Content of the CSV files; without it there are none. */
  readonly lists?: ReportLists;
}

type ReportFile = readonly [name: string, lines: () => Iterable<string>, countedAtMs?: number | undefined];

/**
 * Writes `report.html`, `report.json`, `report.md`, and `conversations.csv` with `problems.csv` and, if files are
 * copied, `files.csv`. Each is replaced whole or not at all. They quote the export, so they are for their owner only
 * (0600), as is a directory made here (0700). An existing directory keeps its mode, since it may be a person's working
 * directory.
 *
 * @returns the paths of the written files.
 * @throws StoreError if the directory cannot be written.
 */
export async function writeReport(
  directory: string,
  data: ReportData,
  { formats = ['html', 'json', 'csv'], lists }: WriteReportOptions = {},
): Promise<readonly string[]> {
  const files = formats.flatMap((format) => buildFiles(format, data, lists));
  try {
    makeFolder(directory);
    for (const [name, lines, countedAtMs] of files) await writeUnlessCounted(join(directory, name), lines, countedAtMs);
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    const hint = 'Pass --report DIR with a directory that can be written; “chatferry report” writes it again';
    throw new StoreError(`Cannot write the report to "${directory}": ${cause.message}`, {
      path: directory,
      hint,
      cause,
    });
  }
  return files.map(([name]) => join(directory, name));
}

/**
 * A list of a million lines takes seconds. It bears the time at which its messages were counted, unlike one that shows another state, that
 * someone changed, or whose run was killed before this mark: those are written again.
 */
async function writeUnlessCounted(path: string, lines: () => Iterable<string>, countedAtMs?: number): Promise<void> {
  const changedMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (Math.round(changedMs) === countedAtMs) return;
  await replaceFile(path, lines());
  if (countedAtMs !== undefined) utimesSync(path, countedAtMs / 1000, countedAtMs / 1000);
}

function buildFiles(format: ReportFormat, data: ReportData, lists: ReportLists | undefined): readonly ReportFile[] {
  if (format === 'html') return [['report.html', () => [renderHtml(data)]]];
  if (format === 'json') return [['report.json', () => [renderJson(data)]]];
  if (format === 'markdown') return [['report.md', () => [renderMarkdown(data)]]];
  if (lists === undefined) return [];
  return [
    ['conversations.csv', () => conversationsCsv(lists), lists.countedAtMs],
    ['problems.csv', () => problemsCsv(lists)],
    ...(lists.files ? [['files.csv', () => filesCsv(lists)] satisfies ReportFile] : []),
  ];
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** Lists that are too long for a page, one row at a time: memory stays flat whatever their length. */
export interface ReportLists {
  /** Every conversation, most planned messages first. */
  conversations(): Iterable<ReportData['conversations'][number]>;
  /** When their messages were counted: the list of this time need not be written again. */
  readonly countedAtMs?: number | undefined;
  /** Every failed message and invalid row, every finding of a check, every difference that reading back found. */
  problems(): Iterable<ProblemRow>;
  /** Returns every file of planned messages, each once; absent if none are to be copied. */
  files?(): Iterable<ListedMedia>;
}

export interface ProblemRow extends ListedProblem {
  /** `failed`, `invalid`, `finding` or `difference`. */
  readonly family: string;
  readonly severity: string;
  readonly remedy: string;
}

const conversationKeys = [
  ...(['id', 'name', 'target', 'read', 'planned'] as const),
  ...(['imported', 'existing', 'failed', 'pending', 'unconfirmed'] as const),
];

/** conversations.csv, line by line. Times are ISO 8601, UTC. */
export function* conversationsCsv({ conversations }: ReportLists): Generator<string> {
  yield byteOrderMark + csvLine([...conversationKeys, 'firstAt', 'lastAt']);
  for (const row of conversations()) {
    const firstAt = isoTime(row.firstAtMs);
    const lastAt = row.lastAtMs === row.firstAtMs ? firstAt : isoTime(row.lastAtMs);
    yield csvLine([...conversationKeys.map((key) => row[key]), firstAt, lastAt]);
  }
}

const problemKeys = [
  ...(['family', 'severity', 'code', 'count', 'location'] as const),
  ...(['conversation', 'muid', 'detail', 'remedy'] as const),
];

export function* problemsCsv({ problems }: ReportLists): Generator<string> {
  yield byteOrderMark + csvLine(problemKeys);
  for (const row of problems()) yield csvLine(problemKeys.map((key) => row[key]));
}

const fileKeys = [
  ...(['state', 'reason', 'name', 'host', 'bytes', 'type', 'expiresAt'] as const),
  ...(['sha256', 'key', 'address', 'uses', 'location'] as const),
];

export function* filesCsv({ files }: ReportLists): Generator<string> {
  yield byteOrderMark + csvLine(fileKeys);
  for (const row of files?.() ?? []) {
    const cells = {
      ...row,
      host: row.host || 'export',
      bytes: row.bytes ?? '',
      expiresAt: isoTime(row.expiresAtMs),
    };
    yield csvLine(fileKeys.map((key) => cells[key]));
  }
}

/** Returns the time; empty if there is none; the number itself if it is no date. */
function isoTime(ms: number | null): string {
  if (ms === null) return '';
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

/**
 * CSV that opens in a spreadsheet as what it is: every cell quoted, CRLF between rows (RFC 4180), and nothing that a
 * spreadsheet would run. Text from an export may begin with `=`; a `'` before it makes it text.
 */

export const csvCell = (value: string | number): string =>
  typeof value === 'number' ? `"${value}"` : quotedCell(spreadsheetText(value.toWellFormed()));

const quotedCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Marks the file as UTF-8 for spreadsheets. */
const byteOrderMark = '\ufeff';

/** The report as JSON: checked, with keys in the order of the schema, so that two reports can be compared line by line. */
export function renderJson(data: ReportData): string {
  return `${JSON.stringify(reportDataSchema.parse(data, readOnce), null, 2)}\n`;
}

/** Returns the JSON Schema (draft 2020-12) of `report.json`. Published as `docs/reference/schemas/report.schema.json`. */
export function reportJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(reportDataSchema);
  return {
    $schema,
    title: 'Chatferry report',
    description: 'Result of every message. Counts are messages unless stated otherwise; times are epoch milliseconds.',
    ...schema,
  };
}

export interface PlannedPerson {
  /** In the store: people are numbered in the order in which the plan met them. */
  readonly number: number;
  readonly record: UserRecord;
  /** The uid that the plan gave. */
  readonly now: string;
  /** A hash was appended to it, because others have the same uid. */
  readonly hasHash: boolean;
  readonly messages: number;
}

/** Yields everyone in the latest plan. Counts their messages first: one pass over all of them, if nothing has counted them yet. */
export function* plannedPeople(store: Store): Generator<PlannedPerson> {
  const { authors } = addUpMessages(store, store.destinations.latest()?.id ?? null);
  for (const { id, uid, record, hasHash } of store.totals.eachPerson())
    yield { number: id, record, now: uid, hasHash, messages: authors.of(id) };
}

/** Whether a table of uids can name someone: it takes ids without blanks around them. */
export const isNameable = (id: string): boolean => id.trim() === id && id.isWellFormed();

export interface PeopleRow {
  readonly id: string;
  readonly name: string;
  readonly handle: string;
  readonly email: string;
  /** Planned messages. */
  readonly messages: number;
  /** In the present table; empty if it has none. */
  readonly uid: string;
  /** The uid that the latest plan gave. */
  readonly now: string;
}

const wordColumns = ['name', 'handle', 'email', 'messages'] as const;
const emptyRow: PeopleRow = { id: '', name: '', handle: '', email: '', messages: 0, uid: '', now: '' };

/** A row for someone who is not in the plan. */
export const unmatchedRow = (by: LookupRule['by'], key: string, uid: string): PeopleRow => ({
  ...emptyRow,
  [by]: key,
  uid,
});

const exactCell = (text: string): string => quotedCell(markedText(text));

/** The first line of a table of uids. */
export const csvHeader = byteOrderMark + csvLine(['id', ...wordColumns, 'uid', 'now']);

/** A row as a line. A program reads ids and uids again, so they have to be exact. */
export const peopleLine = (row: PeopleRow): string =>
  `${[exactCell(row.id), ...wordColumns.map((key) => csvCell(row[key])), exactCell(row.uid), csvCell(row.now)].join(',')}\r\n`;
