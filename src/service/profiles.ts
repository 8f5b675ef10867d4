/**
 * What is known of a destination. No other code knows a vendor.
 *
 * `spec` assumes nothing that the specification does not say. `public` is what the public service of this shape documents
 * (import constraints and rate limit pages, 2026-11). `sandbox` is the embedded one.
 */
export interface Profile {
  readonly name: 'spec' | 'public' | 'sandbox';
  /** Messages per import request. 50: import constraints page, 2026-11. */
  readonly batchItemsMax: number;
  /** Bytes of an import request's body. 512 KiB: 50 messages of the documented 10 KB each. */
  readonly batchBytesMax: number;
  /** Import requests per minute; absent: no fixed rate, but every 429 and rate header is obeyed. */
  readonly importsPerMinute?: number;
  /** Other requests per minute. */
  readonly readsPerMinute?: number;
  /** Messages older than this are refused. 183 days: the public service's default retention. */
  readonly retentionDays?: number;
  /** What a muid that is already there meets: `refused`, or `unknown` where nobody promised anything. */
  readonly duplicates: 'unknown' | 'refused';
  /** Before an absent message is believed absent, when nothing or a gateway answered. */
  readonly graceLongMs: number;
  /** The same when the service itself answered with its error body. */
  readonly graceShortMs: number;
  /** Whether `sentAt` goes out as a number or, as the specification shows it, as a string of seconds. */
  readonly timesAs: 'string' | 'integer';
  /** Key of free-form data: the specification's `custodata`, the public service's `customData`. */
  readonly customDataKey: 'custodata' | 'customData';
}

export const profiles: Readonly<Record<Profile['name'], Profile>> = {
  spec: {
    name: 'spec',
    batchItemsMax: 50,
    batchBytesMax: 512 * 1024,
    duplicates: 'unknown',
    graceLongMs: 120_000,
    graceShortMs: 10_000,
    timesAs: 'string',
    customDataKey: 'custodata',
  },
  public: {
    name: 'public',
    batchItemsMax: 50,
    batchBytesMax: 512 * 1024,
    importsPerMinute: 60,
    readsPerMinute: 20_000,
    retentionDays: 183,
    duplicates: 'unknown',
    graceLongMs: 120_000,
    graceShortMs: 10_000,
    timesAs: 'integer',
    customDataKey: 'customData',
  },
  sandbox: {
    name: 'sandbox',
    batchItemsMax: 50,
    batchBytesMax: 512 * 1024,
    duplicates: 'refused',
    graceLongMs: 0,
    graceShortMs: 0,
    timesAs: 'string',
    customDataKey: 'custodata',
  },
};
