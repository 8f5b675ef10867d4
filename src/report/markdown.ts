import { oneLine } from '../lib/text/plain-text.ts';
import { arrivalKinds } from '../model/arrival.ts';
import { formatBytes, formatDuration } from '../lib/text/quantity.ts';
import {
  countOf,
  formatCount,
  formatDay,
  formatShare,
  formatUtc,
  ofSeverity,
  copyingCosts,
  expiryText,
  mediaOutcomes,
  hostLabel,
  notInExportText,
} from './format.ts';
import { describeUndecided, formatAbout, isOpen, splitOptions } from '../decisions/decision.ts';
import { describeCurrent, signedOffText } from './render/decision-words.ts';
import { buildTiles } from './render/glance.ts';
import {
  arrivalNotes,
  plannedOutcomes,
  remarksOn,
  unplannedOutcomes,
  unverifiedText,
  judgeReport,
  listLeft,
  whyStopped,
  verifyOutcomes,
} from './verdict.ts';
import type { ReportData, ReportGroup } from './report-data.ts';
import { formatArrivals, leftOutText } from './render/summary/arrivals-block.ts';
import { driftText, followUpText, formatStates } from './render/summary/after-messages-block.ts';

/** Rows of a list; the whole lists are in the CSV files. */
const rowsMax = 50;

/** Renders the report as GitHub-flavoured Markdown. Text of the export is in code spans, so it stays text. */
export function renderMarkdown(data: ReportData): string {
  const blocks = [
    `# ${words(judgeReport(data).sentence)}`,
    origin(data),
    ...remarksOn(data).map((remark) => words(`${remark}.`)),
    stopped(data),
    heading('At a glance', glance(data)),
    heading('Totals', totals(data)),
    heading('Files', files(data)),
    heading('Failed: refused by the service', groups(data.failed)),
    heading('Invalid', groups(data.invalid)),
    heading('Not read', groups(ofSeverity(data.problems, 'blocks'))),
    heading('Needs your decision', toDecide(data)),
    heading('To do outside', outside(data)),
    heading('Notes', groups(ofSeverity(data.problems, 'information'))),
    heading('Decisions', answers(data)),
    heading('Changes after sending', drift(data)),
    heading('People and groups', arrivals(data)),
    heading('Actions after the messages', actions(data)),
    heading('Not migrated', losses(data)),
    heading('Rows, and the messages that they become', readRows(data)),
    heading('Conversations', conversations(data)),
    heading('Still to be sent', forecast(data)),
    heading('Reading back', verify(data)),
    heading('Skipped', groups(data.skipped)),
    heading('Ignored files', ignoredFiles(data)),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

const heading = (title: string, body: string): string => (body === '' ? '' : `## ${title}\n\n${body}`);

function origin(data: ReportData): string {
  const { source, workspace, destination, conversationCount, generatedAtMs, command } = data;
  const from = [source, workspace].filter((part) => part !== '').map(code);
  const to = destination === null ? 'no destination named' : code(destination.name);
  return `${from.join(' ')}, ${countOf(conversationCount, 'conversation')} → ${to}. Report${command === 'report' ? '' : ` of ${code(command)}`}, ${formatUtc(generatedAtMs)}.`;
}

const readRows = ({ rowsRead = [], reading }: ReportData): string =>
  [
    ...pictureLines(reading),
    ...rowsRead.map(({ place, row, message }) => {
      const before = row.filter(({ value }) => value !== '').map(({ column, value }) => `${column}: ${value}`);
      const after = message.map(({ part, text }) => `- ${part}: ${code(text)}`);
      return [code(place), '', `- row: ${code(before.join('  '))}`, ...after].join('\n');
    }),
  ].join('\n\n');

function pictureLines(reading: ReportData['reading']): readonly string[] {
  if (reading === undefined) return [];
  const { stops, news, picture } = reading;
  const lines = picture.map(([heading, text]) => `- ${words(heading)} ${code(text)}`);
  return [[...[...stops, ...news].map((sentence) => `- ${code(sentence)}`), ...lines].join('\n')];
}

function stopped({ stopped }: ReportData): string {
  if (stopped === null) return '';
  const hint = stopped.hint === null ? '' : ` ${code(stopped.hint)}`;
  return `**Stopped:** ${code(whyStopped(stopped))}${hint}`;
}

const glance = (data: ReportData): string =>
  buildTiles(data)
    .map(({ figure, label, detail }) => `- **${words(figure)}** ${label}: ${words(detail)}`)
    .join('\n');

function totals({ totals }: ReportData): string {
  const terms = [...plannedOutcomes, ...unplannedOutcomes];
  const rows = terms.map(({ key, label, meaning }) => [
    label,
    formatCount(totals[key]),
    formatShare(totals[key], totals.read),
    words(meaning),
  ]);
  return table(
    ['outcome', 'messages', 'of read', 'meaning'],
    [...rows, ['**read**', formatCount(totals.read), '', 'Everything above.']],
  );
}

function files({ media }: ReportData): string {
  if (!media) return '';
  const { faults, faultCount } = media;
  const facts = [copyingCosts(media), expiryText(media), notInExportText(media)].filter((text) => text !== '');
  const outcomes = mediaOutcomes.map(({ key, label, meaning }) => [label, formatCount(media[key]), words(meaning)]);
  return [
    ...(media.location === null ? [] : [`They stay at ${code(media.location)}.`]),
    table(['outcome', 'files', 'meaning'], [...outcomes, ['**files**', formatCount(media.files), 'Everything above.']]),
    ...facts.map((fact) => words(`${fact}.`)),
    table(
      ['not copied', 'file', 'host', 'reason', 'first message'],
      faults.map(({ state, name, host, reason, location }) => [
        words(state),
        code(name),
        code(hostLabel(host)),
        words(reason),
        code(location),
      ]),
      faultCount,
    ),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

const drift = ({ drift: changes, followUps }: ReportData): string =>
  [
    ...(changes ? [words(`Changes: ${driftText(changes)}.`)] : []),
    ...(followUps ? [words(`Messages that say so: ${followUpText(followUps)}.`)] : []),
  ].join('\n\n');

function arrivals({ arrivals: data }: ReportData): string {
  if (data === undefined) return '';
  const rows = arrivalKinds.flatMap((kind) => {
    const totals = data.kinds[kind];
    if (!totals) return [];
    const counts = [totals.read, totals.planned].map(formatCount);
    return [[kind, ...counts, words(formatArrivals(totals)), words(leftOutText(data, kind))]];
  });
  const refused = data.failed.map(({ kind, code: name, count, explanation, detail }) => [
    formatCount(count),
    kind,
    code(name),
    words(explanation),
    code(detail),
  ]);
  return [
    table(['kind', 'read', 'planned', 'result', 'not planned'], rows),
    ...arrivalNotes(data).map((note) => words(`${note}.`)),
    table(['failed', 'kind', 'code', 'meaning', 'the words of the service'], refused),
  ]
    .filter((block) => block !== '')
    .join('\n\n');
}

const actions = ({ actions: data }: ReportData): string =>
  table(
    ['action', 'planned', 'result'],
    Object.entries(data?.kinds ?? {}).map(([kind, sums]) => [kind, formatCount(sums.planned), formatStates(sums)]),
  );

const groups = (list: readonly ReportGroup[]): string =>
  table(
    ['count', 'what', 'code', 'meaning and remedy', 'first place'],
    list.map(({ count, title, code: name, explanation, remedy, examples }) => [
      formatCount(count),
      title === name ? '' : words(title),
      code(name),
      words([explanation, remedy].filter((text) => text !== '').join(' ')),
      code(examples[0]?.location ?? ''),
    ]),
  );

const toDecide = ({ decisions }: ReportData): string =>
  table(
    ['about', 'question', 'code', 'your options', 'if you do nothing'],
    decisions.filter(isOpen).map((decision) => [
      formatAbout(decision.about),
      words(decision.question),
      code(decision.id),
      words(
        splitOptions(decision)
          .own.map(({ does }) => `${does}.`)
          .join(' '),
      ),
      words(describeUndecided(decision)),
    ]),
  );

const outside = ({ decisions }: ReportData): string =>
  decisions
    .filter(isOpen)
    .flatMap((decision) => splitOptions(decision).outside.map((does) => `- ${words(does)} (${code(decision.id)})`))
    .join('\n');

const answers = ({ answers: given = [], answersFault, signedOff }: ReportData): string =>
  [
    ...(signedOff ? [words(signedOffText(signedOff))] : []),
    ...(answersFault === undefined ? [] : [words(`${answersFault}.`)]),
    table(
      ['decision', 'key', 'answer', 'before', 'by', 'when', 'in the latest plan'],
      given.map(({ about = '', key, answer, before, by, atMs, holds }) => [
        ...[
          words(about),
          code(key),
          code(answer),
          code(before ?? ''),
          words(by),
          formatUtc(atMs),
          describeCurrent({ holds }),
        ],
      ]),
    ),
  ]
    .filter((block) => block !== '')
    .join('\n\n');

const ignoredFiles = ({ ignored = [] }: ReportData): string =>
  table(
    ['files', 'reason', 'first file'],
    ignored.map(({ count, reason, example }) => [formatCount(count), words(reason), code(example)]),
  );

const losses = ({ losses }: ReportData): string =>
  table(
    ['count', 'what', 'result'],
    losses.map(({ count, what, becomes }) => [formatCount(count), words(what), words(becomes)]),
  );

const conversations = ({ conversations, conversationCount }: ReportData): string =>
  table(
    ['conversation', 'goes to', 'read', 'planned', 'from', 'to'],
    conversations.map(({ name, target, read, planned, firstAtMs, lastAtMs }) => [
      code(name),
      code(target),
      formatCount(read),
      formatCount(planned),
      formatDay(firstAtMs),
      formatDay(lastAtMs),
    ]),
    conversationCount,
  );

function forecast({ totals, arrivals, forecast }: ReportData): string {
  if (forecast.requests === 0) return '';
  const { requests, bytes, minutes, startAtMs, endAtMs } = forecast;
  const end = endAtMs === null ? '' : ` Begun ${formatUtc(startAtMs)}, done ${formatUtc(endAtMs)}.`;
  const time = minutes === null ? 'How long is not known.' : `About ${formatDuration(minutes * 60_000)}.${end}`;
  const things = [countOf(totals.pending, 'message'), listLeft(arrivals)].filter(Boolean).join(', ');
  return `${things} in ${countOf(requests, 'request')}, ${formatBytes(bytes)}. ${time}`;
}

function verify(data: ReportData): string {
  const { verify } = data;
  const since = unverifiedText(data);
  const rows = verify === null ? [] : verifyOutcomes.map(({ key }) => [key, formatCount(verify[key])]);
  return [table(['result', 'messages'], rows), since === null ? '' : `Not verified ${since}.`]
    .filter(Boolean)
    .join('\n\n');
}

/** @param total How many there are, where `rows` are only the first. */
function table(head: readonly string[], rows: readonly (readonly string[])[], total = rows.length): string {
  if (rows.length === 0) return '';
  const shown = rows.slice(0, rowsMax);
  const lines = [head, head.map(() => '---'), ...shown].map((cells) => `| ${cells.join(' | ')} |`);
  const rest = total - shown.length;
  return rest === 0 ? lines.join('\n') : `${lines.join('\n')}\n\nAnd ${formatCount(rest)} more.`;
}

/** Characters that Markdown or HTML gives a meaning. */
const special = /[\\`*_[\]<>~&|]/g;

/** Words of ours or of the service, as text. A table ends a cell at `|`, and not every reader heeds a backslash before it. */
const words = (text: string): string =>
  oneLine(text).replaceAll(special, (character) => (character === '|' ? '&#124;' : `\\${character}`));

/** UTF-16 units: enough to recognise a text by. */
const lengthMax = 200;

/** Text from outside: a code span with more backticks than it holds. No code span can hold a `|` in a table. */
function code(text: string): string {
  const line = oneLine(text).slice(0, lengthMax).toWellFormed();
  if (line === '') return '';
  if (line.includes('|')) return words(line);
  const longest = Math.max(0, ...Array.from(line.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = longest > 0 ? ' ' : '';
  return `${fence}${padding}${line}${padding}${fence}`;
}
