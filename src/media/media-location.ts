import { DestinationError } from '../lib/errors.ts';

export interface MediaContent {
  readonly sizeBytes: number;
  /** Digest of the whole content, 64 hex digits. */
  readonly sha256: string;
  /** As it is to be answered to who opens the address. */
  readonly contentType: string;
  /** How a browser is to take it, with the file's name; a header value of printable ASCII. */
  readonly disposition: string;
  /** All bytes; may be called several times. */
  open(): AsyncIterable<Uint8Array>;
}

export interface StoredMedia {
  readonly sizeBytes: number;
  /** Present if the location reports it. */
  readonly sha256?: string | undefined;
  /** How long ago it was written, by the location's own clock, where it says. */
  readonly ageMs?: number | undefined;
}

/**
 * A location for files: a folder or a bucket. Keys are relative paths with forward slashes. Objects are always whole: a
 * read during a write finds the earlier object, or nothing.
 */
export interface MediaLocation {
  /** Name for the store and for people: the same for the same location, without secrets. `s3://bucket/prefix at https://host`, `/srv/files`. */
  readonly name: string;
  /**
   * Yields every key that has a whole object, in any order.
   *
   * @param under Only keys that begin with it: empty by default, or with a slash at its end.
   * @throws MediaFault
   */
  keys(signal: AbortSignal, under?: string): AsyncIterable<string>;
  /** Returns the object stored under a key; undefined if there is none. @throws MediaFault */
  head(key: string, signal: AbortSignal): Promise<StoredMedia | undefined>;
  /** Writes, or replaces. Success proves that this very content is there. @throws MediaFault; what the content's `open` throws is thrown as it is. */
  put(key: string, content: MediaContent, signal: AbortSignal): Promise<void>;
  /** Yields the stored bytes. @throws MediaFault, also if there is no object. */
  read(key: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Removes the object; no error if there was none. @throws MediaFault */
  remove(key: string, signal: AbortSignal): Promise<void>;
  /** Returns the address at which the service's users open the object stored under a key. */
  addressOf(key: string): string;
  close(): Promise<void>;
}

/** Failure of a location. Messages hold no secret and no whole address with a query. */
export class MediaFault extends Error {
  override readonly name = 'MediaFault';
  /** `again`: the same may work later. `never`: this file cannot be stored there. `stop`: no file can, until someone fixes the cause. */
  readonly kind: 'again' | 'never' | 'stop';
  /** Wait that the other side asked for with Retry-After. */
  readonly retryAfterMs: number | undefined;
  readonly hint: string | undefined;

  constructor(
    message: string,
    details: Pick<MediaFault, 'kind'> & Partial<Pick<MediaFault, 'retryAfterMs' | 'hint' | 'cause'>>,
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.retryAfterMs = details.retryAfterMs;
    this.hint = details.hint;
  }
}

/** A location that answers nothing, or refuses us. @param what "copy files". */
export const locationError = ({ kind, message, hint }: MediaFault, what: string): DestinationError =>
  new DestinationError(`Cannot ${what}: ${message}`, { code: 'media-location', needsPerson: kind === 'stop', hint });
