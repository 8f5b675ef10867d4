import { createServer } from 'node:http';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bucketKeys, refuse, StrictBucket } from '../../scenes/strict-bucket.ts';

/** Location for the copies of a fleet under fire. */
export interface ChaosFiles {
  /** Its settings in `fleet:`. */
  readonly rule: object;
  /**
   * Removes half of a copy.
   * @param key Of the copy.
   * @returns false if it no longer exists.
   */
  damage(key: string): boolean;
  close(): Promise<void>;
}

/** A folder that all workers see. */
export function folderFiles(folder: string): ChaosFiles {
  const files = join(folder, 'files');
  return {
    rule: { files },
    damage(key) {
      const path = join(files, key);
      if (!existsSync(path)) return false;
      writeFileSync(path, halfOf(readFileSync(path)));
      return true;
    },
    async close() {},
  };
}

/** So many requests of a bucket fail that another would have answered. */
const refusedShare = 0.05;

/** A bucket that checks every signature and digest, and is too busy now and then. */
export async function bucketFiles(folder: string, random: () => number): Promise<ChaosFiles> {
  const bucket = new StrictBucket();
  bucket.pageSize = 100;
  bucket.instead = () => (random() < refusedShare ? (_, response) => refuse(response, 503, 'SlowDown') : undefined);
  const server = createServer(bucket.answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const credentials = join(folder, 'bucket-keys');
  const { AWS_ACCESS_KEY_ID: id, AWS_SECRET_ACCESS_KEY: secret } = bucketKeys;
  writeFileSync(credentials, `aws_access_key_id = ${id}\naws_secret_access_key = ${secret}\n`, { mode: 0o600 });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const prefix = 'fleet/';
  return {
    rule: { files: `s3://files/${prefix.slice(0, -1)}`, endpoint, credentials },
    damage(key) {
      const kept = bucket.objects.get(prefix + key);
      if (kept) bucket.objects.set(prefix + key, { ...kept, bytes: halfOf(kept.bytes) });
      return kept !== undefined;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const halfOf = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 2));
