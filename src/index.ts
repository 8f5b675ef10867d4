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
export { exitCodes } from './model/exit-codes.ts';
export { type Progress, type StageProgress, silent } from './lib/flow/progress.ts';
export { type LoadedRecipe, loadProvider, loadRecipeFile } from './fetch/load-recipe.ts';
export type { Manifest } from './fetch/manifest.ts';
export type { JobCause, JobResult, SyncListener } from './sync/job-result.ts';
export type { SyncContext } from './sync/run-job.ts';
export { type Job, jobOf, type JobRequest } from './sync/job.ts';
export { type JobRun, runJob, type RunContext } from './sync/run-job.ts';
export { type OnceContext, runOnce } from './sync/operate.ts';
export { runScheduler } from './sync/scheduler.ts';
export { type JobState, openJobState } from './sync/job-state.ts';
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
export { explainId, type Glance, readStatus, verifyDestination, watch, type WatchOptions } from './commands/check.ts';
export { convert, fetchHistory, importExport } from './commands/move.ts';
export { doctorExitCode, examine, inspect, planExport } from './commands/prepare.ts';
export { exportFailed, purge, reconcileDestination, retryRefused, undoDestination } from './commands/repair.ts';
export type {
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
export type {
  Conversion,
  DoctorFinding,
  ExplainedMessage,
  ExportedFailures,
  Inspection,
  Outcome,
  ProviderFetched,
  PurgeResult,
  ReconcileCounts,
  Reconciled,
  Retried,
  Undone,
  UndoResult,
} from './commands/results.ts';
