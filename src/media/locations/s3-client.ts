import { Readable } from 'node:stream';
import { S3Client } from '@aws-sdk/client-s3';
import { Agent, type Dispatcher } from 'undici';
import { refuseUnverifiedTls } from '../../service/http-transport.ts';
import type { BucketPlace } from './bucket-place.ts';
import type { BucketKeys } from './credentials.ts';
import { encodeSegment } from './key-template.ts';

/** As the SDK hands it over: the path is encoded, the query is not. */
interface SignedRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | Readable;
}

interface RequestOptions {
  readonly abortSignal?: AbortSignal;
  /** Longest time until the answer begins, in ms, if longer than usual. */
  readonly requestTimeout?: number;
}

const silent = () => {};

/**
 * The SDK's client for one bucket. It takes nothing from environment variables or files of AWS's own tools, prints nothing and retries nothing.
 *
 * @param quietMs The longest time without a byte in either direction; 60 s by default. @throws UsageError if TLS certificates are not verified
 */
export function openClient(place: BucketPlace, keys: BucketKeys, quietMs = 60_000): S3Client {
  refuseUnverifiedTls();
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  return new S3Client({
    endpoint: place.endpoint,
    forcePathStyle: place.isPathStyle,
    region: place.region,
    credentials: {
      accessKeyId,
      secretAccessKey: secretAccessKey.reveal(),
      ...(sessionToken && { sessionToken: sessionToken.reveal() }),
    },
    requestHandler: undiciHandler(quietMs),
    maxAttempts: 1,
    // The default sends a CRC32 as a chunked trailer, which many other vendors' servers refuse. A file is sent with its SHA-256 instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // undici does not support it.
    expectContinueHeader: false,
    logger: { debug: silent, info: silent, warn: silent, error: silent },
    // Everything that the SDK would otherwise look up in the environment or in ~/.aws/config.
    authSchemePreference: ['aws.auth#sigv4'],
    disableClockSkewCorrection: true,
    defaultUserAgentProvider: () => Promise.resolve([]),
    defaultsMode: 'standard',
    disableS3ExpressSessionAuth: true,
    retryMode: 'standard',
    sigv4aSigningRegionSet: [],
    useArnRegion: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    userAgentAppId: '',
  });
}

/** HTTP/1.1 without redirects and retries. Only silence is limited in time: a large file takes as long as it takes. */
function undiciHandler(quietMs: number) {
  const agent = new Agent({
    allowH2: false,
    connect: { timeout: 10_000, rejectUnauthorized: true },
    headersTimeout: quietMs,
    bodyTimeout: quietMs,
    maxHeaderSize: 16 * 1024,
    // Shorter than servers use: if the server closes a socket while we send, the whole file has to be sent again.
    keepAliveTimeout: 4_000,
    keepAliveTimeoutThreshold: 2_000,
    keepAliveMaxTimeout: 60_000,
  });
  return {
    async handle(request: SignedRequest, { abortSignal, requestTimeout }: RequestOptions = {}) {
      const { statusCode, headers, body } = await agent.request({
        origin: requestOrigin(request),
        path: `${request.path}${formatQuery(request)}`,
        method: request.method as Dispatcher.HttpMethod,
        headers: { ...request.headers, 'user-agent': 'chatferry', 'accept-encoding': 'identity' },
        body: request.body ?? null,
        // Keep the connection after HEAD too: there is one before every file.
        reset: false,
        ...(requestTimeout !== undefined && { headersTimeout: requestTimeout }),
        ...(abortSignal && { signal: abortSignal }),
      });
      const first = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat()[0] ?? '']);
      const isFile = request.method === 'GET' && statusCode < 300;
      const read = isFile ? body : Readable.from(takeBeginning(body));
      return { response: { statusCode, headers: Object.fromEntries(first), body: read } };
    },
    destroy: () => void agent.destroy(),
    updateHttpClientConfig: silent,
    httpHandlerConfigs: () => ({}),
  };
}

/** Longest answer that is no file: the SDK reads it whole into memory. 1 MiB. */
const answerBytesMax = 2 ** 20;

/** As much of an answer as words can take: a server may send one without end. */
async function* takeBeginning(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of body) {
    yield chunk;
    bytes += chunk.length;
    if (bytes >= answerBytesMax) return;
  }
}

const requestOrigin = ({ protocol, hostname, port }: SignedRequest): string =>
  `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`;

/** `?partNumber=1&uploadId=…` */
function formatQuery({ query }: SignedRequest): string {
  const pairs = Object.entries(query).flatMap(([name, values]) =>
    [values ?? ''].flat().map((value) => `${encodeSegment(name)}=${encodeSegment(value)}`),
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
