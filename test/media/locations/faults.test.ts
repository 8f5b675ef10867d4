import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { MediaFault, MediaLocation } from '../../../src/media/media-location.ts';
import { openLocation } from '../../../src/media/open-location.ts';
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
const bucketAt = async (origin: string) =>
  openLocation({ ...rules, to: 's3://files/chat', endpoint: origin }, { env: bucketKeys, quietMs: 50 });

async function putAt(answer: Answer): Promise<MediaFault> {
  const location = await bucketAt(await serveHere(answer));
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

describe('a bucket that cannot keep a file', () => {
  it.each<readonly [string, Answer, Partial<MediaFault>]>([
    ['503 with Retry-After', status(503, { 'retry-after': '7' }), { kind: 'again', retryAfterMs: 7000 }],
    ['SlowDown', s3Error(503, 'SlowDown'), { kind: 'again', message: expect.stringMatching(/503 SlowDown$/) }],
    ['429', status(429), { kind: 'again', retryAfterMs: undefined }],
    ['a late request', s3Error(400, 'RequestTimeout'), { kind: 'again' }],
    ['damaged bytes', s3Error(400, 'BadDigest'), { kind: 'again' }],
    ['a reset', reset, { kind: 'again', message: expect.stringContaining('cut the connection') }],
    ['silence', silent, { kind: 'again', message: expect.stringContaining('did not answer') }],
    ['413', status(413), { kind: 'never' }],
    ['a file too large', s3Error(400, 'EntityTooLarge'), { kind: 'never' }],
    ['400', status(400), { kind: 'never' }],
    ['403 without a word', status(403), { kind: 'stop', hint: expect.stringContaining('s3:PutObject') }],
    [
      'an unknown key',
      s3Error(403, 'InvalidAccessKeyId'),
      { kind: 'stop', hint: expect.stringContaining('AWS_ACCESS_KEY_ID') },
    ],
    [
      'a wrong secret',
      s3Error(403, 'SignatureDoesNotMatch'),
      { kind: 'stop', hint: expect.stringContaining('AWS_SECRET') },
    ],
    [
      'an old session',
      s3Error(400, 'ExpiredToken'),
      { kind: 'stop', hint: expect.stringContaining('AWS_SESSION_TOKEN') },
    ],
    ['no bucket', s3Error(404, 'NoSuchBucket'), { kind: 'stop', hint: expect.stringContaining('media.to') }],
    [
      'another region',
      status(301, { 'x-amz-bucket-region': 'eu-west-1' }),
      { kind: 'stop', hint: 'Set media.region to eu-west-1' },
    ],
    ['a full disk', status(507), { kind: 'stop' }],
    [
      'a redirect',
      status(307, { location: 'https://other.example/a?token=geheim' }),
      { kind: 'stop', message: expect.stringContaining('sends us on to https://other.example') },
    ],
    ['405', status(405), { kind: 'stop' }],
  ])('tells of %s', async (_, answer, wanted) => {
    const fault = await putAt(answer);
    expect(fault).toMatchObject({ name: 'MediaFault', ...wanted });
    expect(`${fault.message} ${fault.hint}`).not.toMatch(/AKID|5169|geheim|a page|wJalr/);
  });

  it('reports the same for other requests', async () => {
    for (const [answer, kind] of [
      [status(503), 'again'],
      [reset, 'again'],
      [silent, 'again'],
      [status(403), 'stop'],
      [status(302, { location: '/b' }), 'stop'],
    ] as const) {
      const location = await bucketAt(await serveHere(answer));
      expect(await faultsOf(location)).toMatchObject([{ kind }, { kind }, { kind }]);
      await location.close();
    }
  });

  it('does not blame the file if it answers 400 to a request for its length', async () => {
    const location = await bucketAt(await serveHere(status(400)));
    await expect(location.head('a.png', noSignal)).rejects.toMatchObject({ kind: 'stop' });
    await location.close();
  });

  it('is asked again if it stops sending or ends early', async () => {
    for (const end of [
      (response: ServerResponse) => void response.write('half'),
      (response: ServerResponse) => void response.write('half', () => response.destroy()),
    ]) {
      const location = await bucketAt(
        await serveHere((_, response) => end(response.writeHead(200, { 'content-length': '100' }))),
      );
      await expect(allOf(location.read('a.png', noSignal))).rejects.toMatchObject({ kind: 'again' });
      await location.close();
    }
  });
});
