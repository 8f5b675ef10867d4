import type { ReportData } from '../report-data.ts';
import { mergeBy, mostFirst } from './sum-lists.ts';

type Loss = ReportData['losses'][number];

/** Of people whom a list of the export describes: every part has the whole list. */
const inEachPart: ReadonlySet<string> = new Set([
  'roles',
  'guests',
  'deactivated people',
  'e-mail addresses',
  'handles',
]);
/** Of people whom messages alone name: several parts may have the same ones, so there are at least as many as in the part that has most. */
const placeholders = 'placeholders';
/** Who wrote in any part wrote: there are at most as many as in the part that has fewest. */
const silent = 'people who never wrote';

/** Losses of all parts of an export. What is counted in messages and conversations is a sum; people are not, since parts share them. */
export function sumLosses(parts: readonly (readonly Loss[])[]): Loss[] {
  const losses = mergeBy(
    parts,
    ({ name }) => name,
    (sum, loss) => ({ ...sum, count: together(sum, loss) }),
  );
  const isSilentInAll = parts.every((part) => part.some(({ name }) => name === silent));
  return mostFirst(
    losses
      .filter(({ name }) => name !== silent || isSilentInAll)
      .map((loss) => (parts.length > 1 ? { ...loss, what: `${loss.what}${aboutParts[loss.name] ?? ''}` } : loss)),
  );
}

function together({ name, count }: Loss, { count: other }: Loss): number {
  if (name === silent) return Math.min(count, other);
  return inEachPart.has(name) || name === placeholders ? Math.max(count, other) : count + other;
}

const aboutParts: Readonly<Record<string, string>> = {
  [placeholders]: ': at least so many, parts may name different ones',
  [silent]: ': at most so many, who is silent in one part may write in another',
};
