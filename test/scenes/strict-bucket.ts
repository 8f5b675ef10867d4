import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { allOf } from './media-content.ts';

/**
 * A bucket that looks closely: it computes every signature by Amazon's rules, and by none of the client's code, holds every body against its digest,
 * and keeps only what arrived whole. Written after https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html (2026-11).
 */

export const bucketKeys = {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};

interface Kept {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface Upload extends Omit<Kept, 'bytes'> {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export class StrictBucket {
  readonly objects = new Map<string, Kept>();
  readonly uploads = new Map<string, Upload>();
  /** `PUT /files/a.png`, in their order. */
  readonly requests: string[] = [];
  /** Returns an answer in place of the right one, for the requests that it matches. */
  instead: ((asked: string) => Answer | undefined) | undefined;
  /** Page size of lists. */
  pageSize = 3;
  region = 'us-east-1';
  secret = bucketKeys.AWS_SECRET_ACCESS_KEY;
  readonly #name = 'files';

  /** For a server of HTTP. */
  readonly answer: RequestListener = (request, response) => void this.#answer(request, response);

  /** Until the end of the test that calls it. @returns Its endpoint. */
  async serve(): Promise<string> {
    // Who serves it otherwise may be no test.
    const { serveHere } = await import('./serve-here.ts');
    return await serveHere(this.answer);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = `${request.method} ${request.url}`;
    this.requests.push(asked);
    const other = this.instead?.(asked);
    if (other) return other(request, response);
    const body = await allOf(request).catch(() => undefined);
    // It broke off on the way.
    if (body === undefined || !request.complete) return;
    const fault = this.#faultOf(request, body);
    if (fault) return refuse(response, ...fault);
    this.#do(request, response, body);
  }

  #faultOf({ method, url, headers }: IncomingMessage, body: Buffer): readonly [number, string] | undefined {
    const signed = signatureOf({ method: method!, url: url!, headers }, { secret: this.secret, region: this.region });
    if (signed !== headers.authorization) return [403, 'SignatureDoesNotMatch'];
    const digest = headers['x-amz-content-sha256'];
    if (digest !== 'UNSIGNED-PAYLOAD' && digest !== sha256(body)) return [400, 'XAmzContentSHA256Mismatch'];
    return undefined;
  }

  #do(request: IncomingMessage, response: ServerResponse, body: Buffer): unknown {
    const { pathname, searchParams: query } = new URL(request.url!, 'http://bucket');
    const [bucket, ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
    const key = rest.join('/');
    if (bucket !== this.#name) return refuse(response, 404, 'NoSuchBucket');
    const uploadId = query.get('uploadId');
    if (uploadId !== null) return this.#doUpload(request, response, { uploadId, query, body });
    if (query.has('uploads')) return this.#begin(request, response, key, query);
    if (query.has('list-type')) return this.#list(response, query);
    const kept = this.objects.get(key);
    if (request.method === 'PUT') this.objects.set(key, { bytes: body, headers: keptHeaders(request) });
    else if (request.method === 'DELETE') this.objects.delete(key);
    else if (!kept) return refuse(response, 404, 'NoSuchKey');
    else {
      response.writeHead(200, { ...kept.headers, 'content-length': kept.bytes.length });
      return response.end(request.method === 'HEAD' ? undefined : kept.bytes);
    }
    return response.writeHead(request.method === 'PUT' ? 200 : 204).end();
  }

  #list(response: ServerResponse, query: URLSearchParams): unknown {
    const after = query.get('continuation-token') ?? '';
    const left = [...this.objects.keys()].sort().filter((key) => key.startsWith(query.get('prefix')!) && key > after);
    const page = left.slice(0, this.pageSize);
    const isTruncated = left.length > page.length;
    return response.end(
      `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isTruncated}</IsTruncated>${
        isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
      }${page.map((key) => `<Contents><Key>${encodeURIComponent(key)}</Key></Contents>`).join('')}</ListBucketResult>`,
    );
  }

  #begin(request: IncomingMessage, response: ServerResponse, key: string, query: URLSearchParams): unknown {
    if (request.method === 'POST') {
      const id = randomUUID();
      this.uploads.set(id, { key, headers: keptHeaders(request), parts: new Map() });
      return response.end(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    const found = [...this.uploads].filter(([, upload]) => upload.key.startsWith(query.get('prefix')!));
    const list = found.map(
      ([id, upload]) => `<Upload><Key>${encodeURIComponent(upload.key)}</Key><UploadId>${id}</UploadId></Upload>`,
    );
    return response.end(
      `<ListMultipartUploadsResult><EncodingType>url</EncodingType>${list.join('')}</ListMultipartUploadsResult>`,
    );
  }

  #doUpload(
    { method }: IncomingMessage,
    response: ServerResponse,
    { uploadId, query, body }: { readonly uploadId: string; readonly query: URLSearchParams; readonly body: Buffer },
  ): unknown {
    const upload = this.uploads.get(uploadId);
    if (!upload) return refuse(response, 404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return response.writeHead(200, { etag: tagOf(body) }).end();
    }
    this.uploads.delete(uploadId);
    if (method === 'DELETE') return response.writeHead(204).end();
    const parts = [...upload.parts].sort(([a], [b]) => a - b);
    const wanted = parts.map(([number, bytes]) => `${number} ${tagOf(bytes)}`);
    if (partsIn(body.toString()).join() !== wanted.join()) return refuse(response, 400, 'InvalidPart');
    this.objects.set(upload.key, { bytes: Buffer.concat(parts.map(([, bytes]) => bytes)), headers: upload.headers });
    return response.end('<CompleteMultipartUploadResult><ETag>&quot;x&quot;</ETag></CompleteMultipartUploadResult>');
  }
}

function keptHeaders({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const kept = Object.entries(headers).filter(([name]) =>
    /^(?:content-type|content-disposition|x-amz-meta-.*)$/.test(name),
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  // The rest of a real answer, which no message may repeat.
  const rest = `<AWSAccessKeyId>${bucketKeys.AWS_ACCESS_KEY_ID}</AWSAccessKeyId><SignatureProvided>51694</SignatureProvided>`;
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No.</Message>${rest}</Error>`);
}

/** `1 "9a0364b9…"` for each part that a request names. Clients write number and tag in either order. */
const partsIn = (body: string): string[] =>
  [...body.matchAll(/<Part>(.*?)<\/Part>/g)].map(([, part = '']) => {
    const number = /<PartNumber>(\d+)</.exec(part)?.[1];
    return `${number} ${/<ETag>([^<]*)</.exec(part)?.[1]?.replaceAll('&quot;', '"')}`;
  });

const tagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`;
const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest();

const encoded = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => String.fromCharCode(byte))
    .map((character) =>
      /[\w.~-]/.test(character) ? character : `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('');

interface Signed {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
}

/** The whole header `authorization` that the request must have; it says itself which headers and whose key. */
export function signatureOf(
  { method, url, headers }: Signed,
  { secret, region }: { readonly secret: string; readonly region: string },
): string {
  const names = /SignedHeaders=([a-z0-9;-]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
  const keyId = /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? '';
  const [path = '', search = ''] = url.split('?');
  const pairs = search
    .split('&')
    .filter(Boolean)
    .map((pair) =>
      [...pair.split('='), '']
        .slice(0, 2)
        .map((part) => encoded(decodeURIComponent(part)))
        .join('='),
    );
  const canonical = [
    method,
    path
      .split('/')
      .map((segment) => encoded(decodeURIComponent(segment)))
      .join('/'),
    pairs.sort().join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const at = String(headers['x-amz-date']);
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = [at.slice(0, 8), region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secret}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex');
  return `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
}
