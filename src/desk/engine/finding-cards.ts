import { type AnswerFacts, answerOf } from '../../decisions/answers.ts';
import { type Decision, describeUndecided } from '../../decisions/decision.ts';
import { findingDecision } from '../../decisions/findings.ts';
import type { Affected, Card } from '../shapes.ts';

/** Returns a card for each decision of a plan, and for each other that was made: a plan that was made since no longer finds what it was about. */
export function findingCards(planned: readonly Decision[], facts: AnswerFacts): readonly Card[] {
  const found = planned.map((decision) => ({ ...decision, answer: answerOf(decision, facts) }));
  const others = new Set(facts.given.flatMap(({ card }) => card ?? []));
  for (const { id } of found) others.delete(id);
  const none = { count: 0, of: 'messages', isExact: true } as const;
  const gone = [...others].flatMap((code) => findingDecision({ code, about: none, examples: [] }, facts) ?? []);
  return [...found, ...gone].map(toCard);
}

function toCard(decision: Decision): Card {
  const { id, question, why, examples, about, isOptional, options, answer } = decision;
  const asking = options.findIndex(({ effect }) => 'asks' in effect);
  const asked = options[asking];
  const key = asked && 'asks' in asked.effect ? asked.effect.asks : null;
  return {
    id,
    kind: isOptional ? 'left-out' : 'finding',
    title: question,
    key,
    because: why,
    evidence: examples,
    affects: { count: about.count, of: about.of as Affected['of'], ...some, isAbout: !about.isExact },
    otherwise: describeUndecided(decision),
    answers: options.map(({ does, effect, because, isProposed, isLastResort }) => ({
      ...{ label: does, because, isProposed, isLastResort },
      sets: 'sets' in effect ? Object.entries(effect.sets).map(([name, value]) => ({ key: name, value })) : [],
    })),
    takesText: key !== null,
    ...(asked && { textLabel: asked.does }),
    takesSeveral: false,
    decided: answer && { ...answer, answer: answer.option },
  };
}

const some = { isAll: false, isAbout: false, found: null };

/** @param count Null if they cannot be counted. */
export const toAffected = (of: Affected['of'], count: number | null): Affected => ({ count, of, ...some });
