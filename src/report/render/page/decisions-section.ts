import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import type { ReportData } from '../../report-data.ts';
import { formatUtc } from '../../format.ts';
import { code, emptyNote, quote, type Section, table, say } from './elements.ts';

/** Returns the section about who decided what; undefined without a log of decisions. */
export function decisionsSection(data: ReportData): Section | undefined {
  const { answers = [], answersFault, signedOff } = data;
  if (answers.length === 0 && answersFault === undefined && signedOff === undefined) return undefined;
  const body = html`${signedOff === undefined ? nothing : html`<p class="intro">${say(signedOffText(signedOff))}</p>`}
${answersFault === undefined ? nothing : html`<p class="check bad"><span aria-hidden="true">✗</span> ${say(answersFault)}.</p>`}
${answers.length === 0 ? emptyNote('No decision was written down.') : list(answers)}`;
  return { id: 'decided', title: 'Decisions', body };
}

const list = (answers: NonNullable<ReportData['answers']>): SafeHtml =>
  table({
    id: 'decided-table',
    caption: 'Decisions, and who made them',
    isCaptionHidden: true,
    isSortable: true,
    rows: answers,
    columns: [
      ...(answers.some(({ about }) => about !== undefined)
        ? [
            {
              title: 'Decision',
              cell: ({ about }: { readonly about?: string | undefined }) => (about === undefined ? '–' : say(about)),
            },
          ]
        : []),
      { title: 'Key', cell: ({ key }) => code(key) },
      { title: 'Answer', cell: ({ answer }) => quote(answer) },
      { title: 'Before', cell: ({ before }) => (before === null ? '–' : quote(before)) },
      { title: 'By', cell: ({ by }) => say(by) },
      { title: 'When (UTC)', kind: 'date', cell: ({ atMs }) => formatUtc(atMs) },
      { title: 'In the latest plan', cell: describeCurrent },
    ],
  });

type GivenAnswer = NonNullable<ReportData['answers']>[number];

/** Whether the latest plan has a decision. */
const describeCurrent = ({ holds }: Pick<GivenAnswer, 'holds'>): string =>
  holds === null ? '–' : holds ? 'as decided' : 'otherwise: the mapping changed since';

/** `Signed off by Ana, 2026-03-01 12:00 UTC: looks right. The plan changed since.` */
function signedOffText({ by, note, atMs, isCurrent }: NonNullable<ReportData['signedOff']>): string {
  const words = `Signed off by ${by}, ${formatUtc(atMs)}${note === '' ? '' : `: ${note}`}`;
  return `${words}${/[.!?]$/.test(words) ? '' : '.'}${isCurrent ? '' : ' The plan changed since.'}`;
}
