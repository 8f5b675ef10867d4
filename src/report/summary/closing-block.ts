import { oneLine } from '../../lib/plain-text.ts';
import { formatCount, formatDuration } from '../format.ts';
import type { ReportData, VerifyResult } from '../report-data.ts';
import { paint } from '../paint.ts';
import type { SummaryOptions } from './write-line.ts';

/** What was read back, what was asked of the service, where the report is, and what to do next. */
export function closingBlock(data: ReportData, options: SummaryOptions): readonly string[] {
  const next = (options.next ?? []).map((command, index) => line(index === 0 ? 'Next' : '', oneLine(command), options));
  const asked = data.requests.import + data.requests.list;
  return [
    ...(data.verify === null ? [] : [line('Verify', verifyText(data.verify), options)]),
    ...(asked === 0 ? [] : [line('Requests', requestText(data), options)]),
    ...(options.reportPath === undefined ? [] : [line('Report', oneLine(options.reportPath), options)]),
    ...next,
  ];
}

const line = (label: string, text: string, options: SummaryOptions): string =>
  `${paint('bold', label.padEnd(8), options)}  ${text}`;

const verifyKinds = ['same', 'missing', 'different', 'duplicated', 'extra', 'foreign'] as const;

/** `same` and `missing` always, the others where there are any. */
function verifyText(verify: VerifyResult): string {
  const shown = verifyKinds.filter((kind) => kind === 'same' || kind === 'missing' || verify[kind] > 0);
  return shown.map((kind) => `${formatCount(verify[kind])} ${kind}`).join(', ');
}

function requestText({ requests, elapsedMs }: ReportData): string {
  const repeated = requests.retried > 0 ? `, ${formatCount(requests.retried)} repeated` : '';
  const limited = requests.rateLimited > 0 ? `, ${formatCount(requests.rateLimited)} put off by the service` : '';
  const time = elapsedMs === null ? '' : `, ${formatDuration(elapsedMs)}`;
  return `${formatCount(requests.import)} import, ${formatCount(requests.list)} read${repeated}${limited}${time}`;
}
