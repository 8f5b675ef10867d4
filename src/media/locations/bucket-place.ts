import { UsageError } from '../../lib/errors.ts';
import { forTerminal, trimEnd } from '../../lib/text/plain-text.ts';
import type { MediaRules } from '../../mapping/rules.ts';
import { isLoopback } from '../../lib/loopback.ts';
import { encodeKey } from './key-template.ts';

export interface BucketPlace {
  /** `s3://bucket/prefix at https://host`. */
  readonly name: string;
  /** Address of the bucket itself, without a slash at its end: `https://bucket.s3.eu-west-1.amazonaws.com`, `http://127.0.0.1:9000/bucket`. */
  readonly address: string;
  /** Address of the server, for all buckets: `https://s3.eu-west-1.amazonaws.com`, `http://127.0.0.1:9000`. */
  readonly endpoint: string;
  /** Whether the bucket is part of the path, and not of the host's name. */
  readonly isPathStyle: boolean;
  readonly bucket: string;
  /** Empty, or with a slash at its end: `chat/2026/`. */
  readonly prefix: string;
  readonly region: string;
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html (2026-11) */
const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const ipAddress = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** @throws UsageError */
export function bucketPlace({ to, endpoint, region }: Pick<MediaRules, 'to' | 'endpoint' | 'region'>): BucketPlace {
  const [bucket = '', ...rest] = to.slice('s3://'.length).split('/');
  if (!bucketName.test(bucket) || bucket.includes('..') || ipAddress.test(bucket)) {
    throw refused(
      to,
      `"${forTerminal(bucket)}" is no name of a bucket`,
      'Write s3://bucket/prefix; a name has 3 to 63 small letters, digits and -',
    );
  }
  if (!/^[a-z0-9-]{1,40}$/i.test(region)) {
    throw refused(
      to,
      `"${forTerminal(region)}" is no region`,
      'Set media.region as the bucket has it, such as eu-west-1',
    );
  }
  const prefix = parsePrefix(to, rest);
  const server = endpoint === undefined ? amazon(region) : parseServer(endpoint);
  // No certificate fits a bucket with dots as part of the host's name.
  const isPathStyle = endpoint !== undefined || bucket.includes('.');
  return {
    name: `s3://${bucket}/${prefix} at ${server}`.replace(/\/ at /, ' at '),
    address: isPathStyle ? `${server}/${bucket}` : server.replace('//', `//${bucket}.`),
    endpoint: server,
    isPathStyle,
    bucket,
    prefix,
    region,
  };
}

function parsePrefix(to: string, rest: readonly string[]): string {
  const segments = rest.at(-1) === '' ? rest.slice(0, -1) : rest;
  const isGood = segments.every(
    (segment) => /^[^\u0000-\u001f\u007f\\]{1,255}$/.test(segment) && !/^\.{1,2}$/.test(segment),
  );
  if (isGood) return segments.map((segment) => `${segment}/`).join('');
  throw refused(to, 'its prefix has a part that is empty, or . or ..', 'Write s3://bucket/prefix');
}

const amazon = (region: string): string => `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

function parseServer(endpoint: string): string {
  const url = new URL(endpoint);
  // From here on the address is not quoted: it may hold a secret.
  const why = badEndpoint(url);
  if (why === undefined) return trimEnd(`${url.origin}${url.pathname}`, '/');
  throw new UsageError(`Cannot use media.endpoint: ${why}`, { hint: 'Write it as https://s3.example.com' });
}

function badEndpoint({ protocol, hostname, username, password, search, hash }: URL): string | undefined {
  if (username !== '' || password !== '') return 'it contains credentials';
  if (search !== '' || hash !== '') return 'it has a query or a fragment';
  if (protocol === 'http:' && !isLoopback(hostname))
    return `http would send files and keys unprotected to "${hostname}"`;
  return undefined;
}

export const objectAddress = ({ address, prefix }: BucketPlace, key: string): string =>
  `${address}/${encodeKey(`${prefix}${key}`)}`;

const refused = (to: string, why: string, hint: string): UsageError =>
  new UsageError(`Cannot use "${forTerminal(to)}" as media.to: ${why}`, { hint });
