import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Alteration, alteringService, itemsOf, plannedStore } from './altering-service.ts';

const total = 1000;
let template: string;
beforeAll(async () => {
  ({ store: template } = await plannedStore([400, 300, 200, 100]));
});

/** Refuses the given messages, each with its own error, and stores the others. */
function refusing(isRefused: () => boolean) {
  const state = { isRefusing: true };
  const alter: Alteration = (request, handle) => {
    const all = Object.entries(itemsOf(request));
    const bad = state.isRefusing ? all.filter(isRefused) : [];
    const good = all.filter((item) => !bad.includes(item));
    const stored =
      good.length === 0
        ? {}
        : JSON.parse(handle({ ...request, body: JSON.stringify({ messages: Object.fromEntries(good) }) }).body).data;
    const refused = bad.map(([muid]) => [
      muid,
      { success: false, error: { code: 'ERR_EXCEPTION', message: 'It is too old' } },
    ]);
    return { status: 200, headers: {}, body: JSON.stringify({ data: { ...stored, ...Object.fromEntries(refused) } }) };
  };
  const service = alteringService(template, alter);
  onTestFinished(service.close);
  const send = (maxFailureShare = 0.2, profile = {}) =>
    service.send({ options: { maxFailureShare: maxFailureShare }, profile });
  return { service, state, send };
}

const everything = () => true;

describe('an import that stops for refusals', () => {
  it('reports that all failed messages are old, and how many of the others are', async () => {
    const { send } = refusing(everything);
    const { stopped, report } = await send();
    const { failed, pending } = report.totals;
    expect(failed + pending).toBe(total);
    expect(stopped?.message).toMatch(/refused 100 % of the last 200 messages with ERR_EXCEPTION: It is too old$/);
    expect(stopped?.hint).toContain(
      `${failed} of 1,000 messages failed with it, all of them older than 183 days, as are ${pending} of the ${pending} still to be sent`,
    );
    expect(stopped?.goOn).toEqual(['--retention-days 183', '--max-failures 100%']);
  });

  it.each([
    ['the user says how long messages are kept', { isRetentionSaid: true as const }],
    ['the profile knows how long', { limits: { retentionDays: 100_000 } }],
  ])('does not blame the age where %s', async (_, profile) => {
    const { stopped } = await refusing(everything).send(0.2, profile);
    expect(stopped?.goOn).toEqual(['--max-failures 100%']);
  });

  it('does not blame the age where an old message has arrived', async () => {
    let count = 0;
    const { stopped, report } = await refusing(() => count++ > 0).send();
    expect([stopped?.goOn, report.totals.imported]).toEqual([['--max-failures 100%'], 1]);
  });

  it('has only one batch rejected if it is run again with nothing decided, never 200 messages', async () => {
    const { service, send } = refusing(everything);
    let last = (await send()).report.totals.failed;
    const before = service.imports.length;
    for (let run = 1; run <= 3; run++) {
      const { stopped, report } = await send();
      expect([stopped?.message, report.totals.failed - last, service.imports.length - before]).toEqual([
        expect.stringContaining('refused 100 % of the last 20 messages'),
        50,
        run,
      ]);
      last = report.totals.failed;
    }
  });

  it('comes to its end with the first decision that it names', async () => {
    const { service, send } = refusing(everything);
    const { report: before } = await send();
    const requests = service.imports.length;
    const { stopped, report } = await send(0.2, { limits: { retentionDays: 183 } });
    expect([stopped, report.totals.pending, report.totals.failed]).toEqual([undefined, 0, total]);
    expect(service.imports.length).toBe(requests);
    expect(report.failed.map(({ count }) => count)).toEqual([total - before.totals.failed, before.totals.failed]);
  });

  it('comes to its end with the second one', async () => {
    const { send } = refusing(everything);
    await send();
    const { stopped, report } = await send(1);
    expect([stopped, report.totals]).toEqual([undefined, expect.objectContaining({ pending: 0, failed: total })]);
  });

  it('continues normally once the cause is fixed', async () => {
    const { state, send } = refusing(everything);
    const { failed } = (await send()).report.totals;
    state.isRefusing = false;
    const { stopped, report } = await send();
    expect([stopped, report.totals]).toEqual([
      undefined,
      expect.objectContaining({ pending: 0, imported: total - failed }),
    ]);
    expect((await send()).stopped).toBeUndefined();
  });
});
