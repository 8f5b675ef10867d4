/**
 * Chatferry as a library: read exports, map records, plan, import, verify, report, and speak to the service or its sandbox.
 *
 * ```ts
 * import { importExport, loadMapping, silent, systemClock } from 'chatferry';
 *
 * const { report, exit } = await importExport({
 *   store: './chatferry.db',
 *   exports: ['./slack-export.zip'],
 *   to: 'sandbox',
 *   mapping: await loadMapping(undefined),
 *   acceptMapping: false,
 *   overrides: {},
 *   apiKey: undefined,
 *   concurrency: 8,
 *   details: 'until-known',
 *   maxRefusedShare: 0.2,
 *   verify: true,
 *   confirm: async () => true,
 *   clock: systemClock,
 *   random: Math.random,
 *   progress: silent,
 *   stopping: new AbortController().signal,
 *   signal: new AbortController().signal,
 * });
 * console.log(report.books, exit);
 * ```
 */

export { jobOf } from './cli/job-request.ts';
export { type JobConfig, loadSyncFile, type SyncConfig } from './config/sync-file.ts';
export type { ExportInput, FileStat, InputProblem } from './io/export-input.ts';
export { openExport } from './io/open-export.ts';
export { type Clock, systemClock } from './lib/clock.ts';
export { ChatferryError, DestinationError, SourceError, StoreError, UsageError } from './lib/errors.ts';
export type { Location } from './lib/location.ts';
export { Secret } from './lib/secret.ts';
export { loadMapping, type Mapping } from './mapping/load-rules.ts';
export { type Filter, matches } from './mapping/filter/filter.ts';
export { parseFilter } from './mapping/filter/parse-filter.ts';
export { type MappedMessage, mapMessage } from './mapping/map-message.ts';
export type { MessageContext, PersonTraits } from './mapping/message-context.ts';
export { type Metadata, metadataSchema } from './mapping/metadata.ts';
export {
  type ConversationResult,
  defineMapping,
  type MappingModule,
  type MessageResult,
  type PersonResult,
} from './mapping/module.ts';
export { muidOf } from './mapping/muid.ts';
export { type Rules, rulesSchema } from './mapping/rules.ts';
export type { Books, VerifyResult } from './model/books.ts';
export { type ActionKind, actionKinds } from './model/action.ts';
export {
  type ChangeKind,
  type DriftPolicy,
  driftPolicies,
  type ExportSpan,
  exportSpans,
  type LatePolicy,
  latePolicies,
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
export { renderJson } from './report/json.ts';
export { renderJunit } from './report/junit.ts';
export { renderMarkdown } from './report/markdown.ts';
export { type ReportData, reportDataSchema } from './report/report-data.ts';
export { renderSummary } from './report/terminal.ts';
export type { ProblemRow, ReportLists } from './report/report-lists.ts';
export type { ReportFormat } from './report/formats.ts';
export { type WriteReportOptions, writeReport } from './report/write.ts';
export { type DoctorRequest, examine } from './run/doctor/doctor.ts';
export { exitOfFindings, type Finding } from './run/doctor/finding.ts';
export { exitCodes } from './run/exit-codes.ts';
export { type ExplainedMessage, explainId } from './run/explain.ts';
export { type Forgotten, type ForgetRequest, forgetContent } from './run/forget-content.ts';
export { type Inspection, type InspectOptions, inspect } from './run/inspect.ts';
export { type RejectsRequest, writeRejects, type WrittenRejects } from './run/rejects/rejects.ts';
export { retryRefused, type Retried, type RetryRequest } from './run/retry.ts';
export type { ReconcileCounts } from './run/reconcile/counts.ts';
export { type Reconciled, type ReconcileRequest, reconcileDestination } from './run/reconcile/reconcile.ts';
export type { UndoResult } from './run/undo/result.ts';
export { type Undone, type UndoRequest, undoDestination } from './run/undo/undo.ts';
export { type Progress, type StageProgress, silent } from './run/progress.ts';
export { type Conversion, type ConvertOptions, convert } from './run/convert/convert.ts';
export { type Fetched, type FetchRequest, fetchMessages } from './run/fetch/fetch.ts';
export {
  type ImportRequest,
  importExport,
  type Outcome,
  type PlanRequest,
  planExport,
  readStatus,
} from './run/session.ts';
export type { JobCause, JobResult, SyncListener } from './run/sync/events.ts';
export type { SyncContext } from './run/sync/execute-run.ts';
export type { Job, JobRequest } from './run/sync/job.ts';
export { type JobRun, runJob, type RunContext } from './run/sync/run-job.ts';
export { type OnceContext, runOnce } from './run/sync/run-once.ts';
export { runScheduler } from './run/sync/scheduler.ts';
export { type JobState, openJobState } from './run/sync/state/open.ts';
export { verifyDestination, type VerifyRequest } from './run/verify/verify-destination.ts';
export { type Glance, type WatchOptions, watch } from './run/watch.ts';
export { createSandbox, type Sandbox, type SandboxOptions } from './sandbox/app.ts';
export type { Applied, BookSummary } from './sandbox/book.ts';
export { FaultySandbox, type FaultySandboxOptions } from './sandbox/faults.ts';
export type { Delivery } from './sandbox/faults-delivery.ts';
export type { FaultPlan, FaultPlanInput } from './sandbox/faults-plan.ts';
export { createInProcessTransport } from './sandbox/in-process.ts';
export { type SandboxServer, serveSandbox } from './sandbox/serve.ts';
export { openSandboxStore } from './sandbox/store.ts';
export type { Answer, CallInput } from './service/call-types.ts';
export { ChatServiceError } from './service/chat-service-error.ts';
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
export { defineSource, type Probe, type ReadContext, type SourceAdapter } from './sources/source.ts';
