import { formatLocation, type Location } from './text/location.ts';

/**
 * The one thing that is missing. `password`: that of a database, which would be taken from a variable of the environment;
 * `other-password`: the server refused the one that it got. `source`: the name of the source, because none recognises the export, or
 * several do.
 */
export type Wanted = 'password' | 'other-password' | 'source';

/** Details that every error that a caller may catch carries besides its message. */
interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly wants?: Wanted | undefined;
  readonly cause?: unknown;
}

/** Base of the four classes below. Anything else that is thrown is an internal error. */
export class ChatferryError extends Error {
  override readonly name: string = 'ChatferryError';
  /** A command or a setting that helps: `Pass --source slack`. */
  readonly hint: string | undefined;
  /** @internal */
  readonly wants: Wanted | undefined;

  /** @internal */
  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.hint = details.hint;
    this.wants = details.wants;
  }
}

/** A flag, a configuration or a mapping that cannot be used. Nothing was sent. */
export class UsageError extends ChatferryError {
  override readonly name = 'UsageError';
}

/** The export cannot be read. A broken part of an export is an invalid row or a problem instead. */
export class SourceError extends ChatferryError {
  override readonly name = 'SourceError';
  readonly location: Location | undefined;

  /** @internal */
  constructor(message: string, details: ErrorDetails & { readonly location?: Location } = {}) {
    super(details.location ? `${message} (${formatLocation(details.location)})` : message, details);
    this.location = details.location;
  }
}

/** The destination stopped us; the run can be continued. */
export class DestinationError extends ChatferryError {
  override readonly name: string = 'DestinationError';
  /** The service's own code where it gave one (`AUTH_ERR_APIKEY_NOT_FOUND`), else ours. */
  readonly code: string;
  readonly requestId: string | undefined;
  /** Options with which the same command continues if a decision is needed, the likeliest first. */
  readonly goOn: readonly string[] | undefined;
  /** No later run continues by itself: a key was refused, a plan does not allow it. */
  readonly needsPerson: boolean;

  /** @internal */
  constructor(
    message: string,
    details: ErrorDetails & {
      readonly code: string;
      readonly requestId?: string | undefined;
      readonly goOn?: readonly string[];
      readonly needsPerson?: boolean | undefined;
    },
  ) {
    super(message, details);
    this.code = details.code;
    this.goOn = details.goOn;
    this.needsPerson = details.needsPerson ?? false;
    this.requestId = details.requestId;
  }
}

/** The checkpoint store is locked, foreign, corrupt, or cannot be written. */
export class StoreError extends ChatferryError {
  override readonly name = 'StoreError';
  readonly path: string;

  /** @internal */
  constructor(message: string, details: ErrorDetails & { readonly path: string }) {
    super(message, details);
    this.path = details.path;
  }
}

/**
 * Whether an error that is thrown while one row is read, mapped or checked concerns the whole run: one of the classes above, an abort,
 * a disk, a database, memory. Anything else comes from the row itself.
 */
export function concernsRun(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof ChatferryError || error.name === 'AbortError' || error.name === 'TimeoutError') return true;
  if (error instanceof RangeError && /allocation failed/.test(error.message)) return true;
  // Node's own codes for a wrong argument or address begin with ERR_; those of the system (ENOSPC) and of SQLite do not.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code !== undefined && (!code.startsWith('ERR_') || /MEMORY/.test(code));
}
