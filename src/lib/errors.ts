import { formatLocation, type Location } from './text/location.ts';

/** What every error that a caller may catch carries besides its message. */
interface ErrorDetails {
  /** A command or a setting that helps: `Pass --source slack`. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Base of the four classes below. Anything else that is thrown is a fault of ours. */
export class ChatferryError extends Error {
  override readonly name: string = 'ChatferryError';
  readonly hint: string | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.hint = details.hint;
  }
}

/** A flag, a configuration or a mapping that cannot be used. Nothing was sent. */
export class UsageError extends ChatferryError {
  override readonly name = 'UsageError';
}

/** The export cannot be read. A broken part of an export is a reject or a problem instead. */
export class SourceError extends ChatferryError {
  override readonly name = 'SourceError';
  readonly location: Location | undefined;

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
  /** Options with which the same command goes on where a decision is wanted, the likeliest first. */
  readonly goOn: readonly string[] | undefined;

  constructor(
    message: string,
    details: ErrorDetails & {
      readonly code: string;
      readonly requestId?: string | undefined;
      readonly goOn?: readonly string[];
    },
  ) {
    super(message, details);
    this.code = details.code;
    this.goOn = details.goOn;
    this.requestId = details.requestId;
  }
}

/** The checkpoint store is locked, foreign, corrupt, or cannot be written. */
export class StoreError extends ChatferryError {
  override readonly name = 'StoreError';
  readonly path: string;

  constructor(message: string, details: ErrorDetails & { readonly path: string }) {
    super(message, details);
    this.path = details.path;
  }
}
