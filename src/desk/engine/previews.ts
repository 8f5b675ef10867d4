import { type OpenedExport, previewAnswer, type RowsByReading } from '../../decisions/questions.ts';
import { readTrust } from '../../config/trusted-files.ts';
import { ChatferryError, UsageError } from '../../lib/errors.ts';
import { loadMapping, type Mapping, parseRules, withSettings } from '../../mapping/load.ts';
import type { Settings } from '../../lib/settings.ts';
import { outcomesUnder, type SampledMessage } from '../../rows/finding-rows.ts';
import { describeParts } from '../../rows/parts.ts';
import { isTableSource } from '../../sources/table-source.ts';
import { cut, judgeRow, type WhatIf } from '../../rows/trial.ts';
import type { Card, CardPreview, PreviewRow } from '../shapes.ts';
import { drawBubble } from './bubbles.ts';

/** Rows, or none and why. */
export type ShownRows = Pick<CardPreview, 'rows' | 'why'>;

export const nothingToShow = (why: string): ShownRows => ({ rows: [], why });

/** @throws The error, if it is of another kind. */
function nothingAfter(error: unknown, kind: typeof ChatferryError): ShownRows {
  if (error instanceof kind) return nothingToShow(error.message);
  throw error;
}

/** An answer to look at: the index of an option, or a value of the user's own; -1: as it is, or a value that belongs to no option. */
export interface Considered {
  readonly answer: number;
  readonly text: string | null;
}

export interface Setting {
  readonly key: string;
  readonly value: string;
}

/** The settings of an answer. @throws UsageError for an answer that the card does not have, or that sets nothing */
export function answerSets(
  { options, input, takesSeveral }: Card,
  { answers, text }: { readonly answers: readonly number[]; readonly text: string | null | undefined },
): readonly Setting[] {
  const own = text ?? undefined;
  if (answers.length === 0 && own !== undefined && input !== undefined) return [{ key: input.key, value: own }];
  const chosen = answers.flatMap((index) => options[index] ?? []);
  if (chosen.length !== answers.length || chosen.length === 0 || (chosen.length > 1 && !takesSeveral))
    throw new UsageError('Cannot decide: the card has no such answer');
  return chosen.flatMap(({ effect }) => {
    if ('sets' in effect && own === undefined)
      return Object.entries(effect.sets).map(([key, value]) => ({ key, value }));
    if ('asks' in effect && own !== undefined) return [{ key: effect.asks, value: own }];
    throw new UsageError(
      own === undefined
        ? 'Cannot decide: this answer is given by a command, by a value, or elsewhere'
        : 'Cannot decide: the answer takes no value of your own',
    );
  });
}

interface AnswerRequest {
  readonly mapping: string | undefined;
  readonly exports: readonly string[];
  /** The answer. */
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

export interface QuestionRequest extends AnswerRequest {
  /** The rules of the mapping as far as they are decided. */
  readonly rules: Settings;
  /** Where the plan is; null if there is none. */
  readonly store: string | null;
  readonly workspace: string | undefined;
  readonly read: RowsByReading;
}

/** Rows and messages under an answer to a question. */
export async function questionPreview(opened: OpenedExport, request: QuestionRequest): Promise<ShownRows> {
  if (!isTableSource(opened.adapter)) return nothingToShow('The source has no rows that could be shown.');
  const { rules, settings, store, ...controls } = request;
  try {
    const shown = await previewAnswer(opened, rules.source as Settings, settings, controls);
    if (shown.length === 0)
      return nothingToShow('No row becomes a message with this answer, or another question has to be decided before.');
    const mapping = await mappingUnder(request);
    const rows = shown.map((row): PreviewRow => {
      const outcome = row.open.length > 0 ? undefined : judgeRow(row, mapping, store);
      const verdict = outcome === undefined ? undecided : sentAs(outcome);
      const bubble = drawBubble(row.message, { names: row.names, open: row.open, payload: outcome?.payload });
      const { place } = row;
      return { place, row: allCut(row.row), why: null, message: allCut(describeParts(row)), ...verdict, bubble };
    });
    return { rows, why: null };
  } catch (error) {
    return nothingAfter(error, ChatferryError);
  }
}

const undecided = { verdict: 'undecided', reason: null } as const;

const sentAs = ({ verdict, reason }: Pick<WhatIf, 'verdict' | 'reason'>): Pick<PreviewRow, 'verdict' | 'reason'> => ({
  verdict: verdict === 'planned' ? 'sent' : verdict,
  reason,
});

const allCut = (pairs: PreviewRow['message']): PreviewRow['message'] =>
  pairs.map(([name, text]) => [name, cut(text)] as const);

/** The mapping with what the answer sets besides the reading of the source. While questions are open, its rules alone. */
async function mappingUnder({ rules, mapping: path, exports, settings }: QuestionRequest): Promise<Mapping> {
  const { source: _, ...others } = settings;
  return withSettings(await mappingSoFar(rules, path, exports), others);
}

async function mappingSoFar(rules: Settings, path: string | undefined, exports: readonly string[]): Promise<Mapping> {
  try {
    return await loadMapping(path, { exports, trust: readTrust });
  } catch (error) {
    if (!(error instanceof ChatferryError)) throw error;
    const known = parseRules(JSON.stringify(rules), 'the mapping');
    return { rules: { ...known, people: { ...known.people, lookup: 'none' } }, hash: '' };
  }
}

/** The same messages under an answer to a finding. @throws StoreError */
export async function findingPreview(
  store: string,
  sample: readonly SampledMessage[],
  { mapping: path, settings, ...again }: AnswerRequest,
): Promise<ShownRows> {
  if (sample.length === 0) return nothingToShow('No message among the first of the plan is concerned.');
  let mapping: Mapping;
  try {
    mapping = await loadMapping(path, { exports: again.exports, trust: readTrust });
  } catch (error) {
    return nothingAfter(error, ChatferryError);
  }
  try {
    const [outcomes] = await outcomesUnder(store, sample, { mapping, changes: [settings], ...again });
    return { rows: sample.map((message, index) => previewRow(message, outcomes![index]!)), why: null };
  } catch (error) {
    return nothingAfter(error, UsageError);
  }
}

function previewRow(
  { location: place, row, why, record, isHidden }: SampledMessage,
  outcome: WhatIf | null,
): PreviewRow {
  if (outcome === null)
    return { place, row, why: why ?? 'The message cannot be read again.', message: [], ...undecided, bubble: null };
  const bubble = record && drawBubble(record, { ...outcome, isHidden });
  return { place, row, why, message: outcome.parts, ...sentAs(outcome), bubble };
}
