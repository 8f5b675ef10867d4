import type { Inspection } from '../../commands/inspect.ts';
import { isObject } from '../../lib/maps/objects.ts';
import type { IgnoredFile } from '../../sources/signatures.ts';
import type { Found } from '../engine/looking.ts';
import { commandLine } from '../runs/command-lines.ts';
import type { IgnoredRow, Page, PartRow, SourceCounts, SourceRoutes, SourceView } from '../shapes.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';

/** The facts about the export that were found so far. */
interface KnownSource {
  /** None: the user has not chosen yet. */
  readonly exports: readonly string[];
  /** The command that shows the same, and the one that comes next. */
  readonly lines: Readonly<Record<'inspect' | 'init' | 'plan', string>>;
  /** Undefined until it was looked at. */
  readonly found: Found | undefined;
  /** Undefined until it was counted. */
  readonly inspection: Inspection | undefined;
}

export const sourceAnswers = (parts: Parts): AnswersTo<SourceRoutes> => ({
  'GET source': () => sourceView(knownOf(parts)),
  'GET parts': (search) => partRows(knownOf(parts), search),
  'GET ignored': (search) => ignoredRows(knownOf(parts), search),
});

function knownOf({ looking: { found, inspection }, facts: factsNow }: Parts): KnownSource {
  const facts = factsNow();
  const textOf = (name: 'inspect' | 'init' | 'plan') => commandLine(name, facts).text;
  const lines = { inspect: textOf('inspect'), init: textOf('init'), plan: textOf('plan') };
  return { exports: facts.exports, lines, found, inspection };
}

const questionsMax = 12;
const pageRows = 100;

function sourceView({ exports, lines, found, inspection }: KnownSource): SourceView {
  const recognised = found && 'recognised' in found ? found.recognised : undefined;
  const { source: name, title, inputs = [] } = inspection ?? recognised ?? {};
  const questions = (inspection?.open ?? []).map(({ key, because }) => ({ key, because }));
  return {
    exports,
    source: name === undefined || title === undefined ? null : { name, title },
    inputs,
    error: found && 'error' in found ? found.error : null,
    counts: inspection && questions.length === 0 ? countsOf(inspection) : null,
    tables: (inspection?.columns ?? []).flatMap(tableOf),
    questions: questions.slice(0, questionsMax),
    notes: (inspection?.notes ?? []).map(({ location, reason }) => ({ location, reason })),
    command: lines.inspect,
    next: inspection ? nextAfter(inspection, lines) : null,
  };
}

const tableKey = 'tables.';

/** The table that was chosen for a role; nothing for a finding about something else. */
function tableOf({ key, value, because }: Inspection['columns'][number]) {
  const table = isObject(value) ? value.table : undefined;
  if (!key.startsWith(tableKey) || typeof table !== 'string') return [];
  return [{ role: key.slice(tableKey.length), table, because }];
}

/** Columns that were recognised are not taken for what they seem to be by a plan: the mapping has to say so. */
const nextAfter = ({ columns }: Inspection, { init, plan }: KnownSource['lines']): string =>
  columns.length > 0 ? init : plan;

function countsOf({ conversations, ...counts }: Inspection): SourceCounts {
  const { messages, internal, system, invalid, problems, people, firstAtMs, lastAtMs } = counts;
  const sum = Object.values(conversations).reduce((total, count) => total + count, 0);
  return { messages, internal, system, invalid, problems, people, conversations: sum, firstAtMs, lastAtMs };
}

/** Files and tables whose names hold the words. */
function partRows({ inspection }: KnownSource, search: URLSearchParams): Page<PartRow> {
  const words = (search.get('search') ?? '').toLowerCase();
  const isFound = ({ path, table = '' }: PartRow) => `${path} ${table}`.toLowerCase().includes(words);
  return pageOf((inspection?.parts ?? []).filter(isFound), search);
}

/** The reasons for which files are ignored, those of most files first. */
function ignoredRows({ inspection, found }: KnownSource, search: URLSearchParams): Page<IgnoredRow> {
  const files = inspection?.ignored ?? (found && 'recognised' in found ? found.recognised.ignored : []);
  const rows = [...Map.groupBy(files, ({ reason }) => reason)].map(([reason, of]) => ignoredRow(reason, of));
  return pageOf(
    rows.toSorted((one, other) => other.count - one.count),
    search,
  );
}

const ignoredRow = (reason: string, [first, ...others]: readonly IgnoredFile[]): IgnoredRow => ({
  reason,
  count: others.length + 1,
  first: first!.path,
});

/** @param search Its `after` is the `next` of the page before. */
function pageOf<Row>(rows: readonly Row[], search: URLSearchParams): Page<Row> {
  const after = search.get('after') ?? '';
  const from = /^\d{1,9}$/.test(after) ? Number(after) : 0;
  const to = from + pageRows;
  return { rows: rows.slice(from, to), next: to < rows.length ? String(to) : null };
}
