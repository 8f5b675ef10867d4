import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportsFor } from '../../config/configured-exports.ts';
import { ownFilesOf } from '../../io/input/own-files.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseRules } from '../../mapping/load.ts';
import type { SourceAdapter } from '../../sources/source.ts';
import type { Finding } from '../../sources/table-source.ts';
import {
  amendConfig,
  type ConfigValues,
  type FileChange,
  InitFile,
  type KeptValue,
  renderConfig,
  writePieces,
} from './init/config.ts';
import { composeMapping } from './init/mapping.ts';
import type { BeforeAfter } from '../../rows/rows-with-messages.ts';
import type { Inspection } from './inspect.ts';
import { type Advisor, decideSource, keepColumns, type Proposed } from './proposal.ts';
import { closeOpened, type OpenedExport, openToAsk } from './questions.ts';
import { restLines, restPath } from './init/suggestions.ts';
import { merged, type Settings } from '../../lib/settings.ts';
import { previewIfReadable } from './init/preview.ts';
import { type Survey, survey } from './init/survey.ts';
import { ignoredFiles } from '../../sources/signatures.ts';
import { packageFile } from '../../lib/package-files.ts';
import type { PlanOptions } from '../../plan/plan-options.ts';
import type { RunControls } from '../session.ts';

export type { FileChange };

export interface InitRequest
  extends Pick<PlanOptions, 'exports' | 'source' | 'workspace'>,
    Pick<RunControls, 'progress' | 'signal'> {
  /** Path of the mapping, existing or not. */
  readonly mappingPath: string;
  /** Path of the configuration, existing or not. */
  readonly configPath: string;
  /** Values of the configuration apart from `source` and `mapping`. */
  readonly config: ConfigValues;
  /** Decisions for the mapping, made beforehand. */
  readonly settings: Settings;
  /** Starts over: existing files are copied and replaced. */
  readonly force: boolean;
  /** The exports, opened before: they stay open. Absent: they are opened, and closed at the end. */
  readonly opened?: OpenedExport | undefined;
  /**
   * Whether to read the whole export, to count its messages and to suggest uids and names for people and groups. Default: yes. Answers that
   * are given one by one need that only at the end.
   */
  readonly count?: boolean;
  /** Whether to read rows to show them next to their messages, if the export is not counted. Default: yes. */
  readonly show?: boolean;
  readonly advisor: Advisor;
}

/** Findings of `init`, and the files it wrote. */
export interface InitResult
  extends Pick<Inspection, 'source' | 'title' | 'inputs' | 'ignored' | 'open' | 'own' | 'examples' | 'beforeAfter'> {
  readonly files: readonly FileChange[];
  /** Keys of a mapping that was there before, which it says now and did not say, or said otherwise. */
  readonly setKeys: readonly string[];
  /** Values of an existing configuration that differ. */
  readonly kept: readonly KeptValue[];
  /** Whether the configuration names this export, so that `plan` and `import` need not. */
  readonly isExportNamed: boolean;
  /** Tables that nothing reads, with what is known of them. */
  readonly unread: readonly { readonly key: string; readonly because: string }[];
  /** The first few rows that cannot be read. */
  readonly invalidRows: Survey['invalidRows'];
  /** Null if the export was not counted: it is not decided yet how it is read, or `count` was `false`. */
  readonly counts: {
    readonly messages: number;
    readonly invalid: number;
    /** People whom neither a file of the export nor the mapping describes. */
    readonly unresolvedPeople: number;
    readonly conversations: number;
    /** Columns and fields that nothing reads, and in how many rows each has a value. */
    readonly notMigrated: Survey['notMigrated'];
  } | null;
}

/**
 * Looks at an export and writes `chatferry.yaml` and a commented mapping for it, or adds what is new to those that are
 * there.
 *
 * @throws SourceError, UsageError. Then nothing was written.
 */
export async function init(request: InitRequest): Promise<InitResult> {
  const { force, settings, mappingPath, configPath } = request;
  // A key that does not exist is said before anything is read. JSON is YAML.
  parseRules(JSON.stringify(settings), '--set');
  const mapping = await InitFile.open(mappingPath, { force });
  const config = await InitFile.open(configPath, { force });
  const decided = mapping.text === undefined ? {} : parseRules(mapping.text, mappingPath).source;
  const opened = request.opened ?? (await openToAsk(request.exports, request.source));
  try {
    return await initOpened(request, opened, { mapping, config, decided });
  } finally {
    if (request.opened === undefined) await closeOpened(opened);
  }
}

/** The files to write, and what the mapping has decided about its source. */
interface Before {
  readonly mapping: InitFile;
  readonly config: InitFile;
  readonly decided: Settings;
}

async function initOpened(
  request: InitRequest,
  { inputs, adapter, recognised }: OpenedExport,
  { mapping, config, decided }: Before,
): Promise<InitResult> {
  const { exports, settings, mappingPath, configPath, advisor } = request;
  advisor.begin(adapter.title, recognised);
  const answers = merged({ source: decided }, settings).source as Settings;
  const said = (settings.source ?? {}) as Settings;
  const decision = await decideSource(adapter, inputs, answers, advisor, said);
  const counted = await surveyIfReadable(adapter, inputs, decision, request);
  const { proposed, notMigrated } = await keepColumns(decision, counted?.notMigrated ?? [], advisor);
  const text = composeMapping({
    text: mapping.text,
    path: mappingPath,
    schemaPath: schemaPathFrom(mappingPath),
    settings,
    adapter,
    proposed,
    survey: counted,
  });
  const named = exportsFor(configPath, exports);
  const values = {
    export: named?.length === 1 ? named[0] : named,
    source: adapter.name,
    mapping: mappingPath,
    ...request.config,
  };
  const amended = config.text === undefined ? undefined : amendConfig(config.text, values);
  return {
    source: adapter.name,
    title: adapter.title,
    inputs: recognised,
    ignored: await ignoredFiles(inputs),
    open: proposed.open,
    files: [...(await writeMapping(mapping, text)), await config.write(amended?.text ?? renderConfig(values))],
    setKeys: text.setKeys,
    kept: amended?.kept ?? [],
    own: ownFilesOf(inputs),
    isExportNamed: named !== undefined && !amended?.kept.some(({ key }) => key === 'export'),
    unread: proposed.findings.filter(isUnread).map(({ key, because }) => ({ key, because })),
    examples: counted?.examples ?? [],
    beforeAfter: counted?.beforeAfter ?? (await shownRows(adapter, inputs, decision, request)),
    invalidRows: counted?.invalidRows ?? [],
    counts: counted && countsOf(counted, text.unresolvedPeople, notMigrated),
  };
}

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
): Promise<Survey | null> {
  const parsed = adapter.options.safeParse(options);
  if (parsed.success && !open.some(({ isRequired }) => isRequired)) {
    if (!count) return null;
    return survey(adapter, inputs, { sourceOptions: parsed.data, workspace, progress, signal });
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
