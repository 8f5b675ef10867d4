import { html, nothing, type SafeHtml } from '../../../lib/text/html.ts';
import { isSandbox, type ReportData, type ReportGroup } from '../../report-data.ts';
import {
  type Decision,
  describeEffect,
  describeOption,
  describeUndecided,
  formatWeight,
  isOpen,
  splitOptions,
} from '../../../decisions/decision.ts';
import { countOf, formatCount, ofSeverity } from '../../format.ts';
import {
  bar,
  code,
  type Column,
  emptyNote,
  type Links,
  number,
  quote,
  type Section,
  swatch,
  table,
  say,
} from './elements.ts';

/** With more groups than this, their examples are folded away, so that the list of groups can be seen at once. */
const openedMax = 3;
/** Codes may be the service's own words, so their number is unknown; problems.csv has the rest. */
const groupsMax = 100;

export function attentionSection(data: ReportData): Section {
  const toKnow = ofSeverity(data.problems, 'information');
  const where = data.anonymous ? 'left out' : 'open';
  const body = html`<p class="intro">${excerptsNote}${isInViewer(data) ? html` ${howToSee(data)}` : nothing}</p>
${lostRows(data, where)}
${toDecide(data, where)}
${family('information', 'Notes', toKnow, 'Nothing else was found.', data.anonymous ? 'left out' : 'folded')}`;
  return { id: 'attention', title: 'Needs attention', body };
}

const excerptsNote =
  'Texts of rows are cut to 40 characters, addresses to their host; secrets and e-mail addresses are left out.';

/** Rows and messages that do not arrive, and files that were not read. */
function lostRows(data: ReportData, where: Examples): SafeHtml {
  const unread = ofSeverity(data.problems, 'blocks');
  const isAsked = data.command !== 'plan' || data.failed.length > 0;
  return html`${isAsked ? family('failed', 'Failed: refused by the service', data.failed, 'No message failed.', where) : nothing}
${family('invalid', 'Invalid: could not be read or mapped', data.invalid, 'Every row could be read and mapped.', where)}
${unread.length === 0 ? nothing : family('unread', 'Not read', unread, '', where)}`;
}

/** The same alone; undefined if everything arrives. */
export function lostRowsSection(data: ReportData): Section | undefined {
  if (data.failed.length + data.invalid.length + ofSeverity(data.problems, 'blocks').length === 0) return undefined;
  return { id: 'lost-rows', title: 'Not arrived', body: lostRows(data, 'folded') };
}

/** Every open decision; what can only be done elsewhere; and what is decided. */
function toDecide(data: ReportData, where: Examples): SafeHtml {
  const { open = [], decided = [] } = Object.groupBy(openFirst(data), (one) => (isOpen(one) ? 'open' : 'decided'));
  const opened = where === 'open' && open.length > openedMax ? 'folded' : where;
  const outside = open.flatMap((decision) => splitOptions(decision).outside.map((does) => ({ does, id: decision.id })));
  return html`<h3 id="decisions">Needs your decision</h3>
${open.length === 0 ? emptyNote('Nothing needs your decision.') : html`<ul class="groups" data-filter="Find in this list">${open.map((decision, index) => renderDecision(`decisions-${index + 1}`, decision, data, opened))}</ul>`}
${
  outside.length === 0
    ? nothing
    : html`<h3 id="outside">To do outside</h3>
<ul>${outside.map(({ does, id }) => html`<li>${say(does)} ${code(id)}</li>`)}</ul>`
}
${
  decided.length === 0
    ? nothing
    : html`<h3 id="answered">Decided, or left as it is</h3>
<ul>${decided.map(({ question, answer, about, ...decision }) => html`<li>${say(question)} ${about.isIdle ? `${formatWeight(about)}. ` : ''}${say(answer?.value ?? describeUndecided(decision))}</li>`)}</ul>`
}`;
}

/** In the order of the rows at the end of the page. */
const openFirst = ({ decisions }: ReportData) =>
  decisions.toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a)) || (b.about.count ?? 0) - (a.about.count ?? 0));

function renderDecision(id: string, decision: Decision, data: ReportData, where: Examples): SafeHtml {
  const { question, why, about } = decision;
  const { own } = splitOptions(decision);
  const group = findGroup(decision, data);
  return html`<li class="group decision">
<p class="head"><b class="count">${formatWeight(about)}</b> <b>${say(question)}</b></p>
<p>${say(why)}</p>
<ul class="options">${own.map((option) => html`<li>${say(describeOption(option))}</li>`)}</ul>
<p class="remedy"><b>If you do nothing</b> ${say(describeUndecided(decision))}.</p>
<details><summary>Details</summary><p>${code(decision.id)}</p><ul>${own.map(({ does, effect }) => html`<li>${say(does)}: ${code(`chatferry ${describeEffect(effect)}`)}</li>`)}</ul></details>
${where === 'left out' ? nothing : group ? examples(id, group, where === 'open') : html`<ul>${decision.examples.map((place) => html`<li>${quote(place)}</li>`)}</ul>`}
</li>
`;
}

const findGroup = ({ id }: Decision, { problems, invalid }: ReportData) =>
  [...problems, ...invalid].find((group) => group.code === id);

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
    { title: 'Reason', cell: ({ reason }) => say(reason) },
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
  const { count, title, explanation, severity } = group;
  const heading = title === group.code ? nothing : html`<b>${say(title)}</b> `;
  return html`<li class="group ${severity}">
<p class="head"><b class="count">${formatCount(count)}</b> ${heading}${code(group.code)}</p>
${explanation === '' ? nothing : html`<p>${say(explanation)}</p>`}
${renderRemedy(group)}
${where === 'left out' ? nothing : examples(id, group, where === 'open')}
</li>
`;
}

const renderRemedy = ({ remedy }: ReportGroup): SafeHtml =>
  remedy === '' ? nothing : html`<p class="remedy"><b>What to do</b> ${say(remedy)}</p>`;

function examples(id: string, group: ReportGroup, isOpen: boolean): SafeHtml {
  if (group.examples.length === 0) return emptyNote('No place was recorded.');
  const shown = group.examples.length;
  const title = shown < group.count ? `The first ${formatCount(shown)} of ${formatCount(group.count)} places` : 'Where';
  const list = table({
    id,
    caption: `Places of ${group.code}`,
    isCaptionHidden: true,
    rows: group.examples,
    columns: [
      { title: 'Location', kind: 'place', cell: ({ location }) => code(location) },
      { title: 'Detail', cell: renderDetail },
    ],
  });
  return html`<details${isOpen ? html` open` : nothing}><summary>${title}</summary>${list}</details>`;
}

/** With the beginning of the row, if it may be shown. */
const renderDetail = ({ detail, excerpt }: ReportGroup['examples'][number]): SafeHtml =>
  excerpt === undefined ? quote(detail) : html`${quote(detail)}<span class="excerpt"><br>${code(excerpt)}</span>`;

const lossGroups = [
  { group: 'missed', title: 'People will miss' },
  { group: 'hidden', title: 'Kept, but hidden' },
  { group: 'detail', title: 'Details' },
] as const;

export function lossesSection(data: ReportData, links?: Links): Section {
  const { losses } = data;
  const groups = lossGroups
    .map((one) => ({ ...one, rows: losses.filter(({ group }) => group === one.group) }))
    .filter(({ rows }) => rows.length > 0);
  const segments = groups.map(({ group, title, rows }) => ({ name: group, label: title, count: rows.length }));
  const hint = links === undefined && isInViewer(data) ? html` ${howToSee(data)}` : nothing;
  const body =
    losses.length === 0
      ? emptyNote('Nothing is lost: the service can hold all that was read.')
      : html`<p class="intro">Content that the service cannot store, and how it is handled.${hint}</p>
${bar(segments, losses.length, 'thick')}
${groups.map(({ group, title, rows }) => lossTable(group, html`${swatch(group)} ${title}: ${countOf(rows.length, 'kind')}`, rows, links))}`;
  return { id: 'losses', title: 'Not migrated', body };
}

function lossTable(group: string, caption: SafeHtml, rows: ReportData['losses'], links: Links | undefined): SafeHtml {
  const place = (example: string): SafeHtml =>
    links?.toMessage ? html`<a href="#${links.toMessage(example)}">${code(example)}</a>` : code(example);
  const change = (name: string, setting: string): SafeHtml => {
    const to = links?.toSetting(setting);
    return to === undefined ? nothing : html` <a href="#${to}">Change this<span class="unseen"> for ${name}</span></a>`;
  };
  const columns: Column<ReportData['losses'][number]>[] = [
    { title: 'Loss', cell: ({ name }) => say(name) },
    { title: 'Count', kind: 'number', cell: ({ count }) => number(count) },
    { title: 'Meaning', cell: ({ what }) => say(what) },
    {
      title: 'Result',
      cell: ({ name, becomes, setting }) =>
        html`${say(becomes)}${setting === undefined ? nothing : change(name, setting)}`,
    },
  ];
  if (rows.some(({ example }) => example !== undefined))
    columns.push({
      title: 'Example',
      kind: 'place',
      cell: ({ example }) => (example === undefined ? nothing : place(example)),
    });
  return table({ id: `losses-${group}`, caption, isSortable: true, rows, columns });
}

/** Whether what arrived can be looked at: it is in the sandbox of this machine. */
const isInViewer = ({ destination, command }: ReportData): boolean =>
  destination !== null && isSandbox(destination) && command !== 'plan';

/** How to look at a message as it arrived: only a running viewer can show it. */
function howToSee({ store }: ReportData): SafeHtml {
  const command = `chatferry sandbox --open --data ${store.replace(/\.db$/, '')}.sandbox.db`;
  return html`To see a message as it arrived, run ${code(command)} and search for its location.`;
}
