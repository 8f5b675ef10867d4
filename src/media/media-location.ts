/** What a location is given to keep. */
export interface MediaContent {
  readonly sizeBytes: number;
  /** Of the whole, 64 hex digits. */
  readonly sha256: string;
  /** As it is to be answered to who opens the address. */
  readonly contentType: string;
  /** How a browser is to take it, with the file's name; a header value of printable ASCII. */
  readonly disposition: string;
  /** All bytes; may be called several times. */
  open(): AsyncIterable<Uint8Array>;
}

/** What stands at a location under a key. */
export interface StoredMedia {
  readonly sizeBytes: number;
  /** Where the location says it. */
  readonly sha256?: string | undefined;
  /** How long ago it was written, by the location's own clock, where it says. */
  readonly ageMs?: number | undefined;
}

/**
 * A place where files stay: a folder or a bucket. Keys are relative paths with forward slashes.
 * What is there is there whole: whoever looks while something is written finds what was there before, or nothing.
 */
export interface MediaLocation {
  /** For the books and for people: the same for the same place, without secrets. `s3://bucket/prefix at https://host`, `/srv/files`. */
  readonly name: string;
  /**
   * Every key that stands there whole, in any order.
   *
   * @param under Only those that begin with it: empty by default, or with a slash at its end. @throws MediaFault
   */
  keys(signal: AbortSignal, under?: string): AsyncIterable<string>;
  /** Nothing where there is nothing. @throws MediaFault */
  head(key: string, signal: AbortSignal): Promise<StoredMedia | undefined>;
  /** Writes, or replaces. Success proves that this very content is there. @throws MediaFault; what the content's `open` throws is thrown as it is. */
  put(key: string, content: MediaContent, signal: AbortSignal): Promise<void>;
  /** The bytes as they stand there. @throws MediaFault, also where there is nothing. */
  read(key: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Nothing is there afterwards; no fault where nothing was. @throws MediaFault */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** The address at which the service's users open what stands under a key. */
  addressOf(key: string): string;
  close(): Promise<void>;
}

/** What a location could not do. Messages hold no secret and no whole address with a query. */
export class MediaFault extends Error {
  override readonly name = 'MediaFault';
  /** `again`: the same may work later. `never`: this file cannot be kept there. `stop`: nothing can, until somebody mends it. */
  readonly kind: 'again' | 'never' | 'stop';
  /** What the other side asked for with Retry-After. */
  readonly retryAfterMs: number | undefined;
  readonly hint: string | undefined;

  constructor(
    message: string,
    {
      kind,
      retryAfterMs,
      hint,
      cause,
    }: {
      readonly kind: MediaFault['kind'];
      readonly retryAfterMs?: number | undefined;
      readonly hint?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
    this.hint = hint;
  }
}
