import { formatBytes, formatDuration } from '../../../lib/text/quantity.ts';
import { countOf, type Format, formatCount, paint } from '../../format.ts';
import { plannedOutcomes } from '../../verdict.ts';
import type { ReportData } from '../../report-data.ts';
import { type SummaryOptions, withNote } from './write-line.ts';

/** One line of the sums. Lines of states without a message are left out, except those that people look for. */
interface Row {
  readonly label: string;
  readonly count: number;
  readonly note?: string;
  readonly isKept?: boolean;
  readonly format?: Format;
}

/** Both sums, one term a line, figures under each other. */
export function totalsBlock(data: ReportData, options: SummaryOptions): readonly string[] {
  const rows = [...readRows(data), ...plannedRows(data), ...outsideRows(data)];
  return alignRows(
    rows.filter(({ count, isKept }) => count > 0 || isKept),
    options,
  );
}

function readRows({ totals, source, workspace, exports, skipped }: ReportData): readonly Row[] {
  const from = workspace === '' ? source : `${source} workspace ${workspace}`;
  const labels = exports.length === 0 ? '' : ` (${exports.join(', ')})`;
  const rules = skipped.map(({ code, count }) => `${code} ${formatCount(count)}`).join(', ');
  return [
    { label: 'Read', count: totals.read, note: `messages of ${from}${labels}`, isKept: true, format: 'bold' },
    { label: '  skipped', count: totals.skipped, note: rules },
    { label: '  invalid', count: totals.invalid, isKept: true, format: 'yellow' },
  ];
}

function plannedRows(data: ReportData): readonly Row[] {
  const note = `in ${countOf(data.plannedConversationCount, 'conversation')}`;
  const total: Row = { label: 'Planned', count: data.totals.planned, note, isKept: true, format: 'bold' };
  return [total, ...plannedOutcomes.map(({ key, label }) => plannedRow(key, label, data))];
}

function plannedRow(key: (typeof plannedOutcomes)[number]['key'], label: string, data: ReportData): Row {
  const row = { label: `  ${label}`, count: data.totals[key] };
  if (key === 'pending') return { ...row, note: forecastNote(data.forecast) };
  // A dry run has sent nothing: no point in saying that nothing was imported.
  const isKept = data.command !== 'plan' && (key === 'imported' || key === 'failed');
  return key === 'failed' || key === 'unconfirmed' ? { ...row, isKept, format: 'yellow' } : { ...row, isKept };
}

function forecastNote({ requests, bytes, minutes, faster }: ReportData['forecast']): string {
  const size = `${countOf(requests, 'request')}, ${formatBytes(bytes)}`;
  if (minutes !== null) return `${size}, about ${formatDuration(minutes * 60_000)}`;
  const usual = faster[0];
  return usual
    ? `${size}; at ${formatCount(usual.ratePerMinute)} requests a minute ${formatDuration(usual.minutes * 60_000)}`
    : size;
}

function outsideRows({ totals }: ReportData): readonly Row[] {
  return [
    { label: 'Duplicates', count: totals.duplicates, note: 'seen again, not counted' },
    { label: 'Late', count: totals.late, note: 'sent after newer messages, counted above' },
  ];
}

function alignRows(rows: readonly Row[], options: SummaryOptions): readonly string[] {
  const labelWidth = Math.max(...rows.map(({ label }) => label.length));
  const countWidth = Math.max(...rows.map(({ count }) => formatCount(count).length));
  return rows.map(({ label, count, note, format }) => {
    const text = `${label.padEnd(labelWidth)}  ${formatCount(count).padStart(countWidth)}`;
    const head = format !== undefined && count > 0 ? paint(format, text, options) : text;
    return withNote(head, text.length, note ?? '', options);
  });
}
