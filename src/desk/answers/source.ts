import { namedByUser } from '../../decisions/questions.ts';
import { toVariable } from '../../config/load-options.ts';
import { findCheck } from '../../mapping/checks.ts';
import { sources } from '../../sources/registry.ts';
import type { Found } from '../engine/looking.ts';
import { type CommandFacts, commandLine } from '../runs/command-lines.ts';
import type { CopiedFiles, ReadAs, SourceCounts, SourceRoutes, SourceView } from '../shapes.ts';
import { chosenAnswers } from './chosen-export.ts';
import { chosenTables, ignoredRows, partRows } from './export-parts.ts';
import type { Parts } from './parts.ts';
import type { AnswersTo } from './routes.ts';
import type { Inspection } from '../../commands/results.ts';

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
  readonly readAs: ReadAs | null;
}

export const sourceAnswers = (parts: Parts): AnswersTo<SourceRoutes> => ({
  'GET source': () => buildSourceView(parts),
  'GET parts': (search) => partRows(parts.looking.inspection, search),
  'GET ignored': (search) => ignoredRows(ignoredIn(parts.looking), search),
  ...chosenAnswers(parts, () => buildSourceView(parts)),
});

const buildSourceView = async (parts: Parts): Promise<SourceView> =>
  sourceView(collectKnown(parts), await parts.dropped.view());

const ignoredIn = ({ inspection, found }: Parts['looking']) =>
  inspection?.ignored ?? (found && 'recognised' in found ? found.recognised.ignored : []);

function collectKnown(parts: Parts): KnownSource {
  const { found, inspection } = parts.looking;
  const facts = parts.facts();
  const commandText = (name: 'inspect' | 'init' | 'plan') => commandLine(name, facts).text;
  const lines = { inspect: commandText('inspect'), init: commandText('init'), plan: commandText('plan') };
  return { exports: facts.exports, lines, found, inspection, readAs: findReadAs(parts, facts) };
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
  { exports, lines, found, inspection, readAs }: KnownSource,
  dropped: CopiedFiles | null,
): SourceView {
  const recognised = found && 'recognised' in found ? found.recognised : undefined;
  const { source: name, title, inputs = [] } = inspection ?? recognised ?? {};
  const questions = (inspection?.open ?? []).map(({ key, because }) => ({ key, because }));
  return {
    exports,
    source: name === undefined || title === undefined ? null : { name, title },
    inputs: inputs.map(({ label, because }) => ({ label, because: because === namedByUser ? null : because })),
    error: found && 'error' in found ? found.error : null,
    wantsPassword: found !== undefined && 'error' in found && found.wants === 'password',
    readAs,
    counts: inspection && questions.length === 0 ? toSourceCounts(inspection) : null,
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

/** Columns that were recognised are not taken for what they seem to be by a plan: the mapping has to say so. */
const nextAfter = ({ columns }: Inspection, { init, plan }: KnownSource['lines']): string =>
  columns.length > 0 ? init : plan;

function toSourceCounts({ conversations, ...counts }: Inspection): SourceCounts {
  const { messages, internal, system, invalid, problems, people, firstAtMs, lastAtMs } = counts;
  const sum = Object.values(conversations).reduce((total, count) => total + count, 0);
  return { messages, internal, system, invalid, problems, people, conversations: sum, firstAtMs, lastAtMs };
}
