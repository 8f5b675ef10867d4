import { DestinationError } from '../../lib/errors.ts';

/**
 * An operation that did not succeed: the service refused it, could not be reached, or answered with something that is not what
 * it is documented to say. `code` is the service's own where it gave one (`ERR_GUID_NOT_FOUND`), else the network's
 * (`ECONNREFUSED`) or ours (`bad_answer`, `timeout`, `http_502`).
 *
 * Without a status 4xx it is not known whether the operation was applied.
 */
export class ChatServiceError extends DestinationError {
  override readonly name = 'ChatServiceError';
  /** Of the operation: `getGroup`. */
  readonly operation: string;
  /** HTTP status; nothing where no answer came. */
  readonly status: number | undefined;
  /** Of a failed validation: sentences by field. */
  readonly details: Readonly<Record<string, readonly string[]>> | undefined;
  /** How long the service asks to wait before the next request. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    facts: Pick<ChatServiceError, 'operation' | 'code'> &
      Partial<Pick<ChatServiceError, 'status' | 'details' | 'requestId' | 'retryAfterMs' | 'hint' | 'cause'>>,
  ) {
    super(message, facts);
    this.operation = facts.operation;
    this.status = facts.status;
    this.details = facts.details;
    this.retryAfterMs = facts.retryAfterMs;
  }
}
