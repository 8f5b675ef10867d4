import { type AnswerFacts, plannedAnswers } from '../../decisions/answers.ts';
import { countAbout } from '../../decisions/count-about.ts';
import type { Decision } from '../../decisions/decision.ts';
import { askedAlarms } from '../../decisions/reading.ts';
import { findingDecision } from '../../decisions/findings.ts';
import { findCheck, leftOutByDefault, peopleChoices } from '../../mapping/checks.ts';
import { countOf } from '../../lib/text/count.ts';
import type { Store } from '../../store/open.ts';
import type { ReportData, ReportGroup } from '../report-data.ts';
import type { Tally } from '../tally.ts';

/**
 * Returns the decisions about what a plan has found, about rows that cannot be sent, about messages that are left out by default, about
 * people, and about what looks odd about all rows of a platform.
 */
export function collectDecisions(
  store: Store,
  { problems, invalid, losses, arrivals }: Pick<ReportData, 'problems' | 'invalid' | 'losses' | 'arrivals'>,
  tally: Tally,
  given: AnswerFacts['given'],
): Decision[] {
  const facts = plannedAnswers(store, given);
  const planned = {
    ofAuthor: (id: number) => tally.authors.of(id),
    ofConversation: (id: number) => tally.conversations.of(id),
    zoneAssumed: tally.planned.get('zoneAssumed') ?? 0,
  };
  const found = [...problems, ...invalid].flatMap(({ code, count, examples }) => {
    const about = countAbout(store, { code, count }, planned);
    if (about === undefined) return [];
    const subjects = listSubjects(store, code);
    const numbers = code === 'former-member' ? describeFormer(store) : undefined;
    return [{ code, about, subjects, numbers, examples: examples.map(describePlace) }];
  });
  const lost = (names: readonly string[]) =>
    losses.reduce((sum, { name, count }) => (names.includes(name) ? sum + count : sum), 0);
  const bots = (counts: string) => (counts === 'bots' ? store.totals.countPeople().bots : 0);
  const chosen = [
    ...leftOutByDefault.map(({ code, losses: names }) => ({ code, count: lost(names), of: 'messages' as const })),
    ...(arrivals === undefined ? [] : peopleChoices).map(({ code, counts }) => ({
      ...{ code, count: lost([counts]) + bots(counts), of: 'people' as const },
    })),
  ].flatMap(({ code, count, of }) =>
    count === 0 ? [] : [{ code, about: { count, of, isExact: true } as const, examples: [] }],
  );
  return [...[...found, ...chosen].flatMap((one) => findingDecision(one, facts) ?? []), ...askedAlarms(store, facts)];
}

function describeFormer(store: Store): string {
  const { people, groups } = store.arrivals.countAsked();
  return `They are of ${countOf(people, 'person', 'people')} in ${countOf(groups, 'group')}.`;
}

/** More than these are no list that a person reads. */
const subjectsMax = 50;

/** Ids that findings are about, a list for each; none if they are too many, or no ids of the plan. */
function listSubjects(store: Store, code: string): readonly (readonly string[])[] {
  const check = findCheck(code);
  const about = check?.severity === 'decision' ? check.about : undefined;
  const found = store.totals.findings.subjects(code, subjectsMax + 1);
  if (about === 'file') return found.length > subjectsMax ? [] : found.map((paths) => paths.map(withoutPlace));
  const isKnown = (id: string) =>
    about === 'person'
      ? store.people.id(id) !== undefined
      : about === 'conversation' && store.conversations.record(id) !== undefined;
  return found.length > subjectsMax || !found.flat().every(isKnown) ? [] : found;
}

/** `chats/a.txt` of `chats/a.txt:12`. */
const withoutPlace = (location: string): string => location.replace(/(?::\d+|#.*)$/s, '');

const describePlace = ({ location, detail }: ReportGroup['examples'][number]): string =>
  [location, detail].filter((words) => words !== '').join(': ');
