import type { Clock } from '../../lib/flow/clock.ts';
import { CheckedBody, sourceFirst } from './checked-body.ts';
import type { MediaAnswer } from './exchange.ts';
import { type MediaContent, MediaFault, type StoredMedia } from '../media-location.ts';
import { errorCodeOf, s3Fault } from './s3-fault.ts';
import { type BucketRequests, unsignedBody } from './s3-request.ts';
import { leftUploads, partListXml, uploadIdOf } from './s3-xml.ts';
import { tryAgain } from '../try-again.ts';

export interface PartsTarget {
  readonly requests: BucketRequests;
  /** Uploads that this location has under way: those are not left over. */
  readonly open: Set<string>;
  readonly url: string;
  /** With the bucket's prefix. */
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly partBytes: number;
  /** What stands at the key. */
  readonly head: (signal: AbortSignal) => Promise<StoredMedia | undefined>;
  readonly clock: Clock;
  readonly random: () => number;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html (2026-11) */
const partsMax = 10_000;
const mebibyte = 1024 ** 2;

/** Some servers copy all parts before they answer, in ms. */
const completeMs = 600_000;

/** What an upload that failed gets to be taken back, in ms. Where it is not, the next one of the key does it. */
const abortMs = 15_000;

/**
 * A large file in parts, one after the other, each streamed; the object is there once all of them are put together. The parts bear no digest of
 * their own, for it would have to be known before the part is read: the whole is held against its digest before the last part is
 * complete, and its length is looked at afterwards.
 *
 * @throws MediaFault; what the content throws. The bucket has forgotten the parts then, as far as it answers.
 */
export async function putInParts(target: PartsTarget, content: MediaContent, signal: AbortSignal): Promise<void> {
  const tries = { ...target, signal };
  const uploadId = await tryAgain(() => beginAlone(target, signal), tries);
  target.open.add(uploadId);
  try {
    const tags = await sendParts(target, uploadId, content, signal);
    await tryAgain(() => complete(target, uploadId, tags, signal), tries);
  } catch (error) {
    await end(target, uploadId, AbortSignal.timeout(abortMs)).catch(() => {});
    throw error;
  } finally {
    target.open.delete(uploadId);
  }
  const there = await tryAgain(() => target.head(signal), tries);
  if (there?.sizeBytes === content.sizeBytes) return;
  throw new MediaFault('Cannot put a copy: its parts were put together to another length', { kind: 'again' });
}

/** Looks first, each time: an answer that was lost leaves an upload behind as a killed run does. */
async function beginAlone(target: PartsTarget, signal: AbortSignal): Promise<string> {
  for (const uploadId of await unfinished(target, signal)) await endLeft(target, uploadId, signal);
  return await begin(target, signal);
}

/** Uploads of the same key that a killed run left. A bucket that does not list them has none. */
async function unfinished({ requests, key, open }: PartsTarget, signal: AbortSignal): Promise<readonly string[]> {
  const query = { uploads: '', prefix: key, 'encoding-type': 'url' };
  const answer = await requests.send({ method: 'GET', url: requests.place.address, query, signal });
  const body = await answer.text();
  if (answer.status !== 200) {
    const fault = s3Fault(answer, body, 'list unfinished uploads');
    if (fault.kind === 'again') throw fault;
    return [];
  }
  return leftUploads(body, key).filter((id) => !open.has(id));
}

/** They are stored, and paid for, until somebody ends them: nothing comes to this key before. Where nobody may, they stay. */
async function endLeft(target: PartsTarget, uploadId: string, signal: AbortSignal): Promise<void> {
  await tryAgain(() => end(target, uploadId, signal), { ...target, signal }).catch((fault: unknown) => {
    if (!(fault instanceof MediaFault) || fault.kind === 'again') throw fault;
  });
}

async function begin({ requests, url, headers }: PartsTarget, signal: AbortSignal): Promise<string> {
  const answer = await requests.send({ method: 'POST', url, query: { uploads: '' }, headers, signal });
  const body = await answer.text();
  const uploadId = answer.status === 200 ? uploadIdOf(body) : undefined;
  if (uploadId === undefined) throw s3Fault(answer, body, 'begin a copy');
  return uploadId;
}

/** @returns The tags of the parts, in their order. */
async function sendParts(target: PartsTarget, uploadId: string, content: MediaContent, signal: AbortSignal) {
  const body = new CheckedBody(content);
  const partBytes = partBytesOf(content.sizeBytes, target.partBytes);
  const tries = { ...target, signal, mayRepeat: () => body.fault === undefined };
  const tags: string[] = [];
  try {
    for (let from = 0; from < content.sizeBytes; from += partBytes) {
      const part = {
        uploadId,
        number: tags.length + 1,
        from,
        sizeBytes: Math.min(partBytes, content.sizeBytes - from),
      };
      tags.push(await tryAgain(() => sendPart(target, part, body, signal), tries));
    }
    return tags;
  } catch (error) {
    throw sourceFirst(body, error);
  } finally {
    await body.close();
  }
}

/** All parts but the last have one size: some servers want that. */
const partBytesOf = (sizeBytes: number, least: number): number =>
  sizeBytes <= least * partsMax ? least : Math.ceil(sizeBytes / partsMax / mebibyte) * mebibyte;

interface Part {
  readonly uploadId: string;
  /** From 1. */
  readonly number: number;
  readonly from: number;
  readonly sizeBytes: number;
}

async function sendPart(
  { requests, url }: PartsTarget,
  part: Part,
  body: CheckedBody,
  signal: AbortSignal,
): Promise<string> {
  const answer = await requests.send({
    method: 'PUT',
    url,
    query: { partNumber: String(part.number), uploadId: part.uploadId },
    headers: { 'content-length': String(part.sizeBytes) },
    body: body.part(part.from, part.sizeBytes),
    bodySha256: unsignedBody,
    signal,
  });
  const tag = answer.header('etag');
  if (answer.status !== 200 || tag === undefined) throw s3Fault(answer, await answer.text(), 'put a part of a copy');
  await answer.drop();
  return tag;
}

/** The bucket may begin its answer before it knows: an error may come with 200. */
async function complete(target: PartsTarget, uploadId: string, tags: readonly string[], signal: AbortSignal) {
  const body = Buffer.from(partListXml(tags));
  const answer = await target.requests.send({
    method: 'POST',
    url: target.url,
    query: { uploadId },
    headers: { 'content-type': 'application/xml', 'content-length': String(body.length) },
    body,
    bodySha256: unsignedBody,
    quietMs: completeMs,
    signal,
  });
  const said = await answer.text();
  if (answer.status !== 200 || errorCodeOf(said) !== undefined) throw completeFault(answer, said);
}

function completeFault(answer: MediaAnswer, said: string): MediaFault {
  const fault = s3Fault(answer, said, 'put the parts of a copy together');
  // With 200 a code that nobody knows tells nothing of the file.
  if (answer.status !== 200 || fault.kind === 'stop') return fault;
  return new MediaFault(fault.message, { kind: 'again', retryAfterMs: fault.retryAfterMs });
}

async function end({ requests, url }: PartsTarget, uploadId: string, signal: AbortSignal): Promise<void> {
  const answer = await requests.send({ method: 'DELETE', url, query: { uploadId }, signal });
  const body = await answer.text();
  const isGone = answer.status === 204 || answer.status === 200 || answer.status === 404;
  if (!isGone) throw s3Fault(answer, body, 'end an unfinished upload');
}
