import {
  findCheck,
  type CheckAnswer,
  answersTo,
  type OwnValue,
  findOwnValue,
  remediesFor,
  describeRemedy,
} from '../../mapping/checks.ts';
import {
  keyPath,
  merged,
  parseSettings,
  parseValue,
  type Settings,
  settingText,
  valueAt,
  yamlLine,
} from '../../lib/settings.ts';
import type { LoggedDecision } from '../../report/decision-log.ts';
import type { ReportData, ReportGroup } from '../../report/report-data.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import type { Affected, Card, CardAnswer, CardDecision } from '../shapes.ts';
import { evidenceMax } from './question-cards.ts';

/** Everything that decides which findings have cards. */
export interface FindingFacts {
  readonly adapter: SourceAdapter;
  /** The mapping as it is, and as it would be if it said nothing. */
  readonly rules: Settings;
  readonly defaults: Settings;
  /** The latest last. */
  readonly decisions: readonly LoggedDecision[];
  readonly report: Pick<ReportData, 'problems' | 'invalid' | 'losses'>;
}

/**
 * Returns a card for each finding of a plan that needs a decision, and for each code by which rows are not sent; and one for each decision about
 * others: a plan that was made since no longer finds what they were about.
 */
export function findingCards(facts: FindingFacts): readonly Card[] {
  const { problems, invalid } = facts.report;
  const found = [
    ...invalid.map((group) => invalidCard(group, facts)),
    ...problems.flatMap((group) => (group.severity === 'decision' ? [findingCard(group, facts)] : [])),
  ];
  const others = new Set(facts.decisions.flatMap(({ card }) => (card === undefined ? [] : [card])));
  for (const { id } of found) others.delete(id);
  return [...found, ...[...others].flatMap((id) => goneCard(id, facts) ?? [])];
}

function findingCard(group: ReportGroup, facts: FindingFacts): Card {
  const { code, title, explanation, examples, messages, otherwise = '' } = group;
  const own = possibleOwn(code, facts);
  const answers = buildAnswers(group, facts, own);
  return {
    id: `f:${code}`,
    kind: 'finding',
    title,
    key: own?.key ?? sharedKey(answers),
    because: explanation,
    evidence: formatEvidence(examples),
    affects: toAffected('messages', messages ?? null),
    otherwise,
    answers,
    takesText: own !== undefined,
    ...(own && { textLabel: group.options?.[own.option] }),
    takesSeveral: false,
    decided: decisionAbout(code, answers, facts, own?.key),
  };
}

function invalidCard(group: ReportGroup, facts: FindingFacts): Card {
  const { code, title, explanation, remedy, examples, count } = group;
  const settings = remediesFor(code).map(([key, value]) => ({
    ...accepted(`Set ${key}: ${value}`),
    sets: [{ key, value }],
  }));
  const answers = [...settings, accepted('Leave them behind')];
  return {
    id: `i:${code}`,
    kind: 'invalid',
    title,
    key: sharedKey(answers),
    because: [explanation, remedy].filter((text) => text !== '').join(' '),
    evidence: formatEvidence(examples),
    affects: toAffected('rows', count),
    otherwise: 'these rows are not sent',
    answers,
    takesText: false,
    takesSeveral: false,
    decided: decisionAbout(code, answers, facts),
  };
}

const some = { isAll: false, isAbout: false, found: null };

/** @param count Null if they cannot be counted. */
export const toAffected = (of: Affected['of'], count: number | null): Affected => ({ count, of, ...some });

/** A card of something that the latest plan does not find; undefined for what no check knows. */
function goneCard(id: string, facts: FindingFacts): Card | undefined {
  const check = findCheck(id.slice(2));
  if (check === undefined || !/^[fi]:/.test(id)) return undefined;
  const { code, title, explanation } = check;
  const remedy = describeRemedy(check);
  const group = { code, title, explanation, remedy, count: 0, examples: [], messages: 0, severity: check.severity };
  if (check.severity !== 'decision') return id === `i:${code}` ? invalidCard(group, facts) : undefined;
  return findingCard({ ...group, options: [...check.options], otherwise: check.otherwise }, facts);
}

const formatEvidence = (examples: ReportGroup['examples']): readonly string[] =>
  examples.slice(0, evidenceMax).map(({ location, detail }) => (detail === '' ? location : `${location}: ${detail}`));

/** The options of a check, those that are settings as such, and to leave it as it is. */
function buildAnswers(
  { code, options = [] }: ReportGroup,
  { adapter, rules }: FindingFacts,
  own: OwnValue | undefined,
): readonly CardAnswer[] {
  const possible = answersTo(code).filter((answer) => isPossible(answer, adapter, rules));
  const offered = options.flatMap((label, option) => {
    if (option === own?.option) return [];
    const settings = possible.filter((answer) => answer.option === option);
    if (settings.length === 0)
      return answersTo(code).some((answer) => answer.option === option) ? [] : [accepted(label)];
    return settings.map(({ label: ownLabel = label, sets }) => ({
      ...accepted(ownLabel),
      sets: sets.map(([key, value]) => ({ key, value })),
    }));
  });
  return [...offered, accepted('Leave it as it is')];
}

/** The option that takes a value of the user, if the source has its key. */
function possibleOwn(code: string, { adapter, rules }: FindingFacts): OwnValue | undefined {
  const own = findOwnValue(code);
  return own && isPossible({ option: own.option, sets: [[own.key, own.example]] }, adapter, rules) ? own : undefined;
}

/** An answer that writes nothing but the decision. */
const accepted = (label: string): CardAnswer => ({ label, because: '', sets: [], ...unranked });
export const unranked = { isProposed: false, isLastResort: false };

/** Whether the source has such an option: checks of texts know no source. */
function isPossible({ sets }: CheckAnswer, adapter: SourceAdapter, rules: Settings): boolean {
  const settings = parseSettings(sets.map(([key, value]) => `${key}=${value}`));
  return settings.source === undefined || adapter.options.safeParse(merged(rules, settings).source).success;
}

/** The key that all settings of a card are about. */
function sharedKey(answers: readonly CardAnswer[]): string | null {
  const [key, ...others] = new Set(answers.flatMap(({ sets }) => sets.map((set) => set.key)));
  return key === undefined || others.length > 0 ? null : key;
}

/**
 * The decision of a file, or of a mapping that says something else than the default.
 *
 * @param ownKey The key that takes a value of the user.
 */
export function decisionAbout(
  code: string,
  answers: readonly CardAnswer[],
  { rules, defaults, decisions }: FindingFacts,
  ownKey?: string,
): CardDecision | null {
  const keys = new Set([ownKey, ...answers.flatMap(({ sets }) => sets.map(({ key }) => key))]);
  const logged = decisions.findLast(
    ({ key, card }) => key === code || (keys.has(key) && (card === undefined || card.slice(2) === code)),
  );
  const isSet = ({ sets }: CardAnswer, settings: Settings) =>
    sets.length > 0 &&
    sets.every(({ key, value }) => yamlLine(valueAt(settings, keyPath(key))) === yamlLine(parseValue(value)));
  const set = answers.findIndex((answer) => isSet(answer, rules));
  if (logged?.key === code) {
    const answer = answers.findIndex(({ label }) => label === logged.answer);
    return {
      answer: answer === -1 ? null : answer,
      value: logged.answer,
      by: logged.by,
      atMs: logged.atMs,
      holds: true,
    };
  }
  const now = logged && settingText(valueAt(rules, keyPath(logged.key)));
  if (logged !== undefined && now === logged.answer)
    return { answer: set === -1 ? null : set, value: now, by: logged.by, atMs: logged.atMs, holds: true };
  const isDefault = set === -1 || isSet(answers[set]!, defaults);
  if (isDefault)
    return logged && now !== undefined ? { answer: null, value: now, by: null, atMs: null, holds: false } : null;
  const value = answers[set]!.sets.map(({ value: text }) => text).join(', ');
  return { answer: set, value, by: null, atMs: null, holds: true };
}
