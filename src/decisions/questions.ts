import type { ExportInput } from '../io/input/export-input.ts';
import { openExport } from '../io/input/open-export.ts';
import { merged, type Settings, sortedKeys } from '../lib/settings.ts';
import { chooseSource } from '../plan/choose-source.ts';
import type { SourceAdapter } from '../sources/source.ts';
import type { LastUsed } from '../lib/maps/last-used.ts';
import type { BeforeAfter } from '../rows/rows-with-messages.ts';
import { previewIfReadable } from './preview.ts';
import { detectSource } from '../sources/detect.ts';
import { type Advisor, decideSource, type Proposed } from './proposal.ts';

/** An export that stays open while questions about it are answered: samples of its tables are kept as long. */
export interface OpenedExport {
  readonly inputs: readonly ExportInput[];
  readonly adapter: SourceAdapter;
  /** Why each input was recognised. */
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

const silent: Advisor = { begin() {}, show() {}, decide: async () => undefined };

/**
 * Returns how the export would be read, and what is open, without asking anyone.
 *
 * @param answers The mapping's `source:` section as far as it is decided.
 * @throws SourceError, UsageError for an answer that cannot be.
 */
export const findQuestions = ({ adapter, inputs }: OpenedExport, answers: Settings): Promise<Proposed> =>
  decideSource(adapter, inputs, answers, silent);

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
  { adapter, inputs }: OpenedExport,
  decided: Settings,
  settings: Settings,
  { read, ...controls }: PreviewControls,
): Promise<readonly BeforeAfter[]> {
  const answers = merged({ source: decided }, settings).source as Settings;
  const said = (settings.source ?? {}) as Settings;
  const proposed = await decideSource(adapter, inputs, answers, silent, said);
  const { filled, open } = proposed;
  const questions = open.map(({ key: of, readings }) => [of, readings.length]);
  const key = JSON.stringify([filled, questions, controls.workspace], sortedKeys);
  const rows = read?.get(key) ?? (await previewIfReadable(adapter, inputs, proposed, controls));
  read?.set(key, rows);
  return rows;
}

interface PreviewControls {
  readonly workspace?: string | undefined;
  /** Rows that were read before, of the same export. */
  readonly read?: RowsByReading;
  readonly signal: AbortSignal;
}

/** Why an input was recognised. */
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
