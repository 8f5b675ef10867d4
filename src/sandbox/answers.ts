import { type ErrorCode, errorCodes } from '../service/operation.ts';
import type { TransportAnswer } from '../service/transport.ts';

/** Error of a request, or of one message in it. */
export interface Complaint {
  readonly code: ErrorCode;
  readonly message: string;
  /** Sentences by field. */
  readonly details?: Readonly<Record<string, readonly string[]>>;
}

const headers = { 'content-type': 'application/json' };

/** @param json the body, already as JSON: bodies are put together from stored JSON. */
export const success = (json: string): TransportAnswer => ({ status: 200, headers, body: json });

/** @param complaint faults have codes that the contract does not know. */
export function failure(
  status: number,
  complaint: Omit<Complaint, 'code'> & { readonly code: string },
): TransportAnswer {
  const { code, message, details } = complaint;
  const error = { message, devMessage: message, source: 'chat-api', code, ...(details && { details }) };
  return { status, headers, body: JSON.stringify({ error }) };
}

/** With the status that the contract gives the code. */
export const refuseWith = (complaint: Complaint): TransportAnswer =>
  failure(errorCodes[complaint.code].status, complaint);

export const refuse = (code: ErrorCode, message: string): TransportAnswer => refuseWith({ code, message });

/** Returns the error for an unknown user. It is the same for a deactivated user: answers do not distinguish the two. */
export const unknownUser = (uid: string): Complaint => ({
  code: 'ERR_UID_NOT_FOUND',
  message: `The user "${uid}" does not exist`,
});

export const noSuchUser = (uid: string): TransportAnswer => refuseWith(unknownUser(uid));

export const unknownGroup = (guid: string): Complaint => ({
  code: 'ERR_GUID_NOT_FOUND',
  message: `The group "${guid}" does not exist`,
});

export const noSuchGroup = (guid: string): TransportAnswer => refuseWith(unknownGroup(guid));

/** Result for one identifier, or for a request that returns nothing else. `code` is there for programs. */
export interface Result {
  readonly success: boolean;
  readonly message: string;
  readonly code?: ErrorCode;
}

export const done = (message: string): Result => ({ success: true, message });

export const notDone = (code: ErrorCode, message: string): Result => ({ success: false, message, code });

/** Returns the result for each uid of a request, in its order and in lower case. */
export function resultByUid(uids: readonly string[], act: (uid: string) => Result): Record<string, Result> {
  const results = new Map<string, Result>();
  for (const uid of uids) {
    const lowered = uid.toLowerCase();
    if (!results.has(lowered)) results.set(lowered, act(lowered));
  }
  return Object.fromEntries(results);
}

/** Status 200 with `{"data":…}`. */
export const answerWith = (data: unknown): TransportAnswer => success(JSON.stringify({ data }));

/** Status 400 with what is wrong by field. */
export function badRequest(details: Readonly<Record<string, readonly string[]>>): TransportAnswer {
  return failure(400, { code: 'ERR_BAD_REQUEST', message: joinDetails(details), details });
}

/** Returns the first five details in one line, for a client that reads the message alone. */
export function joinDetails(details: Readonly<Record<string, readonly string[]>>): string {
  const findings = Object.entries(details).map(([field, sentences]) => `${field}: ${sentences.join(', ')}`);
  const more = findings.length > 5 ? `; and ${findings.length - 5} more` : '';
  return `The request did not pass the validation: ${findings.slice(0, 5).join('; ')}${more}`;
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Fields that are not declared. */
  readonly keys?: readonly string[];
}

/** Places that are named where something is wrong with more. */
const placesMax = 100;

/** Zod's findings as sentences by field, 100 at most: `{"limit": ["expected 1 to 1000"]}`. */
export function toDetails(issues: readonly Issue[]): Record<string, string[]> {
  const details = new Map<string, string[]>();
  for (const { path, message, keys } of issues.slice(0, placesMax)) {
    const places = keys ? keys.slice(0, placesMax).map((key) => [...path, key]) : [path];
    const sentence = keys ? 'there is no such field' : message.replace(/^Invalid (?:input|option): /, '');
    for (const place of places) {
      const field = place.map(String).join('.') || 'body';
      details.set(field, [...(details.get(field) ?? []), sentence]);
    }
  }
  // Fields come from outside: one named `__proto__` is a field like any other.
  return Object.fromEntries(details);
}

interface Standing {
  /** Total of all pages. */
  readonly total: number;
  /** On this page. */
  readonly count: number;
  readonly perPage: number;
  /** From 1. */
  readonly page: number;
}

/** `meta.pagination`, as lists in numbered pages have it. */
export const buildPagination = ({ total, count, perPage, page }: Standing) => ({
  total,
  count,
  per_page: perPage,
  current_page: page,
  total_pages: Math.ceil(total / perPage),
});
