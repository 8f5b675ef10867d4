import { html, type SafeHtml } from '../../../lib/text/html.ts';
import { countOf, formatCount } from '../../format.ts';
import type { ReportData } from '../../report-data.ts';
import type { VerifyResult } from '../../../model/totals.ts';
import { differenceCount, unverifiedText, verifyOutcomes } from '../../verdict.ts';
import { code, emptyNote, number, quote, type Section, table, say } from './elements.ts';

export function verifySection(data: ReportData): Section {
  const { verify, differences } = data;
  const since = unverifiedText(data);
  const note = since === null ? html`` : emptyNote(`Not verified ${since}.`);
  const title = 'Reading back';
  if (verify === null) {
    const sentence = 'Nothing was read back from the service. “chatferry verify” does it at any time.';
    return { id: 'verify', title, body: html`${emptyNote(sentence)}${note}` };
  }
  return {
    id: 'verify',
    title,
    body: html`${note}${scope(verify)}${results(verify)}${actionResults(verify)}${differenceList(verify, differences)}`,
  };
}

function scope({ only, ...verify }: VerifyResult): SafeHtml {
  if (only === undefined) return share(verify);
  return html`${emptyNote(`Only what this filter finds was compared: ${only}. It says nothing about other messages.`)}${share(verify)}`;
}

function share({ sample, repaired }: VerifyResult): SafeHtml {
  if (sample) {
    const some = `${formatCount(sample.messages)} of ${formatCount(sample.of)} messages`;
    return emptyNote(
      `Only a sample was checked: ${some}, seed ${sample.seed}. The result does not cover the other messages.`,
    );
  }
  if (repaired === undefined) return html``;
  return emptyNote(
    `${formatCount(repaired)} messages that were missing were sent again; these are the counts after it.`,
  );
}

const results = (verify: VerifyResult): SafeHtml =>
  table({
    id: 'verify-results',
    caption: 'The service’s messages compared with the plan',
    rows: verifyOutcomes,
    columns: [
      { title: 'Result', cell: ({ key }) => key },
      { title: 'Messages', kind: 'number', cell: ({ key }) => number(verify[key]) },
      { title: 'Meaning', cell: ({ meaning }) => meaning },
    ],
  });

const actionResults = ({ actions }: VerifyResult): SafeHtml =>
  actions === undefined
    ? html``
    : table({
        id: 'verify-actions',
        caption: 'Actions and members, as far as they can be read back',
        rows: Object.entries(actions),
        columns: [
          { title: 'Kind', cell: ([kind]) => kind },
          { title: 'Same', kind: 'number', cell: ([, found]) => number(found.same) },
          { title: 'Missing', kind: 'number', cell: ([, found]) => number(found.missing) },
          { title: 'Not shown there', kind: 'number', cell: ([, found]) => number(found.notShown) },
        ],
      });

function differenceList(verify: VerifyResult, differences: ReportData['differences']): SafeHtml {
  const all = differenceCount(verify);
  if (all === 0 && differences.length === 0) return emptyNote('No difference was found.');
  if (differences.length === 0) return emptyNote(`${countOf(all, 'difference')}, which are not listed here.`);
  const caption =
    differences.length < all
      ? `The first ${formatCount(differences.length)} of ${formatCount(all)} differences`
      : 'Differences';
  return table({
    id: 'differences',
    caption,
    isWide: true,
    isSortable: true,
    filter: 'Find a difference',
    rows: differences,
    columns: [
      { title: 'Message', kind: 'place', cell: ({ muid }) => code(muid) },
      { title: 'Result', cell: ({ kind }) => say(kind) },
      { title: 'Conversation', cell: ({ conversation }) => quote(conversation) },
      { title: 'Detail', cell: ({ detail }) => quote(detail) },
      { title: 'Location in the export', kind: 'place', cell: ({ location }) => code(location) },
    ],
  });
}
