import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { MediaContent, MediaLocation } from '../../src/media/media-location.ts';
import { openLocation } from '../../src/media/open-location.ts';
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
  // Above 64 MiB: nine parts, the last of one byte.
  largeBytes: 64 * mebibyte + 1,
});

/** A large file that is made while it is read. */
function madeContent(sizeBytes: number): MediaContent {
  const piece = someBytes(mebibyte + 7);
  /** Each chunk has a buffer of its own. */
  async function* open() {
    for (let at = 0; at < sizeBytes; at += piece.length) yield Uint8Array.from(piece.subarray(0, sizeBytes - at));
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

/** Runs a full garbage collection. Objects that survive it are still referenced. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/**
 * Counts the bytes of a stream that are still referenced after they went through. Buffers are outside of V8's heap, so a limit of the
 * heap would not notice that a file is collected.
 */
class ReferencedBytes {
  mostMiB = 0;
  readonly #buffers = new Map<WeakRef<ArrayBufferLike>, number>();
  #sinceLook = 0;

  async *watch(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      this.#buffers.set(new WeakRef(chunk.buffer), chunk.buffer.byteLength);
      this.#sinceLook += chunk.length;
      yield chunk;
      if (this.#sinceLook > 32 * mebibyte) await this.#look();
    }
  }

  async #look(): Promise<void> {
    this.#sinceLook = 0;
    // A WeakRef keeps its target until the turn of the event loop in which it was made is over.
    await setImmediate();
    collectGarbage();
    for (const reference of this.#buffers.keys()) if (!reference.deref()) this.#buffers.delete(reference);
    const bytes = [...this.#buffers.values()].reduce((sum, byteLength) => sum + byteLength, 0);
    this.mostMiB = Math.max(this.mostMiB, Math.ceil(bytes / mebibyte));
  }
}

describe('a large file', () => {
  it('goes to a bucket and comes back, and no more than 32 of its 400 MiB are referenced at a time', async ({
    task,
  }) => {
    const location = await openBucket(await startBucketServer(folders.make()));
    const content = madeContent(400 * mebibyte + 3);
    const [sent, received] = [new ReferencedBytes(), new ReferencedBytes()];
    await location.put('large.bin', { ...content, open: () => sent.watch(content.open()) }, noSignal);
    expect(await location.head('large.bin', noSignal)).toMatchObject({
      sizeBytes: content.sizeBytes,
      sha256: content.sha256,
    });
    expect(await sha256Of(received.watch(location.read('large.bin', noSignal)))).toBe(content.sha256);
    await location.close();
    task.meta.figures = { sentReferencedMiB: sent.mostMiB, receivedReferencedMiB: received.mostMiB };
    // An upload holds one part of 8 MiB, in a buffer of its own.
    expect(sent.mostMiB).toBeLessThanOrEqual(32);
    expect(received.mostMiB).toBeLessThanOrEqual(32);
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

  /** Settings are in the environment: no file of the user is read. */
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

  it('in a bucket equals the uploaded files, byte for byte', async () => {
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

  it('in a folder equals the written files, byte for byte', async () => {
    const folder = folders.make();
    await fill(await openLocation({ to: folder, address, key: '{sha256}', region: 'us-east-1' }, { env: {} }));
    expect(await list(folder)).toEqual(wanted);
    const copied = folders.make();
    await run(['copy', folder, copied]);
    expectSame(copied);
  });
});
