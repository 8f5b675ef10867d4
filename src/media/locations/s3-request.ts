import { AwsV4Signer } from 'aws4fetch';
import type { BucketPlace } from './bucket-place.ts';
import type { BucketKeys } from './credentials.ts';
import type { Exchange, MediaAnswer, MediaRequest } from './exchange.ts';
import { encodeSegment } from './key-template.ts';

interface BucketRequest extends Pick<MediaRequest, 'method' | 'body' | 'quietMs' | 'signal'> {
  /** Its address, without a query. */
  readonly url: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hex, which the server checks; of nothing by default. */
  readonly bodySha256?: string;
}

/** SHA-256 of no bytes. */
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** In place of the digest of a body that is not known before it was sent. */
export const unsignedBody = 'UNSIGNED-PAYLOAD';

/** Requests to one bucket, each with a signature of its own: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
export class BucketRequests {
  readonly place: BucketPlace;
  readonly #keys: BucketKeys;
  readonly #exchange: Exchange;
  /** Signing keys by day. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();

  constructor(place: BucketPlace, keys: BucketKeys, exchange: Exchange) {
    this.place = place;
    this.#keys = keys;
    this.#exchange = exchange;
  }

  /** Whatever it answers. @throws MediaFault where no answer comes. */
  async send({
    method,
    url,
    query = {},
    headers = {},
    body,
    bodySha256 = emptySha256,
    quietMs,
    signal,
  }: BucketRequest): Promise<MediaAnswer> {
    const address = `${url}${queryOf(query)}`;
    const signed = await new AwsV4Signer({
      method,
      url: address,
      headers: { ...headers, 'x-amz-content-sha256': bodySha256 },
      accessKeyId: this.#keys.accessKeyId,
      secretAccessKey: this.#keys.secretAccessKey.reveal(),
      ...(this.#keys.sessionToken && { sessionToken: this.#keys.sessionToken.reveal() }),
      service: 's3',
      region: this.place.region,
      cache: this.#signingKeys,
    }).sign();
    return this.#exchange.send({
      method,
      url: new URL(address),
      headers: Object.fromEntries(signed.headers),
      ...(body !== undefined && { body }),
      ...(quietMs !== undefined && { quietMs }),
      signal,
    });
  }

  close(): Promise<void> {
    return this.#exchange.close();
  }
}

/** `?partNumber=1&uploadId=…`, encoded as it is signed. */
function queryOf(query: Readonly<Record<string, string>>): string {
  const parts = Object.entries(query).map(([name, value]) => `${name}=${encodeSegment(value)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}
