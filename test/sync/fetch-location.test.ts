import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LocationContext } from '../../src/sync/locations/location.ts';
import { fakeService } from '../cli/fake-service.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { locationScene } from './location-scene.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;
const day = 86_400;
const start = 1_772_467_200;

/** A message of an app; sent so many days after the first one. */
interface Row {
  readonly id: number;
  readonly days: number;
  text: string;
}

/** An app whose messages a test changes while it is fetched from, again and again. */
async function fetchScene(settings: object = {}) {
  const rows: Row[] = [];
  let isDown = false;
  const service = await fakeService((request, response) => {
    const after = Number(new URL(request.url!, 'http://service').searchParams.get('id'));
    if (isDown) return void response.writeHead(403).end('{"error":{"code":"AUTH_ERR_NO_ACCESS","message":"no"}}');
    const data = rows
      .filter(({ id }) => id > after)
      .map(({ id, days, text }) => ({
        id,
        conversationId: 'group_g',
        sender: 'ann',
        receiverType: 'group',
        receiver: 'g',
        category: 'message',
        type: 'text',
        data: { text },
        sentAt: start + days * day,
      }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, meta: {} }));
  });
  const folder = home.make();
  const location = { fetch: { from: service.url, apiKeyVariable: 'OLD_KEY', ...settings } };
  const scene = locationScene(location, folder);
  const obtain = (changes?: Partial<LocationContext>) => scene.obtain({ env: { OLD_KEY: 'k3y' }, ...changes });
  /** The texts of every file of the export, in order. */
  const files = async () => {
    const { takes } = await obtain();
    if (takes.length === 0) return [];
    const [path] = takes[0]!.exports;
    expect(readdirSync(path!)).toContain('chatferry-fetch.json');
    return readdirSync(path!)
      .filter((name) => name !== 'chatferry-fetch.json')
      .sort()
      .map((name) => {
        const lines = readFileSync(join(path!, name), 'utf8').trimEnd().split('\n');
        return lines.map((line) => JSON.parse(line).data.text as string);
      });
  };
  return {
    rows,
    folder,
    service,
    obtain,
    files,
    fail: (value: boolean) => {
      isDown = value;
    },
  };
}

describe('another app', () => {
  it('is fetched completely first, then only new messages: each message is in the export once', async () => {
    const { rows, files, folder } = await fetchScene();
    rows.push({ id: 1, days: 0, text: 'one' }, { id: 2, days: 5, text: 'two' });
    expect(await files()).toEqual([['one', 'two']]);
    expect(await files()).toEqual([['one', 'two']]);
    rows.push({ id: 3, days: 5, text: 'three' }, { id: 4, days: 6, text: 'four' });
    expect(await files()).toEqual([
      ['one', 'two'],
      ['three', 'four'],
    ]);
    rows.push({ id: 5, days: 5.5, text: 'late, inside the overlap' });
    expect(await files()).toEqual([['one', 'two'], ['three', 'four'], ['late, inside the overlap']]);
    expect(readdirSync(join(folder, 'downloads')).filter((name) => name.includes('incoming'))).toEqual([]);
  });

  it('is asked for the newest known message and the overlap before it', async () => {
    const { rows, files, service } = await fetchScene({ overlap: '2h', conversation: 'group_g' });
    rows.push({ id: 1, days: 0, text: 'one' }, { id: 2, days: 5, text: 'two' });
    await files();
    await files();
    const asked = service.asked
      .map((line) => new URL(line.replace('GET ', ''), service.url).searchParams)
      .filter((query) => !query.has('id'));
    expect(asked.map((query) => query.get('conversationId'))).toEqual(['group_g', 'group_g']);
    // A second more than is wanted: whether the bound is included is not specified.
    expect(asked.map((query) => query.get('fromTimestamp'))).toEqual([null, String(start + 5 * day - 7201)]);
  });

  it('is still asked for new messages if one of its messages has a time in the future', async () => {
    const { rows, files, service } = await fetchScene();
    const nowDays = (Date.now() / 1000 - start) / day;
    rows.push({ id: 1, days: nowDays, text: 'one' }, { id: 2, days: 1e300, text: 'never' });
    await files();
    rows.push({ id: 3, days: nowDays, text: 'three' });
    expect(await files()).toEqual([['one', 'never'], ['three']]);
    expect(await files()).toEqual([['one', 'never'], ['three']]);
    const from = service.asked.map((line) => new URL(line.replace('GET ', ''), service.url)).at(-1)!;
    expect(Number(from.searchParams.get('fromTimestamp')) * 1000).toBeLessThan(Date.now());
  });

  it('shows an edit inside the overlap as another version', async () => {
    const { rows, files } = await fetchScene();
    rows.push({ id: 1, days: 0, text: 'one' }, { id: 2, days: 5, text: 'two' });
    await files();
    rows[1]!.text = 'two, edited';
    rows[0]!.text = 'one, edited: too old to be seen';
    expect(await files()).toEqual([['one', 'two'], ['two, edited']]);
  });

  it('that does not answer changes no files, and the next fetch continues from there', async () => {
    const { rows, files, obtain, fail } = await fetchScene();
    rows.push({ id: 1, days: 0, text: 'one' });
    await files();
    fail(true);
    const error = await obtain().catch((reason: Error) => reason);
    expect(error).toMatchObject({ name: 'DestinationError', code: 'http_403' });
    expect((error as Error).message).not.toContain('k3y');
    fail(false);
    rows.push({ id: 2, days: 1, text: 'two' });
    expect(await files()).toEqual([['one'], ['two']]);
  });

  it('is fetched completely again if its files were removed', async () => {
    const { rows, files, folder } = await fetchScene();
    rows.push({ id: 1, days: 0, text: 'one' }, { id: 2, days: 9, text: 'two' });
    await files();
    rmSync(join(folder, 'downloads'), { recursive: true });
    expect(await files()).toEqual([['one', 'two']]);
  });

  it('without a message is no export yet', async () => {
    const { files } = await fetchScene();
    expect(await files()).toEqual([]);
  });

  it('needs its key', async () => {
    const { obtain } = await fetchScene();
    await expect(obtain({ env: {} })).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('there is no key'),
    });
  });
});
