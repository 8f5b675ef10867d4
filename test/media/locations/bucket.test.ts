import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketPlace } from '../../../src/media/locations/bucket-place.ts';
import { readBucketKeys } from '../../../src/media/locations/credentials.ts';
import { Exchange } from '../../../src/media/locations/exchange.ts';
import { BucketLocation } from '../../../src/media/locations/s3.ts';
import { BucketRequests } from '../../../src/media/locations/s3-request.ts';
import { leftUploads } from '../../../src/media/locations/s3-xml.ts';
import { hurriedClock } from '../../scenes/hurried-clock.ts';
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
  const requests = new BucketRequests(place, readBucketKeys(undefined, env), await Exchange.open());
  return new BucketLocation(requests, { partsFromBytes, partBytes, clock: hurriedClock((ms) => waits.push(ms)) });
}

/** Of the last location, in ms. */
let waits: number[] = [];

const methodsOf = (bucket: StrictBucket) =>
  bucket.requests.map((asked) => asked.replace(/uploadId=[^&]+/, 'uploadId=I').replace('/files/a.png', ''));

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
      'GET /files?uploads=&prefix=a.png&encoding-type=url',
      'POST ?uploads=',
      ...[1, 2, 3, 4].map((number) => `PUT ?partNumber=${number}&uploadId=I`),
      'POST ?uploadId=I',
      'HEAD ',
    ]);
    expect(bucket.objects.get('a.png')?.bytes).toEqual(someBytes(12_345));
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

  it('gets a part again that broke off, and the rest of the file without reading it twice', async () => {
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
    const openedAt: number[] = [];
    const open = (from = 0) => {
      openedAt.push(from);
      return large.open(from);
    };
    await location.put('a.png', { ...large, open }, noSignal);
    expect(bucket.objects.get('a.png')?.bytes).toEqual(someBytes(12_345));
    expect(bucket.requests.filter((asked) => asked.includes('partNumber=2'))).toHaveLength(4);
    expect(openedAt.filter((from) => from !== 0 && from !== partBytes)).toEqual([]);
    expect(openedAt[0]).toBe(0);
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

  it('gives up on a part that changed, or whose source fails, at once', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    const changed = { ...large, open: () => contentOf(someBytes(12_345, 9)).open() };
    await expect(location.put('a.png', changed, noSignal)).rejects.toMatchObject({ kind: 'again' });
    expect(bucket.requests.filter((asked) => asked.includes('partNumber=4')).length).toBeLessThan(2);
    expect([waits, bucket.uploads.size, bucket.objects.size]).toEqual([[], 0, 0]);
    await location.close();
  });

  it('tells why where it answers before it has everything', async () => {
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

  it('ends what an earlier run left of the same file, and nothing else', async () => {
    const bucket = new StrictBucket();
    for (const [id, key] of [
      ['old', 'a.png'],
      ['other', 'a.png.png'],
    ] as const)
      bucket.uploads.set(id, { key, headers: {}, parts: new Map() });
    const location = await openAt(bucket);
    await location.put('a.png', large, noSignal);
    expect([...bucket.uploads.keys()]).toEqual(['other']);
    await location.close();
  });

  it('leaves no upload behind whose begin nobody answered', async () => {
    const bucket = new StrictBucket();
    const location = await openAt(bucket);
    let lost = 2;
    bucket.instead = (asked) => {
      if (!/^POST .*\?uploads=/.test(asked) || lost-- <= 0) return undefined;
      bucket.uploads.set(`lost ${lost}`, { key: 'a.png', headers: {}, parts: new Map() });
      return (request) => void request.socket.destroy();
    };
    await location.put('a.png', large, noSignal);
    expect([lost, bucket.uploads.size, bucket.objects.size]).toEqual([-1, 0, 1]);
    await location.close();
  });

  it('ends what an earlier run left where the bucket refuses that for the moment, and goes on where it always does', async () => {
    for (const [codes, left] of [
      [['InternalError', 'SlowDown'], []],
      [Array.from({ length: 9 }, () => 'AccessDenied'), ['old']],
    ] as const) {
      const bucket = new StrictBucket();
      bucket.uploads.set('old', { key: 'a.png', headers: {}, parts: new Map() });
      const refusals: string[] = [...codes];
      bucket.instead = (asked) => {
        const code = asked.startsWith('DELETE') ? refusals.shift() : undefined;
        return code === undefined ? undefined : (_, response) => refuse(response, 503, code);
      };
      const location = await openAt(bucket);
      await location.put('a.png', large, noSignal);
      expect([...bucket.uploads.keys()]).toEqual(left);
      expect(bucket.objects.get('a.png')?.bytes.length).toBe(12_345);
      await location.close();
    }
  });

  it.each([403, 501])('need not list what is unfinished (%i)', async (status) => {
    const bucket = new StrictBucket();
    bucket.instead = (asked) =>
      asked.startsWith('GET') ? (_, response) => refuse(response, status, 'AccessDenied') : undefined;
    const location = await openAt(bucket);
    await location.put('a.png', large, noSignal);
    expect(bucket.objects.size).toBe(1);
    await location.close();
  });
});

describe('leftUploads()', () => {
  it.each([
    ['<Upload><Key>a &amp; b.png</Key><UploadId>1</UploadId></Upload>', 'a & b.png'],
    ['<EncodingType>url</EncodingType><Upload><Key>a+%26%20b.png</Key><UploadId>1</UploadId></Upload>', 'a & b.png'],
    ['<Upload><Key>&#x61;&#98;.png</Key><UploadId>1</UploadId></Upload>', 'ab.png'],
  ])('reads %s', (xml, key) => {
    expect(leftUploads(`<ListMultipartUploadsResult>${xml}</ListMultipartUploadsResult>`, key)).toEqual(['1']);
    expect(leftUploads(`<ListMultipartUploadsResult>${xml}</ListMultipartUploadsResult>`, `${key}x`)).toEqual([]);
  });
});
