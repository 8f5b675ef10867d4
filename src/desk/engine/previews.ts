import { trustOf } from '../../config/trusted-files.ts';
import { partsOf } from '../../commands/before-after-parts.ts';
import { type OpenedExport, previewAnswer, type RowsByReading } from '../../commands/questions.ts';
import {
  findingSample,
  outcomeOfRow,
  outcomesUnder,
  type SampledMessage,
  type WhatIf,
} from '../../commands/what-if.ts';
import { ChatferryError, UsageError } from '../../lib/errors.ts';
import { type BeforeAfter, isReadByMapping } from '../../commands/before-after.ts';
import { loadMapping, type Mapping, parseRules, withSettings } from '../../mapping/load-mapping.ts';
import { parseSettings, type Settings } from '../../mapping/settings.ts';
import type { Card, PreviewRow } from '../shapes.ts';

/** Rows of a preview. */
const rowsMax = 3;
/** UTF-16 units of a value. */
const valueMax = 500;

/** Nothing to show, and why. */
export class NothingToShow {
  readonly why: string;

  constructor(why: string) {
    this.why = why;
  }
}

/** An answer to look at: its index, or a value of the user's own; -1: as it is. */
export interface Considered {
  readonly answer: number;
  readonly text: string | null;
}

/** The settings of an answer; none as it is, and of one that is only noted. @throws UsageError if the card takes no such answer */
export function settingsOf({ answers, key, takesText }: Card, { answer, text }: Considered): Settings {
  const isOwn = text !== null && takesText && key !== null && answer === -1;
  const isKnown = answer === -1 || Object.hasOwn(answers, answer);
  if (!isKnown || (text !== null && !isOwn)) throw new UsageError('The card has no such answer');
  if (isOwn) return parseSettings([`${key}=${text}`]);
  return parseSettings((answers[answer]?.sets ?? []).map((set) => `${set.key}=${set.value}`));
}

export interface QuestionRequest {
  /** The rules of the mapping as far as they are decided. */
  readonly rules: Settings;
  /** The mapping file; undefined if there is none. */
  readonly mapping: string | undefined;
  readonly exports: readonly string[];
  /** Where the plan is; null if there is none. */
  readonly store: string | null;
  /** The answer. */
  readonly settings: Settings;
  readonly workspace: string | undefined;
  /** Rows that were read before. */
  readonly read: RowsByReading;
  readonly signal: AbortSignal;
}

/** Rows and messages under an answer to a question. For an answer that cannot be, the reason. */
export async function questionPreview(
  opened: OpenedExport,
  request: QuestionRequest,
): Promise<readonly PreviewRow[] | NothingToShow> {
  if (!isReadByMapping(opened.adapter)) return new NothingToShow('The source has no rows that could be shown.');
  const { rules, settings, store: storePath, ...controls } = request;
  try {
    const shown = await previewAnswer(opened, rules.source as Settings, settings, controls);
    if (shown.length === 0)
      return new NothingToShow(
        'No row becomes a message with this answer, or another question has to be decided before.',
      );
    const mapping = await mappingUnder(request);
    return shown.map((row) => ({
      place: row.place,
      row: row.row.map(([column, value]) => [column, cut(value)] as const),
      why: null,
      message: partsOf(row).map(([part, text]) => [part, cut(text)] as const),
      ...verdictOf(row, mapping, storePath),
    }));
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    return new NothingToShow(error.message);
  }
}

function verdictOf(
  row: BeforeAfter,
  mapping: Mapping,
  storePath: string | null,
): Pick<PreviewRow, 'verdict' | 'reason'> {
  if (row.open.length > 0) return { verdict: 'undecided', reason: null };
  const { verdict, reason } = outcomeOfRow(row, { mapping, storePath });
  return { verdict: verdict === 'planned' ? 'sent' : verdict, reason };
}

/** The mapping with what the answer sets besides the reading of the source. While questions are open, its rules alone. */
async function mappingUnder({ rules, mapping: path, exports, settings }: QuestionRequest): Promise<Mapping> {
  const { source: _, ...others } = settings;
  return withSettings(await mappingSoFar(rules, path, exports), others);
}

async function mappingSoFar(rules: Settings, path: string | undefined, exports: readonly string[]): Promise<Mapping> {
  try {
    return await loadMapping(path, { exports, trust: trustOf });
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    const known = parseRules(JSON.stringify(rules), 'the mapping');
    return { rules: { ...known, people: { ...known.people, lookup: 'none' } }, hash: '' };
  }
}

const cut = (text: string): string => (text.length > valueMax ? `${text.slice(0, valueMax)}…` : text);

/** Messages that findings are about. They stay until another plan is made. */
export class Samples {
  #planned = '';
  #samples = new Map<string, readonly SampledMessage[]>();

  /** @param planned Identifies the plan. @throws StoreError */
  async get(
    store: string,
    code: string,
    {
      planned,
      ...again
    }: { readonly planned: string; readonly exports: readonly string[]; readonly signal: AbortSignal },
  ) {
    if (planned !== this.#planned) this.#samples = new Map();
    this.#planned = planned;
    const sample = this.#samples.get(code) ?? (await findingSample(store, code, { max: rowsMax, ...again }));
    // An export that is away for a moment may be there the next time.
    if (sample.every(({ record, muid }) => record !== null || muid === null)) this.#samples.set(code, sample);
    return sample;
  }
}

export interface FindingRequest {
  readonly store: string;
  readonly mapping: string | undefined;
  readonly exports: readonly string[];
  readonly sample: readonly SampledMessage[];
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

/** The same messages under an answer to a finding. */
export async function findingPreview({
  store,
  mapping: path,
  exports,
  sample,
  settings,
  signal,
}: FindingRequest): Promise<readonly PreviewRow[] | NothingToShow> {
  if (sample.length === 0) return new NothingToShow('No message among the first of the plan is concerned.');
  let mapping: Mapping;
  try {
    mapping = await loadMapping(path, { exports, trust: trustOf });
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    return new NothingToShow(error.message);
  }
  try {
    const [outcomes] = await outcomesUnder(store, sample, { mapping, changes: [settings], exports, signal });
    return sample.map((message, index) => previewRow(message, outcomes![index]!));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return new NothingToShow(error.message);
  }
}

function previewRow({ location, row, why }: SampledMessage, outcome: WhatIf | null): PreviewRow {
  const shown = { place: location, row, why };
  if (outcome === null)
    return {
      ...shown,
      why: why ?? 'The message cannot be read again.',
      message: [],
      verdict: 'undecided',
      reason: null,
    };
  const { verdict, reason, parts } = outcome;
  return { ...shown, message: parts, verdict: verdict === 'planned' ? 'sent' : verdict, reason };
}
