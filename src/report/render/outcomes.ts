import type { Books } from '../report-data.ts';

type PlannedState = 'imported' | 'present' | 'refused' | 'pending' | 'inDoubt';
type UnplannedState = 'skipped' | 'rejected';

/** What may have become of a row of the export: the states of the two sums, with the words that explain them. */
export interface Outcome<Key extends string = PlannedState | UnplannedState> {
  readonly key: Key;
  readonly label: string;
  readonly meaning: string;
}

/** States of a planned message, in the order of the second sum. */
export const plannedOutcomes: readonly Outcome<PlannedState>[] = [
  { key: 'imported', label: 'imported', meaning: 'The service confirmed it.' },
  { key: 'present', label: 'present', meaning: 'The service already had it, with the same content.' },
  { key: 'refused', label: 'refused', meaning: 'The service said no; its words are kept below.' },
  { key: 'pending', label: 'pending', meaning: 'Planned, not yet sent.' },
  { key: 'inDoubt', label: 'in doubt', meaning: 'Sent, outcome unknown; resolved first by the next run.' },
];

/** What happens to rows that are not planned, in the order of the first sum. */
export const unplannedOutcomes: readonly Outcome<UnplannedState>[] = [
  { key: 'skipped', label: 'skipped', meaning: 'Left out by a rule that has a name.' },
  { key: 'rejected', label: 'rejected', meaning: 'Could not be read or mapped; reason and place are below.' },
];

/** Messages that are at the destination now, whoever brought them. */
export const arrivedOf = (books: Pick<Books, 'imported' | 'present'>): number => books.imported + books.present;

/** Whether both sums hold. They always do; a report that shows otherwise shows a fault of ours. */
export function isBalanced(books: Books): boolean {
  const sum = (outcomes: readonly Outcome[]) => outcomes.reduce((total, { key }) => total + books[key], 0);
  return books.read === books.planned + sum(unplannedOutcomes) && books.planned === sum(plannedOutcomes);
}
