/** One HTTP request to the service, before anything is known of its answer. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query as they go on the wire: `/v3/messages?limit=1000`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
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
