import { describe, expect, it, onTestFinished } from 'vitest';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { apiKey, sendAsClient } from '../simulate/client.ts';
import { Dice } from '../simulate/dice.ts';
import { emptySandbox } from '../simulate/empty-sandbox.ts';
import { Life } from '../simulate/life.ts';
import { Machine } from '../simulate/machine.ts';
import { Network } from '../simulate/network.ts';
import { scheduleOf } from '../simulate/schedule.ts';
import { templateOf } from '../simulate/template.ts';
import { VirtualClock } from '../simulate/virtual-clock.ts';

const never = new AbortController().signal;

/** A planned store, and a hosted service with faults. */
async function scene(rules: NonNullable<FaultPlanInput['rules']>) {
  const world = new VirtualClock(Date.parse('2024-06-01T12:00:00Z'));
  const { image } = await templateOf({ shape: 'a few messages', hasDirectory: true, hasFormer: false }, world);
  const machine = new Machine(image);
  const sandbox = new FaultySandbox({ store: emptySandbox(), apiKey, profile: 'hosted', clock: world });
  sandbox.plan = { seed: 1, rules };
  onTestFinished(async () => {
    world.stop();
    machine.close();
    await sandbox.close();
  });
  const paths: string[] = [];
  const dice = new Dice(1);
  const network = new Network({ sandbox, world, latencyMaxMs: 0, dice, onRequest: ({ path }) => paths.push(path) });
  const life = new Life(Infinity);
  const store = machine.store(life);
  const clock = life.clock(world, () => 0);
  const schedule = scheduleOf(1, 'people');
  const client = { schedule, store, transport: network.transport(life), clock, random: dice.next };
  const send = () => sendAsClient(client, { stopping: never, signal: never });
  const states = () =>
    machine.db
      .prepare(
        'SELECT DISTINCT v.state, v.is_ours FROM arrival_delivery v JOIN arrival a ON a.id = v.arrival AND a.kind = ?',
      )
      .raw();
  return { sandbox, store, send, paths, of: (kind: string) => states().all(kind) };
}

const lying: NonNullable<FaultPlanInput['rules']>[number] = {
  answer: 'error',
  operations: ['importUsers'],
  status: 400,
  code: 'ERR_BAD_REQUEST',
  applied: 'whole',
};

describe('sendArrivals()', () => {
  it('takes people for its own whom the service has stored while it refused their request', async () => {
    const { send, of, store } = await scene([{ ...lying, times: 1 }]);
    await send();
    expect(of('people').toSorted()).toEqual([
      ['imported', null],
      ['imported', 1],
    ]);
    expect(store.arrivals.refused(1)).toEqual([]);
  });

  it('says of people whom the service refuses whatever it has done that they may be there, and asks again after a retry', async () => {
    const { send, of, store, sandbox } = await scene([lying]);
    await send();
    expect(of('people')).toEqual([['failed', null]]);
    const [refused] = store.arrivals.refused(1);
    expect(refused).toMatchObject({ kind: 'people', code: 'ERR_BAD_REQUEST' });
    expect(refused!.detail).toContain('may have stored it');
    store.undo.plan({ destination: 1, run: 1, insideOnly: false, keepUsers: false });
    expect(store.undo.count(1, 1)).toContainEqual(
      expect.objectContaining({ kind: 'person', state: 'left', reason: 'not-answered', calls: refused!.count }),
    );
    sandbox.plan = { seed: 1 };
    expect(store.arrivals.reopen(1)).toBeGreaterThanOrEqual(refused!.count);
    await send();
    expect(of('people')).toEqual([['imported', null]]);
  });

  it('sends no message when its receipts cannot be written', async () => {
    const { send, store, paths } = await scene([]);
    store.arrivals.receive = () => Promise.reject(new Error('disk full'));
    await expect(send()).rejects.toThrow('disk full');
    expect(paths.filter((path) => path.includes('messages'))).toEqual([]);
  });
});
