import { oneLine } from '../../../lib/text/plain-text.ts';
import type { ActionCheck } from '../../../model/totals.ts';
import { formatDuration } from '../../../lib/text/quantity.ts';
import { formatCount, paint } from '../../format.ts';
import type { ReportData } from '../../report-data.ts';
import type { VerifyResult } from '../../../model/totals.ts';
import { listDifferences, unverifiedText, verifyOutcomes } from '../../verdict.ts';
import type { SummaryOptions } from './write-line.ts';

/** Returns the block about what was read back, what was asked of the service, where the report is, and what to do next. */
export function closingBlock(data: ReportData, options: SummaryOptions): readonly string[] {
  const next = (options.next ?? []).map((command, index) => line(index === 0 ? 'Next' : '', oneLine(command), options));
  const asked = data.requests.import + data.requests.list + (data.requests.action ?? 0);
  return [
    ...verifyLines(data, options),
    ...unverifiedLines(data, options),
    ...(asked === 0 ? [] : [line('Requests', requestText(data), options)]),
    ...(options.reportPath === undefined ? [] : [line('Report', oneLine(options.reportPath), options)]),
    ...next,
  ];
}

const line = (label: string, text: string, options: SummaryOptions): string =>
  `${paint('bold', label.padEnd(8), options)}  ${text}`;

/** The sums, then the conversations that differ. */
function verifyLines({ verify, differingConversations }: ReportData, options: SummaryOptions): string[] {
  if (verify === null) return [];
  const shown = differingConversations.slice(0, conversationsMax);
  const more = differingConversations.length - shown.length;
  return [
    line('Verify', verifyText(verify), options),
    ...scopeLines(verify).map((text) => line('', text, options)),
    ...shown.map(({ name, ...counts }) => line('', `${oneLine(name)}: ${listDifferences(counts)}`, options)),
    ...(more > 0 ? [line('', `and ${formatCount(more)} more conversations`, options)] : []),
  ];
}

/** Returns the lines below the line about reading back, if there is one. */
function unverifiedLines(data: ReportData, options: SummaryOptions): string[] {
  const since = unverifiedText(data);
  return since === null ? [] : [line(data.verify === null ? 'Verify' : '', `not ${since}`, options)];
}

const conversationsMax = 10;

function scopeLines({ only, sample, repaired, actions = {} }: VerifyResult): string[] {
  return [
    ...Object.entries(actions).map(([kind, found]) => `${kind}: ${actionText(found)}`),
    ...(repaired === undefined ? [] : [`${formatCount(repaired)} that were missing were sent again`]),
    ...(only === undefined ? [] : [`only what --only finds: ${oneLine(only)}`]),
    ...(sample === undefined
      ? []
      : [
          `only a sample: ${formatCount(sample.messages)} of ${formatCount(sample.of)} messages, in ${formatCount(sample.conversations)} conversations, seed ${oneLine(sample.seed)}`,
        ]),
  ];
}

const actionText = ({ same, missing, notShown }: ActionCheck): string =>
  [
    `${formatCount(same)} same, ${formatCount(missing)} missing`,
    ...(notShown > 0 ? [`${formatCount(notShown)} that the destination does not show`] : []),
  ].join(', ');

/** `same` and `missing` always, the others where there are any. */
function verifyText(verify: VerifyResult): string {
  const shown = verifyOutcomes.filter(({ key }) => key === 'same' || key === 'missing' || verify[key] > 0);
  return shown.map(({ key }) => `${formatCount(verify[key])} ${key}`).join(', ');
}

function requestText({ requests, elapsedMs }: ReportData): string {
  const repeated = requests.retried > 0 ? `, ${formatCount(requests.retried)} repeated` : '';
  const limited = requests.rateLimited > 0 ? `, ${formatCount(requests.rateLimited)} put off by the service` : '';
  const time = elapsedMs === null ? '' : `, ${formatDuration(elapsedMs)}`;
  const actions = requests.action === undefined ? '' : `, ${formatCount(requests.action)} for actions`;
  return `${formatCount(requests.import)} import, ${formatCount(requests.list)} read${actions}${repeated}${limited}${time}`;
}
