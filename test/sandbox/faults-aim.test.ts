import { describe, expect, it, onTestFinished } from 'vitest';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { faultPlan, type FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { apiKey, clockAt, direct, now } from './fixture.ts';

/** Sends imports and answers what the client gets: the status, or how the answer was lost. */
function sandboxWith(plan: FaultPlanInput) {
  const sandbox = new FaultySandbox({
    store: openSandboxStore(':memory:'),
    apiKey,
    profile: 'spec',
    clock: clockAt(now),
  });
  onTestFinished(() => sandbox.close());
  sandbox.plan = plan;
  const importing = (...muids: readonly string[]) => {
    const delivery = sandbox.deliver({
      method: 'POST',
      path: '/v3/data_import/messages',
      headers: { apikey: apiKey },
      body: JSON.stringify({ messages: Object.fromEntries(muids.map((muid) => [muid, direct(muid)])) }),
    });
    if (delivery.kind === 'lost') return delivery.how;
    const { data = {} } = JSON.parse(delivery.answer.body) as { data?: Record<string, { success: boolean }> };
    return {
      status: delivery.answer.status,
      answered: Object.entries(data).map(([muid, { success }]) => [muid, success]),
    };
  };
  return { importing, timesOf: (muid: string) => sandbox.book.applied(muid).times };
}

describe('a rule with "muids"', () => {
  it('breaks imports that hold one of them, and no other', () => {
    const { importing, timesOf } = sandboxWith({ rules: [{ answer: 'error', muids: ['bad', 'worse'] }] });
    expect(importing('a', 'bad')).toMatchObject({ status: 500 });
    expect(importing('a')).toMatchObject({ status: 200 });
    expect(importing('worse')).toMatchObject({ status: 500 });
    expect([timesOf('a'), timesOf('bad')]).toEqual([1, 0]);
  });

  it('can apply all others, and not mention it', () => {
    const { importing, timesOf } = sandboxWith({ rules: [{ answer: 'normal', applied: 'others', muids: ['bad'] }] });
    expect(importing('a', 'bad', 'b')).toEqual({
      status: 200,
      answered: [
        ['a', true],
        ['b', true],
      ],
    });
    expect(importing('bad')).toEqual({ status: 200, answered: [] });
    expect(timesOf('bad')).toBe(0);
  });

  it('can refuse exactly these', () => {
    const { importing } = sandboxWith({ rules: [{ answer: 'items-refused', muids: ['bad'] }] });
    expect(importing('a', 'bad')).toEqual({
      status: 200,
      answered: [
        ['a', true],
        ['bad', false],
      ],
    });
  });

  it('is what "others" needs', () => {
    const { error } = faultPlan.safeParse({ rules: [{ answer: 'reset', applied: 'others' }] });
    expect(error?.issues).toMatchObject([{ path: ['rules', 0, 'applied'], message: expect.stringContaining('muids') }]);
  });
});

describe('a plan with "inARowMax"', () => {
  it('breaks so many imports of a message in a row, and then lets one pass', () => {
    const { importing } = sandboxWith({ inARowMax: 2, rules: [{ answer: 'reset', applied: 'nothing' }] });
    const ends = () => (typeof importing('a') === 'string' ? 'lost' : 'passed');
    expect(Array.from({ length: 7 }, ends)).toEqual(['lost', 'lost', 'passed', 'lost', 'lost', 'passed', 'lost']);
  });

  it('spares an import for the sake of one of its messages', () => {
    const { importing } = sandboxWith({ inARowMax: 1, rules: [{ answer: 'reset', applied: 'nothing' }] });
    expect(importing('a')).toBe('reset');
    expect(importing('b', 'a')).toMatchObject({ status: 200 });
    expect(importing('b')).toBe('reset');
  });
});
