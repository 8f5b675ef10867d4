import { type LeftOut, leftOutByDefault } from '../../mapping/checks.ts';
import type { Card } from '../shapes.ts';
import { decisionAbout, type FindingFacts, toAffected, unranked } from './finding-cards.ts';

/** Returns a card for each kind of messages that the mapping leaves out unless it says otherwise, if the plan has such messages. */
export const leftOutCards = (facts: FindingFacts): readonly Card[] =>
  leftOutByDefault.flatMap((kind) => leftOutCard(kind, facts) ?? []);

/** Undefined if there are no such messages, and there never was a decision about them. */
function leftOutCard({ code, key, title, explanation, kept, losses }: LeftOut, facts: FindingFacts): Card | undefined {
  const count = facts.report.losses.reduce((sum, loss) => (losses.includes(loss.name) ? sum + loss.count : sum), 0);
  const id = `l:${code}`;
  if (count === 0 && !facts.decisions.some(({ card }) => card === id)) return undefined;
  const answers = [
    { ...unranked, label: 'Leave them out', because: '', sets: [{ key, value: 'skip' }] },
    { ...unranked, label: 'Send them', because: kept, sets: [{ key, value: 'keep' }] },
  ];
  const question = { id, kind: 'left-out', title, key, because: explanation, evidence: [], answers } as const;
  const affects = toAffected('messages', count);
  const decided = decisionAbout(code, answers, facts);
  return { ...question, affects, otherwise: 'they are left out', takesText: false, takesSeveral: false, decided };
}
