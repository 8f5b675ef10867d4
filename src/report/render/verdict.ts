import { sumOfActions } from './actions-data.ts';
import { countOf, formatCount } from './format.ts';
import { arrivedOf, isBalanced } from './outcomes.ts';
import type { ReportData, VerifyResult } from '../report-data.ts';

/** The report in one sentence, without a final period. */
export interface Verdict {
  readonly tone: 'good' | 'notice' | 'bad' | 'plain';
  readonly sentence: string;
}

/** The first judge that has something to say wins, so they stand with the worst first. */
export function verdictOf(data: ReportData): Verdict {
  for (const judge of judges) {
    const verdict = judge(data);
    if (verdict !== null) return verdict;
  }
  return allArrived(data);
}

/** Differences that are an error: everything but what others wrote. */
export function differenceCount(verify: VerifyResult): number {
  return verify.missing + verify.extra + verify.different + verify.duplicated;
}

type Judge = (data: ReportData) => Verdict | null;

const judges: readonly Judge[] = [
  unbalanced,
  differing,
  dryRun,
  stopped,
  nothingPlanned,
  refusals,
  doubts,
  waiting,
  actionsLeft,
];

function unbalanced({ books }: ReportData): Verdict | null {
  if (isBalanced(books)) return null;
  return { tone: 'bad', sentence: 'The sums of this report do not balance: that is a fault of Chatferry' };
}

function differing({ verify }: ReportData): Verdict | null {
  if (verify === null) return null;
  if (differenceCount(verify) === 0) return differingActions(verify);
  const kinds = (['missing', 'different', 'duplicated', 'extra'] as const).filter((kind) => verify[kind] > 0);
  const list = kinds.map((kind) => `${formatCount(verify[kind])} ${kind}`).join(', ');
  return { tone: 'bad', sentence: `Reading back found differences: ${list}` };
}

function differingActions({ actions = {} }: VerifyResult): Verdict | null {
  const missing = Object.entries(actions).filter(([, found]) => found.missing > 0);
  if (missing.length === 0) return null;
  const list = missing.map(([kind, found]) => `${formatCount(found.missing)} ${kind}`).join(', ');
  return { tone: 'bad', sentence: `Reading back found that actions are missing: ${list}` };
}

function dryRun({ command, books, followUps }: ReportData): Verdict | null {
  if (command !== 'plan') return null;
  const ready = books.pending + books.inDoubt + (followUps?.pending ?? 0);
  const rejected = books.rejected > 0 ? `; ${countOf(books.rejected, 'row')} could not be used` : '';
  const tone = books.rejected > 0 ? 'notice' : 'plain';
  if (ready === 0) return { tone, sentence: `Dry run, nothing was sent: no message is waiting to be sent${rejected}` };
  const verb = ready === 1 ? 'is' : 'are';
  return { tone, sentence: `Dry run, nothing was sent: ${countOf(ready, 'message')} ${verb} ready to go${rejected}` };
}

function stopped({ stopped, books }: ReportData): Verdict | null {
  if (stopped === null) return null;
  const arrived = `${formatCount(arrivedOf(books))} of ${countOf(books.planned, 'planned message')}`;
  return { tone: 'bad', sentence: `The run stopped before its end: ${arrived} have arrived so far` };
}

function nothingPlanned({ books }: ReportData): Verdict | null {
  if (books.read === 0) return { tone: 'plain', sentence: 'Nothing was read: there is no message in this export' };
  if (books.planned > 0) return null;
  return { tone: 'notice', sentence: `Nothing to send: no message is planned of ${countOf(books.read, 'row')} read` };
}

function refusals({ books }: ReportData): Verdict | null {
  if (books.refused === 0) return null;
  const verb = books.refused === 1 ? 'was' : 'were';
  const rest = `${formatCount(arrivedOf(books))} of ${formatCount(books.planned)} have arrived`;
  return { tone: 'bad', sentence: `${countOf(books.refused, 'message')} ${verb} refused by the service; ${rest}` };
}

function doubts({ books }: ReportData): Verdict | null {
  if (books.inDoubt === 0) return null;
  const rest = `${formatCount(arrivedOf(books))} of ${formatCount(books.planned)} have arrived`;
  const verb = books.inDoubt === 1 ? 'is' : 'are';
  return {
    tone: 'notice',
    sentence: `${countOf(books.inDoubt, 'message')} ${verb} in doubt until the next run; ${rest}`,
  };
}

function waiting({ books }: ReportData): Verdict | null {
  if (books.pending === 0) return null;
  const sentence = `${formatCount(books.pending)} of ${countOf(books.planned, 'planned message')} still to be sent`;
  return { tone: 'notice', sentence };
}

function actionsLeft({ actions, books }: ReportData): Verdict | null {
  const { refused, pending, inDoubt } = sumOfActions(actions);
  if (refused + pending + inDoubt === 0) return null;
  const arrived = `${formatCount(arrivedOf(books))} of ${countOf(books.planned, 'planned message')} have arrived`;
  if (pending + inDoubt > 0)
    return { tone: 'notice', sentence: `${arrived}; ${countOf(pending + inDoubt, 'action')} still to be done` };
  return { tone: 'notice', sentence: `${arrived}; ${countOf(refused, 'action')} refused by the service` };
}

function allArrived({ books, followUps, verify }: ReportData): Verdict {
  const all =
    books.planned === 1
      ? 'The planned message has arrived'
      : `All ${formatCount(books.planned)} planned messages have arrived`;
  const checked =
    verify !== null && verify.same === books.planned + (followUps?.planned ?? 0)
      ? ` and ${books.planned === 1 ? 'was' : 'were'} read back unchanged`
      : '';
  if (books.rejected === 0) return { tone: 'good', sentence: `${all}${checked}` };
  const rows = countOf(books.rejected, 'row');
  return { tone: 'notice', sentence: `${all}${checked}; ${rows} of the export could not be used` };
}
