import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../src/lib/flow/seeded-random.ts';
import type { TransportRequest } from '../../src/service/transport.ts';
import { firstOf, isNightly } from '../tier.ts';
import {
  type Alteration,
  alteringService,
  type AlteringService,
  errorBody,
  itemsOf,
  plannedStore,
} from './altering-service.ts';

let template: string;
beforeAll(async () => {
  ({ store: template } = await plannedStore([100, 100, 100]));
});

/** A service whose answers a test alters, and how often it stored each message. */
function open(store: string, alter: Alteration, duplicates: 'stored' | 'refused' = 'stored') {
  const times = new Map<string, number>();
  const counting: Alteration = (request, handle) =>
    alter(request, (one) => {
      for (const muid of Object.keys(itemsOf(one))) times.set(muid, (times.get(muid) ?? 0) + 1);
      return handle(one);
    });
  const service = alteringService(store, counting, { duplicates });
  onTestFinished(service.close);
  const mostTimes = () => Math.max(...times.values());
  return { service, mostTimes };
}

const everything = { imported: 300, existing: 0, failed: 0, pending: 0, unconfirmed: 0, late: 0 };

/** Alters one import in `nth`. */
const everyNth = (nth: number, alter: Alteration): Alteration => {
  let count = 0;
  return (request, handle) => (++count % nth === 0 ? alter(request, handle) : handle(request));
};

const codes = [400, 429, 404, 413, 422] as const;
const refusal = (status: number) => errorBody(status, status === 429 ? 'ERR_TOO_MANY_REQUESTS' : 'ERR_BAD_REQUEST');

describe('a service that answers with its own error, and applies the request a minute later', () => {
  it('gets nothing twice', async () => {
    const alter: Alteration = (request, handle) => {
      const { clock }: AlteringService = service;
      clock.after(60_000, () => handle(request));
      return errorBody(500, 'ERR_EXCEPTION');
    };
    const { service, mostTimes } = open(template, everyNth(3, alter));
    const { report } = await service.send();
    await service.clock.sleep(120_000);
    expect(report.totals).toMatchObject(everything);
    expect(mostTimes()).toBe(1);
  });
});

describe('a service that refuses a request as a whole, and has stored it', () => {
  const storedRefused =
    (status: number): Alteration =>
    (request, handle) => {
      handle(request);
      return refusal(status);
    };

  it.each(firstOf(1, codes))(
    'gets nothing twice, and nothing is called failed: every third request, %i',
    async (status) => {
      const { service, mostTimes } = open(template, everyNth(3, storedRefused(status)));
      const { report, stopped } = await service.send();
      expect([stopped, report.totals, mostTimes()]).toEqual([undefined, expect.objectContaining(everything), 1]);
    },
  );

  it.each(firstOf(1, codes))('gets nothing twice, and nothing is called failed: every request, %i', async (status) => {
    const { service, mostTimes } = open(template, storedRefused(status));
    const { report, stopped } = await service.send({ profile: { batchItemsMax: 5 } });
    expect([stopped, report.totals, mostTimes()]).toEqual([undefined, expect.objectContaining(everything), 1]);
  });

  it.each(firstOf(1, codes))(
    'is distinguished from one that already had the messages, if duplicates are rejected: %i',
    async (status) => {
      const { service } = open(template, everyNth(3, storedRefused(status)), 'refused');
      const { report, stopped } = await service.send({ profile: { duplicates: 'refused' } });
      expect([stopped, report.totals]).toEqual([undefined, expect.objectContaining(everything)]);
    },
  );
});

describe('a service that fails four requests in ten, whatever is in them', () => {
  it.each(firstOf(1, [50, 1]))('refuses nothing: %i messages in a request', async (batchItemsMax) => {
    for (let seed = 1; seed <= (batchItemsMax === 1 ? 1 : isNightly ? 5 : 2); seed++) {
      const random = seededRandom(seed);
      const sick: Alteration = (request, handle) => {
        if (random() < 0.4)
          return random() < 0.5 ? errorBody(500, 'ERR_EXCEPTION') : { status: 502, headers: {}, body: '' };
        return handle(request);
      };
      const { service, mostTimes } = open(template, sick);
      let last = await service.send({ profile: { batchItemsMax } });
      for (let runs = 1; last.stopped && runs < 5; runs++) last = await service.send({ profile: { batchItemsMax } });
      const { late: _, ...all } = everything;
      expect([seed, last.report.totals, mostTimes()]).toEqual([seed, expect.objectContaining(all), 1]);
    }
  });
});

describe('a service that answers no import any more, though it can be read', () => {
  const diesAfter = (count: number) => {
    const state = { isDown: true };
    const alter: Alteration = (request, handle) =>
      state.isDown && service.imports.length > count ? errorBody(500, 'ERR_EXCEPTION') : handle(request);
    const { service, mostTimes } = open(template, alter);
    return { state, service, mostTimes };
  };

  it.each(firstOf(1, [2, 0, 7]))(
    'stops the run, resumable, and nothing is blamed: after %i requests',
    async (count) => {
      const { state, service, mostTimes } = diesAfter(count);
      const first = await service.send({ profile: { batchItemsMax: 30 } });
      expect(first.stopped?.message).toContain('answers no import');
      expect(first.report.totals).toMatchObject({ failed: 0, unconfirmed: 0 });
      expect(service.imports.length).toBeLessThan(count + 70);
      state.isDown = false;
      const second = await service.send();
      const { late: _, ...all } = everything;
      expect([second.stopped, second.report.totals, mostTimes()]).toEqual([undefined, expect.objectContaining(all), 1]);
    },
  );

  it('receives everything in one run if it recovers within a quarter of an hour, and late messages are named', async () => {
    const { state, service } = diesAfter(2);
    service.onImport = () => service.clock.after(900_000, () => (state.isDown = false));
    const { stopped, report } = await service.send();
    const { late: _, ...all } = everything;
    expect([stopped, report.totals]).toEqual([undefined, expect.objectContaining(all)]);
    expect(report.totals.late).toBeLessThanOrEqual(3);
  });
});

describe('messages that no request can carry, more than fit in a request, before others of their conversation', () => {
  const alterations = (isPoison: (muid: string) => boolean): Readonly<Record<string, Alteration>> => ({
    'the others are stored': (request, handle) => {
      const [bad, good] = [true, false].map((is) =>
        Object.entries(itemsOf(request)).filter(([muid]) => isPoison(muid) === is),
      );
      if (bad!.length === 0) return handle(request);
      if (good!.length > 0) handle(withItems(request, good!));
      return errorBody(500, 'ERR_EXCEPTION');
    },
    'nothing is stored': (request, handle) =>
      Object.keys(itemsOf(request)).some(isPoison) ? errorBody(500, 'ERR_EXCEPTION') : handle(request),
  });

  const ways = Object.keys(alterations(() => false));

  it.each(ways)('stay pending while the others arrive, and are refused once the user decides: %s', async (how) => {
    const { store, muids } = await plannedStore([120]);
    const poison = new Set(muids.slice(0, 50));
    const { service, mostTimes } = open(store, alterations((muid) => poison.has(muid))[how]!);
    const first = await service.send();
    expect(first.stopped?.message).toContain('answers no import with the 50 messages that are left');
    expect(first.stopped?.hint).toContain('chatferry retry --one-by-one');
    expect(first.report.totals).toMatchObject({ imported: 70, failed: 0, pending: 50, unconfirmed: 0, late: 0 });
    const second = await service.send({ oneByOne: true });
    expect([second.stopped, mostTimes()]).toEqual([undefined, 1]);
    expect(second.report.totals).toMatchObject({ imported: 70, failed: 50, pending: 0, unconfirmed: 0, late: 0 });
  });

  it('fail in one run if enough others come behind them', async () => {
    const { store, muids } = await plannedStore([500]);
    const poison = new Set([muids[0]!, muids[60]!, muids[61]!]);
    const { service, mostTimes } = open(store, alterations((muid) => poison.has(muid))['nothing is stored']!);
    const { report, stopped } = await service.send();
    expect([stopped, mostTimes()]).toEqual([undefined, 1]);
    expect(report.totals).toMatchObject({ imported: 497, failed: 3, pending: 0, unconfirmed: 0, late: 0 });
  });

  it('stop the run if there are no others, until the user decides', async () => {
    const { store, muids } = await plannedStore([150]);
    const poison = new Set(muids.slice(0, 110));
    const { service } = open(store, alterations((muid) => poison.has(muid))['nothing is stored']!);
    const first = await service.send();
    expect(first.stopped?.message).toContain('answers no import any more');
    expect(first.report.totals).toMatchObject({ imported: 0, failed: 0, pending: 150, unconfirmed: 0 });
    let last = first;
    for (let runs = 1; last.stopped && runs < 8; runs++) last = await service.send({ oneByOne: true });
    expect(last.report.totals).toMatchObject({ imported: 40, failed: 110, pending: 0, unconfirmed: 0 });
  });
});

describe('--max-failures', () => {
  it('counts messages found by reading back', async () => {
    const { store, muids } = await plannedStore([400]);
    const poison = new Set(muids.filter((_, place) => place % 4 === 0));
    const alter: Alteration = (request, handle) => {
      const all = Object.entries(itemsOf(request));
      const good = all.filter(([muid]) => !poison.has(muid));
      if (good.length === all.length) return handle(request);
      if (good.length > 0) handle(withItems(request, good));
      return errorBody(500, 'ERR_EXCEPTION');
    };
    const { service } = open(store, alter);
    const options = { maxFailureShare: 0.4 };
    await service.send({ options });
    const { report, stopped } = await service.send({ options, oneByOne: true });
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ imported: 300, failed: 100, pending: 0 });
  });
});

describe('a service that is known to refuse duplicates', () => {
  const profile = { duplicates: 'refused' as const };
  const within = async (service: AlteringService, work: () => Promise<unknown>) => {
    const before = service.clock.now();
    await work();
    return service.clock.now() - before;
  };

  it('is not waited for where an answer leaves messages out', async () => {
    const forgets: Alteration = (request, handle) => {
      const { data } = JSON.parse(handle(request).body) as { data: Record<string, unknown> };
      return {
        status: 200,
        headers: {},
        body: JSON.stringify({ data: Object.fromEntries(Object.entries(data).slice(1)) }),
      };
    };
    const loses: Alteration = (request, handle) => {
      const all = Object.entries(itemsOf(request));
      return all.length > 1 ? forgets(withItems(request, all.slice(1)), handle) : handle(request);
    };
    const { service } = open(template, everyNth(2, loses), 'refused');
    let last: Awaited<ReturnType<AlteringService['send']>> | undefined;
    const tookMs = await within(service, async () => (last = await service.send({ profile })));
    const { late: _, ...all } = everything;
    expect(last!.report.totals).toMatchObject(all);
    expect(tookMs).toBeLessThan(10_000);
  });

  it('is not waited for after a run that was cut', async () => {
    const hangsUp = (): never => {
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    };
    const alter: Alteration = (request, handle) => (service.imports.length === 3 ? hangsUp() : handle(request));
    const { service } = open(template, alter, 'refused');
    const cutting = new AbortController();
    service.onImport = () => service.imports.length === 3 && cutting.abort(new Error('cut'));
    await service.send({ profile, options: { signal: cutting.signal } });
    service.onImport = () => {};
    let last: Awaited<ReturnType<AlteringService['send']>> | undefined;
    const tookMs = await within(service, async () => (last = await service.send({ profile })));
    expect(last!.report.totals).toMatchObject(everything);
    expect(tookMs).toBeLessThan(10_000);
  });
});

const withItems = (request: TransportRequest, items: readonly (readonly [string, unknown])[]): TransportRequest => ({
  ...request,
  body: JSON.stringify({ messages: Object.fromEntries(items) }),
});
