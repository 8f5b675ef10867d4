import { DestinationError } from '../lib/errors.ts';
import type { Progress } from '../lib/flow/progress.ts';
import { formatCount } from '../lib/text/count.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';
import { sha256Hex } from '../lib/hash.ts';
import type { ReadOutcome } from '../service/outcome.ts';
import { scalarText, valueAt } from './exact-json.ts';
import { type FileFetcher, filesOf } from './files.ts';
import type { Counts, Journal, KeptPage, NamedFile, Walk } from './journal.ts';
import { firstPlace, placeAfter, type Place, Stuck } from './paging.ts';
import type { Answer, Provider } from './provider.ts';
import type { Recipe, Step } from './recipe.ts';
import { RefusedAddress, requestOf, timeIn, UnusableId } from './requests.ts';
import { holds, idOf, numberAt, rowsIn, valuesOf } from './rows.ts';
import { fill, forFile, type Values } from './template.ts';

export interface FetchScope {
  /** Only what changed since, in Unix ms, as far as the provider tells. */
  readonly sinceMs?: number | undefined;
  /** Only these rows of the lists that other lists belong to: conversations, by their ids. */
  readonly only?: ReadonlySet<string> | undefined;
}

export interface FetchOptions extends FetchScope {
  readonly recipe: Recipe;
  readonly settings: Values;
  readonly provider: Provider;
  readonly journal: Journal;
  readonly progress: Progress;
  /** Fetches files that rows name, as soon as their page is kept. Default: they stay where they are. */
  readonly files?: FileFetcher | undefined;
  /** Aborted: no further page is asked for. */
  readonly stopping: AbortSignal;
  /** Aborted: requests in flight are cut as well. */
  readonly signal: AbortSignal;
}

/**
 * Asks a provider for its lists, step by step as the recipe says, and keeps every page in the journal's folder. What an earlier run has
 * kept is not asked for again.
 *
 * @throws DestinationError if nothing more can be fetched for now: the same call continues.
 */
export async function fetchFromProvider(options: FetchOptions): Promise<void> {
  const { recipe, settings, journal, progress, stopping } = options;
  for (const step of recipe.steps) {
    if (stopping.aborted) return;
    if (step.each === undefined) journal.beginList(step.name, settings, firstPlace);
    const { lists: total = 0, open = 0, rows = 0 } = journal.steps().get(step.name) ?? {};
    const stage = progress.stage(`fetching ${step.name}`, { total });
    const seen = { done: total - open, rows };
    const update = () => stage.update({ done: seen.done, total, note: `${formatCount(seen.rows)} rows` });
    const read = async (walk: Walk) => {
      await readList(step, walk, options, (count) => {
        seen.rows += count;
        update();
      });
      seen.done++;
      update();
    };
    await options.files?.fetch(step);
    await inParallel(journal.openWalks(step.name), recipe.rate.atOnce, read, stopping);
    stage.finish();
  }
}

async function readList(step: Step, walk: Walk, options: FetchOptions, onRows: (count: number) => void): Promise<void> {
  for (let at = walk; at.place && !options.stopping.aborted; ) {
    at = { ...at, place: await readPage(step, at, at.place, options, onRows) };
  }
}

/** @returns The place of the next page; undefined behind the last. */
async function readPage(
  step: Step,
  walk: Walk,
  place: Place,
  options: FetchOptions,
  onRows: (count: number) => void,
): Promise<Place | undefined> {
  const { recipe, provider, journal, sinceMs, signal } = options;
  // Twice, for an answer that came without its list.
  for (let attempt = 1; ; attempt++) {
    const outcome = await ask();
    if (outcome.kind === 'failed') return endList(step, walk, outcome, options);
    const { json } = outcome.value;
    const rows = rowsIn(step, walk.values, json);
    if (rows === undefined && attempt < 2) continue;
    const page = rows && pageOf(step, walk, place, { answer: outcome.value, rows }, options);
    if (!page) {
      journal.refuse(walk, `the answer has no list at ${step.rows}`);
      return undefined;
    }
    journal.keep(page);
    onRows(page.counts.rows);
    if (page.files.length > 0) await options.files?.fetch(step, page.files);
    return page.next;
  }

  async function ask(): Promise<ReadOutcome<Answer>> {
    try {
      return await provider.ask(requestOf(recipe, step, walk.values, place, sinceMs), signal);
    } catch (error) {
      if (!(error instanceof RefusedAddress)) throw error;
      const why = error instanceof UnusableId ? 'not-found' : 'stop';
      return { kind: 'failed', why, code: 'refused_address', detail: error.message };
    }
  }
}

type Failed = Extract<ReadOutcome<Answer>, { kind: 'failed' }>;

/** A list that the provider does not give is named, and the others go on; anything else stops the run. */
function endList(step: Step, walk: Walk, outcome: Failed, { journal, recipe, signal }: FetchOptions): undefined {
  signal.throwIfAborted();
  const { why, code, detail } = outcome;
  const words = detail === '' ? code : `${code}: ${detail}`;
  if (step.each !== undefined && (why === 'not-found' || why === 'too-long')) {
    journal.refuse(walk, words);
    return undefined;
  }
  throw new DestinationError(`Stopped: ${recipe.title} does not answer the request for ${step.name} (${words})`, {
    code,
    hint:
      outcome.status === 401 || outcome.status === 403
        ? 'Look at the key and what it may do'
        : 'The same command continues',
  });
}

interface Found {
  readonly answer: Answer;
  readonly rows: readonly unknown[];
}

function pageOf(step: Step, walk: Walk, place: Place, found: Found, options: FetchOptions): KeptPage {
  const { recipe, journal } = options;
  const children = recipe.steps.filter(({ each }) => each === step.name);
  const ids = new Map<string, string>();
  const lines: string[] = [];
  const walks: KeptPage['walks'][number][] = [];
  const files: NamedFile[] = [];
  const counts = { rows: 0, edited: 0, removed: 0, private: 0 };
  let [isOld, changed, passed] = [false, 0, 0];
  for (const row of found.rows) {
    const text = JSON.stringify(row);
    const id = idOf(step, row) ?? text;
    const hash = sha256Hex(text).slice(0, 16);
    const known = ids.get(id) ?? journal.hashOf(walk, id);
    if (known !== undefined) {
      if (known !== hash) changed++;
      continue;
    }
    ids.set(id, hash);
    const age = ageOf(step, row, options);
    if (age === 'stop') isOld = true;
    if (age !== 'new' || !isWanted(step, children, id, options)) {
      passed++;
      continue;
    }
    lines.push(`${text}\n`);
    count(step, row, counts);
    const values = { ...walk.values, ...valuesOf(step, row) };
    if (options.files) files.push(...filesOf(recipe, step, row, values));
    for (const child of children)
      if (holds(child.when, row))
        walks.push({ step: child.name, key: JSON.stringify([walk.id, id]), values, place: beginOf(child, row) });
  }
  const seen = { newCount: ids.size, changedCount: changed };
  const after = placeAfter(step, place, { answer: found.answer.json, rows: found.rows, ...seen });
  const total = numberAt(found.answer.json, step.total);
  return {
    walk,
    next: after instanceof Stuck || isOld ? undefined : after,
    refused: after instanceof Stuck && !isOld ? after.why : keptBack(step, found.answer.json),
    file: fileOf(step, walk, place, lines.join(''), found.answer.text),
    ...{ ids, counts, changed, walks, files },
    ...(total !== undefined && { total: total - (isOld ? total : passed) }),
  };
}

function beginOf({ follow }: Step, row: unknown): Place {
  const link = follow === undefined ? undefined : scalarText(valueAt(row, follow));
  return link === undefined ? firstPlace : { ...firstPlace, link };
}

/** Why the list has more rows than the provider gives, in words. */
const keptBack = ({ partial }: Step, answer: unknown): string | undefined =>
  partial !== undefined && holds(partial, answer) ? partial.why : undefined;

function fileOf(step: Step, walk: Walk, { kept }: Place, lines: string, answer: string): KeptPage['file'] {
  const values = { ...walk.values, page: String(kept + 1) };
  if (step.pages !== undefined) return { path: fill(step.pages, values, forFile), text: answer, isWhole: true };
  if (step.lines === undefined || lines === '') return undefined;
  return { path: fill(step.lines, values, forFile), text: lines, isWhole: false };
}

function ageOf({ since }: Step, row: unknown, { sinceMs }: FetchOptions): 'new' | 'skip' | 'stop' {
  if (sinceMs === undefined || !since || 'as' in since) return 'new';
  const pointer = 'skip' in since ? since.skip : since.stop;
  const ms = timeIn(scalarText(valueAt(row, pointer)), since.format);
  if (ms === undefined || ms >= sinceMs) return 'new';
  return 'skip' in since ? 'skip' : 'stop';
}

/** `--only` names rows that other lists belong to, at the top. */
const isWanted = (step: Step, children: readonly Step[], id: string, { only }: FetchOptions): boolean =>
  only === undefined || step.each !== undefined || children.length === 0 || only.has(id);

function count({ marks }: Step, row: unknown, counts: { -readonly [Name in keyof Counts]: number }): void {
  counts.rows++;
  for (const name of ['edited', 'removed', 'private'] as const)
    if (marks[name] !== undefined && holds(marks[name], row)) counts[name]++;
}
