import { type Clock, systemClock } from '../../lib/flow/clock.ts';
import { trimEnd } from '../../lib/text/plain-text.ts';
import { objectAddress } from './bucket-place.ts';
import { CheckedBody, sourceFirst } from './checked-body.ts';
import type { MediaAnswer } from './exchange.ts';
import { encodeKey } from './key-template.ts';
import { type MediaContent, MediaFault, type MediaLocation, type StoredMedia } from '../media-location.ts';
import { pathSegments } from './path-segments.ts';
import { s3Fault } from './s3-fault.ts';
import { putInParts } from './s3-parts.ts';
import type { BucketRequests } from './s3-request.ts';
import { listedKeys } from './s3-xml.ts';

export interface BucketOptions {
  /** At which people open the files, without a slash at its end; default: where the bucket is. */
  readonly address?: string | undefined;
  /** Larger files go in parts. 64 MiB by default. */
  readonly partsFromBytes?: number;
  /** 16 MiB by default; more where 10,000 parts would not be enough. */
  readonly partBytes?: number;
  /** For waits before a part is sent again. */
  readonly clock?: Clock;
}

const usualPartsFrom = 64 * 1024 ** 2;
const usualPart = 16 * 1024 ** 2;

/** Any bucket that speaks the interface of Amazon S3. What was put is there once the request has ended, whole, or not at all. */
export class BucketLocation implements MediaLocation {
  readonly name: string;
  /** The digest of the body is signed: a bucket refuses another. */
  readonly #requests: BucketRequests;
  readonly #options: BucketOptions;
  /** Uploads of our own that are under way. */
  readonly #open = new Set<string>();

  constructor(requests: BucketRequests, options: BucketOptions = {}) {
    this.name = requests.place.name;
    this.#requests = requests;
    this.#options = options;
  }

  async *keys(signal: AbortSignal, under = ''): AsyncGenerator<string> {
    const { place } = this.#requests;
    const prefix = `${place.prefix}${under}`;
    for (let token: string | undefined = ''; token !== undefined; ) {
      const query = {
        'list-type': '2',
        'encoding-type': 'url',
        prefix,
        ...(token !== '' && { 'continuation-token': token }),
      };
      const answer = await this.#requests.send({ method: 'GET', url: place.address, query, signal });
      const body = await answer.text();
      if (answer.status !== 200) throw s3Fault(answer, body, 'list what is there');
      const page = listedKeys(body);
      for (const key of page.keys) if (key.startsWith(prefix)) yield key.slice(place.prefix.length);
      token = page.next;
    }
  }

  async head(key: string, signal: AbortSignal): Promise<StoredMedia | undefined> {
    const answer = await this.#ask('HEAD', key, signal);
    await answer.drop();
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw headFault(answer);
    const sha256 = answer.header('x-amz-meta-sha256');
    const ageMs = ageOf(answer);
    return {
      sizeBytes: lengthOf(answer),
      ...(sha256 !== undefined && { sha256 }),
      ...(ageMs !== undefined && { ageMs }),
    };
  }

  async put(key: string, content: MediaContent, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { partsFromBytes = usualPartsFrom, partBytes = usualPart, clock = systemClock } = this.#options;
    const target = {
      url: this.#address(key),
      key: `${this.#requests.place.prefix}${key}`,
      headers: headersOf(content),
    };
    if (content.sizeBytes > partsFromBytes) {
      const head = (cut: AbortSignal) => this.head(key, cut);
      const requests = this.#requests;
      await putInParts(
        { requests, open: this.#open, partBytes, head, clock, random: Math.random, ...target },
        content,
        signal,
      );
    } else await this.#putWhole(target, content, signal);
  }

  async #putWhole({ url, headers }: Target, content: MediaContent, signal: AbortSignal): Promise<void> {
    const body = new CheckedBody(content);
    try {
      const answer = await this.#requests.send({
        method: 'PUT',
        url,
        headers: { ...headers, 'content-length': String(content.sizeBytes) },
        body: body.bytes(),
        bodySha256: content.sha256,
        signal,
      });
      await expectSuccess(answer, 'put a copy');
    } catch (error) {
      throw sourceFirst(body, error);
    }
  }

  async *read(key: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const answer = await this.#ask('GET', key, signal);
    if (answer.status === 404) {
      await answer.drop();
      throw new MediaFault('Cannot read the copy: it is not there', { kind: 'never' });
    }
    if (answer.status !== 200) throw s3Fault(answer, await answer.text(), 'read the copy');
    yield* answer.bytes();
  }

  async remove(key: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#ask('DELETE', key, signal);
    if (answer.status !== 404) return expectSuccess(answer, 'remove the copy');
    const body = await answer.text();
    if (body.includes('NoSuchBucket')) throw s3Fault(answer, body, 'remove the copy');
  }

  addressOf(key: string): string {
    const { address } = this.#options;
    return address === undefined ? this.#address(key) : `${trimEnd(address, '/')}/${encodeKey(key)}`;
  }

  close(): Promise<void> {
    return this.#requests.close();
  }

  #ask(method: 'HEAD' | 'GET' | 'DELETE', key: string, signal: AbortSignal): Promise<MediaAnswer> {
    signal.throwIfAborted();
    return this.#requests.send({ method, url: this.#address(key), signal });
  }

  #address(key: string): string {
    pathSegments(key);
    return objectAddress(this.#requests.place, key);
  }
}

interface Target {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** As the bucket answers them to whoever opens the file. Runs of spaces are one: servers differ in how they sign more. */
function headersOf({ contentType, disposition, sha256 }: MediaContent): Readonly<Record<string, string>> {
  return {
    'content-type': contentType,
    ...(disposition !== '' && { 'content-disposition': disposition.replace(/ +/g, ' ') }),
    'x-amz-meta-sha256': sha256,
  };
}

async function expectSuccess(answer: MediaAnswer, action: string): Promise<void> {
  if (answer.status < 200 || answer.status >= 300) throw s3Fault(answer, await answer.text(), action);
  await answer.drop();
}

/** An answer to HEAD has no body, so that nobody says what a 400 means: a session that ended, another region, but not the file. */
function headFault(answer: MediaAnswer): MediaFault {
  const fault = s3Fault(answer, '', 'look for a copy');
  if (fault.kind !== 'never') return fault;
  return new MediaFault(fault.message, {
    kind: 'stop',
    hint: 'Check media.region, and the keys: a session may have ended',
  });
}

function lengthOf(answer: MediaAnswer): number {
  const length = Number(answer.header('content-length') ?? Number.NaN);
  if (Number.isSafeInteger(length) && length >= 0) return length;
  throw new MediaFault('Cannot look for a copy: the bucket does not say how long it is', { kind: 'again' });
}

/** Both dates are the bucket's own. */
function ageOf(answer: MediaAnswer): number | undefined {
  const ageMs = Date.parse(answer.header('date') ?? '') - Date.parse(answer.header('last-modified') ?? '');
  return Number.isNaN(ageMs) ? undefined : Math.max(ageMs, 0);
}
