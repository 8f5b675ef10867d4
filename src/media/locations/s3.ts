import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type Clock, systemClock } from '../../lib/flow/clock.ts';
import { trimEnd } from '../../lib/text/plain-text.ts';
import { type BucketPlace, objectAddress } from './bucket-place.ts';
import { CheckedBody, sourceFirst } from './checked-body.ts';
import type { BucketKeys } from './credentials.ts';
import { encodeKey } from './key-template.ts';
import { type MediaContent, MediaFault, type MediaLocation, type StoredMedia } from '../media-location.ts';
import { pathSegments } from './path-segments.ts';
import { openClient } from './s3-client.ts';
import { asked, s3Fault, statusOf } from './s3-fault.ts';
import { putInParts } from './s3-parts.ts';
import { tryAgain } from '../try-again.ts';

export interface BucketOptions {
  /** Address at which people open the files, without a slash at its end; default: the address of the bucket. */
  readonly address?: string | undefined;
  /** Longest time without a byte in either direction, in ms. 60 s by default. */
  readonly quietMs?: number | undefined;
  /** Larger files are uploaded in parts. 64 MiB by default. */
  readonly partsFromBytes?: number;
  /** 8 MiB by default; more if 10,000 parts are not enough. */
  readonly partBytes?: number;
  /** For waits before a part is sent again. */
  readonly clock?: Clock;
}

const usualPartsFrom = 64 * 1024 ** 2;
const usualPart = 8 * 1024 ** 2;

/** Any bucket with the interface of Amazon S3. An object is there once the request has ended, whole, or not at all. */
export class BucketLocation implements MediaLocation {
  readonly name: string;
  readonly #client: S3Client;
  readonly #place: BucketPlace;
  readonly #options: BucketOptions;

  /** @throws UsageError if TLS certificates are not verified */
  constructor(place: BucketPlace, keys: BucketKeys, options: BucketOptions = {}) {
    this.name = place.name;
    this.#client = openClient(place, keys, options.quietMs);
    this.#place = place;
    this.#options = options;
  }

  async *keys(signal: AbortSignal, under = ''): AsyncGenerator<string> {
    const { bucket, prefix } = this.#place;
    const query = { Bucket: bucket, Prefix: `${prefix}${under}`, EncodingType: 'url' as const };
    const pages = paginateListObjectsV2({ client: this.#client }, query, { abortSignal: signal });
    for (;;) {
      const page = await asked('list the existing files', signal, () => pages.next());
      if (page.done) return;
      const { Contents = [], EncodingType } = page.value;
      const keys = Contents.map(({ Key = '' }) => (EncodingType === 'url' ? decodedKey(Key) : Key));
      for (const key of keys) if (key.startsWith(query.Prefix)) yield key.slice(prefix.length);
    }
  }

  async head(key: string, signal: AbortSignal): Promise<StoredMedia | undefined> {
    const command = new HeadObjectCommand(this.#object(key));
    let date: string | undefined;
    command.middlewareStack.add(
      (next) => async (args) => {
        const result = await next(args);
        ({ date } = (result.response as { readonly headers: Readonly<Record<string, string>> }).headers);
        return result;
      },
      { step: 'deserialize' },
    );
    const answer = await asked('look for a copy', signal, () =>
      this.#client.send(command, { abortSignal: signal }).catch(noObject),
    ).catch(headFault);
    if (!answer) return undefined;
    const { ContentLength: sizeBytes, Metadata, LastModified } = answer;
    if (sizeBytes === undefined) {
      throw new MediaFault('Cannot look for a copy: the bucket does not say how long it is', { kind: 'again' });
    }
    const sha256 = Metadata?.sha256;
    // Both dates are the bucket's own.
    const ageMs = Date.parse(date ?? '') - (LastModified?.getTime() ?? Number.NaN);
    return {
      sizeBytes,
      ...(sha256 !== undefined && { sha256 }),
      ...(!Number.isNaN(ageMs) && { ageMs: Math.max(ageMs, 0) }),
    };
  }

  async put(key: string, content: MediaContent, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { partsFromBytes = usualPartsFrom, partBytes = usualPart, clock = systemClock } = this.#options;
    const object = { ...this.#object(key), ...objectHeaders(content) };
    if (content.sizeBytes <= partsFromBytes) return this.#putWhole(object, content, signal);
    const tries = { clock, random: Math.random, signal };
    await putInParts({ client: this.#client, object, partBytes, ...tries }, content);
    const stored = await tryAgain(() => this.head(key, signal), tries);
    if (stored?.sizeBytes === content.sizeBytes) return;
    throw new MediaFault('Cannot put a copy: its parts were put together to another length', { kind: 'again' });
  }

  /** The bucket compares the digest of what arrives with the signed one. */
  async #putWhole(object: ObjectInput, content: MediaContent, signal: AbortSignal): Promise<void> {
    const body = new CheckedBody(content);
    const Body = Readable.from(body.bytes(), { objectMode: false });
    const command = new PutObjectCommand({ ...object, ContentLength: content.sizeBytes, Body });
    command.middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { readonly headers: Record<string, string> };
        headers['x-amz-content-sha256'] = content.sha256;
        return next(args);
      },
      { step: 'build' },
    );
    try {
      await asked('put a copy', signal, () => this.#client.send(command, { abortSignal: signal }));
    } catch (error) {
      throw sourceFirst(body, error);
    }
  }

  async *read(key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const command = new GetObjectCommand(this.#object(key));
    const answer = await asked('read the copy', signal, () =>
      this.#client.send(command, { abortSignal: signal }).catch(noObject),
    );
    if (!answer) throw new MediaFault('Cannot read the copy: it is not there', { kind: 'never' });
    try {
      yield* answer.Body as Readable;
    } catch (error) {
      signal.throwIfAborted();
      throw s3Fault(error, 'read the copy');
    }
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    const command = new DeleteObjectCommand(this.#object(key));
    await asked('remove the copy', signal, () => this.#client.send(command, { abortSignal: signal }).catch(noObject));
  }

  addressOf(key: string): string {
    pathSegments(key);
    const { address } = this.#options;
    return address === undefined ? objectAddress(this.#place, key) : `${trimEnd(address, '/')}/${encodeKey(key)}`;
  }

  /** Cuts off what is on its way. */
  async close(): Promise<void> {
    this.#client.destroy();
  }

  #object(key: string): ObjectInput {
    pathSegments(key);
    return { Bucket: this.#place.bucket, Key: `${this.#place.prefix}${key}` };
  }
}

interface ObjectInput {
  readonly Bucket: string;
  readonly Key: string;
}

/** Headers with which the bucket answers a request for the file. Runs of spaces become one: servers differ in how they sign them. */
const objectHeaders = ({ contentType, disposition, sha256 }: MediaContent) => ({
  ContentType: contentType,
  ...(disposition !== '' && { ContentDisposition: disposition.replace(/ +/g, ' ') }),
  Metadata: { sha256 },
});

/** Nothing is stored under that key. @throws any other error, also if the bucket itself is missing */
function noObject(error: unknown): undefined {
  if (statusOf(error) !== 404 || (error as Error).name === 'NoSuchBucket') throw error;
}

/** An answer to HEAD has no body, so a 400 does not say what is wrong: a session that ended or another region, but never the file. */
function headFault(fault: unknown): never {
  if (!(fault instanceof MediaFault) || fault.kind !== 'never') throw fault;
  const hint = 'Check media.region, and the keys: a session may have ended';
  throw new MediaFault(fault.message, { kind: 'stop', hint });
}

/** Some servers write a space as +; a + is always %2B. */
function decodedKey(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
