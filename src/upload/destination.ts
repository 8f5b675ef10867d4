import type { ImportOutcome } from '../service/outcome.ts';
import type { LaneRow } from './lanes.ts';

/** Payloads sent in one request. */
export interface Batch {
  readonly rows: readonly LaneRow[];
  /** The request's body, UTF-8 JSON. */
  readonly body: Buffer;
  /** Id in the store; set when its intent is committed. */
  id: number | undefined;
  /** Requests made for it so far. */
  attemptCount: number;
}

/** Where batches go. Retry, pace and logging are wrappers of the same shape. */
export interface Destination {
  /** Resolves whatever happens to the request; rejects only where the store cannot write or the signal stops the run. */
  send(batch: Batch, signal: AbortSignal): Promise<ImportOutcome>;
}
