import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { countOf, formatCount, formatDay } from '../../format.ts';
import { plannedOutcomes } from '../../verdict.ts';
import type { ReportData } from '../../report-data.ts';
import { bar, code, type Column, emptyNote, number, quote, type Section, swatch, table } from './elements.ts';

/** How many are drawn; the table below them has all that the report carries. */
const drawnMax = 25;

type Conversation = ReportData['conversations'][number];

export function conversationsSection(data: ReportData): Section {
  return { id: 'conversations', title: 'Conversations', body: body(data) };
}

function body({ conversations, conversationCount }: ReportData): SafeHtml {
  if (conversations.length === 0) return emptyNote('There is no conversation with a message.');
  const drawn = conversations.slice(0, drawnMax);
  const title =
    drawn.length < conversationCount
      ? `The ${drawn.length} largest of ${formatCount(conversationCount)}`
      : `All ${countOf(drawn.length, 'conversation')}`;
  return html`${table({ id: 'largest', caption: title, isSortable: true, rows: drawn, columns: drawnColumns(drawn) })}
${legend(drawn)}
<details><summary>${countOf(conversations.length, 'conversation')} in numbers</summary>
${missingNote(conversations.length, conversationCount)}
${table({ id: 'conversation-table', caption: 'Messages by conversation and outcome', isWide: true, isSortable: true, filter: 'Find a conversation', rows: conversations, columns })}
</details>`;
}

function drawnColumns(drawn: readonly Conversation[]): readonly Column<Conversation>[] {
  const most = Math.max(...drawn.map(({ planned }) => planned));
  return [
    {
      title: 'Conversation',
      cell: ({ name, target }) => html`${quote(name)} <span class="sub">${quote(target)}</span>`,
    },
    { title: 'Planned messages by outcome', kind: 'bar', cell: (conversation) => bar(toSegments(conversation), most) },
    { title: 'Planned', kind: 'number', cell: ({ planned }) => number(planned) },
  ];
}

const toSegments = (conversation: Conversation) =>
  plannedOutcomes.map(({ key, label }) => ({ name: key, label, count: conversation[key] }));

/** Only the colours that occur. */
function legend(drawn: readonly Conversation[]): SafeHtml {
  const used = plannedOutcomes.filter(({ key }) => drawn.some((conversation) => conversation[key] > 0));
  return html`<p class="legend">${used.map(({ key, label }) => html`<span>${swatch(key)} ${label}</span> `)}</p>`;
}

function missingNote(shown: number, all: number): SafeHtml {
  if (shown >= all) return nothing;
  return html`<p class="note">The ${formatCount(shown)} with most messages; conversations.csv has all ${formatCount(all)}.</p>`;
}

const columns: readonly Column<Conversation>[] = [
  { title: 'Conversation, id', cell: ({ name, id }) => html`${quote(name)} <span class="sub">${code(id)}</span>` },
  { title: 'Goes to', cell: ({ target }) => quote(target) },
  { title: 'Read', kind: 'number', cell: ({ read }) => number(read) },
  { title: 'Planned', kind: 'number', cell: ({ planned }) => number(planned) },
  { title: 'Imported', kind: 'number', cell: ({ imported }) => number(imported) },
  { title: 'Existing', kind: 'number', cell: ({ existing }) => number(existing) },
  { title: 'Failed', kind: 'number', cell: ({ failed }) => number(failed) },
  { title: 'Pending', kind: 'number', cell: ({ pending }) => number(pending) },
  { title: 'Unconfirmed', kind: 'number', cell: ({ unconfirmed }) => number(unconfirmed) },
  { title: 'First (UTC)', kind: 'date', cell: ({ firstAtMs }) => formatDay(firstAtMs) },
  { title: 'Last (UTC)', kind: 'date', cell: ({ lastAtMs }) => formatDay(lastAtMs) },
];
