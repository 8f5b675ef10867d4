import type { Inspection } from '../../commands/inspect.ts';
import type { RecogniseResult } from '../engine/recognise-here.ts';
import { commandLine, type Reading } from '../runs/command-lines.ts';
import type { SourceCounts, SourceView } from '../shapes.ts';
import { chosenTables } from './export-parts.ts';

/** The facts about the export that were found so far. */
export interface KnownSource {
  readonly reading: Reading;
  /** Undefined until it was looked at. */
  readonly found: RecogniseResult | undefined;
  /** Undefined until it was counted. */
  readonly inspection: Inspection | undefined;
}

const questionsMax = 12;

export function sourceView({ reading, found, inspection }: KnownSource): SourceView {
  const recognised = found && 'recognised' in found ? found.recognised : undefined;
  const { source: name, title, inputs = [] } = inspection ?? recognised ?? {};
  const questions = (inspection?.open ?? []).map(({ key, because }) => ({ key, because }));
  return {
    exports: reading.exports,
    source: name === undefined || title === undefined ? null : { name, title },
    inputs,
    error: found && 'error' in found ? found.error : null,
    counts: inspection && questions.length === 0 ? countsOf(inspection) : null,
    tables: chosenTables(inspection?.columns ?? []),
    questions: questions.slice(0, questionsMax),
    notes: (inspection?.notes ?? []).map(({ location, reason }) => ({ location, reason })),
    command: commandLine('inspect', reading).text,
    next: inspection ? nextAfter(inspection, reading) : null,
  };
}

/** Columns that were recognised are not taken for what they seem to be by a plan: the mapping has to say so. */
const nextAfter = ({ columns }: Inspection, reading: Reading): string =>
  commandLine(columns.length > 0 ? 'init' : 'plan', reading).text;

function countsOf({ conversations, ...counts }: Inspection): SourceCounts {
  const { messages, internal, system, invalid, problems, people, firstAtMs, lastAtMs } = counts;
  const sum = Object.values(conversations).reduce((total, count) => total + count, 0);
  return { messages, internal, system, invalid, problems, people, conversations: sum, firstAtMs, lastAtMs };
}
