import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { MediaFault, MediaLocation } from '../../../src/media/locations/media-location.ts';
import { openLocation } from '../../../src/media/locations/open-location.ts';
import { allOf, contentOf, noSignal, someBytes } from '../../scenes/media-content.ts';
import { bucketKeys, refuse } from '../../scenes/strict-bucket.ts';
import { serveHere } from '../../scenes/serve-here.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (request, response) =>
    void request.resume().on('end', () => response.writeHead(code, headers).end('AKIDEXAMPLE and a page'));

const s3Error =
  (code: number, name: string): Answer =>
  (request, response) =>
    void request.resume().on('end', () => refuse(response, code, name));

const reset: Answer = (request) => request.socket.destroy();
const silent: Answer = () => {};

const rules = { key: '{sha256}', region: 'us-east-1' };
const places = {
  bucket: async (origin: string) =>
    openLocation({ ...rules, to: 's3://files/chat', endpoint: origin }, { env: bucketKeys, quietMs: 50 }),
  put: async (origin: string) => openLocation({ ...rules, to: `${origin}/{key}` }, { env: {}, quietMs: 50 }),
};

async function putAt(place: keyof typeof places, answer: Answer): Promise<MediaFault> {
  const location = await places[place](await serveHere(answer));
  try {
    await location.put('a.png', contentOf(someBytes(5000)), noSignal);
  } catch (error) {
    return error as MediaFault;
  } finally {
    await location.close();
  }
  throw new Error('It was put');
}

const faultsOf = async (location: MediaLocation): Promise<MediaFault[]> => {
  const calls = [
    () => location.head('a.png', noSignal),
    () => allOf(location.read('a.png', noSignal)),
    () => location.remove('a.png', noSignal),
  ];
  return Promise.all(
    calls.map((call) =>
      call().then(
        () => Promise.reject(new Error('No fault')),
        (error: MediaFault) => error,
      ),
    ),
  );
};

describe('a place that cannot keep a file', () => {
  it.each<readonly [string, keyof typeof places, Answer, Partial<MediaFault>]>([
    ['503 with Retry-After', 'bucket', status(503, { 'retry-after': '7' }), { kind: 'again', retryAfterMs: 7000 }],
    ['503 with Retry-After', 'put', status(503, { 'retry-after': '7' }), { kind: 'again', retryAfterMs: 7000 }],
    [
      'SlowDown',
      'bucket',
      s3Error(503, 'SlowDown'),
      { kind: 'again', message: expect.stringMatching(/503 SlowDown$/) },
    ],
    ['429', 'put', status(429), { kind: 'again', retryAfterMs: undefined }],
    ['a late request', 'bucket', s3Error(400, 'RequestTimeout'), { kind: 'again' }],
    ['damaged bytes', 'bucket', s3Error(400, 'BadDigest'), { kind: 'again' }],
    ['a reset', 'bucket', reset, { kind: 'again', message: expect.stringContaining('cut the connection') }],
    ['a reset', 'put', reset, { kind: 'again', message: expect.stringContaining('cut the connection') }],
    ['silence', 'bucket', silent, { kind: 'again', message: expect.stringContaining('did not answer') }],
    ['silence', 'put', silent, { kind: 'again', message: expect.stringContaining('did not answer') }],
    ['413', 'put', status(413), { kind: 'never' }],
    ['a file too large', 'bucket', s3Error(400, 'EntityTooLarge'), { kind: 'never' }],
    ['400', 'bucket', status(400), { kind: 'never' }],
    ['403', 'put', status(403), { kind: 'stop', hint: expect.stringContaining('media.credentials') }],
    ['403 without a word', 'bucket', status(403), { kind: 'stop', hint: expect.stringContaining('s3:PutObject') }],
    [
      'an unknown key',
      'bucket',
      s3Error(403, 'InvalidAccessKeyId'),
      { kind: 'stop', hint: expect.stringContaining('AWS_ACCESS_KEY_ID') },
    ],
    [
      'a wrong secret',
      'bucket',
      s3Error(403, 'SignatureDoesNotMatch'),
      { kind: 'stop', hint: expect.stringContaining('AWS_SECRET') },
    ],
    [
      'an old session',
      'bucket',
      s3Error(400, 'ExpiredToken'),
      { kind: 'stop', hint: expect.stringContaining('AWS_SESSION_TOKEN') },
    ],
    ['no bucket', 'bucket', s3Error(404, 'NoSuchBucket'), { kind: 'stop', hint: expect.stringContaining('media.to') }],
    [
      'another region',
      'bucket',
      status(301, { 'x-amz-bucket-region': 'eu-west-1' }),
      { kind: 'stop', hint: 'Set media.region to eu-west-1' },
    ],
    ['a full disk', 'put', status(507), { kind: 'stop' }],
    [
      'a redirect',
      'put',
      status(307, { location: 'https://other.example/a?token=geheim' }),
      { kind: 'stop', message: expect.stringContaining('sends us on to https://other.example') },
    ],
    ['no place', 'put', status(404), { kind: 'stop' }],
    ['no PUT', 'put', status(405), { kind: 'stop' }],
  ])('tells of %s (%s)', async (_, place, answer, wanted) => {
    const fault = await putAt(place, answer);
    expect(fault).toMatchObject({ name: 'MediaFault', ...wanted });
    expect(`${fault.message} ${fault.hint}`).not.toMatch(/AKID|5169|geheim|a page|wJalr/);
  });

  it.each(['bucket', 'put'] as const)('tells the same where it is asked for something else (%s)', async (place) => {
    for (const [answer, kind] of [
      [status(503), 'again'],
      [reset, 'again'],
      [silent, 'again'],
      [status(403), 'stop'],
      [status(302, { location: '/b' }), 'stop'],
    ] as const) {
      const location = await places[place](await serveHere(answer));
      expect(await faultsOf(location)).toMatchObject([{ kind }, { kind }, { kind }]);
      await location.close();
    }
  });

  it('is no fault of the file where a bucket answers 400 to the question for its length', async () => {
    const location = await places.bucket(await serveHere(status(400)));
    await expect(location.head('a.png', noSignal)).rejects.toMatchObject({ kind: 'stop' });
    await location.close();
  });

  it('is asked again where it stops sending, or ends early', async () => {
    for (const end of [
      (response: ServerResponse) => void response.write('half'),
      (response: ServerResponse) => void response.write('half', () => response.destroy()),
    ]) {
      const location = await places.bucket(
        await serveHere((_, response) => end(response.writeHead(200, { 'content-length': '100' }))),
      );
      await expect(allOf(location.read('a.png', noSignal))).rejects.toMatchObject({ kind: 'again' });
      await location.close();
    }
  });
});
