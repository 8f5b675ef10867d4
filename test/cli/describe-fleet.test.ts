import { describe, expect, it } from 'vitest';
import { describeFleet } from '../../src/cli/terminal/describe-fleet.ts';
import type { FleetOverview, WorkerOverview } from '../../src/fleet/fleet-overview.ts';

const worker = (id: string, about: Partial<WorkerOverview> = {}): WorkerOverview => ({
  ...{ id, host: id, version: '1.0.0', leases: 2, running: 0, silentMs: 1_000, isSilent: false, waiting: 0 },
  ...about,
});

type UnitOverview = FleetOverview['units'][number];

const unit = (name: string, about: Partial<UnitOverview> = {}): UnitOverview => ({
  ...{ tenant: 'acme', name, address: 'https://chat.example', state: 'waiting', phase: 'send' },
  ...{ waitsFor: null, isPlanned: true },
  ...{ planned: 0, imported: 0, existing: 0, remaining: 0, invalid: 0, failed: 0, quota: null, used: 0 },
  ...{ dueInMs: null, etaMs: null, worker: null, leases: 1, takeovers: 0, startedAgoMs: null, endedAgoMs: null },
  ...{ failures: 0, stage: null, reason: null, lastLease: null },
  ...about,
});

const shown = (units: readonly UnitOverview[], workers: readonly WorkerOverview[] = [worker('one')]): string[] => {
  const overview: FleetOverview = {
    database: { name: 'ferry on db', ms: 0.4 },
    files: { isUp: true, words: 'ok' },
    workers,
    units,
  };
  return describeFleet(overview).split('\n');
};

/** Cells of a row of the table. */
const cells = (units: readonly UnitOverview[], row: number): readonly string[] =>
  shown(units)[row + 3]!.trim().split(/ {2,}/);

describe('describeFleet()', () => {
  it('shows messages that arrived, regardless of which program imported them, and the time left', () => {
    const sending = unit('slack', {
      ...{ state: 'running', planned: 5_000, imported: 900, existing: 100, remaining: 4_000, quota: 300, used: 296 },
      ...{ etaMs: 62_000, worker: 'one', stage: { stage: 'Sending', done: 100, total: 4_100 } },
    });
    const [head, , columns] = shown([sending], [worker('one', { running: 1 })]);
    expect(head).toBe('1 worker, 1 lease running   database 1 ms, files ok');
    expect(columns).toMatch(/^TENANT +UNIT +STATE +PLANNED +IMPORTED +REMAINING +QUOTA +TIME LEFT +WORKER$/);
    expect(cells([sending], 0)).toEqual([
      ...['acme', 'slack', 'sending', '5,000', '1,000', '4,000', '296/300 a min', '1 min 2 s', 'one'],
    ]);
  });

  it('shows no number where none is known', () => {
    expect(cells([unit('new', { isPlanned: false })], 0).slice(3)).toEqual(['–', '–', '–', '–', '–', '–']);
    expect(cells([unit('fast', { used: 25 })], 0)[6]).toBe('25 a min, no limit known');
  });

  it('says what each unit that is due waits for', () => {
    const words = (['takeover', 'worker', 'destination', 'lease'] as const).map(
      (waitsFor) => cells([unit('x', { waitsFor })], 0)[2],
    );
    expect(words).toEqual([
      'waits: its worker is silent',
      'waits: no worker runs',
      'waits: two others at its destination run',
      'waits: no free lease',
    ]);
    expect(cells([unit('later', { dueInMs: 90_000 })], 0)).toContain('next in 1 min 30 s');
  });

  it('says of a silent worker what waits for another, and nothing more once nothing does', () => {
    const silent = (waiting: number) => worker('dead', { isSilent: true, silentMs: 32_000, waiting });
    const line = (...workers: WorkerOverview[]) => shown([unit('x')], workers)[1];
    expect(line(worker('one'), silent(2))).toBe(
      'Silent    dead, for 32 s: 2 units of it wait for a free lease of another worker',
    );
    expect(line(silent(1))).toBe('Silent    dead, for 32 s: 1 unit of it waits for another worker, and none runs');
    expect(line(worker('one'), silent(0))).toBe('Silent    dead, for 32 s');
  });

  it('says to start a worker where none runs and something waits for one', () => {
    const words = 'No worker runs: start one with chatferry worker';
    expect(shown([unit('x')], []).at(-1)).toBe(words);
    expect(shown([unit('x', { state: 'done' })], [])).not.toContain(words);
    expect(shown([unit('x')])).not.toContain(words);
  });

  it('explains why a unit needs attention, which log to read, and what to do', () => {
    const lastLease = { worker: 'one', endedAgoMs: 120_000 };
    const below = (about: Partial<UnitOverview>) =>
      shown([unit('slack', { reason: 'usage: a setting cannot be used (exit 2)', lastLease, ...about })]).slice(5);
    expect(below({ state: 'stopped' })).toEqual([
      'acme/slack: usage: a setting cannot be used (exit 2)',
      '  its last lease was on one, and ended 2 min ago',
      '  needs your decision; then run: chatferry fleet retry acme/slack',
    ]);
    expect(below({ state: 'dead', lastLease: { ...lastLease, endedAgoMs: null } }).slice(1)).toEqual([
      '  its last lease was on one, which died with it',
      '  put the cause right, then: chatferry fleet retry acme/slack',
    ]);
    const again = (about: Partial<UnitOverview>) => below({ failures: 2, ...about }).at(-1);
    expect(again({ dueInMs: 90_000 })).toBe(
      '  failed 2 times, tried again in 1 min 30 s; to retry now, run: chatferry fleet retry acme/slack',
    );
    expect(again({ dueInMs: 0 })).toBe('  failed 2 times, tried again');
    expect(again({ state: 'running' })).toBe('  failed 2 times, tried again now');
    expect(below({ state: 'paused' }).slice(1)).toEqual(['  it rests until: chatferry fleet resume acme/slack']);
  });
});
