import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLocation } from '../../../src/media/locations/open-location.ts';
import { allOf, contentOf, noSignal, someBytes } from '../../scenes/media-content.ts';
import { PutServer } from '../../scenes/put-server.ts';
import { serveHere } from '../../scenes/serve-here.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const folders = temporaryFolder();
const rules = { key: '{sha256}', region: 'us-east-1' };

async function openAt(server: PutServer, headers?: string) {
  const origin = await server.serve();
  if (headers === undefined) return openLocation({ ...rules, to: `${origin}/{key}` }, { env: {} });
  const credentials = join(folders.make(), 'headers');
  writeFileSync(credentials, headers, { mode: 0o600 });
  return openLocation({ ...rules, to: `${origin}/{key}`, credentials }, { env: {} });
}

describe('a server that takes PUT', () => {
  it('gets the headers of the credentials with every request, and the digest with the file', async () => {
    const server = new PutServer();
    const location = await openAt(server, '# ours\nAuthorization: Bearer t0ken\n');
    await location.put('a.png', contentOf(Buffer.from('hello')), noSignal);
    await location.head('a.png', noSignal);
    await allOf(location.read('a.png', noSignal));
    await location.remove('a.png', noSignal);
    expect(server.requests).toEqual(
      ['PUT', 'HEAD', 'GET', 'DELETE'].map((method) => [`${method} /a.png`, 'Bearer t0ken']),
    );
    expect(location.name).not.toContain('t0ken');
    await location.close();
  });

  it('sends the digest of the file along', async () => {
    const server = new PutServer();
    const location = await openAt(server);
    await location.put('a.png', contentOf(Buffer.from('hello')), noSignal);
    // echo -n hello | openssl dgst -sha256 -binary | base64
    const digest = 'sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:';
    expect(server.kept.get('a.png')?.headers['content-digest']).toBe(digest);
    await location.close();
  });

  it.each([405, 501])(
    'is asked for a byte where it answers %i to HEAD, and for nothing else afterwards',
    async (status) => {
      const server = new PutServer();
      server.instead = (asked) =>
        asked.startsWith('HEAD') ? (_, response) => void response.writeHead(status).end() : undefined;
      const location = await openAt(server);
      for (const size of [0, 1, 5000]) {
        await location.put('a.png', contentOf(someBytes(size)), noSignal);
        expect(await location.head('a.png', noSignal)).toEqual({ sizeBytes: size });
      }
      expect(await location.head('b.png', noSignal)).toBeUndefined();
      expect(server.requests.filter(([asked]) => asked.startsWith('HEAD'))).toHaveLength(1);
      await location.close();
    },
  );

  it('is read where it never says how long a file is', async () => {
    const server = new PutServer();
    server.instead = (asked) =>
      asked.startsWith('HEAD')
        ? (_, response) => void response.writeHead(200, { 'transfer-encoding': 'chunked' }).end()
        : (_, response) => void response.write('hal', () => response.end('lo'));
    const location = await openAt(server);
    expect(await location.head('a.png', noSignal)).toEqual({ sizeBytes: 5 });
    await location.close();
  });

  it('is not followed to another origin, which learns nothing', async () => {
    const reached: string[] = [];
    const other = await serveHere((request, response) => {
      reached.push(String(request.headers.authorization));
      response.end();
    });
    const server = new PutServer();
    server.instead = () => (request, response) =>
      void request.resume().on('end', () => response.writeHead(307, { location: `${other}/a.png` }).end());
    const location = await openAt(server, 'Authorization: Bearer t0ken\n');
    const put = location.put('a.png', contentOf(someBytes(10)), noSignal);
    await expect(put).rejects.toMatchObject({ kind: 'stop', message: expect.stringContaining(other) });
    await expect(location.head('a.png', noSignal)).rejects.toMatchObject({ kind: 'stop' });
    expect(reached).toEqual([]);
    await location.close();
  });
});
