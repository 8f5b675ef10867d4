import { decideSource, type Proposed, listReadings } from '../../decisions/proposal.ts';
import { type OpenedExport, findQuestions } from '../../decisions/questions.ts';
import { ChatferryError } from '../../lib/errors.ts';
import { isTable, keyPath, type Settings, valueAt } from '../../lib/settings.ts';
import type { Finding, Reading } from '../../sources/table-source.ts';

/** A question about an export, open or answered. */
export interface AskedQuestion {
  /** Dotted key inside the `source:` section. */
  readonly key: string;
  readonly because: string;
  readonly explained: readonly string[];
  /** The likeliest first. */
  readonly readings: readonly Reading[];
  /** The value in the mapping; undefined while it is open. */
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
  const proposed = await findQuestions(opened, decided);
  const isOpen = (key: string) => proposed.open.some((question) => question.key === key);
  const open = proposed.open.map(({ key, because, readings }): AskedQuestion => {
    const explained = proposed.findings.find((finding) => finding.key === key)?.explained ?? [];
    return { key, because, explained, readings, value: undefined };
  });
  const answered = Object.keys(decided).length === 0 ? [] : await answeredQuestions(opened, decided);
  return { questions: [...open, ...answered.filter(({ key }) => !isOpen(key))], proposed };
}

async function answeredQuestions(
  { adapter, inputs }: OpenedExport,
  decided: Settings,
): Promise<readonly AskedQuestion[]> {
  const answered = new Map<string, AskedQuestion>();
  const decide = async (finding: Finding): Promise<unknown> => {
    const { key, because, explained = [] } = finding;
    const value = valueIn(decided, key);
    // A question that comes again was answered with something that this export does not have.
    if (value === undefined || answered.has(key)) return undefined;
    answered.set(key, { key, because, explained, readings: listReadings(finding), value });
    return value;
  };
  try {
    await decideSource(adapter, inputs, {}, { begin() {}, show() {}, decide, refuse() {} });
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
