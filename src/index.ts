/**
 * Chatferry as a library: plan, import and verify exports, repair what an import left, run jobs, and open a sandbox of the chat service.
 *
 * ```ts
 * import { importExport } from 'chatferry';
 *
 * const { report, exit } = await importExport({
 *   from: './slack-export.zip',
 *   to: 'sandbox',
 *   store: './chatferry.db',
 * });
 * console.log(report.totals, exit);
 * ```
 */
import type { Outcome } from './commands/results.ts';
import type { Mapping } from './mapping/load.ts';
import type { MessageRecord, UserRecord } from './model/records.ts';
import type { ReportFormat } from './model/report-formats.ts';
import { writeReportFiles } from './report/report-files.ts';
import { type MessageOutcome, Trial } from './rows/trial.ts';

export { explainId, readStatus, type StatusRequest, verifyDestination } from './commands/check.ts';
export { convert, fetchHistory, importExport } from './commands/move.ts';
export { examine, inspect, planExport } from './commands/prepare.ts';
export { exportFailed, purge, reconcileDestination, retryRefused, undoDestination } from './commands/repair.ts';
export type {
  CommandRequest,
  ConvertOptions,
  DoctorRequest,
  ExportFailedRequest,
  ImportRequest,
  InspectOptions,
  PlanRequest,
  ProviderFetchRequest,
  PurgeRequest,
  ReconcileRequest,
  RetryRequest,
  UndoRequest,
  VerifyRequest,
} from './commands/requests.ts';
export type { RunControls } from './lib/flow/run-controls.ts';
export type {
  Conversion,
  DoctorFinding,
  ExplainedMessage,
  ExportedFailures,
  Inspection,
  Outcome,
  ProviderFetched,
  PurgePlan,
  PurgeResult,
  Reconciled,
  Retried,
  RetryChoice,
  Undone,
  UndoResult,
} from './commands/results.ts';
export { type LoadedRecipe, loadProvider, loadRecipeFile } from './fetch/load-recipe.ts';
export { ChatferryError, DestinationError, SourceError, StoreError, UsageError } from './lib/errors.ts';
export type { Progress, StageProgress, StageUpdate } from './lib/flow/progress.ts';
export { Secret } from './lib/secret.ts';
export { type Filter, parseFilter } from './mapping/filter.ts';
export { muidOf } from './mapping/ids.ts';
export { loadMapping, type Mapping } from './mapping/load.ts';
export type { MessageOutcome } from './rows/trial.ts';
export {
  type ConversationResult,
  defineMapping,
  type MappingModule,
  type MessageResult,
  type PersonResult,
} from './mapping/module.ts';
export type { MediaRules } from './mapping/rules.ts';
export { exitCodes } from './model/exit-codes.ts';
export type { ChatRecord, ConversationRecord, MessageRecord, Origin, UserRecord } from './model/records.ts';
export type { Totals, VerifyResult } from './model/totals.ts';
export { renderHtml } from './report/html.ts';
export { renderMarkdown } from './report/markdown.ts';
export type { ReportData, ReportGroup } from './report/report-data.ts';
export { type OpenSandbox, openSandbox, type SandboxFaults, type SandboxRequest } from './sandbox/serve.ts';
export type { JobResult, SyncListener } from './sync/job-result.ts';
export { type JobsRequest, runJobs } from './sync/operate.ts';

/**
 * Maps one message by itself. Limits of a destination, and rules about its conversation or about all messages of an export, are not applied.
 *
 * @param people Those whom the message names, as far as an export describes them; others are unknown.
 */
export function mapMessage(
  message: MessageRecord,
  mapping: Mapping,
  people: readonly UserRecord[] = [],
): MessageOutcome {
  const storedPerson = (id: string) => people.find((person) => person.id === id);
  const trial = new Trial({ mapping, storedPerson, nowMs: message.sentAtMs, limits: {} });
  return trial.map({ type: 'record', record: message, location: { path: '' } });
}

/**
 * Writes `report.html`, `report.json`, `report.md`, and CSV files with every conversation, problem and copied file, as `formats` names them.
 * Each is replaced whole or not at all.
 *
 * @param options.store Path of the store that the outcome is of.
 * @throws StoreError if the directory cannot be written.
 */
export async function writeReport(
  directory: string,
  outcome: Outcome,
  options: { readonly store: string; readonly formats: readonly ReportFormat[] },
): Promise<void> {
  await writeReportFiles(directory, outcome, options);
}
