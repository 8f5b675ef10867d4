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
let muids: string[];
beforeAll(async () => {
  ({ store: template, muids } = await plannedStore([100, 100, 100]));
});

function open(alterImport: Alteration, alterRead?: Alteration): AlteringService {
  const service = alteringService(template, alterImport, alterRead && { alterRead });
  onTestFinished(service.close);
  return service;
}

const refused = (): never => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' });
};

const everything = { imported: 300, failed: 0, pending: 0, unconfirmed: 0 };

describe('a destination that takes fewer bytes than its profile says', () => {
  const takes =
    (bytesMax: number): Alteration =>
    (request, handle) =>
      Buffer.byteLength(String(request.body)) > bytesMax ? { status: 413, headers: {}, body: '' } : handle(request);

  it('gets everything, in fewer bytes, and later runs begin with that', async () => {
    const service = open(takes(6000));
    const stopping = new AbortController();
    service.onImport = () => service.imports.length === 6 && stopping.abort(new Error('stopped'));
    await service.send({ options: { stopping: stopping.signal, concurrency: 1 } });
    const first = service.imports.length;
    service.onImport = () => {};
    const { report } = await service.send({ options: { concurrency: 1 } });
    expect(report.totals).toMatchObject(everything);
    const sizes = service.imports.map((body) => Buffer.byteLength(body));
    expect(Math.max(...sizes.slice(0, first))).toBeGreaterThan(6000);
    expect(Math.max(...sizes.slice(first))).toBeLessThanOrEqual(6000);
  });

  it('refuses a message that is too large by itself, in its own words, and gets the others', async () => {
    const service = open((request, handle) => {
      if (!Object.hasOwn(itemsOf(request), muids[7]!)) return handle(request);
      return errorBody(413, 'ERR_PAYLOAD_TOO_LARGE');
    });
    const { report } = await service.send();
    expect(report.totals).toMatchObject({ ...everything, imported: 299, failed: 1 });
    expect(report.failed).toMatchObject([{ code: 'ERR_PAYLOAD_TOO_LARGE' }]);
  });
});

describe('a destination that goes away and comes back', () => {
  it('is waited for, and nothing is blamed or repeated', async () => {
    let downUntil: number | undefined;
    const whenUp: Alteration = (request, handle) => {
      if (service.imports.length >= 3) downUntil ??= service.clock.now() + 180_000;
      return downUntil !== undefined && service.clock.now() < downUntil ? refused() : handle(request);
    };
    const service: AlteringService = open(whenUp, whenUp);
    const { report, stopped } = await service.send();
    expect(stopped).toBeUndefined();
    expect(report.totals).toMatchObject({ ...everything, existing: 0 });
  });

  it('is given up after 10 minutes of silence, resumable', async () => {
    const untilThird: Alteration = (request, handle) => (service.imports.length >= 3 ? refused() : handle(request));
    const service: AlteringService = open(untilThird, untilThird);
    const before = service.clock.now();
    const { report, stopped } = await service.send();
    expect(stopped?.name).toBe('DestinationError');
    expect(service.clock.now() - before).toBeGreaterThanOrEqual(600_000);
    expect(service.clock.now() - before).toBeLessThan(700_000);
    expect(report.totals).toMatchObject({ failed: 0, unconfirmed: 0 });
    expect(report.totals.pending).toBeGreaterThan(0);
  });

  it('is abandoned immediately if it never answered: the address may be wrong', async () => {
    const service = open(refused, refused);
    const before = service.clock.now();
    expect((await service.send()).stopped?.name).toBe('DestinationError');
    expect(service.clock.now() - before).toBeLessThan(60_000);
  });
});

describe('a run that is being stopped', () => {
  const waits: readonly (readonly [string, TransportAnswer])[] = [
    ['for the service', { ...errorBody(429, 'ERR_TOO_MANY_REQUESTS'), headers: { 'retry-after': '300' } }],
    ['for a grace', { status: 504, headers: {}, body: '<html>' }],
  ];

  it.each(waits)('does not wait %s', async (_, answer) => {
    const service = open(() => answer);
    const stopping = new AbortController();
    service.onImport = () => service.clock.after(5000, () => stopping.abort(new Error('stopped')));
    const before = service.clock.now();
    const { report } = await service.send({ options: { stopping: stopping.signal } });
    expect(service.clock.now() - before).toBe(5000);
    expect(report.totals).toMatchObject({ imported: 0, failed: 0 });
    expect(report.totals.pending + report.totals.unconfirmed).toBe(300);
  });

  it('loses nothing: the next run continues', async () => {
    let isDown = true;
    const service = open((request, handle) => (isDown ? { status: 504, headers: {}, body: '' } : handle(request)));
    const stopping = new AbortController();
    service.onImport = () => service.clock.after(5000, () => stopping.abort(new Error('stopped')));
    await service.send({ options: { stopping: stopping.signal } });
    isDown = false;
    expect((await service.send()).report.totals).toMatchObject(everything);
  });
});
