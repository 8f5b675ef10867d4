import { oneLine, displayWidth } from '../lib/text/plain-text.ts';
import {
  type Format,
  ofSeverity,
  paint,
  countOf,
  formatCount,
  copyingCosts,
  expiryText,
  mediaSum,
  hostLabel,
  notInExportText,
} from './format.ts';
import type { ReportData, MediaData } from './report-data.ts';
import { actionsBlock, driftBlock } from './render/summary/after-messages-block.ts';
import { arrivalsBlock } from './render/summary/arrivals-block.ts';
import {
  decisionBlock,
  groupBlock,
  ignoredBlock,
  knownBlock,
  lossBlock,
  questionBlock,
} from './render/summary/list-block.ts';
import { type SummaryOptions, withNote } from './render/summary/write-line.ts';
import {
  remarksOn,
  type Verdict,
  judgeReport,
  whyStopped,
  plannedOutcomes,
  listDifferences,
  unverifiedText,
  verifyOutcomes,
} from './verdict.ts';
import { formatBytes, formatDuration } from '../lib/text/quantity.ts';
import type { ActionCheck, VerifyResult } from '../model/totals.ts';

export type { SummaryOptions };

/**
 * Returns the closing summary: a verdict, the totals, what needs attention, where the report is and what to do next. An
 * import's fits a terminal of 24 lines; a plan's lists what to decide in full. Ends with a line feed.
 */
export function renderSummary(data: ReportData, options: SummaryOptions): string {
  const people = arrivalsBlock(data, options);
  const isShort = people.length === 1;
  const blocks = [
    verdictBlock(data, options),
    [...totalsBlock(data, options), ...(isShort ? people : [])],
    readingBlock(data),
    driftBlock(data, options),
    filesBlock(data, options),
    groupBlock('Failed', data.failed, options),
    groupBlock('Invalid', data.invalid, options, data.decisions),
    isShort ? [] : people,
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
  const unread = ofSeverity(data.problems, 'blocks');
  const { decisions } = data;
  if (data.command === 'import')
    return [
      [
        ...knownBlock('Not read', unread, options),
        ...questionBlock(decisions, options),
        ...lossBlock(data, options, data.arrivals ? lossesMax - 1 : lossesMax),
      ],
    ];
  return [
    groupBlock('Not read', unread, options),
    decisionBlock(decisions, options),
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
  const remarks = remarksOn(data);
  const verdict = [
    `${paint(format, mark, options)} ${paint('bold', sentence, options)}`,
    ...remarks.map((remark) => `${paint(noticeFormat, noticeMark, options)} ${oneLine(remark)}`),
  ];
  if (stopped === null) return verdict;
  const reason = `  Stopped: ${oneLine(whyStopped(stopped))}`;
  return stopped.hint === null ? [...verdict, reason] : [...verdict, reason, `  ${oneLine(stopped.hint)}`];
}

/** The picture of a reading that no one has confirmed; of one that is confirmed, what is new in its tables. */
function readingBlock({ reading, command }: ReportData): readonly string[] {
  if (reading === undefined || !aboutTheExport.has(command)) return [];
  return reading.stops.length === 0 ? reading.news.map(exclaimed) : [...readingLines(reading), confirmingLine(reading)];
}

/** The picture of a reading, and why it stops. */
export const readingLines = ({ stops, news, picture }: ReadingToShow): readonly string[] => [
  'What becomes of the rows',
  ...picture.map(([heading, text]) => `  ${heading.padEnd(headingWidth)} ${oneLine(text)}`),
  ...[...stops, ...news].map(exclaimed),
];

/** How a reading is confirmed without being asked. */
export const confirmingLine = ({ digest }: Pick<ReadingToShow, 'digest'>): string =>
  `Is this your data? Then confirm it: --confirm-reading ${digest}`;

interface ReadingToShow {
  readonly stops: readonly string[];
  readonly news: readonly string[];
  readonly digest: string;
  readonly picture: readonly (readonly [heading: string, text: string])[];
}

const exclaimed = (sentence: string): string => `! ${oneLine(sentence)}`;

/** Columns of a heading of the picture. */
const headingWidth = 10;

/** One line of the sums. Lines of states without a message are left out, except those that people look for. */
interface Row {
  readonly label: string;
  readonly count: number;
  readonly note?: string;
  readonly isKept?: boolean;
  readonly format?: Format;
}

/** Both sums, one term a line, figures under each other. */
function totalsBlock(data: ReportData, options: SummaryOptions): readonly string[] {
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

const outsideRows = ({ totals }: ReportData): readonly Row[] => [
  { label: 'Duplicates', count: totals.duplicates, note: 'seen again, not counted' },
  { label: 'Late', count: totals.late, note: 'sent after newer messages, counted above' },
];

function alignRows(rows: readonly Row[], options: SummaryOptions): readonly string[] {
  const labelWidth = Math.max(...rows.map(({ label }) => label.length));
  const countWidth = Math.max(...rows.map(({ count }) => formatCount(count).length));
  return rows.map(({ label, count, note, format }) => {
    const text = `${label.padEnd(labelWidth)}  ${formatCount(count).padStart(countWidth)}`;
    const head = format !== undefined && count > 0 ? paint(format, text, options) : text;
    return withNote(head, text.length, note ?? '', options);
  });
}

/** Returns the block about what became of files, and what copying the others takes; for `status` only the sum. Empty if none are to be copied. */
function filesBlock({ media, command }: ReportData, options: SummaryOptions): readonly string[] {
  if (!media) return [];
  const sum = media.files === 0 ? [] : [fileLine('Files', mediaSum(media), describeLocation(media), options)];
  if (command === 'status') return sum;
  const { waitingMessages } = media;
  return [
    ...sum,
    ...further('To copy', copyingCosts(media), options),
    ...further('Expiring', expiryText(media), options),
    ...further('Waiting', waitingMessages > 0 ? `${countOf(waitingMessages, 'message')} for their files` : '', options),
    ...further('Nowhere', notInExportText(media), options),
    ...faultLines(media, options),
  ];
}

function describeLocation({ location, copied, copiedBytes }: MediaData): string {
  const size = copied > 0 ? `${formatBytes(copiedBytes)} ` : '';
  return location === null ? size.trimEnd() : `${size}${copied > 0 ? 'at' : 'to'} ${location}`;
}

const shownMax = 3;

function faultLines({ faults, faultCount }: MediaData, options: SummaryOptions): readonly string[] {
  const shown = faults.slice(0, shownMax);
  const rest = faultCount - shown.length;
  return [
    ...shown.map(({ state, name, host, reason, location }) => {
      const [outcome, place] = [oneLine(state), oneLine(location)];
      const head = `  ${paint('yellow', outcome, options)}  ${place}`;
      const note = `${name} (${hostLabel(host)}): ${reason}`;
      return withNote(head, 4 + displayWidth(outcome) + displayWidth(place), note, options);
    }),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more in the report`] : []),
  ];
}

const further = (label: string, text: string, options: SummaryOptions): readonly string[] =>
  text === '' ? [] : [fileLine(label, text, '', options)];

function fileLine(label: string, text: string, note: string, options: SummaryOptions): string {
  const head = `${paint('bold', label.padEnd(10), options)}  ${text}`;
  return withNote(head, 12 + text.length, note, options);
}

/** Returns the block about what was read back, what was asked of the service, where the report is, and what to do next. */
function closingBlock(data: ReportData, options: SummaryOptions): readonly string[] {
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

const scopeLines = ({ only, sample, repaired, actions = {} }: VerifyResult): string[] => [
  ...(Object.keys(actions).length === 0
    ? []
    : [
        Object.entries(actions)
          .map(([kind, found]) => `${kind}: ${actionText(found)}`)
          .join('; '),
      ]),
  ...(repaired === undefined ? [] : [`${formatCount(repaired)} that were missing were sent again`]),
  ...(only === undefined ? [] : [`only what --only finds: ${oneLine(only)}`]),
  ...(sample === undefined
    ? []
    : [
        `only a sample: ${formatCount(sample.messages)} of ${formatCount(sample.of)} messages, in ${formatCount(sample.conversations)} conversations, seed ${oneLine(sample.seed)}`,
      ]),
];

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
