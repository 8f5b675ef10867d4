/** One HTTP request to the service, before anything is known of its answer. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query as they go on the wire: `/v3/messages?limit=1000`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Asked right before the first byte leaves, connected and ready: `false` holds the request back. Default: it may. */
  readonly mayStart?: (() => boolean) | undefined;
}

/** The code of the error with which a request ends that was held back: no byte of it left. */
export const heldBackCode = 'held_back';

/** @throws an error of code `held_back` if the request must not leave any more. */
export function assertMayStart(mayStart: TransportRequest['mayStart']): void {
  if (mayStart === undefined || mayStart()) return;
  throw Object.assign(new Error('The request was not ready to leave in time'), { code: heldBackCode });
}

export interface TransportAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/**
 * Carries requests: over HTTP, or by a call into a sandbox of this process.
 * An answer of any status resolves; a fault of the network rejects with the fault itself, for `classify.ts` to judge.
 */
export interface Transport {
  send(request: TransportRequest, signal: AbortSignal): Promise<TransportAnswer>;
  close(): Promise<void>;
}
