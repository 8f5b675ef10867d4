import type { InputChanges } from './changed-files.ts';
import type { ReadRequest } from './reading/read-entries.ts';

/** What one pass reads. */
export interface Reading extends Pick<ReadRequest, 'wanted' | 'ends'> {
  /** Files in which a new description would concern rows of others. */
  readonly sharedEnds?: readonly ReadonlySet<string>[];
}

export const everyFile = (inputs: readonly unknown[]): Reading => ({ wanted: inputs.map(() => 'all') });

/** What changed, from where it ended where it has only grown. */
export function changedFiles(changes: readonly InputChanges[]): Reading {
  const isAlone = changes.length === 1 && changes[0]!.fileCount === 1;
  return {
    wanted: changes.map(({ changed }) => changed),
    ends: changes.map(({ ends }) => ends),
    ...(!isAlone && { sharedEnds: changes.map((input) => input.sharedEnds) }),
  };
}
