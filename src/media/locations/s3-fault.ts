import { S3ServiceException } from '@aws-sdk/client-s3';
import { connectionWords } from '../../io/web/connection-fault.ts';
import { fileStatus } from '../../io/web/file-answer.ts';
import { parseRetryAfter } from '../../lib/flow/retry-after.ts';
import { tlsFault } from '../../lib/tls-faults.ts';
import { MediaFault } from '../media-location.ts';

/** Meaning of an error for a file. */
interface Verdict {
  readonly kind: MediaFault['kind'];
  readonly words?: string;
  readonly hint?: string | undefined;
}

/** The answer that the SDK attaches to an error. */
interface ErrorAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Longest Retry-After that is passed on, in ms: a day. */
const retryAfterMaxMs = 86_400_000;

const stop = (words: string, hint: string): Verdict => ({ kind: 'stop', words, hint });

const keys = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file that media.credentials names';
const room = 'Free some space there; the same command then continues';
const unknownKey = stop('it does not know the access key', keys);
const wrongSecret = stop('the secret key is another one', `${keys}; and media.region`);
const expired = stop(
  'the session has ended',
  'Get a new AWS_SESSION_TOKEN with its keys; the same command then continues',
);
const permissions =
  'They need s3:PutObject, s3:GetObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket for this bucket';
const denied = stop('these keys may not do that', permissions);
const noBucket = stop(
  'there is no such bucket',
  'Check the name in media.to, and media.endpoint; make the bucket first',
);
const full = stop('it is full', room);
const again: Verdict = { kind: 'again' };
const damaged: Verdict = { kind: 'again', words: 'the bytes were damaged on the way' };

/** By error code: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html (2026-11), and what compatible servers add. */
const byCode: Readonly<Record<string, Verdict>> = {
  InvalidAccessKeyId: unknownKey,
  SignatureDoesNotMatch: wrongSecret,
  ExpiredToken: expired,
  InvalidToken: expired,
  TokenRefreshRequired: expired,
  AccessDenied: denied,
  AllAccessDisabled: denied,
  AccountProblem: denied,
  Unauthorized: denied,
  RequestTimeTooSkewed: stop('the clock of this machine is wrong', 'Set the clock'),
  NoSuchBucket: noBucket,
  InvalidBucketName: stop('that is no name for a bucket', 'Check media.to'),
  QuotaExceeded: full,
  XMinioStorageFull: full,
  XMinioAdminBucketQuotaExceeded: full,
  NotImplemented: stop('it does not know this operation', 'Is media.endpoint a server for buckets?'),
  EntityTooLarge: { kind: 'never', words: 'the file is larger than it takes' },
  KeyTooLongError: { kind: 'never', words: 'the name is longer than it takes' },
  BadDigest: damaged,
  XAmzContentSHA256Mismatch: damaged,
  NoSuchUpload: { kind: 'again', words: 'the upload was ended by another client' },
};

/** Passing faults that some servers answer with a status which does not say so. */
const passingCodes =
  /^(?:SlowDown|InternalError|ServiceUnavailable|OperationAborted|RequestTimeout(?:Exception)?|Throttling|TooManyRequests|IncompleteBody|InvalidPart)$/;

/** The bucket is in another region than the request was signed for. */
const elsewhere: ReadonlySet<string> = new Set([
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

/** The server does not take this file. */
const aboutTheFile: ReadonlySet<number> = new Set([400, 411, 413, 414, 415, 416, 422, 431]);

/** Sends a request. @param action As in "Cannot put a copy". @throws MediaFault; the signal's reason. */
export async function asked<T>(action: string, signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  try {
    return await request();
  } catch (error) {
    signal.throwIfAborted();
    throw s3Fault(error, action);
  }
}

/**
 * Returns a MediaFault for an error of the SDK; internal errors unchanged.
 *
 * Only status and error code of an answer are repeated: the rest may quote keys and signatures.
 */
export function s3Fault(error: unknown, action: string): unknown {
  const answer = errorAnswer(error);
  // An answer whose body breaks off has both.
  const broken = error instanceof S3ServiceException ? undefined : connectionFault(error);
  if (broken || !answer) return broken ?? error;
  const code = bucketErrorCode(error);
  const { kind, words, hint } = judgeS3Answer(answer, code);
  const said = [answer.statusCode, code].filter((part) => part !== undefined).join(' ');
  const { 'retry-after': retryAfter, date } = answer.headers;
  return new MediaFault(`Cannot ${action}: the bucket answered ${said}${words === undefined ? '' : `: ${words}`}`, {
    kind,
    hint,
    ...(kind === 'again' && { retryAfterMs: parseRetryAfter(retryAfter, date, Date.now(), retryAfterMaxMs) }),
  });
}

export const statusOf = (error: unknown): number | undefined => errorAnswer(error)?.statusCode;

const errorAnswer = (error: unknown): ErrorAnswer | undefined =>
  error instanceof Error && '$response' in error ? (error.$response as ErrorAnswer) : undefined;

/** Names that the SDK gives to answers without a code. */
const noCode: ReadonlySet<string> = new Set(['Unknown', 'UnknownError', 'NotFound']);

/** `NoSuchKey`; undefined if the body is not an error of a bucket. */
function bucketErrorCode(error: unknown): string | undefined {
  const isCode = error instanceof S3ServiceException && /^[A-Za-z][A-Za-z0-9.]{0,63}$/.test(error.name);
  return isCode && !noCode.has(error.name) ? error.name : undefined;
}

function judgeS3Answer({ statusCode, headers }: ErrorAnswer, code: string | undefined): Verdict {
  if (code === undefined ? statusCode === 301 : elsewhere.has(code)) return wrongRegion(headers['x-amz-bucket-region']);
  if (code !== undefined && Object.hasOwn(byCode, code)) return byCode[code]!;
  if (code !== undefined && passingCodes.test(code)) return again;
  if (statusCode === 401 || statusCode === 403) return { kind: 'stop', hint: `${permissions}. ${keys}` };
  if (statusCode >= 300 && statusCode < 400) return redirected(headers.location);
  if (statusCode === 507) return full;
  if (statusCode === 501 || statusCode === 505) return { kind: 'stop' };
  if (fileStatus(statusCode) === 'later') return again;
  return { kind: aboutTheFile.has(statusCode) ? 'never' : 'stop' };
}

function wrongRegion(region: string | undefined): Verdict {
  const isRegion = region !== undefined && /^[a-z0-9-]{1,40}$/.test(region);
  const hint = `Set media.region to ${isRegion ? region : 'the region of the bucket, or media.endpoint to its server'}`;
  return stop('the bucket is in another region', hint);
}

/** Names the origin only: the rest of an address may hold anything. */
function redirected(location: string | undefined): Verdict {
  const isAddress = location !== undefined && /^https?:/i.test(location) && URL.canParse(location);
  const where = isAddress ? ` to ${new URL(location).origin}` : '';
  return stop(`it sends us on${where}`, 'Redirects are not followed. If you trust the target, name it instead');
}

/** Codes of mistakes in a call, which are internal errors. */
const ours: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_VALUE']);

/**
 * Returns the fault of a connection; undefined if the connection is not what failed. Without an answer it is unknown
 * whether the request was carried out.
 */
function connectionFault(error: unknown): MediaFault | undefined {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined || ours.has(code)) return undefined;
  const tls = tlsFault(code);
  if (tls) return new MediaFault(`Cannot reach where files stay: ${tls.words}`, { kind: 'stop', hint: tls.hint });
  return new MediaFault(`Cannot reach where files stay: ${connectionWords(error)}`, { kind: 'again' });
}
