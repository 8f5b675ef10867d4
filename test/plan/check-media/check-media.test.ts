import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import { systemClock } from '../../../src/lib/flow/clock.ts';
import { checkMedia, type ProbeOptions } from '../../../src/plan/check-media.ts';
import { silent } from '../../../src/lib/flow/progress.ts';
import { planExport } from '../../../src/commands/prepare.ts';
import { readStatus } from '../../../src/commands/check.ts';
import { never } from '../../scenes/bench.ts';
import { sessionRequest } from '../../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../../scenes/write-records.ts';

const home = temporaryFolderInMemory();

const statuses: Record<string, number> = { '/gone.png': 404, '/private.png': 403, '/busy.png': 503 };
const asked: string[] = [];
const server = createServer(({ method, url = '' }, response) => {
  asked.push(`${method} ${url}`);
  const type = url === '/page.png' ? 'text/html' : 'image/png';
  response.writeHead(statuses[url] ?? 200, { 'content-type': type }).end();
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const files = (names: readonly string[], host: string) =>
  names.map((name, index) => ({ url: `http://${host}/${name}`, name: `${index} ${name}`, mimeType: 'image/png' }));

/** A store with a plan of messages with files: of the local server, and of what may not be asked. */
async function planned(): Promise<string> {
  const folder = home.make();
  const names = ['here.png', 'gone.png', 'private.png', 'busy.png', 'page.png'];
  const path = writeRecords(join(folder, 'export.ndjson'), [
    person('U1'),
    channel('C1', { members: ['U1'] }),
    says(1, 'C1', 'U1', 'files', { attachments: files(names, `files.test:${port}`) }),
    says(2, 'C1', 'U1', 'inner', { attachments: files(['x.png'], `127.0.0.1:${port}`) }),
    says(3, 'C1', 'U1', 'left out', { attachments: files(['y.png'], `files.test:${port}`), isDeleted: true }),
  ]);
  const request = await sessionRequest(folder, { from: [path] });
  await planExport(request);
  return request.store;
}

const probing: Pick<ProbeOptions, 'rule' | 'resolve' | 'progress' | 'signal'> = {
  rule: {
    refuse: ({ hostname }) => (hostname.endsWith('.test') ? undefined : 'not public'),
    isRefusedIp: (ip) => ip !== '127.0.0.1',
  },
  resolve: (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
  progress: silent,
  signal: never,
};

async function probe(path: string): Promise<{ readonly asked: number }> {
  const store = openStore(path, { command: 'plan', nowMs: 0 });
  try {
    return await checkMedia(store, probing);
  } finally {
    store.close();
  }
}

const found = (store: string) =>
  readStatus({ store, clock: systemClock }, 'status').problems.filter(({ code }) =>
    ['attachment-dead', 'attachment-login-page', 'attachment-unreachable'].includes(code),
  );

describe('checkMedia()', () => {
  it('reports files that are gone, need a login or do not answer, with location and host', async () => {
    const store = await planned();
    expect(await probe(store)).toEqual({ asked: 5 });
    const place = 'export.ndjson:4';
    const at = `at files.test:${port}`;
    expect(found(store)).toMatchObject([
      {
        code: 'attachment-login-page',
        severity: 'decision',
        count: 2,
        examples: expect.arrayContaining([
          { location: place, detail: `"2 private.png" ${at}: answered 403` },
          { location: place, detail: `"4 page.png" ${at}: answered with a page instead of image/png` },
        ]),
      },
      {
        code: 'attachment-dead',
        severity: 'decision',
        count: 1,
        examples: [{ location: place, detail: `"1 gone.png" ${at}: answered 404` }],
      },
      {
        code: 'attachment-unreachable',
        severity: 'information',
        count: 1,
        examples: [{ location: place, detail: `"3 busy.png" ${at}: answered 503` }],
      },
    ]);
    expect(asked.filter((line) => / \/[xy]\.png$/.test(line))).toEqual([]);
  });

  it('replaces the results of the previous probe', async () => {
    const store = await planned();
    await probe(store);
    const before = { ...statuses };
    try {
      for (const name of Object.keys(statuses)) delete statuses[name];
      statuses['/here.png'] = 410;
      await probe(store);
    } finally {
      delete statuses['/here.png'];
      Object.assign(statuses, before);
    }
    expect(
      found(store)
        .map(({ code, count }) => [code, count])
        .sort(),
    ).toEqual([
      ['attachment-dead', 1],
      ['attachment-login-page', 1],
    ]);
  });
});
