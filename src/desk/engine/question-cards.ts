import type { Answer } from '../../decisions/decision.ts';
import type { AskedQuestion } from '../../decisions/questions.ts';
import { findOption, questionDecision } from '../../decisions/question.ts';
import { settingText } from '../../lib/settings.ts';
import type { LoggedDecision } from '../../report/decision-log.ts';
import type { Card } from '../shapes.ts';
import type { Affected } from './affected.ts';

/** A card of a question. @param decisions The latest last. */
export function questionCard(
  question: AskedQuestion,
  { about, isAll, found }: Affected,
  decisions: readonly LoggedDecision[],
): Card {
  const answer = question.value === undefined ? null : findAnswer(question, decisions);
  return { ...questionDecision(question, { about, answer }), isAll, found, takesSeveral: false };
}

function findAnswer(question: AskedQuestion, decisions: readonly LoggedDecision[]): Answer {
  const { key, value } = question;
  const text = settingText(value);
  const index = findOption(question, value);
  const logged = decisions.findLast((decision) => decision.key === `source.${key}`);
  // A mapping that was changed since decides it, without a name.
  const isSame = logged?.answer === text;
  return {
    option: index === -1 ? null : index,
    value: text,
    by: isSame ? logged.by : null,
    atMs: isSame ? logged.atMs : null,
    holds: true,
  };
}
