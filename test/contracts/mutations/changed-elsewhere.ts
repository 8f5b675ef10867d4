import type { Mutation } from './mutation.ts';
import type { Outcome, OutcomeRow } from './outcome.ts';

/**
 * Returns the changed rows outside the one with the mutation, compared by muid and payload. Returns none if the
 * mutation is not in a row of the timeline: data around rows, and files that others refer to, may change all of them.
 */
export function changedElsewhere(whole: Outcome, mutation: Mutation, found: Outcome): readonly OutcomeRow[] {
  const mutated = whole.rows.filter((row) => isInside(mutation, row));
  if (mutated.length === 0 || tellsTheFile(whole, mutation, mutated)) return [];
  const said = new Set(found.rows.map(saidBy));
  const there = new Set(
    found.rows.flatMap(({ muid, path, place }) => (muid === null ? [] : [muid, `${path} ${place}`])),
  );
  return whole.rows.filter((row) => {
    if (row.muid === null || mutated.some((one) => isPartOf(row, one))) return false;
    if (said.has(saidBy(row))) return false;
    // Its name, or the message it answers, comes from the other row: then it must at least exist.
    return !dependsOn(row, mutated) || !(there.has(row.muid) || there.has(`${row.path} ${row.place}`));
  });
}

const saidBy = ({ muid, payload }: OutcomeRow): string => `${muid} ${payload}`;

/**
 * Whether the mutation is in what says what a file is: the value that it begins with, and in our own format the first message, whose
 * source and workspace are those of the file.
 */
function tellsTheFile(whole: Outcome, { path, line, pointer }: Mutation, [first]: readonly OutcomeRow[]): boolean {
  if (pointer === '' && line === 1) return true;
  const isFirst = whole.rows.find((row) => row.path === path && row.muid !== null) === first;
  return isFirst && whole.isOfFirstMessage;
}

/** Whether a row is called, or answers, by what other rows are: equal rows are numbered, and a thread has a first message. */
function dependsOn({ originId, muid, rootMuid }: OutcomeRow, mutated: readonly OutcomeRow[]): boolean {
  if (/-\d{1,3}$/.test(originId ?? '')) return true;
  const thread = rootMuid ?? muid;
  return mutated.some((row) => row.muid === thread || row.rootMuid === thread);
}

/** Returns whether a row is part of another. In some formats, replies are inside the message that they answer. */
const isPartOf = (row: OutcomeRow, whole: OutcomeRow): boolean =>
  row.path === whole.path && (row.place === whole.place || row.place.startsWith(`${whole.place}#`));

function isInside({ path: mutated, line, pointer }: Mutation, { path, place }: OutcomeRow): boolean {
  if (path !== mutated || place === '') return false;
  const [at = '', inside] = place.startsWith('/') ? ['', place] : place.split('#');
  if (at !== '' && Number(at) !== line) return false;
  return inside === undefined || pointer === undefined || `${pointer}/`.startsWith(`${inside}/`);
}
