import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { isSandbox, type ReportData, type ReportGroup } from '../../report-data.ts';
import { countOf, formatCount, affects, ofSeverity } from '../../format.ts';
import { code, type Column, emptyNote, number, quote, type Section, table } from './elements.ts';

/** With more groups than this, their examples are folded away, so that the list of groups can be seen at once. */
const openedMax = 3;
/** Codes may be the service's own words, so their number is unknown; problems.csv has the rest. */
const groupsMax = 100;

export function attentionSection(data: ReportData): Section {
  const toDecide = ofSeverity(data.problems, 'blocks', 'decision');
  const toKnow = ofSeverity(data.problems, 'information');
  const where = data.anonymous ? 'left out' : 'open';
  const isAsked = data.command !== 'plan' || data.failed.length > 0;
  const refused = isAsked
    ? family('failed', 'Failed: refused by the service', data.failed, 'No message failed.', where)
    : nothing;
  const body = html`${refused}
${family('invalid', 'Invalid: could not be read or mapped', data.invalid, 'Every row could be read and mapped.', where)}
${family('decisions', 'Needs your decision', toDecide, 'Nothing needs your decision.', where)}
${family('information', 'Notes', toKnow, 'Nothing else was found.', data.anonymous ? 'left out' : 'folded')}`;
  return { id: 'attention', title: 'Needs attention', body };
}

/** Returns the section about rows that rules left out: no one has to act, so the examples are folded away. */
export function skippedSection({ skipped, ignored, anonymous }: ReportData): Section {
  const body = html`<p class="intro">Left out on purpose, each by a named rule. Rules are settings: a new plan with other rules counts them again.</p>
${groups('skipped', skipped, 'No row was left out.', anonymous ? 'left out' : 'folded')}
${ignored.length === 0 ? nothing : ignoredFiles(ignored)}`;
  return { id: 'skipped', title: 'Skipped', body };
}

const ignoredFiles = (ignored: ReportData['ignored']): SafeHtml => html`<h3>Ignored files</h3>
${table({
  id: 'ignored-files',
  caption: 'Ignored files by the reason',
  isCaptionHidden: true,
  rows: ignored,
  columns: [
    { title: 'Reason', cell: ({ reason }) => quote(reason) },
    { title: 'Files', kind: 'number', cell: ({ count }) => number(count) },
    { title: 'The first', kind: 'place', cell: ({ example }) => (example === '' ? nothing : code(example)) },
  ],
})}`;

type Examples = 'open' | 'folded' | 'left out';

function family(id: string, title: string, list: readonly ReportGroup[], none: string, where: Examples): SafeHtml {
  return html`<h3 id="${id}">${title}</h3>
${groups(id, list, none, where)}`;
}

function groups(id: string, list: readonly ReportGroup[], none: string, where: Examples): SafeHtml {
  if (list.length === 0) return emptyNote(none);
  const shown = list.slice(0, groupsMax);
  const opened = where === 'open' && list.length > openedMax ? 'folded' : where;
  const rest = list.length - shown.length;
  return html`<ul class="groups" data-filter="Find in this list">${shown.map((group, index) => renderGroup(`${id}-${index + 1}`, group, opened))}</ul>${
    rest === 0
      ? nothing
      : html`<p class="note">And ${countOf(rest, 'kind')} more${where === 'left out' ? '' : ': problems.csv has them all'}.</p>`
  }`;
}

/** Renders a group. The title is the code itself if nothing explains it. */
function renderGroup(id: string, group: ReportGroup, where: Examples): SafeHtml {
  const { count, title, explanation, messages, severity } = group;
  const heading = title === group.code ? nothing : html`<b>${quote(title)}</b> `;
  return html`<li class="group ${severity}">
<p class="head"><b class="count">${formatCount(count)}</b> ${heading}${code(group.code)}${messages === undefined ? nothing : html` <span class="sub">${affects(messages)}</span>`}</p>
${explanation === '' ? nothing : html`<p>${quote(explanation)}</p>`}
${renderRemedy(group)}
${where === 'left out' ? nothing : examples(id, group, where === 'open')}
</li>
`;
}

function renderRemedy({ remedy, options, otherwise }: ReportGroup): SafeHtml {
  if (options === undefined || otherwise === undefined)
    return remedy === '' ? nothing : html`<p class="remedy"><b>What to do</b> ${quote(remedy)}</p>`;
  return html`<p class="remedy"><b>The options</b></p>
<ul class="options">${options.map((option) => html`<li>${quote(option)}</li>`)}</ul>
<p class="remedy"><b>If you do nothing</b> ${quote(otherwise)}.</p>`;
}

function examples(id: string, group: ReportGroup, isOpen: boolean): SafeHtml {
  if (group.examples.length === 0) return emptyNote('No place was recorded.');
  const shown = group.examples.length;
  const title = shown < group.count ? `The first ${formatCount(shown)} of ${formatCount(group.count)} places` : 'Where';
  const list = table({
    id,
    caption: `Places of ${group.code}`,
    isCaptionHidden: true,
    rows: group.examples.map((example, index) => ({ ...example, index })),
    columns: [
      { title: 'Location', kind: 'place', cell: (example) => renderLocation(example, id) },
      { title: 'Detail', cell: ({ detail }) => quote(detail) },
    ],
  });
  return html`<details${isOpen ? html` open` : nothing}><summary>${title}</summary>${list}</details>`;
}

const renderLocation = ({ location, excerpt, index }: NumberedExample, group: string): SafeHtml =>
  excerpt === undefined || !leadsToRows.test(group)
    ? code(location)
    : html`<a href="#row-${group}-${index}">${code(location)}</a>`;

/** Names of families whose rows are on the page. */
const leadsToRows = /^(?:failed|invalid|decisions)-/;

type NumberedExample = ReportGroup['examples'][number] & { readonly index: number };

/**
 * Returns the rows that locations link to: they are here and not in the lists, so that the lists stay readable.
 * Undefined if there are none.
 */
export function rowsSection(data: ReportData): Section | undefined {
  const { failed, invalid, problems } = data;
  const families = { failed, invalid, decisions: ofSeverity(problems, 'blocks', 'decision') };
  const rows = Object.entries(families).flatMap(([family, list]) =>
    list.slice(0, groupsMax).flatMap((group, number) => renderExcerpts(group, `${family}-${number + 1}`)),
  );
  if (rows.length === 0) return undefined;
  const intro = html`<p class="intro">How the rows begin that are invalid, failed, or need a decision. Of texts the first 40 characters are shown, of addresses the host; secrets and e-mail addresses are left out.${isInViewer(data) ? html` ${howToSee(data)}` : nothing}</p>`;
  return { id: 'rows', title: 'Rows', body: html`${intro}<dl class="rows">${rows}</dl>` };
}

const renderExcerpts = ({ examples, code: name }: ReportGroup, group: string): readonly SafeHtml[] =>
  examples.flatMap(({ location, excerpt }, index) =>
    excerpt === undefined
      ? []
      : html`<div id="row-${group}-${index}"><dt>${code(location)} <span class="sub">${code(name)}</span></dt><dd>${code(excerpt)}</dd></div>
`,
  );

const exampleColumn: Column<ReportData['losses'][number]> = {
  title: 'Example',
  kind: 'place',
  cell: ({ example }) => (example === undefined ? nothing : code(example)),
};

export function lossesSection(data: ReportData): Section {
  const { losses } = data;
  const list = table({
    id: 'losses-table',
    caption: 'Not migrated, and what becomes of it',
    isCaptionHidden: true,
    isSortable: true,
    rows: losses,
    columns: [
      { title: 'Loss', cell: ({ name }) => quote(name) },
      { title: 'Count', kind: 'number', cell: ({ count }) => number(count) },
      { title: 'Meaning', cell: ({ what }) => quote(what) },
      { title: 'Result', cell: ({ becomes }) => quote(becomes) },
      ...(losses.some(({ example }) => example !== undefined) ? [exampleColumn] : []),
    ],
  });
  const intro = html`<p class="intro">Content that the service cannot store, and how it is handled.${isInViewer(data) ? html` ${howToSee(data)}` : nothing}</p>`;
  const body =
    losses.length === 0 ? emptyNote('Nothing is lost: the service can hold all that was read.') : html`${intro}${list}`;
  return { id: 'losses', title: 'Not migrated', body };
}

/** Whether what arrived can be looked at: it is in the sandbox of this machine. */
const isInViewer = ({ destination, command }: ReportData): boolean =>
  destination !== null && isSandbox(destination) && command !== 'plan';

/** How to look at a message as it arrived: only a running viewer can show it. */
function howToSee({ store }: ReportData): SafeHtml {
  const command = `chatferry sandbox --open --data ${store.replace(/\.db$/, '')}.sandbox.db`;
  return html`To see a message as it arrived, run ${code(command)} and search for its location.`;
}
