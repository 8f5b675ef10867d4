import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { TransportAnswer } from '../../src/service/transport.ts';
import {
  type Alteration,
  alteringService,
  type AlteringService,
  errorBody,
  itemsOf,
  plannedStore,
} from './altering-service.ts';

let template: string;
let large: string;
beforeAll(async () => {
  template = (await plannedStore([50, 50, 50])).store;
  large = (await plannedStore([150, 50])).store;
});

const asItIs: Alteration = (request, handle) => handle(request);
const noMessages: TransportAnswer = { status: 200, headers: {}, body: '{"data":[]}' };
/** Groups may be asked for; messages are not shown to anybody. */
const listNothing: Alteration = (request, handle) =>
  request.path.startsWith('/v3/messages') ? noMessages : handle(request);

/** Messages without muid and without what we add to their data: only the service's own ids are left. */
const listOwnIdsOnly: Alteration = (request, handle) => {
  const answer = handle(request);
  if (!request.path.startsWith('/v3/messages')) return answer;
  const page = JSON.parse(answer.body) as { data: Record<string, unknown>[] };
  const data = page.data.map(({ muid: _, ...listed }) => ({ ...listed, data: { text: '' } }));
  return { ...answer, body: JSON.stringify({ ...page, data }) };
};

function open(
  alterRead: Alteration,
  { alterImport = asItIs, store = template, duplicates = 'refused' as 'refused' | 'stored' } = {},
): AlteringService {
  const service = alteringService(store, alterImport, { alterRead, duplicates });
  onTestFinished(service.close);
  return service;
}

/** Every message once, however often a request was lost. */
function timesSent({ imports }: AlteringService): number[] {
  const times = new Map<string, number>();
  for (const body of imports) {
    for (const muid of Object.keys(itemsOf({ method: 'POST', path: '', headers: {}, body }))) {
      times.set(muid, (times.get(muid) ?? 0) + 1);
    }
  }
  return [...times.values()];
}

describe('a destination that lists nothing', () => {
  it('is named after the first receipt and before the second batch, with the choice', async () => {
    const service = open(listNothing);
    const { stopped, report } = await service.send();
    expect(stopped?.message).toMatch(/^Stopped: http:\/\/bench\.example does not list a message that it has confirmed/);
    expect(stopped?.hint).toMatch(/--duplicates refused.*--no-read-back/);
    expect(service.imports).toHaveLength(1);
    expect(report.totals).toMatchObject({ imported: 50, pending: 100, unconfirmed: 0 });
  });

  it('is named again by the next run, which sends nothing', async () => {
    const service = open(listNothing, { store: large });
    await service.send();
    const { stopped, requests } = await service.send({ options: { concurrency: 1 } });
    expect(stopped).toMatchObject({ code: 'not-listed' });
    expect(requests.import).toBeLessThanOrEqual(1);
  });

  it('receives everything if it is known to reject duplicates', async () => {
    const service = open(listNothing);
    const sending = { profile: { duplicates: 'refused' as const } };
    expect((await service.send(sending)).report.totals).toMatchObject({ imported: 150, pending: 0, unconfirmed: 0 });
    expect(service.reads.filter((path) => path.includes('fromTimestamp')).length).toBeLessThan(20);
  });

  it('receives everything without a read if reading back is off', async () => {
    const service = open(listNothing);
    const { report } = await service.send({ profile: { readBack: false } });
    expect(report.totals).toMatchObject({ imported: 150, pending: 0, unconfirmed: 0 });
    expect(service.reads).toEqual([]);
  });

  it('never receives a message twice if it may store it twice: unanswered messages stay unconfirmed', async () => {
    let count = 0;
    const alterImport: Alteration = (request, handle) => {
      const answer = handle(request);
      return ++count === 2 ? errorBody(500, 'ERR_EXCEPTION') : answer;
    };
    const service = open(listNothing, { alterImport, duplicates: 'stored' });
    const sending = { profile: { readBack: false } };
    const { report, stopped } = await service.send(sending);
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ imported: 100, pending: 0, unconfirmed: 50 });
    expect((await service.send(sending)).report.totals).toMatchObject({ imported: 100, unconfirmed: 50 });
    expect(Math.max(...timesSent(service))).toBe(1);
  });

  it('receives unanswered messages again if it rejects duplicates, and its answer is trusted', async () => {
    let count = 0;
    const alterImport: Alteration = (request, handle) => {
      const answer = handle(request);
      return ++count === 2 ? errorBody(500, 'ERR_EXCEPTION') : answer;
    };
    const service = open(listNothing, { alterImport });
    const { report } = await service.send({ profile: { readBack: false, duplicates: 'refused' } });
    expect(report.totals).toMatchObject({ imported: 150, existing: 0, pending: 0, unconfirmed: 0 });
  });

  it('is left alone when it answers nothing at all, before much is unconfirmed', async () => {
    const service = open(listNothing, { alterImport: () => errorBody(500, 'ERR_EXCEPTION') });
    const { report, stopped } = await service.send({
      profile: { readBack: false, batchItemsMax: 5 },
      options: { concurrency: 1 },
    });
    expect(stopped).toMatchObject({ code: 'ERR_EXCEPTION' });
    // Three, and what had left when the third was given up.
    expect(report.totals.unconfirmed).toBeLessThanOrEqual(20);
    expect(report.totals.failed).toBe(0);
  });
});

describe('a destination that lists messages with a delay', () => {
  it('is given the time of the grace, once', async () => {
    let shownFrom: number | undefined;
    const service = open((request, handle) => {
      if (!request.path.includes('fromTimestamp')) return handle(request);
      shownFrom ??= service.clock.now() + 20_000;
      return service.clock.now() < shownFrom ? noMessages : handle(request);
    });
    const { report, stopped } = await service.send();
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ imported: 150 });
  });
});

describe('a destination that lists messages as they are', () => {
  it('costs one read to prove it, and none in later runs', async () => {
    const service = open(asItIs, { store: large });
    const windows = () => service.reads.filter((path) => path.includes('fromTimestamp')).length;
    const stopping = new AbortController();
    const firstOnly = { options: { stopping: stopping.signal, concurrency: 1 } };
    service.onImport = () => stopping.abort(new Error('stopped'));
    await service.send(firstOnly);
    expect([service.imports.length, windows()]).toEqual([1, 1]);
    service.onImport = () => {};
    await service.send();
    // The other one opens the lane that goes on.
    expect([service.imports.length, windows()]).toEqual([4, 2]);
  });

  it('costs none where its listings show messages of ours anyway', async () => {
    const first = open(asItIs);
    await first.send();
    const before = first.reads.length;
    await first.send();
    expect(first.reads.slice(before)).toEqual([]);
  });
});

describe('a destination that shows only its own ids', () => {
  it('gets everything, in this run and the next', async () => {
    let isDown = true;
    const alterImport: Alteration = (request, handle) => {
      if (isDown && service.imports.length > 2) return errorBody(401, 'AUTH_ERR_NO_ACCESS');
      return handle(request);
    };
    const service: AlteringService = open(listOwnIdsOnly, { alterImport, store: large });
    expect((await service.send({ options: { concurrency: 1 } })).report.totals).toMatchObject({
      imported: 100,
      pending: 100,
    });
    isDown = false;
    expect((await service.send()).report.totals).toMatchObject({ imported: 200, pending: 0, unconfirmed: 0 });
  });

  it('keeps unanswered messages unconfirmed because their state is unknown', async () => {
    const alterImport: Alteration = (request, handle) => {
      const answer = handle(request);
      return service.imports.length === 2 ? errorBody(500, 'ERR_EXCEPTION') : answer;
    };
    const service: AlteringService = open(listOwnIdsOnly, { alterImport, duplicates: 'stored' });
    expect((await service.send()).report.totals).toMatchObject({ imported: 100, unconfirmed: 50 });
    expect(Math.max(...timesSent(service))).toBe(1);
  });
});
