import type { ErrorCode } from '../service/contract/errors.ts';
import type { TransportAnswer } from '../service/transport.ts';

/** What is wrong with a request, or with one message of it. */
export interface Complaint {
  readonly code: ErrorCode;
  readonly message: string;
  /** Sentences by field. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
}

const headers = { 'content-type': 'application/json' };

/** @param json the body, already as JSON: bodies are put together from stored JSON. */
export function success(json: string): TransportAnswer {
  return { status: 200, headers, body: json };
}

export function failure(status: number, complaint: Complaint): TransportAnswer {
  const { code, message, details } = complaint;
  const error = { message, devMessage: message, source: 'chat-api', code, ...(details && { details }) };
  return { status, headers, body: JSON.stringify({ error }) };
}

/** Status 400 with what is wrong by field. */
export function badRequest(details: Readonly<Record<string, readonly string[]>>): TransportAnswer {
  return failure(400, { code: 'ERR_BAD_REQUEST', message: 'The request did not pass the validation', details });
}

/** Zod's findings as sentences by field: `{"limit": ["expected 1 to 1000"]}`. */
export function detailsOf(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): Record<string, string[]> {
  const details: Record<string, string[]> = {};
  for (const { path, message } of issues) {
    const field = path.map(String).join('.') || 'body';
    details[field] = [...(details[field] ?? []), message];
  }
  return details;
}
