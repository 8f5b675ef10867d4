import { firstPlace, placeAfter, type Place, Stuck } from './answers/paging.ts';
import { parentsOf, type Recipe, type Step } from './recipe/recipe.ts';
import { buildRequest } from './requests.ts';
import { holds, numberAt, rowsIn, readValues } from './answers/rows.ts';
import type { Values } from './template.ts';
import type { Answer, Provider } from './provider.ts';
import type { ReadOutcome } from '../service/outcome.ts';

/** Counts of some lists of a step, as far as they were read. */
export interface StepSample {
  readonly step: string;
  /** Lists of this kind altogether, by the samples of the steps before it. */
  readonly lists: number;
  readonly rows: number;
  readonly requests: number;
  /** Whether there are more rows than that: not every page was asked for. */
  readonly isLeast: boolean;
}

export interface ProviderSample {
  /** The first answer, or why there is none. */
  readonly first: ReadOutcome<Answer>;
  readonly steps: readonly StepSample[];
  /** Steps that were refused, with the reason. */
  readonly refused: ReadonlyMap<string, string>;
}

/** Lists of a step that are looked at, and pages of each. */
const [listsMax, pagesMax] = [3, 5];

/** Asks for some pages of every step: whether the key may read it, and how much there is. Keeps nothing. */
export async function examineProvider(
  recipe: Recipe,
  settings: Values,
  provider: Provider,
  signal: AbortSignal,
): Promise<ProviderSample> {
  const steps: StepSample[] = [];
  const refused = new Map<string, string>();
  /** Rows with which later steps begin, by step: some of them, and how many there are. */
  const parents = new Map<
    string,
    { readonly rows: readonly (readonly [row: unknown, values: Values])[]; readonly count: number }
  >();
  let first: ReadOutcome<Answer> | undefined;
  for (const step of recipe.steps) {
    const above = parentsOf(step).flatMap((name) => parents.get(name) ?? []);
    const begins = step.each === undefined ? [{ rows: [[undefined, settings] as const], count: 1 }] : above;
    const { once } = step;
    const wanted: (readonly [unknown, Values])[] = [];
    let lists = 0;
    for (const parent of begins) {
      const holding = parent.rows.filter(([row]) => step.each === undefined || holds(step.when, row));
      const found =
        once === undefined ? holding : [...new Map(holding.map((one) => [one[1][once], one] as const)).values()];
      wanted.push(...found.slice(0, listsMax));
      // How many different values the other rows have is not known.
      if (once !== undefined) lists += found.length;
      else if (found.length > 0) lists += Math.round((parent.count * found.length) / parent.rows.length);
    }
    const found: (readonly [unknown, Values])[] = [];
    let [rows, requests, looked, isLeast] = [0, 0, 0, false];
    for (const [, values] of wanted) {
      const list = await look(recipe, step, values, provider, signal);
      first ??= list.first;
      looked++;
      requests += list.requests;
      rows += list.rows;
      isLeast ||= list.isLeast;
      found.push(...list.found.map((row) => [row, { ...values, ...readValues(step, row) }] as const));
      if (list.first.kind === 'failed') refused.set(step.name, `${list.first.code}: ${list.first.detail}`);
    }
    const factor = looked === 0 ? 0 : lists / looked;
    const count = Math.round(rows * factor);
    parents.set(step.name, { rows: found, count });
    steps.push({
      step: step.name,
      lists,
      rows: count,
      requests: Math.round(requests * factor),
      isLeast,
    });
    if (first?.kind === 'failed') break;
  }
  return { first: first!, steps, refused };
}

interface Looked {
  readonly first: ReadOutcome<Answer>;
  readonly found: readonly unknown[];
  readonly rows: number;
  readonly requests: number;
  readonly isLeast: boolean;
}

async function look(
  recipe: Recipe,
  step: Step,
  values: Values,
  provider: Provider,
  signal: AbortSignal,
): Promise<Looked> {
  const found: unknown[] = [];
  let first: ReadOutcome<Answer> | undefined;
  let place: Place | undefined = firstPlace;
  let requests = 0;
  while (place && !place.isAgain && requests < pagesMax) {
    const outcome: ReadOutcome<Answer> = await provider.ask(buildRequest(recipe, step, values, place), signal);
    first ??= outcome;
    requests++;
    if (outcome.kind === 'failed') return { first, found, rows: found.length, requests, isLeast: false };
    const rows = rowsIn(step, values, outcome.value.json) ?? [];
    found.push(...rows);
    const total = numberAt(outcome.value.json, step.total);
    // The provider says how many there are: no further page is needed.
    if (total !== undefined && rows.length > 0 && total >= found.length)
      return { first, found, rows: total, requests: Math.ceil(total / rows.length), isLeast: false };
    const next: Place | undefined | Stuck = placeAfter(step, place, {
      answer: outcome.value.json,
      status: outcome.value.status,
      rows,
      newCount: rows.length,
      changedCount: 0,
    });
    place = next instanceof Stuck ? undefined : next;
  }
  return { first: first!, found, rows: found.length, requests, isLeast: place !== undefined && place.isAgain !== true };
}
