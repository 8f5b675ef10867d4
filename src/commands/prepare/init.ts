import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportsFor } from '../../config/configured-exports.ts';
import { listOwnFiles } from '../../io/input/own-files.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { UsageError } from '../../lib/errors.ts';
import { findPathFault } from '../../lib/text/schema-words.ts';
import { removeValue } from '../../lib/text/yaml-text.ts';
import { findKeyFault, parseRules, undecidedMark, parseReading } from '../../mapping/load.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import { amendConfig, type BeforeWrite, InitFile, renderConfig, writePieces } from '../../config/written-file.ts';
import { composeMapping } from './init/mapping.ts';
import { noteAnswers } from './init/note-answers.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import { type Advisor, decideSource, keepColumns } from '../../decisions/proposal.ts';
import { type Proposed, questionDecision } from '../../decisions/question.ts';
import { closeOpened, type OpenedExport, openToAsk } from '../../decisions/questions.ts';
import { restLines, restPath } from './init/suggestions.ts';
import { type KeyPath, listLeaves, merged, type Settings, valueAt, withoutValue } from '../../lib/settings.ts';
import { previewIfReadable } from '../../decisions/preview.ts';
import { type Survey, survey } from '../../decisions/survey.ts';
import { listTables, lookBeside, SortingWords } from '../../plan/export-tables.ts';
import { type Finding, isTableSource } from '../../sources/table-source.ts';
import { confirm, describeResult, type DescribedReading } from '../../decisions/reading.ts';
import { noteConfirmation, withReading } from '../confirm-reading.ts';
import { ignoredFiles } from '../../sources/signatures.ts';
import { packageFile } from '../../lib/package-files.ts';
import type { InitRequest } from '../requests.ts';
import type { InitResult } from '../results.ts';

/**
 * Looks at an export and writes `chatferry.yaml` and a commented mapping for it, or adds what is new to those that are
 * there.
 *
 * @param trust Called before each is written. @throws SourceError, UsageError. Then nothing was written.
 */
export async function init(request: InitRequest, trust?: BeforeWrite): Promise<InitResult> {
  const { force, settings, mappingPath, configPath } = request;
  // A key that does not exist is said before anything is read. JSON is YAML.
  const takenBack = listTakenBack(settings);
  parseRules(JSON.stringify(withoutAll(settings, takenBack)), '--set');
  for (const path of takenBack) assertKey(path, findKeyFault(path));
  const mapping = await InitFile.open(mappingPath, force, trust);
  const config = await InitFile.open(configPath, force, trust);
  const before = mapping.text === undefined ? undefined : parseRules(mapping.text, mappingPath);
  const opened = request.opened ?? (await openToAsk(request.exports, request.source));
  try {
    return await initOpened(request, opened, { mapping, config, before });
  } finally {
    if (request.opened === undefined) await closeOpened(opened);
  }
}

/** The files to write, and what the mapping has decided about its source. */
interface Before {
  readonly mapping: InitFile;
  readonly config: InitFile;
  readonly before: Settings | undefined;
}

async function initOpened(
  request: InitRequest,
  opened: OpenedExport,
  { mapping, config, before }: Before,
): Promise<InitResult> {
  const { inputs, adapter, recognised } = opened;
  const { exports, mappingPath, configPath, advisor: given = {}, workspace, signal } = request;
  const told = new Map<string, unknown>();
  const advisor = noting(given, told);
  advisor.begin?.(adapter.title, recognised);
  const takenBack = listTakenBack(request.settings);
  assertSourceKeys(takenBack, adapter, before);
  const settings = withoutAll(request.settings, takenBack);
  const decided = withoutAll({ source: before?.source ?? {} }, takenBack);
  const answers = (merged(decided, settings).source ?? {}) as Settings;
  const said = (settings.source ?? {}) as Settings;
  const decision = await decideSource(opened, answers, { advisor, said, workspace, signal });
  const seen = await surveyIfReadable(adapter, inputs, decision, request);
  // The first rows of a large table name some of its people and conversations, and say nothing of what becomes of the others.
  const counted = seen?.isCut ? null : seen;
  const { proposed, notMigrated } = await keepColumns(decision, counted?.notMigrated ?? [], advisor);
  const described = counted && (await describeSurvey(opened, proposed, counted, mapping));
  const composed = composeMapping({
    text: mapping.text && takenBack.reduce(removeValue, mapping.text),
    path: mappingPath,
    schemaPath: schemaPathFrom(mappingPath),
    settings,
    adapter,
    proposed,
    survey: counted,
  });
  const rows = seen?.beforeAfter ?? (await shownRows(adapter, inputs, decision, request));
  const { text, reading } = await settleReading(composed, described, { advisor, notes: request.notes, rows });
  const named = exportsFor(configPath, exports);
  const values = configValues(request, adapter.name, named);
  const amended = config.text === undefined ? undefined : amendConfig(config.text, values);
  const files = [...(await writeMapping(mapping, text)), await config.write(amended?.text ?? renderConfig(values))];
  const after: Settings = parseRules(text.text, mappingPath);
  if (request.notes)
    await noteAnswers(request.notes, opened, { told, settings: request.settings, before, after, mappingPath });
  return {
    source: adapter.name,
    title: adapter.title,
    inputs: recognised,
    ignored: await ignoredFiles(inputs),
    open: proposed.open.map((question) => questionDecision(question)),
    files,
    setKeys: text.setKeys,
    kept: amended?.kept ?? [],
    own: listOwnFiles(inputs),
    isExportNamed: named !== undefined && !amended?.kept.some(({ key }) => key === 'export'),
    unread: proposed.findings.filter(isUnread).map(({ key, because }) => ({ key, because })),
    examples: seen?.examples ?? [],
    beforeAfter: rows,
    invalidRows: seen?.invalidRows ?? [],
    isLarge: seen?.isCut === true,
    counts: counted && countsOf(counted, text.unresolvedPeople, notMigrated),
    reading,
  };
}

const configValues = ({ config, mappingPath }: InitRequest, source: string, named: readonly string[] | undefined) => ({
  export: named?.length === 1 ? named[0] : named,
  source,
  mapping: mappingPath,
  ...config,
});

/** The mapping with a reading that a person confirms at once, or the reading that is left to be confirmed. */
async function settleReading(
  composed: ReturnType<typeof composeMapping>,
  described: DescribedReading | null,
  {
    advisor,
    notes,
    rows,
  }: { readonly advisor: Advisor; readonly notes: InitRequest['notes']; readonly rows: readonly BeforeAfter[] },
): Promise<{ readonly text: typeof composed; readonly reading: InitResult['reading'] }> {
  if (described === null || described.stops.length === 0) return { text: composed, reading: null };
  const { digest, state, stops, news, picture } = described;
  if (notes === undefined || !(await advisor.confirm?.(described, rows)))
    return { text: composed, reading: { digest, state, stops, news, picture } };
  noteConfirmation(notes.store, described, notes);
  return { text: { ...composed, text: withReading(composed.text, confirm(described, notes)) }, reading: null };
}

/** Describes the rows of tables, if nothing about them is open; null for other sources. */
async function describeSurvey(
  { adapter, inputs }: OpenedExport,
  { options, open }: Proposed,
  counted: Survey & { readonly words: SortingWords },
  { text, path }: InitFile,
): Promise<DescribedReading | null> {
  const parsed = adapter.options.safeParse(options);
  if (!isTableSource(adapter) || open.length > 0 || !parsed.success) return null;
  const tables = await listTables(adapter, inputs, parsed.data as Settings);
  const rules = text === undefined ? undefined : parseReading(text, path);
  return describeResult({ options: parsed.data, tables, words: counted.words.list() }, counted.reading, {
    beside: await lookBeside(adapter, inputs, options),
    rules: rules ?? { proposed: true, seen: {} },
  });
}

/** Keys to which the mark of open questions was set: those of `source` are open again, others have their defaults. */
const listTakenBack = (settings: Settings): readonly KeyPath[] =>
  listLeaves(settings).flatMap(([path, value]) => (value === undecidedMark ? [path] : []));

/** A key that the mapping has can be taken back, even if it is one of another source. @throws UsageError */
function assertSourceKeys(paths: readonly KeyPath[], { options }: SourceAdapter, before: Before['before']): void {
  for (const [section, ...path] of paths)
    if (section === 'source' && valueAt(before?.source, path) === undefined)
      assertKey([section, ...path], findPathFault(options, path));
}

/** @throws UsageError if it has a fault. */
function assertKey(path: KeyPath, fault: ReturnType<typeof findKeyFault>): void {
  if (fault) throw new UsageError(`Cannot take back "${path.join('.')}": ${fault.what}`);
}

const withoutAll = (settings: Settings, paths: readonly KeyPath[]): Settings => paths.reduce(withoutValue, settings);

/** The same advisor; its answers are noted. */
const noting = (advisor: Advisor, told: Map<string, unknown>): Advisor => ({
  ...advisor,
  ...(advisor.decide && {
    async decide(question, look) {
      const answer = await advisor.decide!(question, look);
      if (answer !== undefined) told.set(question.key, answer);
      return answer;
    },
  }),
});

const shownRows = async (
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  decision: Proposed,
  { show = true, ...controls }: InitRequest,
): Promise<readonly BeforeAfter[]> => (show ? await previewIfReadable(adapter, inputs, decision, controls) : []);

const countsOf = (
  { messageCount, invalidCount, conversations }: Survey,
  unresolvedPeople: number,
  notMigrated: Survey['notMigrated'],
): InitResult['counts'] => ({
  messages: messageCount,
  invalid: invalidCount,
  unresolvedPeople,
  conversations: conversations.length,
  notMigrated,
});

/** A table that nothing reads is a finding without anything to decide. */
const isUnread = ({ key, value, alternatives, isRequired }: Finding): boolean =>
  key.startsWith('tables.') && value === undefined && alternatives.length === 0 && !isRequired;

/**
 * Counts the messages that each decision affects, once it is decided how the export is read.
 *
 * @throws UsageError if that was decided in a way that the source does not know.
 */
async function surveyIfReadable(
  adapter: SourceAdapter,
  inputs: readonly ExportInput[],
  { options, open }: Proposed,
  { workspace, progress, signal, count = true }: InitRequest,
): Promise<(Survey & { readonly words: SortingWords }) | null> {
  const parsed = adapter.options.safeParse(options);
  if (parsed.success && !open.some(({ isRequired }) => isRequired)) {
    if (!count) return null;
    const words = new SortingWords();
    const request = { sourceOptions: parsed.data, workspace, progress, signal, onWord: words.note };
    return { ...(await survey(adapter, inputs, request)), words };
  }
  if (parsed.success || open.length > 0) return null;
  const faults = parsed.error.issues.map((issue) => `${['source', ...issue.path].join('.')}: ${issue.message}`);
  throw new UsageError(`Cannot use the mapping for source "${adapter.name}": ${faults.join('; ')}`);
}

async function writeMapping(mapping: InitFile, { text, leftOut }: ReturnType<typeof composeMapping>) {
  const written = await mapping.write(text);
  if (leftOut.length === 0) return [written];
  const path = restPath(mapping.path);
  await writePieces(path, restLines(leftOut, mapping.path));
  return [written, { path, how: 'rest' as const }];
}

/** Where editors find the schema from the mapping's folder. */
function schemaPathFrom(mappingPath: string): string {
  const schema = fileURLToPath(packageFile('mappings/mapping.schema.json'));
  return relative(dirname(resolve(mappingPath)), schema).replaceAll('\\', '/');
}
