import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { atFileEnd } from '../file-end.ts';

/** A server for buckets that others wrote, in a process of its own; https://github.com/jamhall/s3rver */
export interface BucketServer {
  /** `http://127.0.0.1:40123`. It has the bucket `files`. */
  readonly endpoint: string;
  readonly env: { readonly AWS_ACCESS_KEY_ID: string; readonly AWS_SECRET_ACCESS_KEY: string };
  /** Returns the object under a key, as it is on disk. */
  readonly look: (
    key: string,
  ) => { readonly bytes: Buffer; readonly contentType: string; readonly disposition: string } | undefined;
}

const require = createRequire(import.meta.url);
const program = join(dirname(require.resolve('s3rver/package.json')), 'bin/s3rver.js');

/**
 * Starts it; it ends with the test file. It checks no signature and no digest, keeps the half of a file whose sender breaks off, and
 * mixes two that are put under one key at once: for all of that there is `StrictBucket`.
 */
export async function startBucketServer(folder: string): Promise<BucketServer> {
  const args = ['-d', folder, '-a', '127.0.0.1', '-p', '0', '--silent', '--configure-bucket', 'files'];
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  atFileEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const endpoint = await addressIn(child.stdout);
  const path = (key: string, what: string) => join(folder, 'files', `${key}._S3rver_${what}`);
  return {
    endpoint,
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' },
    look(key) {
      if (!existsSync(path(key, 'object'))) return undefined;
      const headers = JSON.parse(readFileSync(path(key, 'metadata.json'), 'utf8')) as Record<string, string>;
      const { 'content-type': contentType = '', 'content-disposition': disposition = '' } = headers;
      return { bytes: readFileSync(path(key, 'object')), contentType, disposition };
    },
  };
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /listening on (\S+:\d+)$/.exec(line)?.[1];
    if (address !== undefined) return `http://${address}`;
  }
  throw new Error('The server for buckets did not start');
}
