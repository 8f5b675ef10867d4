import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import { ChatferryError } from '../lib/errors.ts';
import { isTable, keyPath, merged, type Settings, sortedKeys, valueAt } from '../lib/settings.ts';
import { chooseSource } from '../plan/choose-source.ts';
import type { SourceAdapter } from '../sources/source.ts';
import type { LastUsed } from '../lib/maps/last-used.ts';
import type { BeforeAfter } from '../rows/rows-with-messages.ts';
import { type LookControls, previewIfReadable } from './preview.ts';
import { detectSource } from '../sources/detect.ts';
import { type AskedExport, decideSource } from './proposal.ts';
import type { Proposed, Question } from './question.ts';

/** An export that stays open while questions about it are answered: samples of its tables are kept as long. */
export interface OpenedExport extends AskedExport {
  readonly recognised: readonly Recognition[];
}

/**
 * Opens an export and recognises its source. The caller closes it (`closeOpened`).
 *
 * @param source Name of the source, if the user says it.
 * @throws SourceError, UsageError. Then nothing stays open.
 */
export async function openToAsk(exports: readonly string[], source: string | undefined): Promise<OpenedExport> {
  const inputs = await openExport(exports);
  try {
    const adapter = await chooseSource(inputs, source);
    return { inputs, adapter, recognised: await recognitions(inputs, adapter) };
  } catch (error) {
    await closeOpened({ inputs });
    throw error;
  }
}

export async function closeOpened({ inputs }: Pick<OpenedExport, 'inputs'>): Promise<void> {
  for (const input of inputs) await input.close();
}

/** A question with the value that a mapping has for it; undefined while it is open. */
export interface AskedQuestion extends Question {
  readonly value: unknown;
}

/**
 * Returns every question about an export: the open ones, and those that the mapping answers. For these the export is asked from the beginning,
 * and each question gets the answer of the mapping: so it does not matter who answered it, and where.
 *
 * @param decided The mapping's `source:` section as far as it is decided.
 * @throws SourceError, UsageError for a value in the mapping that cannot be.
 */
export async function askedQuestions(
  opened: OpenedExport,
  decided: Settings,
): Promise<{ readonly questions: readonly AskedQuestion[]; readonly proposed: Proposed }> {
  const proposed = await decideSource(opened, decided);
  const open = proposed.open.map((question) => ({ ...question, value: undefined }));
  const answered = Object.keys(decided).length === 0 ? [] : await answeredQuestions(opened, decided);
  const isAnswered = ({ key }: Question) => !open.some((question) => question.key === key);
  return { questions: [...open, ...answered.filter(isAnswered)], proposed };
}

/** The questions that a mapping answers. Values that this export cannot have end them. */
export async function answeredQuestions(opened: OpenedExport, decided: Settings): Promise<readonly AskedQuestion[]> {
  const answered = new Map<string, AskedQuestion>();
  const decide = async (question: Question) => {
    const { key } = question;
    const value = valueIn(decided, key);
    // A question that comes again was answered with something that this export does not have.
    if (value === undefined || answered.has(key)) return undefined;
    answered.set(key, { ...question, value });
    return { key, value };
  };
  try {
    await decideSource(opened, {}, { advisor: { decide, refuse() {} } });
  } catch (error) {
    // The mapping as a whole can be read; then this export has no such questions.
    if (!(error instanceof ChatferryError)) throw error;
  }
  return [...answered.values()];
}

/** A plain value may be short for the `from` of a table. */
function valueIn(settings: Settings, key: string): unknown {
  const path = keyPath(key);
  const value = valueAt(settings, path);
  if (value !== undefined || path.at(-1) !== 'from') return value;
  const around = valueAt(settings, path.slice(0, -1));
  return isTable(around) ? undefined : around;
}

/** Rows and their messages, by how the export is read: two answers that lead to one reading are read once. */
export type RowsByReading = LastUsed<string, readonly BeforeAfter[]>;

/**
 * Returns three rows and the messages that they would become under an answer: those that `init --no-count --set` would show, without writing anything. None
 * if nothing can be shown yet, or the source has no rows. Reads at most 5,000 rows of each table.
 *
 * @param decided The mapping's `source:` section as far as it is decided.
 * @param settings The answer, as `parseSettings` returns it; empty: as it is.
 * @throws SourceError, UsageError for an answer that cannot be.
 */
export async function previewAnswer(
  opened: OpenedExport,
  decided: Settings,
  settings: Settings,
  { read, ...controls }: PreviewControls,
): Promise<readonly BeforeAfter[]> {
  const answers = merged({ source: decided }, settings).source as Settings;
  const said = (settings.source ?? {}) as Settings;
  const proposed = await decideSource(opened, answers, { said });
  const { filled, open } = proposed;
  const questions = open.map(({ key: of, readings }) => [of, readings.length]);
  const key = JSON.stringify([filled, questions, controls.workspace], sortedKeys);
  const rows = read?.get(key) ?? (await previewIfReadable(opened.adapter, opened.inputs, proposed, controls));
  read?.set(key, rows);
  return rows;
}

interface PreviewControls extends LookControls {
  /** Rows that were read before, of the same export. */
  readonly read?: RowsByReading;
}

export interface Recognition {
  readonly label: string;
  readonly because: string;
}

/** The reason if the user named the source. */
export const namedByUser = 'named by --source';

/** Why each input is taken for this source's. */
async function recognitions(inputs: readonly ExportInput[], adapter: SourceAdapter): Promise<readonly Recognition[]> {
  const found: Recognition[] = [];
  for (const input of inputs) {
    const own = (await detectSource(input)).find((detected) => detected.adapter === adapter);
    found.push({ label: input.label, because: own?.because ?? namedByUser });
  }
  return found;
}
