import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fetchHistory } from '../../src/commands/move.ts';
import { loadProvider } from '../../src/fetch/load-recipe.ts';
import { DestinationError, UsageError } from '../../src/lib/errors.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { firstSecond, listService } from '../scenes/list-service.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { ProviderFetchRequest } from '../../src/commands/requests.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;
const key = 'test-key-0c9b7a';

const requestTo = (address: string, changes: Partial<ProviderFetchRequest> = {}): ProviderFetchRequest => ({
  recipe: loadProvider('chat-service'),
  settings: { address },
  key,
  out: join(home.make(), 'history'),
  pageSize: 10,
  clock: fastClock(),
  random: () => 0.5,
  ...changes,
});

const textIn = ({ out }: ProviderFetchRequest) => {
  const path = join(out, 'messages.ndjson');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};
const idsIn = (request: ProviderFetchRequest) => [...textIn(request).matchAll(/^\{"id":"?(\d+)/gm)].map(([, id]) => id);
const idsTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** Refuses the request with this number, for good. */
const dyingAt = (number: number) => (request: number) =>
  request === number ? { status: 403, body: '{"error":{"code":"AUTH_ERR_NO_ACCESS","message":"no"}}' } : undefined;

describe('the history of the chat service', () => {
  it('is each message as the service wrote it, a line for each, in order', async () => {
    const request = requestTo((await listService({ count: 25 })).url);
    const { manifest } = await fetchHistory(request);
    expect(manifest).toMatchObject({ steps: { messages: { rows: 25, open: 0 } }, gaps: [], workspace: null });
    expect(idsIn(request)).toEqual(idsTo(25));
    expect(statSync(join(request.out, 'messages.ndjson')).mode & 0o777).toBe(0o600);
  });

  it.each([0, 1, 9, 10, 11, 20])('is read to its end with %i messages, however the service marks it', async (count) => {
    for (const shape of [{}, { isInclusive: true }, { namesEnd: false }, { isInclusive: true, namesEnd: false }]) {
      const request = requestTo((await listService({ count, ...shape })).url);
      expect((await fetchHistory(request)).manifest).toMatchObject({ gaps: [], ended: expect.any(String) });
      expect(idsIn(request)).toEqual(idsTo(count));
    }
  });

  it('keeps every digit of ids and numbers', async () => {
    const request = requestTo((await listService({ count: 12, hasLongIds: true })).url);
    await fetchHistory(request);
    const lines = textIn(request).trimEnd().split('\n');
    expect(lines).toHaveLength(12);
    expect(lines[0]).toContain('"exact":9007199254740993}');
    expect(lines[1]).toContain('"id":9007199254740994,');
    expect(JSON.parse(lines[0]!).data.text).toBe('Message 0, "quoted" ] } \u2028');
  });

  it('continues at any page where a run stopped, and ends with the same file', async () => {
    const shape = { count: 47, isInclusive: true };
    for (let page = 1; page <= 6; page++) {
      const service = await listService({ ...shape, instead: dyingAt(page) });
      const request = requestTo(service.url);
      await expect(fetchHistory(request)).rejects.toThrow(DestinationError);
      const asked = service.asked.length;
      expect((await fetchHistory(request)).manifest.steps.messages).toMatchObject({ rows: 47 });
      expect(idsIn(request)).toEqual(idsTo(47));
      // Seven pages, of which the last has nothing new; those that came are not asked for again.
      expect(service.asked.length - asked).toBe(8 - page);
    }
  });

  it('continues with another number of messages per page', async () => {
    const service = await listService({ count: 47, instead: dyingAt(2) });
    const request = requestTo(service.url);
    await expect(fetchHistory(request)).rejects.toThrow(DestinationError);
    await fetchHistory({ ...request, pageSize: 3 });
    expect(idsIn(request)).toEqual(idsTo(47));
    expect(service.asked.at(-1)).toContain('limit=3');
  });

  it('asks for half as many messages where an answer is too long, to the end', async () => {
    const { url } = await listService({ count: 47 });
    const asked: number[] = [];
    const request = requestTo(url, {
      pageSize: 1000,
      transport: {
        async send({ path, headers }) {
          const limit = Number(new URL(path, url).searchParams.get('limit'));
          asked.push(limit);
          if (limit > 16) throw Object.assign(new Error('too long'), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
          const answer = await fetch(url + path, { headers: headers as Record<string, string> });
          return { status: answer.status, headers: {}, body: await answer.text() };
        },
        close: async () => {},
      },
    });
    await fetchHistory(request);
    expect(idsIn(request)).toEqual(idsTo(47));
    expect(asked).toEqual([1000, 500, 250, 125, 63, 32, 16, 16, 16, 16]);
  });

  it('has a gap where a service gives the same page again and again, however few rows it gives', async () => {
    const body = '{"data":[{"id":"1","sentAt":1},{"id":"2","sentAt":2}],"meta":{"current":{"limit":2}}}';
    const request = requestTo((await listService({ count: 0, instead: () => ({ status: 200, body }) })).url);
    const { gaps } = (await fetchHistory(request)).manifest;
    expect(gaps).toMatchObject([{ why: 'all 2 rows of page 2 came before, and more may follow' }]);
  });

  it('leaves out messages outside the time range, however the service treats the range', async () => {
    const service = await listService({ count: 25 });
    const [sinceMs, untilMs] = [(firstSecond + 3) * 1000, (firstSecond + 12) * 1000];
    const request = requestTo(service.url, { sinceMs, untilMs });
    await fetchHistory(request);
    expect(idsIn(request)).toEqual(idsTo(25).slice(3, 13));
    expect(service.asked[0]).toContain(`fromTimestamp=${firstSecond + 2}&toTimestamp=${firstSecond + 13}`);
    const upTo = requestTo(service.url, { untilMs: firstSecond * 1000 });
    await fetchHistory(upTo);
    expect(idsIn(upTo)).toEqual(['1']);
    expect(service.asked.at(-1)).toContain('fromTimestamp=1&');
    const other = { ...request, recipe: loadProvider('talkjs'), settings: { app: 'x' }, out: join(home.make(), 'x') };
    await expect(fetchHistory(other)).rejects.toThrow('up to a time: its recipe cannot ask for that');
  });

  it('refuses a number of rows of a page where the recipe cannot ask for it', async () => {
    const service = await listService({ count: 1 });
    const settings = { identifier: 'x', website: '00000000-0000-0000-0000-000000000000' };
    const request = { ...requestTo(service.url, { pageSize: 10 }), recipe: loadProvider('crisp'), settings };
    await expect(fetchHistory(request)).rejects.toThrow('pages of 10 rows from crisp: its recipe cannot ask for that');
  });

  it('waits as long as the service asks for, and repeats what fails in passing', async () => {
    const waits: number[] = [];
    const refusals = [
      {
        status: 429,
        headers: { 'retry-after': '7' },
        body: '{"error":{"code":"ERR_TOO_MANY_REQUESTS","message":"x"}}',
      },
      { status: 502, body: '<html>' },
    ];
    const service = await listService({ count: 15, instead: (number) => refusals[number - 2] });
    const { requests } = await fetchHistory(requestTo(service.url, { clock: fastClock((ms) => void waits.push(ms)) }));
    expect(requests).toMatchObject({ list: 5, rateLimited: 1 });
    expect(waits).toContain(7000);
  });

  it('of some conversations asks for each; one that is not there, or is refused, is a gap', async () => {
    const service = await listService({
      count: 15,
      instead: (request) =>
        ({ 3: { status: 200, body: '{"data":[]}' }, 4: { status: 404, body: '{"error":{"code":"ERR_X"}}' } })[request],
    });
    const request = requestTo(service.url, { pageSize: 20, only: ['group_a', 'group_b', 'group_c'] });
    const { gaps, steps } = (await fetchHistory(request)).manifest;
    expect(service.asked.map((line) => /conversationId=(\w+)/.exec(line)?.[1])).toEqual([
      ...['group_a', 'group_a', 'group_b', 'group_c'],
    ]);
    expect(steps.messages).toMatchObject({ rows: 15 });
    expect(gaps.map(({ of, why }) => [Object.values(of)[0], why.slice(0, 8)])).toEqual([
      ['group_c', 'http_404'],
      ['group_b', 'no list '],
      ['group_c', 'no list '],
    ]);
  });

  it('stops at a service that does not know the list: it is another one', async () => {
    const answer = { status: 404, body: '{"error":{"code":"ERR_API_NOT_FOUND","message":"no"}}' };
    const service = await listService({ count: 15, instead: () => answer });
    await expect(fetchHistory(requestTo(service.url))).rejects.toThrow(/does not answer.*ERR_API_NOT_FOUND/);
  });

  it('needs a key before anything is written, and has it nowhere', async () => {
    const request = requestTo((await listService({ count: 15, instead: dyingAt(2) })).url);
    await expect(fetchHistory({ ...request, key: undefined })).rejects.toThrow(UsageError);
    expect(existsSync(request.out)).toBe(false);
    await expect(fetchHistory(request)).rejects.toThrow(DestinationError);
    for (const name of readdirSync(request.out))
      expect(readFileSync(join(request.out, name), 'latin1')).not.toContain(key);
  });

  it('names the host of the app in its manifest, which keeps the ids of two apps apart', async () => {
    const close = async () => {};
    const send = async () => ({ status: 200, headers: {}, body: '{"data":[]}' });
    const request = requestTo('https://harbour.api-eu.example.com', { transport: { send, close } });
    expect((await fetchHistory(request)).manifest.workspace).toBe('harbour.api-eu.example.com');
  });
});
