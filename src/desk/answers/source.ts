import { namedByUser } from '../../decisions/questions.ts';
import { toVariable } from '../../config/load-options.ts';
import type { Options } from '../../config/options.ts';
import { profileOf } from '../../delivery/target.ts';
import { findCheck } from '../../mapping/checks.ts';
import { binName, dayBins, timeBins } from '../../report/time-bins.ts';
import { keptFromMs } from '../../service/profiles.ts';
import { sources } from '../../sources/registry.ts';
import type { Found } from '../engine/looking.ts';
import { type CommandFacts, commandLine } from '../runs/command-lines.ts';
import type {
  CopiedFiles,
  ReadAs,
  SourceCounts,
  SourceRoutes,
  SourceView,
  IgnoredRow,
  Page,
  PartRow,
} from '../shapes.ts';
import { chosenAnswers } from './chosen-export.ts';
import { readHowTo } from './from-package.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';
import type { Inspection } from '../../commands/results.ts';
import { isObject } from '../../lib/maps/objects.ts';
import { type TableOutline, tablesInQuery } from '../../sources/table-source.ts';
import type { IgnoredFile } from '../../sources/signatures.ts';

/** The facts about the export that were found so far. */
interface ExportFacts {
  /** None: the user has not chosen yet. */
  readonly exports: readonly string[];
  /** The command that shows the same, and the one that comes next. */
  readonly lines: Readonly<Record<'inspect' | 'init' | 'plan', string>>;
  /** Undefined until it was looked at. */
  readonly found: Found | undefined;
  /** Undefined until it was counted. */
  readonly inspection: Inspection | undefined;
  readonly readAs: ReadAs | null;
  readonly isPasswordTyped: boolean;
  /** Days that the destination keeps messages; undefined if that is not known. */
  readonly keptDays: number | undefined;
  readonly nowMs: number;
}

export const sourceAnswers = (parts: Parts): AnswersTo<SourceRoutes> => ({
  'GET sources': () => sources.map(({ name, title }) => ({ name, title })),
  'GET how-to': (search) => readHowTo(search.get('source') ?? ''),
  'GET source': () => buildSourceView(parts),
  'GET parts': (search) => partRows(parts.looking.inspection, search),
  'GET ignored': (search) => ignoredRows(ignoredIn(parts.looking), search),
  ...chosenAnswers(parts, () => buildSourceView(parts)),
});

const buildSourceView = async (parts: Parts): Promise<SourceView> =>
  sourceView(collectKnown(parts), await parts.dropped.view());

const ignoredIn = ({ inspection, found }: Parts['looking']) =>
  inspection?.ignored ?? (found && 'recognised' in found ? found.recognised.ignored : []);

function collectKnown(parts: Parts): ExportFacts {
  const { found, inspection } = parts.looking;
  const facts = parts.facts();
  const commandText = (name: 'inspect' | 'init' | 'plan') => commandLine(name, facts).text;
  const lines = { inspect: commandText('inspect'), init: commandText('init'), plan: commandText('plan') };
  const isPasswordTyped = parts.password.isTyped;
  const about = { found, inspection, readAs: findReadAs(parts, facts), isPasswordTyped };
  return { exports: facts.exports, lines, ...about, keptDays: findKeptDays(facts.options), nowMs: parts.now() };
}

function findKeptDays({ to = 'sandbox', appId, profile, rehearseFor, retentionDays }: Options): number | undefined {
  const isSandbox = to === 'sandbox' && appId === undefined;
  const overrides = retentionDays === undefined ? {} : { retentionDays };
  const target = { to, appId, profile, rehearseFor: isSandbox ? rehearseFor : undefined, overrides };
  return profileOf(target).limits.retentionDays;
}

/** A source of the command line or the environment is stronger than the file that is written here. */
function findReadAs({ looking: { found }, env }: Parts, facts: CommandFacts): ReadAs | null {
  const { flags, options, exports } = facts;
  const isFixed = flags.source !== undefined || (env[toVariable('source')] ?? '') !== '';
  const isWanted = found !== undefined && 'error' in found && found.wants === 'source';
  if (isFixed || exports.length === 0 || (!isWanted && options.source === undefined)) return null;
  const commandFor = (source: string) => commandLine('init', { ...facts, flags: { ...flags, source } }).text;
  return {
    source: options.source ?? null,
    sources: sources.map(({ name, title }) => ({ name, title, command: commandFor(name) })),
  };
}

const questionsMax = 12;

function sourceView(
  { exports, lines, found, inspection, readAs, isPasswordTyped, keptDays, nowMs }: ExportFacts,
  dropped: CopiedFiles | null,
): SourceView {
  const recognised = found && 'recognised' in found ? found.recognised : undefined;
  const { source: name, title, inputs = [] } = inspection ?? recognised ?? {};
  const questions = (inspection?.open ?? []).map(({ question, why }) => ({ question, why }));
  return {
    exports,
    source: name === undefined || title === undefined ? null : { name, title },
    inputs: inputs.map(({ label, because }) => ({ label, because: because === namedByUser ? null : because })),
    ...(found && 'error' in found ? explainFault(found, isPasswordTyped) : { error: null, wantsPassword: false }),
    readAs,
    counts: inspection && questions.length === 0 ? toSourceCounts(inspection) : null,
    older: inspection && keptDays !== undefined ? countOlder(inspection, keptDays, nowMs) : null,
    tables: inspection === undefined ? [] : chosenTables(inspection),
    questions: questions.slice(0, questionsMax),
    notes: (inspection?.notes ?? []).map(({ location, code, reason }) => ({
      location,
      title: findCheck(code)?.title ?? null,
      reason,
    })),
    dropped,
    command: lines.inspect,
    next: inspection ? nextAfter(inspection, lines) : null,
  };
}

function explainFault({ error, wants }: Extract<Found, { error: unknown }>, isPasswordTyped: boolean) {
  if (wants === 'password') return { error: null, wantsPassword: true };
  if (wants !== 'other-password') return { error, wantsPassword: false };
  // The variable is the desk's own: a person who typed the password knows nothing of it.
  const typed = { ...error, hint: 'Is this the password of this user, on this server?' };
  return { error: isPasswordTyped ? typed : error, wantsPassword: true };
}

/** Columns that were recognised are not taken for what they seem to be by a plan: the mapping has to say so. */
const nextAfter = ({ columns }: Inspection, { init, plan }: ExportFacts['lines']): string =>
  columns.length > 0 ? init : plan;

function toSourceCounts({ conversations, files, days, ...counts }: Inspection): SourceCounts {
  const { messages, internal, system, invalid, problems, people, firstAtMs, lastAtMs } = counts;
  const sum = Object.values(conversations).reduce((total, count) => total + count, 0);
  const months = Map.groupBy(days, ({ day }) => day.slice(0, 7));
  const byMonth = [...months].map(([month, those]) => ({ month, count: sumOf(those) }));
  const bins = dayBins(days) ?? timeBins(byMonth);
  return {
    ...{ messages, internal, system, invalid, problems, people, conversations: sum, firstAtMs, lastAtMs },
    files: (files.rows ?? 0) + (files.shared ?? 0),
    bins: bins.map(({ label, count }) => ({ label, count })),
    per: binName(bins),
  };
}

const sumOf = (counted: readonly { readonly count: number }[]): number =>
  counted.reduce((sum, { count }) => sum + count, 0);

/** A day counts as soon as a part of it is too old: sending takes a while. */
function countOlder({ days, messages: total }: Inspection, keptDays: number, nowMs: number): SourceView['older'] {
  const last = new Date(keptFromMs(nowMs, keptDays)).toISOString().slice(0, 10);
  const count = sumOf(days.filter(({ day }) => day <= last));
  return count === 0 ? null : { days: keptDays, count, total };
}

const pageRows = 100;

interface ChosenTable {
  readonly role: string;
  readonly table: string;
  readonly because: string;
}

/** The tables that are read in a role, and those that a query reads. */
const chosenTables = ({ roles, tables }: Pick<Inspection, 'roles' | 'tables'>): readonly ChosenTable[] =>
  roles.flatMap(({ role, value, because }) => {
    const { table, query } = isObject(value) ? value : {};
    if (typeof table === 'string') return [{ role, table, because }];
    const names = tables.map(({ name }) => name);
    return typeof query === 'string' ? tablesInQuery(query, names).map((name) => ({ role, table: name, because })) : [];
  });

/** Files and tables whose names hold the words: those that were counted, then the other tables of the export. */
export function partRows(inspection: Inspection | undefined, search: URLSearchParams): Page<PartRow> {
  if (inspection === undefined) return { rows: [], next: null };
  const words = (search.get('search') ?? '').toLowerCase();
  const isFound = ({ path, table = '' }: PartRow) => `${path} ${table}`.toLowerCase().includes(words);
  return slicePage(allParts(inspection).filter(isFound), search);
}

function allParts(inspection: Inspection): readonly PartRow[] {
  const { source, parts, tables } = inspection;
  const roles = Map.groupBy(chosenTables(inspection), ({ table }) => table);
  const roleOf = (name: string) =>
    roles
      .get(name)
      ?.map(({ role }) => role)
      .join(', ') ?? null;
  const counted = parts.map((part) => ({ ...part, role: roleOf(part.table ?? part.path), isAbout: false }));
  const names = new Set(parts.map(({ path, table }) => table ?? path));
  const others = tables
    .filter(({ name }) => !names.has(name))
    .map((table) => ({ ...uncounted(table, source === 'database'), role: roleOf(table.name) }));
  // Those that have a meaning first: a database may have hundreds of others.
  return [...counted, ...others.toSorted((one, other) => Number(one.role === null) - Number(other.role === null))];
}

const noCounts = { people: 0, conversations: 0, firstAtMs: null, lastAtMs: null };

const uncounted = ({ name, rows, isExact }: TableOutline, isTable: boolean): Omit<PartRow, 'role'> => ({
  ...(isTable ? { path: '', table: name } : { path: name }),
  rows: rows ?? null,
  isAbout: isExact !== true,
  ...noCounts,
});

/** The reasons for which files are ignored, those of most files first. */
export function ignoredRows(files: readonly IgnoredFile[], search: URLSearchParams): Page<IgnoredRow> {
  const rows = [...Map.groupBy(files, ({ reason }) => reason)].map(([reason, of]) => ignoredRow(reason, of));
  return slicePage(
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
function slicePage<Row>(rows: readonly Row[], search: URLSearchParams): Page<Row> {
  const after = search.get('after') ?? '';
  const from = /^\d{1,9}$/.test(after) ? Number(after) : 0;
  const to = from + pageRows;
  return { rows: rows.slice(from, to), next: to < rows.length ? String(to) : null };
}
