import type { LostPart } from '../../model/lost-parts.ts';

/** Parts of a message that could not be migrated, each with its count. */
export type Lost = Partial<Record<LostPart, number | undefined>>;

/** Counts what could not be migrated. */
export type Lose = (part: LostPart, count?: number) => void;

/** @param lost Counted so far; changed. */
export function countLost(lost: Lost = {}): { readonly lost: Lost; readonly lose: Lose } {
  const lose: Lose = (part, count = 1) => {
    if (count > 0) lost[part] = (lost[part] ?? 0) + count;
  };
  return { lost, lose };
}
