import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { bucketPlace } from '../../../src/media/locations/bucket-place.ts';
import { readBucketKeys } from '../../../src/media/locations/credentials.ts';
import { BucketLocation } from '../../../src/media/locations/s3.ts';
import { fastClock } from '../../scenes/fast-clock.ts';
import { contentOf, noSignal, someBytes } from '../../scenes/media-content.ts';
import { bucketKeys, refuse, signatureOf, StrictBucket } from '../../scenes/strict-bucket.ts';

const [partsFromBytes, partBytes] = [10_000, 4096];
const large = contentOf(someBytes(12_345));

async function openAt(
  bucket: StrictBucket,
  env: Readonly<Record<string, string>> = bucketKeys,
): Promise<BucketLocation> {
  waits = [];
  const place = bucketPlace({ to: 's3://files', endpoint: await bucket.serve(), region: 'us-east-1' });
  const clock = fastClock((ms) => waits.push(ms));
  return new BucketLocation(place, readBucketKeys(undefined, env), { partsFromBytes, partBytes, clock });
}

/** Waits of the last location, in ms. */
let waits: number[] = [];

const methodsOf = (bucket: StrictBucket) =>
  bucket.requests.map((asked) =>
    asked
      .replace(/uploadId=[^&]+/, 'uploadId=I')
      .replace(/x-id=\w+&?/, '')
      .replace('/files/a.png', ''),
  );

describe('the bucket of the tests', () => {
  // The examples of the page that it was written after.
  const headers = {
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-date': '20130524T000000Z',
    authorization: 'Credential=AKIAIOSFODNN7EXAMPLE/ SignedHeaders=',
  };
  const place = { secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', region: 'us-east-1' };

  it.each([
    [
      {
        range: 'bytes=0-9',
        'x-amz-content-sha256': 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      },
      ['GET', '/test.txt', 'host;range;x-amz-content-sha256;x-amz-date'],
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
      ['PUT', '/test%24file.text', 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class'],
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
  ] as const)('signs as Amazon does (%j)', (more, [method, url, names], signature) => {
    const authorization = `${headers.authorization}${names}`;
    expect(signatureOf({ method, url, headers: { ...headers, ...more, authorization } }, place)).toContain(signature);
  });
});

describe('a bucket', () => {
  it('knows the digest of a file', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    for (const content of [contentOf(someBytes(10)), large]) {
      await location.put('a.png', content, noSignal);
      expect(await location.head('a.png', noSignal)).toEqual({ sizeBytes: content.sizeBytes, sha256: content.sha256 });
    }
    await location.close();
  });

  it('is asked where media.endpoint says, whatever the tools of Amazon are set to', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:1');
    vi.stubEnv('AWS_USE_FIPS_ENDPOINT', 'true');
    vi.stubEnv('AWS_CONFIG_FILE', import.meta.filename);
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    await location.put('a.png', contentOf(someBytes(10)), noSignal);
    expect(bucket.objects.size).toBe(1);
    await location.close();
    vi.unstubAllEnvs();
  });

  it('is asked with the token of a session', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket, { ...bucketKeys, AWS_SESSION_TOKEN: 'FwoG+/=' });
    await location.put('a.png', contentOf(someBytes(10)), noSignal);
    await location.close();
  });

  it.each([
    ['secret', { AWS_SECRET_ACCESS_KEY: 'another' }],
    ['region', {}],
  ])('refuses what another %s has signed', async (what, env) => {
    const bucket = new StrictBucket();
    if (what === 'region') bucket.region = 'eu-west-1';
    const location = await openAt(bucket, { ...bucketKeys, ...env });
    const put = location.put('a.png', contentOf(someBytes(10)), noSignal);
    await expect(put).rejects.toMatchObject({
      kind: 'stop',
      message: expect.stringContaining('SignatureDoesNotMatch'),
    });
    await location.close();
  });

  it('gets a large file in parts of one size', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    await location.put('a.png', large, noSignal);
    expect(methodsOf(bucket)).toEqual([
      'POST ?uploads=',
      ...[1, 2, 3, 4].map((number) => `PUT ?uploadId=I&partNumber=${number}`),
      'POST ?uploadId=I',
      'HEAD ',
    ]);
    expect(bucket.objects.get('a.png')?.bytes).toEqual(someBytes(12_345));
    await location.close();
  });

  it('is not asked for parts of an upload that it did not name', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    bucket.instead = (asked) => (asked.startsWith('POST') ? (_, response) => void response.end() : undefined);
    await expect(location.put('a.png', large, noSignal)).rejects.toMatchObject({ kind: 'stop' });
    expect(bucket.objects.size).toBe(0);
    await location.close();
  });

  it.each([
    ['a part', /partNumber=3/],
    ['the end', /^POST .*uploadId=/],
  ])('forgets the parts where %s is refused', async (_, which) => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    bucket.instead = (asked) =>
      which.test(asked)
        ? (request, response) => void request.resume().on('end', () => refuse(response, 503, 'SlowDown'))
        : undefined;
    await expect(location.put('a.png', large, noSignal)).rejects.toMatchObject({ kind: 'again' });
    expect(bucket.uploads.size).toBe(0);
    expect(bucket.objects.size).toBe(0);
    await location.close();
  });

  it('gets a part again that broke off, and the file is read once', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    const faults: ((request: IncomingMessage, response: ServerResponse) => void)[] = [
      // In the middle of its bytes, before any of them, and after all of them.
      (request) => void request.once('data', () => request.socket.destroy()),
      (request) => void request.socket.destroy(),
      (request, response) =>
        void request.resume().on('end', () => refuse(response.setHeader('retry-after', '20'), 503, 'SlowDown')),
    ];
    bucket.instead = (asked) => (/partNumber=[24]/.test(asked) ? faults.shift() : undefined);
    let openCount = 0;
    const open = () => {
      openCount++;
      return large.open();
    };
    await location.put('a.png', { ...large, open }, noSignal);
    expect(bucket.objects.get('a.png')?.bytes).toEqual(someBytes(12_345));
    expect(bucket.requests.filter((asked) => asked.includes('partNumber=2'))).toHaveLength(4);
    expect(openCount).toBe(1);
    expect(waits).toContain(20_000);
    await location.close();
  });

  it('has a large file whole, or not at all, whatever breaks on the way', async () => {
    const breaks = {
      reset: (request: IncomingMessage) => void request.socket.destroy(),
      busy: (request: IncomingMessage, response: ServerResponse) =>
        void request.resume().on('end', () => refuse(response, 503, 'SlowDown')),
      early: (_: IncomingMessage, response: ServerResponse) => refuse(response, 500, 'InternalError'),
    };
    const kinds = fc.constantFrom<(keyof typeof breaks | undefined)[]>('reset', 'busy', 'early', undefined, undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(kinds, { maxLength: 20 }), async (plan) => {
        const bucket = new StrictBucket();
        const location = await openAt(bucket);
        const left = [...plan];
        bucket.instead = () => {
          const kind = left.shift();
          return kind && breaks[kind];
        };
        const fault = await location.put('a.png', large, noSignal).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (fault) expect(fault).toMatchObject({ name: 'MediaFault', kind: 'again' });
        const kept = bucket.objects.get('a.png');
        if (kept || !fault) expect(kept?.bytes.equals(someBytes(12_345))).toBe(true);
        await location.close();
      }),
    );
  });

  it('gives up immediately on a part that changed or whose source fails', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    const changed = { ...large, open: () => contentOf(someBytes(12_345, 9)).open() };
    await expect(location.put('a.png', changed, noSignal)).rejects.toMatchObject({ kind: 'again' });
    expect(bucket.requests.filter((asked) => asked.includes('partNumber=4')).length).toBeLessThan(2);
    expect([waits, bucket.uploads.size, bucket.objects.size]).toEqual([[], 0, 0]);
    await location.close();
  });

  it('reports the reason if it answers before it has everything', async () => {
    const bucket = new StrictBucket();
    bucket.instead = () => (_, response) => refuse(response.setHeader('connection', 'close'), 403, 'AccessDenied');
    const location = await openAt(bucket);
    const content = contentOf(someBytes(9_999));
    await expect(location.put('a.png', content, noSignal)).rejects.toMatchObject({ kind: 'stop' });
    await location.close();
  });

  it('may answer 200 and mean a fault', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    bucket.instead = (asked) =>
      /^POST .*uploadId=/.test(asked)
        ? (request, response) => void request.resume().on('end', () => refuse(response, 200, 'InternalError'))
        : undefined;
    await expect(location.put('a.png', large, noSignal)).rejects.toMatchObject({ kind: 'again' });
    expect(bucket.uploads.size).toBe(0);
    await location.close();
  });
});
