import { type AnswerFacts, answerOf, stillHolds } from '../../decisions/answers.ts';
import type { Answer, Decision } from '../../decisions/decision.ts';
import { findingDecision } from '../../decisions/findings.ts';
import { customName } from '../../decisions/proposal.ts';
import { countDisputed, findOption, questionDecision } from '../../decisions/question.ts';
import type { AskedQuestion } from '../../decisions/questions.ts';
import { dotted, parseValue, type Settings, settingText, valueAt } from '../../lib/settings.ts';
import type { LoggedDecision } from '../../report/decision-log.ts';
import type { UnreadColumn } from '../../sources/not-migrated.ts';
import type { Card } from '../shapes.ts';
import type { Affected } from './affected.ts';
import { findGroup } from './groups.ts';

/** A card of a question. @param decisions The latest last. */
export function questionCard(question: AskedQuestion, affected: Affected, decisions: readonly LoggedDecision[]): Card {
  const { about, isAll, found } = narrow(affected, question);
  const answer = question.value === undefined ? null : findAnswer(question, decisions);
  return {
    ...plainCard(questionDecision(question, { about, answer, value: question.value })),
    ...{ isAll, found },
  };
}

/** Counts only the rows of a table that the answers sort differently. */
function narrow({ about, isAll, found }: Affected, question: AskedQuestion): Affected {
  const disputed = countDisputed(question);
  if (disputed === undefined || question.rows === undefined) return { about, isAll, found };
  const { count, isWhole } = question.rows;
  if (!isWhole && about.count === null) return { about, isAll, found };
  const share = isWhole ? disputed.count : Math.round((disputed.count / count) * about.count!);
  return {
    about: { ...about, count: share, isExact: isWhole && disputed.isExact },
    isAll: share === about.count,
    found,
  };
}

function findAnswer(question: AskedQuestion, decisions: readonly LoggedDecision[]): Answer {
  const { key, value } = question;
  const text = settingText(value);
  const logged = decisions.findLast((decision) => decision.key === `source.${key}`);
  // A mapping that was changed since decides it, without a name; another decision may have added to it.
  const isSame = logged !== undefined && stillHolds(logged.answer, value);
  const index = findOption(question, isSame ? parseValue(logged.answer) : value);
  return {
    option: index === -1 ? null : index,
    value: text,
    by: isSame ? logged.by : null,
    atMs: isSame ? logged.atMs : null,
    holds: true,
  };
}

/** Returns a card for each decision of a plan, and for each other that was made: a plan that was made since no longer finds what it was about. */
export function findingCards(planned: readonly Decision[], facts: AnswerFacts): readonly Card[] {
  const found = planned.map((decision) => ({ ...decision, answer: answerOf(decision, facts) }));
  const others = new Set(facts.given.flatMap(({ card }) => card ?? []));
  for (const { id } of found) others.delete(id);
  const none = { count: 0, of: 'messages', isExact: true } as const;
  const gone = [...others].flatMap((code) => findingDecision({ code, about: none, examples: [] }, facts) ?? []);
  return [...found, ...gone].map(plainCard);
}

export const plainCard = (decision: Decision): Card => ({
  ...decision,
  ...{ isAll: false, found: null, takesSeveral: false, group: findGroup(decision) },
});

const place = ['source', 'messages', 'custom'] as const;

/** The choice of columns that are kept as custom data; undefined if every column is read. @param columns Those that nothing reads. */
export function columnsCard(
  columns: readonly UnreadColumn[],
  rules: Settings,
  decisions: readonly LoggedDecision[],
): Card | undefined {
  if (columns.length === 0) return undefined;
  const kept = Object.keys((valueAt(rules, place) ?? {}) as object);
  const logged = decisions.findLast(({ card }) => card === 'columns');
  return {
    id: 'columns',
    question: 'Which columns that nothing reads should be kept?',
    why: 'They can be kept as custom data of the messages.',
    about: { count: columns[0]!.rows, of: 'rows', isExact: true },
    examples: [],
    options: columns.map(({ name, rows }) => ({
      does: `Keep "${name}"`,
      effect: { sets: { [dotted([...place, customName(name)])]: name } },
      because: rows === 1 ? '1 row with a value' : `${rows} rows with a value`,
      isProposed: false,
      isLastResort: false,
    })),
    ifUndecided: { keepsBack: 'they are not migrated' },
    isOptional: true,
    ...{ isAll: false, found: null, takesSeveral: true, group: 'words' },
    answer:
      kept.length === 0
        ? null
        : { option: null, value: kept.join(', '), by: logged?.by ?? null, atMs: logged?.atMs ?? null, holds: true },
  };
}
