import { formatCount } from '../../lib/text/count.ts';
import { parseRetryAfter } from '../../lib/flow/retry-after.ts';
import { dropBody, fileStatus } from '../../io/web/file-answer.ts';
import type { FileAnswer } from './ask-for-file.ts';
import { parseExpiry } from './expiry.ts';
import type { Fetched } from './fetched.ts';

/** A host that asks for more is asked again after an hour all the same. */
const retryAfterCapMs = 3_600_000;

/** Bytes of a refusal that are read, to find out whether the address has expired. */
const refusalBytes = 4096;

/** Answers of the large hosts for a signed address that has expired: S3, Google, Azure, Discord. As of 2026-11. */
const expired =
  /request has expired|expiredtoken|token has expired|signature not valid in the specified time frame|content is no longer available|url signature expired|url has expired/i;

/** Returns the meaning of an answer that does not bring the file; undefined for one that does. Drops its body. */
export async function judgeFileAnswer(
  answer: FileAnswer,
  { address, nowMs }: { readonly address: string; readonly nowMs: number },
): Promise<Fetched | undefined> {
  const { status } = answer;
  if (status === 200 || status === 203 || status === 206) return undefined;
  const why = `answered ${status}`;
  const says = fileStatus(status);
  if (says === 'later' || says === 'there' || says === 'elsewhere') {
    dropBody(answer.body);
    if (says === 'elsewhere') return { kind: 'missing', why };
    if (says === 'there') return { kind: 'again', why: `${why}, without a file` };
    const retryAfterMs = parseRetryAfter(answer.header('retry-after'), answer.header('date'), nowMs, retryAfterCapMs);
    return { kind: 'again', why, retryAfterMs };
  }
  const words = await readBeginning(answer.body);
  if ((parseExpiry(address) ?? Number.POSITIVE_INFINITY) <= nowMs || expired.test(words))
    return { kind: 'missing', why: `its address has expired (${why})` };
  if (says === 'login')
    return { kind: 'missing', why: `${answer.hasToken ? 'the token does not open it' : 'it needs a login'} (${why})` };
  return { kind: 'missing', why: status === 404 || status === 410 ? `it is gone (${why})` : why };
}

/** Read for marks alone, never shown. The time limits of the request are its own too. */
async function readBeginning(body: FileAnswer['body']): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= refusalBytes) break;
    }
  } catch {
    // The status is known already.
  }
  return Buffer.concat(chunks).toString('latin1', 0, refusalBytes);
}

/** Why an answer that should bring the file is not taken, by its headers. */
export function refusedByHeaders(
  answer: FileAnswer,
  wholeBytes: number | undefined,
  maxBytes: number,
): string | undefined {
  const packed = answer.header('content-encoding')?.trim().toLowerCase() ?? '';
  // S3 clients leave `aws-chunked` behind when they upload in chunks; the bytes are unchanged.
  if (!['', 'identity', 'aws-chunked'].includes(packed)) return 'it comes packed, which was not asked for';
  return wholeBytes !== undefined && wholeBytes > maxBytes ? tooLarge(maxBytes) : undefined;
}

export const tooLarge = (maxBytes: number): string =>
  `it is larger than ${formatCount(maxBytes)} bytes (media.maxBytes)`;
