import { oneLine } from '../lib/text/plain-text.ts';
import { type Format, ofSeverity, paint } from './format.ts';
import type { ReportData } from './report-data.ts';
import { actionsBlock, driftBlock } from './render/summary/after-messages-block.ts';
import { totalsBlock } from './render/summary/totals-block.ts';
import { closingBlock } from './render/summary/closing-block.ts';
import { filesBlock } from './render/summary/files-block.ts';
import { groupBlock, ignoredBlock, knownBlock, lossBlock } from './render/summary/list-block.ts';
import type { SummaryOptions } from './render/summary/write-line.ts';
import { remarksOn, type Verdict, verdictOf, whyStopped } from './render/verdict.ts';

export type { SummaryOptions };

/**
 * The closing summary: a verdict, two sums that balance, what needs attention, where the report is and what to do
 * next. Ends with a line feed.
 */
export function renderSummary(data: ReportData, options: SummaryOptions): string {
  const blocks = [
    verdictBlock(data, options),
    totalsBlock(data, options),
    driftBlock(data, options),
    filesBlock(data, options),
    groupBlock('Refused', data.failed, options),
    groupBlock('Rejected', data.invalid, options),
    actionsBlock(data, options),
    ...(aboutTheExport.has(data.command) ? exportBlocks(data, options) : []),
    closingBlock(data, options),
  ];
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** What verify, status and others end with is about what was sent; the report has the rest. */
const aboutTheExport: ReadonlySet<string> = new Set(['plan', 'import', 'report']);

const exportBlocks = (data: ReportData, options: SummaryOptions): readonly (readonly string[])[] => [
  groupBlock('Needs your decision', ofSeverity(data.problems, 'blocks', 'decision'), options),
  knownBlock('Notes', ofSeverity(data.problems, 'information'), options),
  ignoredBlock(data, options),
  lossBlock(data, options),
];

const marks: Readonly<Record<Verdict['tone'], readonly [string, Format]>> = {
  good: ['✓', 'green'],
  notice: ['!', 'yellow'],
  bad: ['✗', 'red'],
  plain: ['·', 'cyan'],
};

function verdictBlock(data: ReportData, options: SummaryOptions): readonly string[] {
  const { tone, sentence } = verdictOf(data);
  const { stopped } = data;
  const [mark, format] = marks[tone];
  const [noticeMark, noticeFormat] = marks.notice;
  const remarks = aboutTheExport.has(data.command) ? remarksOn(data) : [];
  const verdict = [
    `${paint(format, mark, options)} ${paint('bold', sentence, options)}`,
    ...remarks.map((remark) => `${paint(noticeFormat, noticeMark, options)} ${oneLine(remark)}`),
  ];
  if (stopped === null) return verdict;
  const reason = `  Stopped: ${oneLine(whyStopped(stopped))}`;
  return stopped.hint === null ? [...verdict, reason] : [...verdict, reason, `  ${oneLine(stopped.hint)}`];
}
