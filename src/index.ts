/**
 * Chatferry as a library: read exports, map records, plan, import, verify, report, and speak to the service or its sandbox.
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

export { type JobConfig, loadSyncFile, type SyncConfig } from './sync/sync-file.ts';
export type { ExportInput, FileStat, InputProblem } from './io/input/export-input.ts';
export { openExport } from './io/input/open-export.ts';
export { type Clock, systemClock } from './lib/flow/clock.ts';
export { ChatferryError, DestinationError, SourceError, StoreError, UsageError } from './lib/errors.ts';
export type { Location } from './lib/text/location.ts';
export { Secret } from './lib/secret.ts';
export { loadMapping, type Mapping } from './mapping/load.ts';
export { type Filter, matches, parseFilter } from './mapping/filter.ts';
export { muidOf } from './mapping/ids.ts';
export { type MappedMessage, mapMessage } from './mapping/message.ts';
export type { MessageContext } from './mapping/message/draft-message.ts';
export { type Metadata, metadataSchema } from './mapping/message/metadata.ts';
export {
  type ConversationResult,
  defineMapping,
  type MappingModule,
  type MessageResult,
  type PersonResult,
} from './mapping/rules/module.ts';
export { type Rules, rulesSchema, type PersonTraits } from './mapping/rules.ts';
export type { Totals, VerifyResult } from './model/totals.ts';
export { type ActionKind, actionKinds } from './model/action.ts';
export {
  type ChangeKind,
  type DriftPolicy,
  driftPolicies,
  type ExportScope,
  exportScopes,
  type OutOfOrderPolicy,
  outOfOrderPolicies,
} from './model/change.ts';
export type { Entry } from './model/entry.ts';
export {
  type ChatRecord,
  type ConversationRecord,
  type MessageRecord,
  type Origin,
  recordSchema,
  type UserRecord,
} from './model/records.ts';
export { renderHtml } from './report/html.ts';
export { renderJson } from './report/report-files.ts';
export { renderMarkdown } from './report/markdown.ts';
export { type ReportData, reportDataSchema } from './report/report-data.ts';
export { renderSummary } from './report/terminal.ts';
export type { ProblemRow, ReportLists } from './report/report-files.ts';
export type { ReportFormat } from './model/report-formats.ts';
export { type WriteReportOptions, writeReport } from './report/report-files.ts';
export { type DoctorRequest, examine } from './commands/prepare/doctor.ts';
export { exitOfFindings, type Finding } from './commands/prepare/finding.ts';
export { exitCodes } from './model/exit-codes.ts';
export { type ExplainedMessage, explainId } from './commands/check/explain.ts';
export { type PurgeResult, type PurgeRequest, purge } from './commands/repair/purge.ts';
export { type Inspection, type InspectOptions, inspect } from './commands/prepare/inspect.ts';
export { type ExportFailedRequest, exportFailed, type ExportedFailures } from './commands/repair/export-failed.ts';
export { retryRefused, type Retried, type RetryRequest } from './commands/repair/retry.ts';
export {
  type ReconcileCounts,
  type Reconciled,
  type ReconcileRequest,
  reconcileDestination,
} from './commands/repair/reconcile.ts';
export type { UndoResult } from './commands/repair/undo-result.ts';
export { type Undone, type UndoRequest, undoDestination } from './commands/repair/undo.ts';
export { type Progress, type StageProgress, silent } from './lib/flow/progress.ts';
export { type Conversion, type ConvertOptions, convert } from './commands/move/convert.ts';
export { fetchHistory, type ProviderFetched, type ProviderFetchRequest } from './commands/move/fetch-from-provider.ts';
export { type LoadedRecipe, loadProvider, loadRecipeFile } from './fetch/load-recipe.ts';
export type { Manifest } from './fetch/manifest.ts';
export { type ImportRequest, importExport } from './commands/move/import.ts';
export { type PlanRequest, planExport } from './commands/prepare/plan.ts';
export type { Outcome } from './commands/session.ts';
export { readStatus } from './commands/check/status.ts';
export type { JobCause, JobResult, SyncListener } from './sync/job-result.ts';
export type { SyncContext } from './sync/run-job.ts';
export { type Job, jobOf, type JobRequest } from './sync/job.ts';
export { type JobRun, runJob, type RunContext } from './sync/run-job.ts';
export { type OnceContext, runOnce } from './sync/operate.ts';
export { runScheduler } from './sync/scheduler.ts';
export { type JobState, openJobState } from './sync/job-state.ts';
export { verifyDestination, type VerifyRequest } from './commands/check/verify.ts';
export { type Glance, type WatchOptions, watch } from './commands/check/status.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/app.ts';
export type { Applied, BookSummary } from './sandbox/book.ts';
export { FaultySandbox, type FaultySandboxOptions } from './sandbox/faults.ts';
export type { Delivery } from './sandbox/operations/delivery.ts';
export type { FaultPlan, FaultPlanInput } from './sandbox/fault-plan.ts';
export { createInProcessTransport } from './sandbox/in-process.ts';
export { type SandboxServer, serveSandbox } from './sandbox/serve.ts';
export { openSandboxStore } from './sandbox/store.ts';
export type { Seed } from './sandbox/seed-plan.ts';
export type { SeedPlan, SeedPlanInput } from './sandbox/seed-plan.ts';
export type { Answer, CallInput } from './service/client.ts';
export { ChatServiceError } from './service/call-operation.ts';
export {
  type CallOptions,
  ChatServiceClient,
  type ChatServiceClientOptions,
  type ServiceAddress,
} from './service/client.ts';
export { createHttpTransport } from './service/http-transport.ts';
export { type MessageLimits, type Profile, profiles } from './service/profiles.ts';
export type { Transport, TransportAnswer, TransportRequest } from './service/transport.ts';
export { detectSource } from './sources/detect.ts';
export { sources } from './sources/registry.ts';
export { type Foreign, foreignPlatform } from './sources/signatures.ts';
export { defineSource, type Probe, type ReadContext, type SourceAdapter } from './sources/source.ts';
