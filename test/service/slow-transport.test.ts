import { describe, expect, it } from 'vitest';
import { withSlowReport } from '../../src/service/http-transport.ts';

/** Alarms that a test sets off itself. */
function alarms() {
  const set = new Map<() => void, number>();
  const alarm = (ms: number, call: () => void) => {
    set.set(call, ms);
    return () => void set.delete(call);
  };
  const ring = () => {
    for (const call of set.keys()) call();
  };
  return { clock: { alarm }, ring, delays: () => [...set.values()] };
}

const request = { method: 'GET', path: '/v3/messages', headers: {} } as const;
const never = new AbortController().signal;

describe('withSlowReport()', () => {
  it('reports a request that takes longer than 10 s, with the time that is left until its deadline', async () => {
    const { clock, ring, delays } = alarms();
    const answer = Promise.withResolvers<{ status: number; headers: object; body: string }>();
    const slow: number[] = [];
    const inner = { send: () => answer.promise as never, close: async () => {} };
    const transport = withSlowReport(inner, { clock, requestTimeoutMs: 20_000, onSlow: (ms) => slow.push(ms) });
    const sent = transport.send(request, never);
    expect(delays()).toEqual([10_000]);
    ring();
    answer.resolve({ status: 200, headers: {}, body: '' });
    expect(await sent).toMatchObject({ status: 200 });
    expect(slow).toEqual([10_000]);
  });

  it('forgets a request that was answered in time, or failed', async () => {
    const { clock, delays } = alarms();
    const slow: number[] = [];
    const inner = { send: () => Promise.reject(new Error('cut')), close: async () => {} };
    const transport = withSlowReport(inner, { clock, onSlow: (ms) => slow.push(ms) });
    await expect(transport.send(request, never)).rejects.toThrow('cut');
    expect([delays(), slow]).toEqual([[], []]);
  });
});
