/** Repairing what an import left. Each function loads what does the work. */
import type { ExportFailedRequest, PurgeRequest, ReconcileRequest, RetryRequest, UndoRequest } from './requests.ts';
import type { ExportedFailures, PurgeResult, Reconciled, Retried, Undone } from './results.ts';

/**
 * Writes all invalid rows, and all messages that failed at the last destination, as records of our own: a file
 * that is corrected by hand and planned into the same store. The export is read again, file by file, where it has any.
 *
 * @throws SourceError, UsageError, StoreError
 */
export const exportFailed = async (request: ExportFailedRequest): Promise<ExportedFailures> =>
  (await import('./repair/export-failed.ts')).exportFailed(request);

/**
 * Sends refused messages again, after what caused the refusal was put right. Each is looked for first: what is there
 * after all is written down as imported, and nothing arrives twice. Or, one by one, what imports left quarantined.
 *
 * @throws UsageError, StoreError; DestinationError if the destination cannot be opened.
 */
export const retryRefused = async (request: RetryRequest): Promise<Retried> =>
  (await import('./repair/retry.ts')).retryRefused(request);

/**
 * Rebuilds the store's records of a destination from the export and from what the destination shows: for a store that
 * is lost, old, or unconfirmed. Every planned conversation is read completely. Messages that are there are recorded;
 * messages that are not are pending again after a second check. Nothing is sent.
 *
 * @throws SourceError, UsageError, StoreError
 */
export const reconcileDestination = async (request: ReconcileRequest): Promise<Reconciled> =>
  (await import('./repair/reconcile.ts')).reconcileDestination(request);

/**
 * Takes back what imports of this store brought to a destination: conversations in which nothing was before us and nothing
 * is but ours. Their messages are pending again, with muids of the next generation. The same command continues after any
 * interruption.
 *
 * @throws UsageError, StoreError
 */
export const undoDestination = async (request: UndoRequest): Promise<Undone> =>
  (await import('./repair/undo.ts')).undoDestination(request);

/**
 * Wipes the content of messages that are at the destination, and were verified there since their last change. Digests stay
 * in its place: verify goes on comparing. Can be interrupted; the same command continues.
 *
 * @throws UsageError, StoreError
 */
export const purge = async (request: PurgeRequest): Promise<PurgeResult> =>
  (await import('./repair/purge.ts')).purge(request);
