import { type AnswerFacts, answerOf } from '../../decisions/answers.ts';
import type { Decision } from '../../decisions/decision.ts';
import { findingDecision } from '../../decisions/findings.ts';
import type { Card } from '../shapes.ts';

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
  ...{ isAll: false, found: null, takesSeveral: false },
});
