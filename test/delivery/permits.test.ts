import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { databaseOf, openStoreToRead } from '../../src/store/open.ts';
import { importExport } from '../../src/commands/move.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { DestinationError } from '../../src/lib/errors.ts';
import { actionKinds } from '../../src/model/action.ts';
import { type SendPermits, type SendPermit, type PendingSend, untilSlotEnds } from '../../src/delivery/destination.ts';
import { endedForMs } from '../../src/delivery/session.ts';
import { openTarget } from '../../src/delivery/target.ts';
import { effectsIn, sceneEffects, sceneRecords } from '../scenes/actions-scene.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';
import { writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolderInMemory();

type States = readonly (readonly [string, number])[];

/** No machine is so slow that a slot passes in between. */
const clock = { ...systemClock, monotonic: () => 0 };

/** An import of the scene, with its actions, through a gate. */
async function importThrough(folder: string, leave: (leaving: PendingSend, number: number) => Promise<SendPermit>) {
  let asked = 0;
  const permits: SendPermits = { acquire: (leaving) => leave(leaving, ++asked) };
  const from = [writeRecords(join(folder, 'export.ndjson'), sceneRecords)];
  const request = await sessionRequest(folder, { from, actions: actionKinds, concurrency: 1, clock });
  const open: typeof openTarget = async (...given) => ({ ...(await openTarget(...given)), permits });
  const outcome = await importExport({ ...request, openTarget: open });
  return { ...outcome, asked };
}

function statesIn(folder: string, table: 'delivery' | 'action_delivery'): States {
  const store = openStoreToRead(join(folder, 'chatferry.db'));
  const rows = databaseOf(store).prepare(`SELECT state, count(*) FROM ${table} GROUP BY 1 ORDER BY 1`).raw().all() as [
    string,
    number,
  ][];
  store.close();
  return rows;
}

function effects(folder: string): string[] {
  const sandbox = openSandboxStore(join(folder, 'chatferry.sandbox.db'));
  const found = effectsIn(sandbox.db);
  sandbox.db.close();
  return found;
}

const atOnce: SendPermit = { untilMs: Number.POSITIVE_INFINITY };
const tooLate: SendPermit = { untilMs: Number.NEGATIVE_INFINITY };

describe('a gate', () => {
  it('is asked for every request once its intent is on disk, and receives the ids that arrived', async () => {
    const folder = home.make();
    const left: PendingSend[] = [];
    const before: (readonly [States, States])[] = [];
    const arrived = new Map<string, string | undefined>();
    const { exit } = await importThrough(folder, async (leaving) => {
      left.push(leaving);
      before.push([statesIn(folder, 'delivery'), statesIn(folder, 'action_delivery')]);
      const noteArrived: SendPermit['arrived'] = (ids) => {
        for (const [muid, id] of ids) arrived.set(muid, id);
      };
      return { ...atOnce, arrived: noteArrived };
    });
    expect(exit).toBe(0);
    const muids = left.flatMap((leaving) => ('muids' in leaving ? leaving.muids : []));
    expect(muids).toHaveLength(5);
    expect([...arrived.keys()].sort()).toEqual([...muids].sort());
    expect([...arrived.values()].every((id) => /^\d+$/.test(id!))).toBe(true);
    expect(before[0]).toEqual([[['sent', 5]], []]);
    expect(left.filter((leaving) => 'actions' in leaving)).toHaveLength(sceneEffects.length);
    for (const [, actions] of before.slice(1)) expect(actions).toContainEqual(['sent', 1]);
    expect(effects(folder)).toEqual(sceneEffects);
  });

  it('ends the run if it grants no permit: unsent messages stay unconfirmed', async () => {
    const folder = home.make();
    const lost = new DestinationError('Somebody else has taken this over', { code: 'claim-lost' });
    const { report, asked } = await importThrough(folder, () => Promise.reject(lost));
    expect(report.stopped?.code).toBe('claim-lost');
    expect([asked, report.totals?.unconfirmed]).toEqual([1, 5]);
    expect(statesIn(folder, 'delivery')).toEqual([['sent', 5]]);
  });

  it('ends the run the same way at an action', async () => {
    const folder = home.make();
    const lost = new DestinationError('Somebody else has taken this over', { code: 'claim-lost' });
    const { report } = await importThrough(folder, (leaving) =>
      'actions' in leaving ? Promise.reject(lost) : Promise.resolve(atOnce),
    );
    expect(report.stopped?.code).toBe('claim-lost');
    expect(statesIn(folder, 'action_delivery')).toEqual([['sent', 1]]);
  });

  it('is asked again if a permit came too late, and no wait or retry is counted', async () => {
    const folder = home.make();
    const { report, exit, asked } = await importThrough(folder, async (_, number) =>
      number % 3 === 0 ? atOnce : tooLate,
    );
    expect(exit).toBe(0);
    expect(asked).toBe(3 * (1 + sceneEffects.length));
    expect(report.requests?.retried).toBe(0);
    expect(effects(folder)).toEqual(sceneEffects);
    const store = openStoreToRead(join(folder, 'chatferry.db'));
    expect(databaseOf(store).prepare('SELECT number, outcome, code FROM attempt').raw().all()).toEqual([
      [1, 'not-applied', 'held_back'],
      [2, 'not-applied', 'held_back'],
      [3, 'answered', null],
    ]);
    store.close();
  });
});

describe('untilSlotEnds()', () => {
  it('gives a request 300 ms after its slot, and more each time it was too late', () => {
    const until = (heldBack: number) => untilSlotEnds({ ...systemClock, monotonic: () => 1000 }, heldBack).untilMs;
    expect([0, 1, 2].map(until)).toEqual([1300, 1600, 1900]);
  });
});

describe('endedForMs()', () => {
  const nowMs = 1_000_000;
  const requestTimeoutMs = 90_000;

  it('counts from the lock, or from the deadline where that is longer ago', () => {
    const since = (sinceMs: number) => endedForMs(sinceMs, { nowMs, lockTakenAtMs: nowMs - 5000, requestTimeoutMs });
    expect([1000, 10_000, 200_000].map(since)).toEqual([1000, 5000, 110_000]);
  });

  it('counts from the deadline alone where another holder may be alive', () => {
    const since = (sinceMs: number) => endedForMs(sinceMs, { nowMs, lockTakenAtMs: undefined, requestTimeoutMs });
    expect([1000, 200_000].map(since)).toEqual([-90_000, 109_000]);
  });
});
