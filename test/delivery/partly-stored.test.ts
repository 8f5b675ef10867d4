import Database from 'better-sqlite3';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { sharedPace } from '../../src/delivery/pace.ts';
import { Suspects } from '../../src/delivery/lanes/suspects.ts';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import { profiles } from '../../src/service/profiles.ts';
import type { TransportRequest } from '../../src/service/transport.ts';
import type { Sending } from '../scenes/bench.ts';
import { type Alteration, alteringService, errorBody, itemsOf, plannedStore } from './altering-service.ts';
import { laneOf, rowsOf } from './fixture.ts';
import { isNightly } from '../tier.ts';
import { attemptsMax } from '../../src/lib/flow/retry.ts';

/** Messages in each of ten conversations. */
const size = isNightly ? 300 : 100;
const whole = 10 * size;
const dayMs = 86_400_000;
let template: Awaited<ReturnType<typeof plannedStore>>;
beforeAll(async () => {
  template = await plannedStore(Array.from({ length: 10 }, () => size));
});

const withItems = (request: TransportRequest, items: readonly (readonly [string, unknown])[]): TransportRequest => ({
  ...request,
  body: JSON.stringify({ messages: Object.fromEntries(items) }),
});

/** Answers 500 to each request with a message that it does not store, after storing the others. */
const storingOthers =
  (isStored: (muid: string, item: { readonly sentAt: string }) => boolean): Alteration =>
  (request, handle) => {
    const all = Object.entries(itemsOf(request)) as [string, { readonly sentAt: string }][];
    const good = all.filter(([muid, item]) => isStored(muid, item));
    if (good.length === all.length) return handle(request);
    if (good.length > 0) handle(withItems(request, good));
    return errorBody(500, 'ERR_EXCEPTION');
  };

const failedIn = (store: string): Set<string> => {
  const db = new Database(store, { readonly: true });
  const failed = db.prepare(
    `SELECT m.muid FROM delivery d JOIN message m ON m.seq = d.message WHERE d.state = 'failed'`,
  );
  const muids = new Set(failed.pluck().all() as string[]);
  db.close();
  return muids;
};

/** A run with some of the messages bad, by chance. */
async function sendWithBad(share: number, { store, muids } = template, sending: Partial<Sending> = {}, seed = 1) {
  const random = seededRandom(seed);
  const bad = new Set(muids.filter(() => random() < share));
  const service = alteringService(
    store,
    storingOthers((muid) => !bad.has(muid)),
    { duplicates: 'stored' },
  );
  onTestFinished(service.close);
  const startedMs = service.clock.now();
  const sent = await service.send(sending);
  return { ...sent, bad, failed: failedIn(service.store), tookMs: service.clock.now() - startedMs, service };
}

const refused = { profile: { duplicates: 'refused', graceLongMs: 0 } } as const;

describe('a service that answers 500 after storing the good messages of a request', () => {
  it('gets messages with 2 % bad ones in few more requests, and these fail by name', async () => {
    const { bad, failed, report, requests, stopped, tookMs } = await sendWithBad(0.02, template, refused);
    expect([stopped, failed]).toEqual([undefined, bad]);
    expect(report.totals).toMatchObject({ imported: whole - bad.size, pending: 0, unconfirmed: 0, late: 0 });
    expect(report.failed).toMatchObject([{ code: 'refused-without-reason', count: bad.size }]);
    expect(requests.import).toBeLessThan(isNightly ? 100 : 45);
    expect(tookMs).toBeLessThan(1000);
  });

  it('gets them in seven times as many requests if half of them are bad', async () => {
    const { bad, failed, report, requests, stopped } = await sendWithBad(0.5, template, refused, 3);
    expect([stopped, failed]).toEqual([undefined, bad]);
    expect(report.totals).toMatchObject({ imported: whole - bad.size, pending: 0, unconfirmed: 0, late: 0 });
    expect(requests.import).toBeLessThan(isNightly ? 400 : 150);
  });

  it.each([
    ['one conversation', [1500]],
    ['150 conversations', Array.from({ length: 150 }, () => 10)],
  ])('gets everything once, in order: %s', async (_, sizes) => {
    const { bad, failed, report, requests, stopped, service } = await sendWithBad(
      0.2,
      await plannedStore(sizes),
      {},
      2,
    );
    expect([stopped, failed]).toEqual([undefined, bad]);
    expect(report.totals).toMatchObject({ imported: 1500 - bad.size, pending: 0, unconfirmed: 0, late: 0 });
    expect(requests.import).toBeLessThan(100);
    expect(await service.check()).toMatchObject({ missing: 0, duplicated: 0 });
  });

  it('with the defaults of the hosted service, ends no later than three minutes after its forecast', async () => {
    const pace = { address: 'a', path: ':memory:', perMinute: { import: profiles.hosted.importsPerMinute! } };
    const { graceLongMs, duplicates, batchItemsMax, importsPerMinute } = profiles.hosted;
    const profile = { graceLongMs, duplicates, batchItemsMax, importsPerMinute: importsPerMinute! };
    const random = seededRandom(1);
    const bad = new Set(template.muids.filter(() => random() < 0.02));
    const service = alteringService(
      template.store,
      storingOthers((muid) => !bad.has(muid)),
      { duplicates: 'stored' },
    );
    onTestFinished(service.close);
    const startedMs = service.clock.now();
    const openPace = () => sharedPace({ ...pace, clock: service.clock, onWait() {} });
    const { stopped } = await service.send({ profile, pace: openPace });
    expect([stopped, failedIn(service.store)]).toEqual([undefined, bad]);
    const forecastMs = (whole / batchItemsMax / importsPerMinute!) * 60_000;
    expect(service.clock.now() - startedMs).toBeLessThan(forecastMs + 180_000);
  });
});

describe('a service that stores each message or not, by chance, and answers 500', () => {
  it('refuses nothing', async () => {
    const random = seededRandom(1);
    const service = alteringService(
      template.store,
      storingOthers(() => random() < 0.5),
      { duplicates: 'stored' },
    );
    onTestFinished(service.close);
    const { report, stopped } = await service.send();
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ imported: whole, failed: 0, pending: 0, unconfirmed: 0 });
  });
});

describe('a service that keeps 30 days, though nobody says so', () => {
  const spread = { fromSeconds: 1_795_262_400 - 90 * 86_400, stepSeconds: (90 * 86_400) / 3000 };
  const conversations = isNightly ? 5 : 3;

  it('is noticed after some twenty requests, and the run says from when on it takes messages', async () => {
    const { store } = await plannedStore(Array<number>(conversations).fill(3000), spread);
    const keptFrom = (nowMs: number) => (nowMs - 30 * dayMs) / 1000;
    const alter: Alteration = (request, handle) =>
      storingOthers((_, { sentAt }) => Number(sentAt) >= keptFrom(service.clock.now()))(request, handle);
    const service = alteringService(store, alter, { duplicates: 'stored' });
    onTestFinished(service.close);
    const first = await service.send();
    expect(first.stopped?.message).toContain('the destination seems to refuse messages before 2026-10-2');
    expect(first.stopped?.goOn).toEqual(['--retention-days 30']);
    expect(service.imports.length).toBeLessThanOrEqual(22);
    expect(first.report.totals).toMatchObject({ failed: 0, unconfirmed: 0 });
    const second = await service.send({ profile: { limits: { retentionDays: 30 } } });
    expect(second.stopped).toBeUndefined();
    expect(second.report.totals.imported).toBeGreaterThan(980 * conversations);
    expect(await service.check()).toMatchObject({ missing: 0, duplicated: 0 });
  });

  it('is not said to do so if it takes what comes behind the first batches', async () => {
    const { store, muids } = await plannedStore([300, 300, 300, 300], spread);
    const bad = new Set(muids.filter((_, place) => place % 300 === 7));
    const nothing: Alteration = (request, handle) =>
      Object.keys(itemsOf(request)).some((muid) => bad.has(muid)) ? errorBody(500, 'ERR_EXCEPTION') : handle(request);
    const service = alteringService(store, nothing, { duplicates: 'stored' });
    onTestFinished(service.close);
    const { report, stopped } = await service.send();
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ imported: 1196, failed: 4, pending: 0 });
  });
});

describe('Suspects', () => {
  /** Sends messages in requests of 50, with suspects first, until all have arrived or failed. */
  function simulate(count: number, isStored: (muid: string) => boolean) {
    const lane = laneOf(1, { state: 'ready' });
    const rows = rowsOf(lane, Array<string>(count).fill('x'), 1);
    const suspects = new Suspects({ untriedLanes: () => new Set() });
    const failed: string[] = [];
    let requests = 0;
    for (let at = 0; at < rows.length || !suspects.isEmpty; requests++) {
      const due = suspects.due({ itemsMax: 50, bytesMax: Infinity });
      const fresh = rows.slice(at, at + 50 - due.length);
      at += fresh.length;
      const sent = [...due, ...fresh];
      const absent = new Set(sent.map(({ muid }) => muid).filter((muid) => !isStored(muid)));
      suspects.noteSent(due);
      const left = suspects.judge({ rows: sent, absent, refused: new Set(), failure: { code: 'c', detail: 'd' } });
      failed.push(...left.map(({ muid }) => muid));
    }
    return { failed, requests };
  }

  it.each([0.1, 0.5, 0.8])('never fail if the service leaves out %d of all messages', (share) => {
    const random = seededRandom(2);
    expect(simulate(20_000, () => random() >= share).failed).toEqual([]);
  });

  it('fail after six tries if the service stores all others', () => {
    const bad = new Set(
      rowsOf(laneOf(1), Array<string>(2000).fill('x'), 1)
        .filter((_, place) => place % 50 === 7)
        .map(({ muid }) => muid),
    );
    const { failed, requests } = simulate(2000, (muid) => !bad.has(muid));
    expect(new Set(failed)).toEqual(bad);
    expect(requests).toBeLessThan(40 + 2 * attemptsMax);
  });
});
