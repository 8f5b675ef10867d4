import type { AskedQuestion } from '../../decisions/questions.ts';
import { findOption, questionDecision } from '../../decisions/question.ts';
import { settingText } from '../../lib/settings.ts';
import type { LoggedDecision } from '../../report/decision-log.ts';
import type { Affected, Card, CardDecision } from '../shapes.ts';

/** Lines of evidence that a card has. */
export const evidenceMax = 12;

/** A card of a question. @param decisions The latest last. */
export function questionCard(question: AskedQuestion, affects: Affected, decisions: readonly LoggedDecision[]): Card {
  const { id, question: title, why, examples, options } = questionDecision(question);
  return {
    id: `q:${question.key}`,
    kind: 'question',
    title,
    key: id,
    because: why,
    evidence: examples,
    affects,
    otherwise: 'nothing is planned before it is decided',
    answers: options.map(({ does, effect, because, isProposed, isLastResort }) => ({
      label: does,
      because,
      sets: 'sets' in effect ? Object.entries(effect.sets).map(([key, value]) => ({ key, value })) : [],
      isProposed,
      isLastResort,
    })),
    takesText: true,
    takesSeveral: false,
    decided: question.value === undefined ? null : findDecision(question, decisions),
  };
}

function findDecision(question: AskedQuestion, decisions: readonly LoggedDecision[]): CardDecision {
  const { key, value } = question;
  const text = settingText(value);
  const index = findOption(question, value);
  const logged = decisions.findLast((decision) => decision.key === `source.${key}`);
  // A mapping that was changed since decides it, without a name.
  const isSame = logged?.answer === text;
  return {
    answer: index === -1 ? null : index,
    value: text,
    by: isSame ? logged.by : null,
    atMs: isSame ? logged.atMs : null,
    holds: true,
  };
}
