import { ChatferryError } from '../../lib/errors.ts';
import { tlsFault } from '../../lib/tls-faults.ts';
import { heldBackCode, type TransportAnswer } from '../transport.ts';
import { readErrorBody } from './error-body.ts';
import { parseRetryAfter } from '../../lib/flow/retry-after.ts';
import { rateHints, retryAfterInText } from './rate-hints.ts';
import type { Failure } from '../outcome.ts';

/** Meaning of an answer that is no success, before the kind of request is considered. */
export interface JudgedAnswer extends Failure {
  readonly meaning: 'stop' | 'rate-limited' | 'too-large' | 'rejected' | 'unclear';
  readonly status: number;
  /** The request was denied access: redirected, or not authenticated. */
  readonly isSure: boolean;
  /** The body is the service's error shape. A gateway's page is not. */
  readonly byService: boolean;
}

/** The longest wait that is passed on, in ms: a day. The caller that waits decides whether that is too long and stops. */
const retryAfterCapMs = 86_400_000;

export function judgeAnswer(answer: TransportAnswer, nowMs: number): JudgedAnswer {
  const { status, headers } = answer;
  const error = readErrorBody(answer.body);
  const meaning = judgeMeaning(status, error?.code);
  const code = error?.code ?? (status < 300 ? 'bad_answer' : `http_${status}`);
  const retryAfterMs = retryAfter(answer, meaning, nowMs);
  const hint = pickHint(answer, code);
  const requestId = headers['x-request-id'];
  return {
    meaning,
    status,
    isSure: (status >= 300 && status < 400) || status === 401 || status === 403,
    byService: error !== undefined,
    code,
    detail: describeDetail(status, error?.code, error?.message),
    ...(hint !== undefined && { hint }),
    // A redirect may be a page that says "back soon".
    ...(meaning === 'stop' && status >= 400 && { needsPerson: true }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function judgeMeaning(status: number, code: string | undefined): JudgedAnswer['meaning'] {
  if (status === 429 || code === 'ERR_TOO_MANY_REQUESTS') return 'rate-limited';
  if (status >= 500) return 'unclear';
  if ((status >= 300 && status < 400) || status === 401 || status === 403) return 'stop';
  if (code !== undefined && stopCode.test(code)) return 'stop';
  if (status === 413) return 'too-large';
  // Only the service's own error body shows that the service itself, and not something before it, turned the request down.
  if (code !== undefined && (status === 400 || status === 404 || status === 422)) return 'rejected';
  return 'unclear';
}

/** Codes with which every further request would meet the same answer. Not with a 5xx: part of the request may be stored. */
const stopCode = /^(?:AUTH_ERR_.*|ERR_PLAN_.*|ERR_SUBSCRIPTION_EXPIRED|ERR_API_NOT_FOUND|ERR_INVALID_API_VERSION)$/;

/** A header goes before a sentence, a sentence before the window's end, which only 429s name. */
function retryAfter({ headers, body }: TransportAnswer, meaning: string, nowMs: number): number | undefined {
  const asked = parseRetryAfter(headers['retry-after'], headers.date, nowMs, retryAfterCapMs);
  if (asked !== undefined || meaning !== 'rate-limited') return asked;
  const resetInMs = rateHints(headers, nowMs).resetInMs;
  return (
    retryAfterInText(body.slice(0, 10_000), retryAfterCapMs) ?? (resetInMs && Math.min(resetInMs, retryAfterCapMs))
  );
}

/** Returns the detail of an error. For authentication errors it uses Chatferry's words: the service's may show parts of the key. */
function describeDetail(status: number, code: string | undefined, message: string | undefined): string {
  if (code?.startsWith('AUTH_ERR_')) return authDetails[code] ?? 'The service does not accept the API key';
  if (code !== undefined) return message || `The service answered ${code}`;
  if (status < 300) return `The answer (${status}) does not match the documentation of the service`;
  return `Something answered ${status} without the service's error body`;
}

const authDetails: Readonly<Record<string, string>> = {
  AUTH_ERR_EMPTY_APIKEY: 'The request arrived without an API key',
  AUTH_ERR_APIKEY_NOT_FOUND: 'The service does not know this API key',
  AUTH_ERR_NO_ACCESS: 'The API key has not the scope that this needs',
};

function pickHint({ status, headers }: TransportAnswer, code: string): string | undefined {
  if (status >= 300 && status < 400) return `The service is at another address${elsewhere(headers.location)}`;
  if (status === 401 || status === 403 || code.startsWith('AUTH_ERR_')) {
    return 'Set CHATFERRY_API_KEY to a key of this app with full access';
  }
  if (/^ERR_(?:PLAN|SUBSCRIPTION)_/.test(code)) return 'The plan of this app does not allow it; ask the service';
  if (addressCodes.has(code)) return 'Check --to: the address is the part before /v3';
  return undefined;
}

const addressCodes = new Set(['ERR_API_NOT_FOUND', 'ERR_INVALID_API_VERSION', 'http_404']);

/** The origin to which a redirect points. The rest of it is not repeated: it may hold anything. */
function elsewhere(location: string | undefined): string {
  if (location === undefined || !/^https?:/i.test(location) || !URL.canParse(location)) return '';
  return `: pass --to ${new URL(location).origin} if you trust it`;
}

/** Conclusions from a network fault about its request. */
export interface JudgedFault extends Failure {
  /** `unsent`: no byte of the request left. `unverified`: the same, and TLS says the other side is not whom we asked for. */
  readonly meaning: 'unsent' | 'unverified' | 'unknown';
}

/** Codes of a connection that never came about. A request waits for its connection, so nothing was sent. */
const unsentCodes = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  heldBackCode,
]);

/** OpenSSL's names for a certificate that does not hold (X509_V_ERR_…, as Node spells them). */
const certificateCode =
  /^(?:CERT_|ERR_TLS_CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(?:GET_|VERIFY_|DECODE_|DECRYPT_)|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$)/;

/**
 * Judges what a transport rejected with.
 *
 * @throws the fault itself if it is no fault of the network but a mistake in this program, or already one of our own errors.
 */
export function judgeFault(fault: unknown): JudgedFault {
  if (!(fault instanceof Error) || isOurs(fault)) throw fault;
  const code = nodeErrorCode(fault);
  const tls = tlsFault(code);
  const detail = tls?.words ?? withoutCode(fault.message || fault.name, code).slice(0, 500);
  if (certificateCode.test(code)) {
    const hint = tls?.hint ?? 'NODE_EXTRA_CA_CERTS adds a certificate authority of your own';
    return { meaning: 'unverified', code, detail, hint };
  }
  return { meaning: isUnsent(fault, code) ? 'unsent' : 'unknown', code, detail, ...(tls && { hint: tls.hint }) };
}

/** Removes the code from a message: Node writes `connect ECONNREFUSED 127.0.0.1:4000`, and the code precedes the detail anyway. */
const withoutCode = (message: string, code: string): string =>
  message === code ? message : message.replace(`${code} `, '').replace(`${code}: `, '');

/** Programming mistakes are of these classes; faults of sockets and parsers are not. */
function isOurs(fault: Error): boolean {
  if ('code' in fault && fault.code === 'UND_ERR_INVALID_ARG') return true;
  return [ChatferryError, TypeError, RangeError, ReferenceError].some((known) => fault instanceof known);
}

const isUnsent = (fault: Error, code: string): boolean =>
  unsentCodes.has(code) || ('syscall' in fault && fault.syscall === 'connect');

/**
 * Returns Node's or undici's code. If several addresses were tried without result, the error is an AggregateError,
 * which has the code of the first.
 */
function nodeErrorCode(fault: Error): string {
  if ('code' in fault && typeof fault.code === 'string') return fault.code;
  const [first] = fault instanceof AggregateError ? fault.errors : [];
  if (first instanceof Error) return nodeErrorCode(first);
  return fault.name === 'AbortError' || fault.name === 'TimeoutError' ? 'aborted' : fault.name;
}
