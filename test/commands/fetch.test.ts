import { appendFileSync, existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DestinationError, StoreError, UsageError } from '../../src/lib/errors.ts';
import { fetchMessages, type FetchRequest } from '../../src/commands/fetch.ts';
import { fetchHeader } from '../../src/commands/fetch/file.ts';
import { rowTexts } from '../../src/commands/fetch/pages.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { anyText } from '../arbitrary-text.ts';
import { never } from '../scenes/bench.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { firstSecond, listService } from '../scenes/list-service.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
process.env.CHATFERRY_STATE_DIR = home.path;
const key = 'test-key-0c9b7a';

function requestTo(from: string, changes: Partial<FetchRequest> = {}): FetchRequest {
  return {
    from,
    out: join(home.make(), 'messages.ndjson'),
    apiKey: key,
    mayReplace: false,
    pageSize: 10,
    clock: fastClock(),
    random: () => 0.5,
    progress: silent,
    signal: never,
    ...changes,
  };
}

const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);
const idsIn = (path: string) =>
  linesOf(path)
    .slice(1)
    .map((line) => /"id":"?(\d+)/.exec(line)![1]);
const idsTo = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

/** Refuses the request with this number, for good. */
const dyingAt = (number: number) => (request: number) =>
  request === number ? { status: 403, body: '{"error":{"code":"AUTH_ERR_NO_ACCESS","message":"no"}}' } : undefined;

describe('rowTexts()', () => {
  const row = fc.oneof(
    fc.json(),
    anyText.map((text) => JSON.stringify({ text, '"]}': [text] })),
  );

  it('gives each row of any answer as it was written, on one line', () => {
    fc.assert(
      fc.property(fc.array(row), fc.constantFrom('', ' ', '\n\t', '\r\n  '), (rows, space) => {
        const body = `{${space}"meta":{"data":[0]},${space}"data":${space}[${space}${rows.join(`${space},${space}`)}${space}]${space}}`;
        const texts = rowTexts(body);
        expect(texts.map((text) => JSON.parse(text))).toEqual(rows.map((text) => JSON.parse(text)));
        expect(texts.filter((text) => /[\r\n]/.test(text))).toEqual([]);
      }),
    );
  });

  it('returns nothing if there is no list', () => {
    expect(rowTexts('{}')).toEqual([]);
    expect(rowTexts('{"error":{"code":"ERR_EXCEPTION"}}')).toEqual([]);
    expect(rowTexts('{"data":null}')).toEqual([]);
  });
});

describe('fetchHeader()', () => {
  it.each([
    ['https://harbour.api-eu.example.com', 'harbour'],
    ['https://chat.example.com/prefix', 'chat.example.com'],
    ['http://127.0.0.1:4000', undefined],
    ['http://localhost:4000', undefined],
  ])('names for %s the workspace %s', (address, workspace) => {
    expect(JSON.parse(fetchHeader(address, {})).workspace).toBe(workspace);
  });
});

describe('fetchMessages()', () => {
  it('writes a first line and each message on its own, in order', async () => {
    const service = await listService({ count: 25 });
    const request = requestTo(service.url);
    expect(await fetchMessages(request)).toMatchObject({
      messages: 25,
      conversations: 3,
      pages: 3,
      firstAtMs: firstSecond * 1000,
      lastAtMs: (firstSecond + 24) * 1000,
      continuedFrom: 0,
    });
    expect(JSON.parse(linesOf(request.out)[0]!)).toEqual({ kind: 'chat-service-fetch', version: 1, from: service.url });
    expect(idsIn(request.out)).toEqual(idsTo(25));
    expect(statSync(request.out).mode & 0o777).toBe(0o600);
    expect(existsSync(`${request.out}.partial`) || existsSync(`${request.out}.partial.log`)).toBe(false);
  });

  it.each([0, 1, 9, 10, 11, 20])('reads %i messages to the end, however the service marks it', async (count) => {
    for (const shape of [{}, { isInclusive: true }, { namesEnd: false }, { isInclusive: true, namesEnd: false }]) {
      const request = requestTo((await listService({ count, ...shape })).url);
      expect((await fetchMessages(request)).messages).toBe(count);
      expect(idsIn(request.out)).toEqual(idsTo(count));
    }
  });

  it('keeps every digit of ids and numbers', async () => {
    const request = requestTo((await listService({ count: 12, hasLongIds: true })).url);
    expect((await fetchMessages(request)).messages).toBe(12);
    const lines = linesOf(request.out);
    expect(lines).toHaveLength(13);
    expect(lines[1]).toContain('"exact":9007199254740993}');
    expect(lines[2]).toContain('"id":9007199254740994,');
  });

  it('resumes at any page where a run stopped, and ends with the same file', async () => {
    const shape = { count: 47, isInclusive: true };
    for (let page = 1; page <= 6; page++) {
      const service = await listService({ ...shape, instead: dyingAt(page) });
      const request = requestTo(service.url);
      await expect(fetchMessages(request)).rejects.toThrow(DestinationError);
      expect(existsSync(request.out)).toBe(false);
      const asked = service.asked.length;
      const { messages, continuedFrom } = await fetchMessages(request);
      expect(messages).toBe(47);
      expect(idsIn(request.out)).toEqual(idsTo(47));
      // Six pages; those that came are not asked for again.
      expect(continuedFrom).toBe(page === 1 ? 0 : 9 * page - 8);
      expect(service.asked.length - asked).toBe(7 - page);
    }
  });

  it('resumes after a kill that truncated the file and its log at any byte', async () => {
    const service = await listService({ count: 35 });
    const whole = requestTo(service.url);
    await fetchMessages(whole);
    const expected = readFileSync(whole.out, 'utf8');
    const stopped = requestTo((await listService({ count: 35, instead: dyingAt(4) })).url);
    await expect(fetchMessages(stopped)).rejects.toThrow(DestinationError);
    const rows = readFileSync(`${stopped.out}.partial`, 'utf8').replace(stopped.from, service.url);
    const log = readFileSync(`${stopped.out}.partial.log`, 'utf8').replace(stopped.from, service.url);
    const logLines = log.split(/(?<=\n)/);
    for (const cut of [0, 1, logLines[0]!.length, logLines[0]!.length + 9, log.length - 1, log.length]) {
      const request = requestTo(service.url, { mayReplace: cut < logLines[0]!.length });
      writeFileSync(`${request.out}.partial`, `${rows}{"id":"35","half a ro`);
      writeFileSync(`${request.out}.partial.log`, log.slice(0, cut));
      await fetchMessages(request);
      expect(readFileSync(request.out, 'utf8'), `log cut at ${cut}`).toBe(expected);
    }
  });

  it('resumes after a kill between renaming the file and ending its log', async () => {
    const service = await listService({ count: 35, instead: dyingAt(4) });
    const request = requestTo(service.url);
    await expect(fetchMessages(request)).rejects.toThrow(DestinationError);
    const log = readFileSync(`${request.out}.partial.log`, 'utf8');
    await fetchMessages(request);
    const expected = readFileSync(request.out, 'utf8');
    writeFileSync(`${request.out}.partial.log`, log);
    await fetchMessages(request);
    expect(readFileSync(request.out, 'utf8')).toBe(expected);
    expect(existsSync(`${request.out}.partial.log`)).toBe(false);
  });

  it('starts over if the file is shorter than its log requires', async () => {
    const request = requestTo((await listService({ count: 35, instead: dyingAt(4) })).url);
    await expect(fetchMessages(request)).rejects.toThrow(DestinationError);
    truncateSync(`${request.out}.partial`, 100);
    expect(await fetchMessages(request)).toMatchObject({ messages: 35, continuedFrom: 0 });
    expect(idsIn(request.out)).toEqual(idsTo(35));
  });

  it('does not change a file that exists or was begun by another command, unless it is forced to', async () => {
    const service = await listService({ count: 25, instead: dyingAt(3) });
    const request = requestTo(service.url);
    await expect(fetchMessages(request)).rejects.toThrow(DestinationError);
    const other = { ...request, since: firstSecond };
    await expect(fetchMessages(other)).rejects.toThrow(UsageError);
    await expect(fetchMessages(other)).rejects.toThrow('was begun by another command');
    expect(await fetchMessages(request)).toMatchObject({ messages: 25 });
    await expect(fetchMessages(other)).rejects.toThrow('it exists already');
    expect(await fetchMessages({ ...other, mayReplace: true })).toMatchObject({ messages: 25, continuedFrom: 0 });
  });

  it('keeps a complete file when it is run again and returns the same result, unless the service lists more by then', async () => {
    const { url } = await listService({ count: 35 });
    const request = requestTo(url);
    const { requests: _, ...first } = await fetchMessages(request);
    const before = readFileSync(request.out);
    const { requests, ...again } = await fetchMessages(request);
    expect(again).toEqual({ ...first, pages: 1, continuedFrom: 35 });
    expect(requests.list).toBe(1);
    expect(readFileSync(request.out)).toEqual(before);
    writeFileSync(request.out, before.subarray(0, before.lastIndexOf('{')));
    await expect(fetchMessages(request)).rejects.toThrow('it exists already, and the service lists more by now');
  });

  it('stops if another process writes to the file', async () => {
    const request: FetchRequest = requestTo(
      (
        await listService({
          count: 25,
          instead: (number) => void (number === 2 && appendFileSync(`${request.out}.partial`, 'x')),
        })
      ).url,
    );
    await expect(fetchMessages(request)).rejects.toThrow(StoreError);
    expect(await fetchMessages(request)).toMatchObject({ messages: 25 });
  });

  it('leaves out messages outside the time range, however the service treats the range', async () => {
    const service = await listService({ count: 25 });
    const request = requestTo(service.url, { since: firstSecond + 3, until: firstSecond + 12 });
    expect(await fetchMessages(request)).toMatchObject({ messages: 10 });
    expect(idsIn(request.out)).toEqual(idsTo(25).slice(3, 13));
    expect(service.asked[0]).toContain(`fromTimestamp=${firstSecond + 2}&toTimestamp=${firstSecond + 13}`);
    const upTo = requestTo(service.url, { until: firstSecond });
    expect(await fetchMessages(upTo)).toMatchObject({ messages: 1 });
    expect(service.asked.at(-1)).toContain('fromTimestamp=1&');
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
    const request = requestTo(service.url, { clock: fastClock((ms) => void waits.push(ms)) });
    expect(await fetchMessages(request)).toMatchObject({ messages: 15, requests: { list: 4, rateLimited: 1 } });
    expect(waits).toContain(7000);
  });

  it('takes a service that does not know the list for another one', async () => {
    const answer = { status: 404, body: '{"error":{"code":"ERR_CONVERSATION_NOT_FOUND","message":"no"}}' };
    const service = await listService({ count: 15, instead: () => answer });
    await expect(fetchMessages(requestTo(service.url))).rejects.toThrow('Cannot fetch from');
    expect(await fetchMessages(requestTo(service.url, { conversation: 'group_x' }))).toMatchObject({ messages: 0 });
  });

  it('asks for a key before it writes anything, and never writes it', async () => {
    const service = await listService({ count: 15, instead: dyingAt(2) });
    const request = requestTo(service.url);
    await expect(fetchMessages({ ...request, apiKey: undefined })).rejects.toThrow('no API key');
    expect(existsSync(`${request.out}.partial`)).toBe(false);
    await expect(fetchMessages(request)).rejects.toThrow(DestinationError);
    for (const end of ['.partial', '.partial.log']) expect(readFileSync(request.out + end, 'utf8')).not.toContain(key);
  });

  it('says which folder is missing', async () => {
    const request = requestTo('http://127.0.0.1:1', { out: join(home.path, 'nowhere', 'x.ndjson') });
    await expect(fetchMessages(request)).rejects.toThrow(/its folder does not exist/);
  });
});
