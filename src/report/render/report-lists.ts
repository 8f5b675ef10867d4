import type { ReportData } from '../report-data.ts';

/** What is too long for a page, one row at a time: memory stays flat whatever there is. */
export interface ReportLists {
  /** Every conversation, most planned messages first. */
  conversations(): Iterable<ReportData['conversations'][number]>;
  /** Every row that was refused or rejected, every finding of a check, every difference that reading back found. */
  problems(): Iterable<ProblemRow>;
}

export interface ProblemRow {
  /** `refused`, `rejected`, `finding` or `difference`. */
  readonly family: string;
  readonly severity: string;
  readonly code: string;
  /** More than 1 where the row stands for further findings in the same file. */
  readonly count: number;
  readonly location: string;
  readonly conversation: string;
  /** Empty where it is not about one message. */
  readonly muid: string;
  readonly detail: string;
  readonly remedy: string;
}

const conversationKeys = [
  ...(['id', 'name', 'target', 'read', 'planned'] as const),
  ...(['imported', 'present', 'refused', 'pending', 'inDoubt'] as const),
];

/** conversations.csv, line by line. Times are ISO 8601, UTC. */
export function* conversationsCsv({ conversations }: ReportLists): Generator<string> {
  yield byteOrderMark + csvLine([...conversationKeys, 'firstAt', 'lastAt']);
  for (const row of conversations()) {
    yield csvLine([...conversationKeys.map((key) => row[key]), timeOf(row.firstAtMs), timeOf(row.lastAtMs)]);
  }
}

const problemKeys = [
  ...(['family', 'severity', 'code', 'count', 'location'] as const),
  ...(['conversation', 'muid', 'detail', 'remedy'] as const),
];

/** problems.csv, line by line. */
export function* problemsCsv({ problems }: ReportLists): Generator<string> {
  yield byteOrderMark + csvLine(problemKeys);
  for (const row of problems()) yield csvLine(problemKeys.map((key) => row[key]));
}

/** Empty where there is none; the number itself where it is no date. */
function timeOf(ms: number | null): string {
  if (ms === null) return '';
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}

/**
 * CSV that opens in a spreadsheet as what it is: every cell quoted, CRLF between rows (RFC 4180), and nothing that a
 * spreadsheet would run. Text from an export may begin with `=`; a `'` before it makes it text.
 */

/** What a spreadsheet takes for a formula, also as full-width letters and behind what it skips (tab, CR, LF, NUL). */
const formula = /^[=+\-@\t\r\n\0＝＋－＠]/;

export function csvCell(value: string | number): string {
  if (typeof value === 'number') return `"${value}"`;
  const text = value.toWellFormed();
  return `"${formula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/** Tells spreadsheets that the file is UTF-8. */
const byteOrderMark = '\ufeff';
