import { type Candidate, evidences, listFacts, hasFact } from './evidence.ts';

/** So many points make an answer, and so many fewer has whatever comes next. */
const pointsMin = 5;
const marginMin = 2;

/** Result of comparing the candidates. */
export interface Decision<T> {
  /** The likeliest first. */
  readonly ranked: readonly Candidate<T>[];
  /** The certain value: it has a fact and enough points, and no other comes near. */
  readonly certain: T | undefined;
  /** Points between the first and the second. */
  readonly margin: number;
}

export function decide<T>(candidates: readonly Candidate<T>[]): Decision<T> {
  const ranked = [...candidates].sort((a, b) => b.points - a.points);
  const [best, next] = ranked;
  const margin = best ? best.points - (next?.points ?? 0) : 0;
  const isCertain =
    best !== undefined &&
    hasFact(best) &&
    best.points >= pointsMin &&
    margin >= marginMin &&
    !ranked.slice(1).some((other) => isEqualInFacts(best, other));
  return { ranked, certain: isCertain ? best.value : undefined, margin };
}

/** Whether another has every fact that the first has, and a word for it: then names alone would decide. */
function isEqualInFacts<T>(best: Candidate<T>, other: Candidate<T>): boolean {
  const isNamed = other.evidence.includes('namedSo') || other.evidence.includes('usualName');
  const isAgainst = other.evidence.some((name) => evidences[name].points < 0);
  return isNamed && !isAgainst && listFacts(best).every((fact) => other.evidence.includes(fact));
}
