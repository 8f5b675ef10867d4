import type { Mutation } from './mutation.ts';
import type { Outcome, OutcomeRow } from './outcome.ts';

/**
 * Rows outside of the one with the mutation that are not as before: same muid, same payload. None for a mutation that is in no row of
 * the timeline: what stands around rows, and files that others refer to, may change all of them.
 */
export function changedElsewhere(whole: Outcome, mutation: Mutation, found: Outcome): readonly OutcomeRow[] {
  const mutated = whole.rows.filter((row) => isInside(mutation, row));
  if (mutated.length === 0) return [];
  const payloads = new Map(found.rows.map(({ muid, payload }) => [muid, payload]));
  const places = new Set(found.rows.filter(({ muid }) => muid !== null).map(({ path, place }) => `${path} ${place}`));
  return whole.rows.filter((row) => {
    if (row.muid === null || mutated.some((one) => isPartOf(row, one))) return false;
    if (payloads.get(row.muid) === row.payload) return false;
    // What it is called, or answers, is told by the other row: then it must be there at least.
    return !dependsOn(row, mutated) || !places.has(`${row.path} ${row.place}`);
  });
}

/** Whether a row is called, or answers, by what other rows are: equal rows are numbered, and a thread has a first message. */
function dependsOn({ originId, rootMuid }: OutcomeRow, mutated: readonly OutcomeRow[]): boolean {
  if (/-\d{1,3}$/.test(originId ?? '')) return true;
  return rootMuid !== null && mutated.some((row) => row.muid === rootMuid || row.rootMuid === rootMuid);
}

/** Replies of some formats stand inside of what they answer. */
const isPartOf = (row: OutcomeRow, whole: OutcomeRow): boolean =>
  row.path === whole.path && (row.place === whole.place || row.place.startsWith(`${whole.place}#`));

function isInside({ path: mutated, line, pointer }: Mutation, { path, place }: OutcomeRow): boolean {
  if (path !== mutated || place === '') return false;
  const [at = '', inside] = place.startsWith('/') ? ['', place] : place.split('#');
  if (at !== '' && Number(at) !== line) return false;
  return inside === undefined || pointer === undefined || `${pointer}/`.startsWith(`${inside}/`);
}
