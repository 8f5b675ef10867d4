import { oneLine } from '../lib/text/plain-text.ts';
import { type Format, ofSeverity, paint } from './format.ts';
import type { ReportData } from './report-data.ts';
import { actionsBlock, driftBlock } from './render/summary/after-messages-block.ts';
import { totalsBlock } from './render/summary/totals-block.ts';
import { closingBlock } from './render/summary/closing-block.ts';
import { filesBlock } from './render/summary/files-block.ts';
import { groupBlock, ignoredBlock, knownBlock, lossBlock } from './render/summary/list-block.ts';
import type { SummaryOptions } from './render/summary/write-line.ts';
import { remarksOn, type Verdict, judgeReport, whyStopped } from './verdict.ts';

export type { SummaryOptions };

/**
 * Returns the closing summary: a verdict, the totals, what needs attention, where the report is and what to do next. An
 * import's fits a terminal of 24 lines; a plan's lists what to decide in full. Ends with a line feed.
 */
export function renderSummary(data: ReportData, options: SummaryOptions): string {
  const blocks = [
    verdictBlock(data, options),
    totalsBlock(data, options),
    driftBlock(data, options),
    filesBlock(data, options),
    groupBlock('Failed', data.failed, options),
    groupBlock('Invalid', data.invalid, options),
    actionsBlock(data, options),
    ...exportBlocks(data, options),
    closingBlock(data, options),
  ];
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** Commands whose summary is about the export. That of verify, status and others is about what was sent; the report has the rest. */
const aboutTheExport: ReadonlySet<string> = new Set(['plan', 'import', 'report']);

function exportBlocks(data: ReportData, options: SummaryOptions): readonly (readonly string[])[] {
  if (!aboutTheExport.has(data.command)) return [];
  const toDecide = ofSeverity(data.problems, 'blocks', 'decision');
  if (data.command === 'import')
    return [[...knownBlock('Needs your decision', toDecide, options), ...lossBlock(data, options, lossesMax)]];
  return [
    groupBlock('Needs your decision', toDecide, options),
    knownBlock('Notes', ofSeverity(data.problems, 'information'), options),
    ignoredBlock(data, options),
    lossBlock(data, options),
  ];
}

/** At the end of an import, to fit 24 lines. */
const lossesMax = 3;

const marks: Readonly<Record<Verdict['tone'], readonly [string, Format]>> = {
  good: ['✓', 'green'],
  notice: ['!', 'yellow'],
  bad: ['✗', 'red'],
  plain: ['·', 'cyan'],
};

function verdictBlock(data: ReportData, options: SummaryOptions): readonly string[] {
  const { tone, sentence } = judgeReport(data);
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
