import { DestinationError } from '../lib/errors.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';
import { formatCount } from '../lib/text/count.ts';
import { inParallel } from '../lib/flow/in-parallel.ts';
import { sha256Hex } from '../lib/hash.ts';
import { isObject } from '../lib/maps/objects.ts';
import type { ReadOutcome } from '../service/outcome.ts';
import { isYes, scalarText, valueAt } from './answers/exact-json.ts';
import { type FileFetcher, listFiles } from './files.ts';
import type { Counts, Journal, KeptPage, NamedFile, Walk } from './journal.ts';
import { firstPlace, placeAfter, type Place, Stuck } from './answers/paging.ts';
import { type Answer, isAboutKey, type Provider } from './provider.ts';
import { parentsOf, type Recipe, type Step } from './recipe/recipe.ts';
import { RefusedAddress, buildRequest, rowsAsked, timeIn, UnusableId, type Wanted } from './requests.ts';
import { holds, readId, numberAt, rowsIn, readValues } from './answers/rows.ts';
import { fill, forFile, type Values } from './template.ts';

export interface FetchScope extends Wanted {
  /** Only these rows of the lists that other lists belong to: conversations, by their ids. */
  readonly only?: ReadonlySet<string> | undefined;
}

export interface FetchOptions extends FetchScope, Pick<RunControls, 'progress' | 'stopping' | 'signal'> {
  readonly recipe: Recipe;
  readonly settings: Values;
  readonly provider: Provider;
  readonly journal: Journal;
  /** Fetches files that rows name, as soon as their page is kept. Default: they stay where they are. */
  readonly files?: FileFetcher | undefined;
}

interface Running extends FetchOptions {
  /** Lists in a row that failed in passing. */
  readonly health: { failures: number };
}

/**
 * Asks a provider for its lists, step by step as the recipe says, and keeps every page in the journal's folder. Pages that an earlier run has
 * kept are not asked for again.
 *
 * @throws DestinationError if nothing more can be fetched for now: the same call continues.
 */
export async function fetchFromProvider(request: FetchOptions): Promise<void> {
  const options = { ...request, health: { failures: 0 } };
  const { recipe, journal, progress, stopping } = options;
  for (const step of recipe.steps) {
    if (stopping.aborted) return;
    if (step.each === undefined) beginLists(step, options);
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

function beginLists({ name, only: parameter }: Step, { journal, settings, only }: FetchOptions): void {
  const ids = parameter === undefined ? undefined : only;
  if (!ids) journal.beginList(name, settings, firstPlace);
  for (const id of ids ?? []) journal.beginList(name, { ...settings, only: id }, firstPlace, id);
}

async function readList(step: Step, walk: Walk, options: Running, onRows: (count: number) => void): Promise<void> {
  for (let at = walk; at.place && !options.stopping.aborted; ) {
    at = { ...at, place: await readPage(step, at, at.place, options, onRows) };
  }
}

/** @returns The place of the next page; undefined behind the last. */
async function readPage(
  step: Step,
  walk: Walk,
  place: Place,
  options: Running,
  onRows: (count: number) => void,
): Promise<Place | undefined> {
  const { recipe, provider, journal, signal } = options;
  // Twice, for an answer that came without its list.
  for (let attempt = 1; ; attempt++) {
    const outcome = await ask();
    if (outcome.kind === 'failed') {
      const again = placeWithFewerRows(step, place, outcome, options) ?? restartPlace(step, place, outcome);
      if (again) return again;
      return endList(step, walk, outcome, options);
    }
    options.health.failures = 0;
    const { json } = outcome.value;
    const rows = rowsIn(step, walk.values, json);
    if (rows === undefined && attempt < 2) continue;
    const page = rows && buildPage(step, walk, place, { answer: outcome.value, rows }, options);
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
      return await provider.ask(buildRequest(recipe, step, walk.values, place, options), signal);
    } catch (error) {
      if (!(error instanceof RefusedAddress)) throw error;
      const why = error instanceof UnusableId ? 'not-found' : 'stop';
      return { kind: 'failed', why, code: 'refused_address', detail: error.message };
    }
  }
}

function placeWithFewerRows(step: Step, place: Place, { why }: Failed, wanted: Wanted): Place | undefined {
  const rows = rowsAsked(step, place, wanted);
  return why === 'too-long' && rows !== undefined && rows > 2 ? { ...place, limit: Math.ceil(rows / 2) } : undefined;
}

/** A cursor that was kept for days may count for nothing any more: the list is begun again, and what it has is known by its ids. */
function restartPlace({ next, follow }: Step, place: Place, { why, status = 0 }: Failed): Place | undefined {
  const isGiven = next !== undefined && ('link' in next || 'cursor' in next) && follow === undefined && place.page > 1;
  const isUnknown = why === 'not-found' || (why === 'stop' && status >= 400 && status < 500 && status !== 401);
  if (!isGiven || !isUnknown || place.begunAgainAt !== undefined) return undefined;
  return { ...firstPlace, kept: place.kept, begunAgainAt: place.kept };
}

type Failed = Extract<ReadOutcome<Answer>, { kind: 'failed' }>;

/** A list that the provider does not give is named, and the others go on; anything else stops the run. */
function endList(step: Step, walk: Walk, outcome: Failed, options: Running): undefined {
  const { journal, recipe, signal } = options;
  signal.throwIfAborted();
  const { code, detail } = outcome;
  const words = detail === '' ? code : `${code}: ${detail}`;
  const isOneOfMany = step.each !== undefined || (step.only !== undefined && walk.values.only !== undefined);
  if (isOneOfMany && isAboutOneList(walk, outcome, options)) {
    journal.refuse(walk, words);
    return undefined;
  }
  const needsPerson = isAboutKey(outcome);
  throw new DestinationError(`Stopped: ${recipe.title} does not answer the request for ${step.name} (${words})`, {
    code,
    needsPerson,
    hint: needsPerson ? 'Look at the key and what it may do' : 'The same command continues',
  });
}

/** Lists in a row that fail in passing, after which the provider itself is down. */
const failuresMax = 3;

/** Whether the next list may well be given. A key that counts for nothing any more, and a provider that is down, stop the run. */
function isAboutOneList({ wasRefused = false }: Walk, outcome: Failed, options: Running): boolean {
  const { why, status = 0 } = outcome;
  if (why === 'not-found' || why === 'too-long') return true;
  if (why === 'stop') return status >= 400 && status < 500 && !isAboutKey(outcome);
  // A list that has failed before says nothing of the provider.
  if (why === 'retry' && wasRefused) return true;
  options.health.failures++;
  return why === 'retry' && options.health.failures < failuresMax;
}

interface Found {
  readonly answer: Answer;
  readonly rows: readonly unknown[];
}

function buildPage(step: Step, walk: Walk, place: Place, found: Found, options: FetchOptions): KeptPage {
  const { recipe, journal } = options;
  const children = recipe.steps.filter((one) => parentsOf(one).includes(step.name));
  const ids = new Map<string, string>();
  const lines: string[] = [];
  const walks: KeptPage['walks'][number][] = [];
  const files: NamedFile[] = [];
  const counts = { rows: 0, edited: 0, removed: 0, private: 0 };
  let [isOld, changed, passed] = [false, 0, 0];
  const added = Object.entries(step.adds).map(([name, template]) => [name, fill(template, walk.values)] as const);
  for (const row of found.rows) {
    const text = JSON.stringify(added.length > 0 && isObject(row) ? { ...Object.fromEntries(added), ...row } : row);
    const id = readId(step, row) ?? text;
    const hash = sha256Hex(text).slice(0, 16);
    const known = ids.get(id) ?? journal.findHash(walk, id);
    if (known !== undefined) {
      if (known !== hash) changed++;
      continue;
    }
    ids.set(id, hash);
    if (isElsewhere(step, walk, row)) continue;
    const age = judgeAge(step, row, options);
    if (age === 'stop') isOld = true;
    if (age !== 'new' || !isWanted(step, id, options)) {
      passed++;
      continue;
    }
    lines.push(`${text}\n`);
    count(step, row, counts);
    const values = { ...walk.values, ...readValues(step, row) };
    if (options.files) files.push(...listFiles(recipe, step, row, values));
    for (const child of children) {
      const key = child.once === undefined ? JSON.stringify([walk.id, id]) : values[child.once]!;
      if (holds(child.when, row)) walks.push({ step: child.name, key, values, place: firstPlaceFor(child, row) });
    }
  }
  const { only } = walk.values;
  const isKnown = found.rows.length > 0 || options.sinceMs !== undefined || options.untilMs !== undefined;
  if (step.only !== undefined && only !== undefined && isKnown) journal.note(`only ${only}`, 'found');
  const { json: answer, status } = found.answer;
  const page = { answer, status, rows: found.rows, newCount: ids.size, changedCount: changed };
  const after = placeAfter(step, place, page);
  // Read again, a list has grown: what it announces then may be behind the pages that are read.
  const total = place.isAgain ? undefined : numberAt(found.answer.json, step.total);
  const next = after instanceof Stuck || isOld ? undefined : after && withoutAuth(recipe, after);
  const stuck = after instanceof Stuck && !isOld ? after.why : undefined;
  const isLimited = next === undefined && step.limited !== undefined && isYes(valueAt(found.answer.json, step.limited));
  const kept = { ids, counts, changed, walks, files, passed };
  return {
    walk,
    next,
    refused: stuck ?? (isLimited ? `the provider holds rows back (${step.limited})` : undefined),
    file: buildPageFile(step, walk, place, lines.join(''), found.answer.text, options.provider),
    ...kept,
    // Behind the row that ends the list are rows that are not wanted.
    ...(total !== undefined && { total: isOld ? 0 : total }),
  };
}

function firstPlaceFor({ follow }: Step, row: unknown): Place {
  const link = follow === undefined ? undefined : scalarText(valueAt(row, follow));
  return link === undefined ? firstPlace : { ...firstPlace, link };
}

function buildPageFile(
  step: Step,
  walk: Walk,
  { kept }: Place,
  lines: string,
  answer: string,
  { withoutKey }: Provider,
): KeptPage['file'] {
  const values = { ...walk.values, page: String(kept + 1) };
  if (step.pages !== undefined)
    return { path: fill(step.pages, values, forFile), text: withoutKey(answer), isWhole: true };
  if (step.lines === undefined || lines === '') return undefined;
  return { path: fill(step.lines, values, forFile), text: withoutKey(lines), isWhole: false };
}

function judgeAge({ since }: Step, row: unknown, { sinceMs, untilMs }: FetchOptions): 'new' | 'skip' | 'stop' {
  if (!since || (sinceMs ?? untilMs) === undefined) return 'new';
  const pointers = 'skip' in since ? since.skip : 'stop' in since ? since.stop : (since.of ?? []);
  const times = [pointers].flat().map((pointer) => timeIn(scalarText(valueAt(row, pointer)), since.format));
  const known = times.filter((ms) => ms !== undefined);
  if (known.length === 0) return 'new';
  const latestMs = Math.max(...known);
  if (latestMs >= (sinceMs ?? latestMs)) return latestMs <= (untilMs ?? latestMs) ? 'new' : 'skip';
  return 'stop' in since ? 'stop' : 'skip';
}

/** Some providers repeat the key in the address of the next page. The journal keeps the address without it. */
function withoutAuth({ auth }: Recipe, place: Place): Place {
  if (!('query' in auth) || place.link === undefined || !URL.canParse(place.link, 'https://provider')) return place;
  const url = new URL(place.link, 'https://provider');
  for (const name of Object.keys(auth.query)) url.searchParams.delete(name);
  return { ...place, link: URL.canParse(place.link) ? url.href : url.pathname + url.search };
}

/** Whether another list has the row. */
function isElsewhere({ unless }: Step, { values }: Walk, row: unknown): boolean {
  if (unless === undefined) return false;
  const { field, is } = unless;
  return holds({ field, is: is === undefined ? is : [is].flat().map((one) => fill(String(one), values)) }, row);
}

/** `--only` names rows that messages belong to, such as rooms; a recipe that marks no messages, rows of the last lists but one. */
function isWanted(step: Step, id: string, { only, recipe, journal }: FetchOptions): boolean {
  if (only === undefined || !conversationSteps(recipe).includes(step.name)) return true;
  if (!only.has(id)) return false;
  journal.note(`only ${id}`, 'found');
  return true;
}

function conversationSteps({ steps }: Recipe): readonly string[] {
  const above = (isBelow: (step: Step) => boolean) => steps.filter(isBelow).flatMap(parentsOf);
  const ofMessages = above(({ messages }) => messages).filter(
    (name) => !steps.find((one) => one.name === name)?.messages,
  );
  return ofMessages.length > 0 ? ofMessages : above(({ name }) => steps.every((one) => !parentsOf(one).includes(name)));
}

function count({ marks }: Step, row: unknown, counts: { -readonly [Name in keyof Counts]: number }): void {
  counts.rows++;
  for (const name of ['edited', 'removed', 'private'] as const)
    if (marks[name] !== undefined && holds(marks[name], row)) counts[name]++;
}
