import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  type CompletedPart,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { CheckedBody, sourceFirst } from './checked-body.ts';
import { type MediaContent, MediaFault } from '../media-location.ts';
import { asked } from './s3-fault.ts';
import { tryAgain, type TryOptions } from '../try-again.ts';

interface PartsTarget extends TryOptions {
  readonly client: S3Client;
  readonly object: CreateMultipartUploadCommandInput;
  readonly partBytes: number;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html (2026-11) */
const partsMax = 10_000;
const mebibyte = 1024 ** 2;

/** Time to answer the completion of an upload, in ms: some servers copy all parts first. */
const completeMs = 600_000;

/** Time to abort an upload that failed, in ms. If that fails too, a lifecycle rule of the bucket has to remove its parts. */
const abortMs = 15_000;

/**
 * Uploads a large file in parts, one after the other; the object exists once they are completed. Each part is signed with its digest, and
 * sent again by itself if it fails.
 *
 * `Upload` of @aws-sdk/lib-storage is not used: it holds each part twice, does not cancel requests and does not wait as long as a bucket asks.
 *
 * @throws MediaFault; what the content throws. The upload is aborted then, if the bucket answers.
 */
export async function putInParts(target: PartsTarget, content: MediaContent): Promise<void> {
  const { client, object, signal } = target;
  const options = { abortSignal: signal };
  const send = <T>(action: string, request: () => Promise<T>) => tryAgain(() => asked(action, signal, request), target);

  const create = new CreateMultipartUploadCommand(object);
  const { UploadId } = await send('begin a copy', () => client.send(create, options));
  // Without it a part would replace the object.
  if (!UploadId) throw new MediaFault('Cannot begin a copy: the bucket named no upload', { kind: 'stop' });
  const upload = { Bucket: object.Bucket, Key: object.Key, UploadId };
  const body = new CheckedBody(content);
  const Parts: CompletedPart[] = [];
  try {
    for await (const Body of inParts(body.bytes(), bufferFor(content, target.partBytes))) {
      const part = { PartNumber: Parts.length + 1 };
      const put = new UploadPartCommand({ ...upload, ...part, Body });
      const { ETag } = await send('put a part of a copy', () => client.send(put, options));
      Parts.push({ ...part, ETag });
    }
    const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
    const completing = { ...options, requestTimeout: completeMs };
    await send('put the parts of a copy together', () => client.send(complete, completing));
  } catch (error) {
    const abort = new AbortMultipartUploadCommand(upload);
    await client.send(abort, { abortSignal: AbortSignal.timeout(abortMs) }).catch(() => {});
    throw sourceFirst(body, error);
  }
}

/** Holds one part: all memory that an upload takes. All parts but the last have the same size, as some servers require. */
const bufferFor = ({ sizeBytes }: MediaContent, least: number): Buffer =>
  Buffer.allocUnsafe(sizeBytes <= least * partsMax ? least : Math.ceil(sizeBytes / partsMax / mebibyte) * mebibyte);

/** Yields the same buffer again and again, filled with the next part. */
async function* inParts(chunks: AsyncIterable<Uint8Array>, buffer: Buffer): AsyncGenerator<Uint8Array> {
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + buffer.length - filled);
      buffer.set(taken, filled);
      filled += taken.length;
      at += taken.length;
      if (filled < buffer.length) continue;
      yield buffer;
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}
