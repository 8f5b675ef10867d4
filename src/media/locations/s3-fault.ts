import { answerFault, type Verdict, verdictOf } from './answer-fault.ts';
import type { MediaAnswer } from './exchange.ts';
import type { MediaFault } from '../media-location.ts';

/**
 * What a bucket's error means, by its code: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html (2026-11), and what other
 * servers of the kind add to it. Of an answer nothing but the code is repeated: the rest may quote keys and signatures.
 */

const stop = (words: string, hint: string): Verdict => ({ kind: 'stop', words, hint });
const again = (words?: string): Verdict => ({ kind: 'again', ...(words !== undefined && { words }) });
const never = (words: string): Verdict => ({ kind: 'never', words });

const keys = 'Check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file that media.credentials names';
const room = 'Make room there; the same command goes on';
const unknownKey = stop('it does not know the access key', keys);
const wrongSecret = stop('the secret key is another one', `${keys}; and media.region`);
const expired = stop('the session has ended', 'Get a new AWS_SESSION_TOKEN with its keys; the same command goes on');
const denied = stop(
  'these keys may not do that',
  'They need s3:PutObject, s3:GetObject, s3:DeleteObject, s3:AbortMultipartUpload and s3:ListBucket for this bucket',
);
const noBucket = stop(
  'there is no such bucket',
  'Check the name in media.to, and media.endpoint; make the bucket first',
);
const badName = stop('that is no name for a bucket', 'Check media.to');
const full = stop('it is full', room);

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
  InvalidBucketName: badName,
  QuotaExceeded: full,
  XMinioStorageFull: full,
  XMinioAdminBucketQuotaExceeded: full,
  NotImplemented: stop('it does not know this operation', 'Is media.endpoint a server for buckets?'),
  EntityTooLarge: never('the file is larger than it takes'),
  KeyTooLongError: never('the name is longer than it takes'),
  SlowDown: again(),
  InternalError: again(),
  ServiceUnavailable: again(),
  OperationAborted: again(),
  RequestTimeout: again(),
  RequestTimeoutException: again(),
  Throttling: again(),
  TooManyRequests: again(),
  BadDigest: again('the bytes were damaged on the way'),
  XAmzContentSHA256Mismatch: again('the bytes were damaged on the way'),
  IncompleteBody: again(),
  NoSuchUpload: again('somebody ended the upload'),
  InvalidPart: again(),
};

/** The bucket is somewhere else, or signed for somewhere else. */
const elsewhere: ReadonlySet<string> = new Set([
  'PermanentRedirect',
  'TemporaryRedirect',
  'AuthorizationHeaderMalformed',
  'IllegalLocationConstraintException',
]);

/** @param body Of the answer: XML, or whatever stands before a bucket sent. Empty after HEAD. */
export function s3Fault(answer: MediaAnswer, body: string, action: string): MediaFault {
  const code = errorCodeOf(body);
  return answerFault(answer, {
    action,
    who: 'the bucket',
    status: [answer.status, code].filter((part) => part !== undefined).join(' '),
    verdict: s3Verdict(answer, code),
  });
}

/** `NoSuchKey`; undefined where the text is no error of a bucket. */
export const errorCodeOf = (body: string): string | undefined =>
  /<Error\b/.test(body) ? /<Code>([A-Za-z][A-Za-z0-9.]{0,63})<\/Code>/.exec(body)?.[1] : undefined;

function s3Verdict(answer: MediaAnswer, code: string | undefined): Verdict {
  const region = answer.header('x-amz-bucket-region');
  if (code === undefined ? answer.status === 301 : elsewhere.has(code)) return wrongRegion(region);
  if (code !== undefined && Object.hasOwn(byCode, code)) return byCode[code]!;
  const verdict = verdictOf(answer.status, answer.header('location'));
  if (answer.status === 401 || answer.status === 403) return { ...verdict, hint: `${denied.hint}. ${keys}` };
  return verdict;
}

function wrongRegion(region: string | undefined): Verdict {
  const isRegion = region !== undefined && /^[a-z0-9-]{1,40}$/.test(region);
  return stop(
    'the bucket is in another region',
    isRegion
      ? `Set media.region to ${region}`
      : 'Set media.region to the region of the bucket, or media.endpoint to its server',
  );
}
