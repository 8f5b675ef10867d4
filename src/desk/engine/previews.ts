import { trustOf } from '../../config/trusted-files.ts';
import { partsOf } from '../../commands/before-after-parts.ts';
import { type OpenedExport, previewAnswer } from '../../commands/questions.ts';
import { findingSample, outcomesUnder, type SampledMessage, type WhatIf } from '../../commands/what-if.ts';
import { ChatferryError, UsageError } from '../../lib/errors.ts';
import { loadMapping, type Mapping } from '../../mapping/load-mapping.ts';
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

/** Rows and messages under an answer to a question. For an answer that cannot be, the reason. */
export async function questionPreview(
  opened: OpenedExport,
  decided: Settings,
  settings: Settings,
  controls: { readonly workspace?: string | undefined; readonly signal: AbortSignal },
): Promise<readonly PreviewRow[] | NothingToShow> {
  if (opened.adapter.rowsAt === undefined) return new NothingToShow('The source has no rows that could be shown.');
  try {
    const shown = await previewAnswer(opened, decided, settings, controls);
    if (shown.length === 0)
      return new NothingToShow(
        'No row becomes a message with this answer, or another question has to be decided before.',
      );
    return shown.map((row) => ({
      place: row.place,
      row: row.row.map(([column, value]) => [column, cut(value)] as const),
      why: null,
      message: partsOf(row).map(([part, text]) => [part, cut(text)] as const),
      verdict: row.open.length > 0 ? 'undecided' : 'sent',
      reason: null,
    }));
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    return new NothingToShow(error.message);
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
    { planned, signal }: { readonly planned: string; readonly signal: AbortSignal },
  ) {
    if (planned !== this.#planned) this.#samples = new Map();
    this.#planned = planned;
    const sample = this.#samples.get(code) ?? (await findingSample(store, code, { max: rowsMax, signal }));
    this.#samples.set(code, sample);
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
  const [outcomes] = await outcomesUnder(store, sample, { mapping, changes: [settings], signal });
  return sample.map((message, index) => previewRow(message, outcomes![index]!));
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
