import { readErrorBody } from './error-body.ts';
import type { Failure } from './outcome.ts';
import { rateHints } from './rate-hints.ts';
import { parseRetryAfter, retryAfterInText } from './retry-after.ts';
import type { TransportAnswer } from '../transport.ts';

/** What an answer that is no success means, before it is asked what was requested. */
export interface JudgedAnswer extends Failure {
  readonly meaning: 'stop' | 'rate-limited' | 'too-large' | 'rejected' | 'unclear';
  readonly status: number;
  /** The body is the service's error shape. A gateway's page is not. */
  readonly byService: boolean;
}

/** The longest wait that is passed on, in ms: a day. Whoever waits decides whether that is too long and stops. */
const retryAfterCapMs = 86_400_000;

export function judgeAnswer(answer: TransportAnswer, nowMs: number): JudgedAnswer {
  const { status, headers } = answer;
  const error = readErrorBody(answer.body);
  const meaning = meaningOf(status, error?.code);
  const code = error?.code ?? (status < 300 ? 'bad_answer' : `http_${status}`);
  const retryAfterMs = retryAfter(answer, meaning, nowMs);
  const hint = hintOf(answer, code);
  const requestId = headers['x-request-id'];
  return {
    meaning,
    status,
    byService: error !== undefined,
    code,
    detail: detailOf(status, error?.code, error?.message),
    ...(hint !== undefined && { hint }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function meaningOf(status: number, code: string | undefined): JudgedAnswer['meaning'] {
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

/** A header is believed before a sentence, a sentence before the window's end, which is only told by 429s. */
function retryAfter({ headers, body }: TransportAnswer, meaning: string, nowMs: number): number | undefined {
  const asked = parseRetryAfter(headers['retry-after'], headers.date, nowMs, retryAfterCapMs);
  if (asked !== undefined || meaning !== 'rate-limited') return asked;
  const resetInMs = rateHints(headers, nowMs).resetInMs;
  return (
    retryAfterInText(body.slice(0, 10_000), retryAfterCapMs) ?? (resetInMs && Math.min(resetInMs, retryAfterCapMs))
  );
}

/** Authentication is told in our words: the service's may show parts of the key. */
function detailOf(status: number, code: string | undefined, message: string | undefined): string {
  if (code?.startsWith('AUTH_ERR_')) return authDetails[code] ?? 'The service does not accept the API key';
  if (code !== undefined) return message || `The service answered ${code}`;
  if (status < 300) return `The answer (${status}) is not what the service is documented to say`;
  return `Something answered ${status} without the service's error body`;
}

const authDetails: Readonly<Record<string, string>> = {
  AUTH_ERR_EMPTY_APIKEY: 'The request arrived without an API key',
  AUTH_ERR_APIKEY_NOT_FOUND: 'The service does not know this API key',
  AUTH_ERR_NO_ACCESS: 'The API key has not the scope that this needs',
};

function hintOf({ status, headers }: TransportAnswer, code: string): string | undefined {
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
