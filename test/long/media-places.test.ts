import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { MediaContent, MediaLocation } from '../../src/media/locations/media-location.ts';
import { openLocation } from '../../src/media/locations/open-location.ts';
import { describeMediaLocation } from '../contracts/media-location.ts';
import { rclonePath } from '../requirements.ts';
import { allOf, contentOf, noSignal, someBytes } from '../scenes/media-content.ts';
import { type BucketServer, startBucketServer } from '../scenes/s3rver.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const folders = temporaryFolder();
const mebibyte = 1024 ** 2;

const openBucket = ({ endpoint, env }: BucketServer): Promise<MediaLocation> =>
  openLocation({ to: 's3://files/chat', endpoint, key: '{sha256}', region: 'us-east-1' }, { env });

describeMediaLocation('a bucket of s3rver', {
  async open() {
    const server = await startBucketServer(folders.make());
    return { location: await openBucket(server), look: (key) => server.look(`chat/${key}`) };
  },
  keepsTypes: true,
  isWhole: false,
  // Above 64 MiB: five parts, the last of one byte.
  largeBytes: 64 * mebibyte + 1,
});

/** A large file that is made while it is read. */
function madeContent(sizeBytes: number): MediaContent {
  const piece = someBytes(mebibyte + 7);
  async function* open() {
    for (let at = 0; at < sizeBytes; at += piece.length)
      yield piece.subarray(0, Math.min(piece.length, sizeBytes - at));
  }
  const hash = createHash('sha256');
  for (let at = 0; at < sizeBytes; at += piece.length) hash.update(piece.subarray(0, sizeBytes - at));
  return contentOf(new Uint8Array(0), { sizeBytes, sha256: hash.digest('hex'), open });
}

async function sha256Of(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest('hex');
}

describe('a large file', () => {
  it('goes to a bucket and comes back in flat memory', async () => {
    const location = await openBucket(await startBucketServer(folders.make()));
    const content = madeContent(400 * mebibyte + 3);
    const before = process.memoryUsage();
    let most = 0;
    async function* watched() {
      for await (const chunk of content.open()) {
        const { external, heapUsed } = process.memoryUsage();
        most = Math.max(most, external + heapUsed - before.external - before.heapUsed);
        yield chunk;
      }
    }
    await location.put('large.bin', { ...content, open: watched }, noSignal);
    expect(await location.head('large.bin', noSignal)).toMatchObject({
      sizeBytes: content.sizeBytes,
      sha256: content.sha256,
    });
    expect(await sha256Of(location.read('large.bin', noSignal))).toBe(content.sha256);
    await location.close();
    // A quarter of the file; nothing is held but a chunk or two and what waits for the garbage collector.
    expect(most).toBeLessThan(100 * mebibyte);
  });
});

const rclone = rclonePath();

describe.skipIf(rclone === null)('what rclone finds', () => {
  const names = ['a.png', 'deep/er/b.bin', `it's (a) "b" + c & d=e ~ü–名.png`, 'empty', 'large.bin'];
  const sizes = [100, 65_537, 3, 0, 70 * mebibyte];
  const address = 'https://files.example.com';

  const contents = new Map(names.map((name, index) => [name, someBytes(sizes[index]!, index + 1)]));

  async function fill(location: MediaLocation): Promise<void> {
    for (const [name, bytes] of contents) await location.put(name, contentOf(bytes, {}, 64 * 1024), noSignal);
    await location.close();
  }

  /** Settings stand in the environment: no file of this user's is read. */
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    (await promisify(execFile)(rclone!, args, { env: { PATH: process.env.PATH, RCLONE_CONFIG: '/dev/null', ...env } }))
      .stdout;

  async function list(
    place: string,
    env?: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, number>>> {
    const rows = JSON.parse(await run(['lsjson', '--recursive', '--files-only', place], env)) as {
      Path: string;
      Size: number;
    }[];
    return Object.fromEntries(rows.map(({ Path, Size }) => [Path, Size]));
  }

  const wanted = Object.fromEntries(names.map((name, index) => [name, sizes[index]!]));

  function expectSame(folder: string): void {
    const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(found).toHaveLength(names.length);
    for (const [name, bytes] of contents) expect(readFileSync(join(folder, name)).equals(bytes), name).toBe(true);
  }

  it('in a bucket is what was put there, byte for byte', async () => {
    const server = await startBucketServer(folders.make());
    await fill(await openBucket(server));
    const env = {
      RCLONE_CONFIG_THERE_TYPE: 's3',
      RCLONE_CONFIG_THERE_PROVIDER: 'Other',
      RCLONE_CONFIG_THERE_ENDPOINT: server.endpoint,
      RCLONE_CONFIG_THERE_ACCESS_KEY_ID: server.env.AWS_ACCESS_KEY_ID,
      RCLONE_CONFIG_THERE_SECRET_ACCESS_KEY: server.env.AWS_SECRET_ACCESS_KEY,
    };
    expect(await list('there:files/chat', env)).toEqual(wanted);
    const copied = folders.make();
    // In one list: asked folder by folder, s3rver leaves out folders that hold nothing but folders.
    await run(['copy', '--fast-list', 'there:files/chat', copied], env);
    expectSame(copied);
    // And what rclone put there is read here.
    await run(['copyto', join(copied, 'large.bin'), 'there:files/chat/theirs.bin'], env);
    const location = await openBucket(server);
    expect(await location.head('theirs.bin', noSignal)).toMatchObject({ sizeBytes: 70 * mebibyte });
    expect((await allOf(location.read('theirs.bin', noSignal))).equals(contents.get('large.bin')!)).toBe(true);
    await location.close();
  });

  it('in a folder is what was put there, byte for byte', async () => {
    const folder = folders.make();
    await fill(await openLocation({ to: folder, address, key: '{sha256}', region: 'us-east-1' }, { env: {} }));
    expect(await list(folder)).toEqual(wanted);
    const copied = folders.make();
    await run(['copy', folder, copied]);
    expectSame(copied);
  });
});
