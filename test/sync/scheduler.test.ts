import { describe, expect, it } from 'vitest';
import type { JobCause, JobResult, RunStop } from '../../src/sync/job-result.ts';
import type { Job } from '../../src/sync/job.ts';
import type { JobRun, RunContext } from '../../src/sync/run-job.ts';
import { runScheduler } from '../../src/sync/scheduler.ts';
import { lastJobRun } from '../../src/sync/job-state.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';
import { jobsOf, syncScene } from './fixture.ts';

const home = temporaryFolder();
const minute = 60_000;

const resultOf = (job: string, { number, startedAtMs, clock }: RunContext, exit = 0): JobResult => ({
  job,
  number,
  startedAtMs,
  endedAtMs: clock.now(),
  exit,
  isChanged: false,
  remaining: { pending: 0, unconfirmed: 0 },
  added: {
    read: 0,
    skipped: 0,
    invalid: 0,
    imported: 0,
    existing: 0,
    failed: 0,
    late: 0,
    drift: {},
    arrivals: {},
    actions: {},
  },
  requests: { import: 0, list: 0, retried: 0, rateLimited: 0 },
  verify: null,
  stopped: null,
  notes: [],
  report: null,
});

/** A run that takes so long, and stops when it is asked to. */
const lasting =
  (ms: number) =>
  async (job: Job, run: RunContext): Promise<JobRun> => {
    const end = await run.clock.sleep(ms, run.stopping).then(
      () => undefined,
      () => run.stopping.reason as RunStop,
    );
    return { result: resultOf(job.config.name, run, end?.exit), isCut: end !== undefined };
  };

interface Told {
  readonly job: string;
  readonly cause: JobCause;
  readonly at: string;
}

interface Options {
  readonly from: string;
  readonly until: string;
  readonly jobs: string;
  readonly run?: (job: Job, run: RunContext) => Promise<JobRun>;
  readonly random?: () => number;
  readonly folder?: string;
  /** Used once, at this instant: the wall clock jumps as it does on a machine that slept. */
  readonly sleepAt?: { readonly at: string; readonly forMs: number };
}

/** Wall time runs ahead of the timers by as long as the machine slept. */
class SleepyClock extends VirtualClock {
  sleptMs = 0;
  override now(): number {
    return super.now() + this.sleptMs;
  }
}

/** Every run that began, by the wall clock. */
async function told({ from, until, jobs, run = lasting(minute), random, folder = home.make(), sleepAt }: Options) {
  const clock = new SleepyClock(Date.parse(from));
  const begun: Told[] = [];
  const scene = syncScene(folder, {
    clock,
    run,
    ...(random && { random }),
    listener: {
      runStarted: (job, { startedAtMs, cause }) =>
        begun.push({ job, cause, at: new Date(startedAtMs).toISOString().slice(0, 19) }),
    },
  });
  clock.after(Date.parse(until) - Date.parse(from) - (sleepAt?.forMs ?? 0), scene.stop);
  if (sleepAt) clock.after(Date.parse(sleepAt.at) - Date.parse(from), () => (clock.sleptMs = sleepAt.forMs));
  await runScheduler(jobsOf(folder, jobs), scene.context);
  clock.stop();
  return { begun, state: scene.state, folder };
}

const job = (rest: string, name = 'a') => `  - { name: ${name}, to: sandbox, export: x, ${rest} }\n`;
const times = (begun: readonly Told[]) => begun.map(({ at, cause }) => `${at} ${cause}`);

describe('runScheduler()', () => {
  it('runs each job at its times, by the clock of its zone', async () => {
    const { begun } = await told({
      from: '2026-03-29T00:30:00Z',
      until: '2026-03-30T06:30:00Z',
      jobs: `jobs:\n${job("schedule: '30 2 * * *', timeZone: Europe/Berlin", 'night')}${job("schedule: '0 6 * * *'", 'morning')}`,
    });
    expect(begun.map((run) => `${run.at} ${run.job}`)).toEqual([
      '2026-03-29T01:00:00 night',
      '2026-03-29T06:00:00 morning',
      '2026-03-30T00:30:00 night',
      '2026-03-30T06:00:00 morning',
    ]);
  });

  it('never overlaps runs of a job: missed runs are made up once', async () => {
    let running = 0;
    let most = 0;
    const run = async (...args: Parameters<ReturnType<typeof lasting>>) => {
      most = Math.max(most, ++running);
      const result = await lasting(25 * minute)(...args);
      running--;
      return result;
    };
    const { begun } = await told({
      from: '2026-05-01T11:59:00Z',
      until: '2026-05-01T13:00:00Z',
      run,
      jobs: `jobs:\n${job("schedule: '*/10 * * * *'")}`,
    });
    expect(times(begun)).toEqual([
      '2026-05-01T12:00:00 schedule',
      '2026-05-01T12:25:00 made-up',
      '2026-05-01T12:50:00 made-up',
    ]);
    expect(most).toBe(1);
  });

  it('runs other jobs during a long one', async () => {
    const { begun } = await told({
      from: '2026-05-01T11:59:00Z',
      until: '2026-05-01T12:21:00Z',
      jobs: `jobs:\n${job("schedule: '0 * * * *'", 'long')}${job("schedule: '*/10 * * * *'", 'short')}`,
      run: (one, run) => lasting(one.config.name === 'long' ? 55 * minute : minute)(one, run),
    });
    expect(begun.map((run) => `${run.at.slice(11, 16)} ${run.job}`)).toEqual([
      ...['12:00 long', '12:00 short', '12:10 short', '12:20 short'],
    ]);
  });

  it('makes up once, immediately, for runs missed while the machine slept', async () => {
    const { begun } = await told({
      from: '2026-05-01T11:59:00Z',
      until: '2026-05-01T18:20:00Z',
      sleepAt: { at: '2026-05-01T12:30:00Z', forMs: 330 * minute },
      jobs: `jobs:\n${job("schedule: '0 * * * *'")}`,
    });
    expect(begun).toHaveLength(2);
    expect(begun[0]).toMatchObject({ cause: 'schedule', at: '2026-05-01T12:00:00' });
    // Within the half minute after which it looks at the clock again; 18:00 itself fell into the sleep.
    expect(begun[1]!.cause).toBe('made-up');
    expect(Date.parse(`${begun[1]!.at}Z`) - Date.parse('2026-05-01T18:00:00Z')).toBeLessThanOrEqual(30_000);
  });

  it('is not held up by a clock that was wrong and was put right, before or while it waits', async () => {
    const folder = home.make();
    const jobs = `jobs:\n${job("schedule: '0 * * * *'")}`;
    const wrong = await told({ from: '2040-01-01T11:30:00Z', until: '2040-01-01T11:40:00Z', jobs, folder });
    expect(wrong.begun).toEqual([]);
    wrong.state.close();
    const right = await told({
      from: '2026-05-01T11:30:00Z',
      until: '2026-05-01T12:30:00Z',
      jobs,
      folder,
      sleepAt: { at: '2026-05-01T11:45:00Z', forMs: -120 * minute },
    });
    expect(times(right.begun).map((time) => time.slice(0, 19))).toEqual([
      ...['2026-05-01T10:00:00', '2026-05-01T11:00:00', '2026-05-01T12:00:00'],
    ]);
  });

  it('makes up once for runs missed while no process ran', async () => {
    const folder = home.make();
    const jobs = `jobs:\n${job("schedule: '0 * * * *'")}`;
    const first = await told({ from: '2026-05-01T11:59:00Z', until: '2026-05-01T12:30:00Z', jobs, folder });
    first.state.close();
    const { begun } = await told({ from: '2026-05-03T09:15:00Z', until: '2026-05-03T10:30:00Z', jobs, folder });
    expect(times(begun)).toEqual(['2026-05-03T09:15:00 made-up', '2026-05-03T10:00:00 schedule']);
  });

  it('starts a new job at its first scheduled time, not immediately', async () => {
    const { begun } = await told({
      from: '2026-05-01T11:15:00Z',
      until: '2026-05-01T11:59:00Z',
      jobs: `jobs:\n${job("schedule: '0 * * * *'")}`,
    });
    expect(begun).toEqual([]);
  });

  it('calculates the next run again if the schedule was changed', async () => {
    const folder = home.make();
    const of = (cron: string) => `jobs:\n${job(`schedule: '${cron}'`)}`;
    const first = await told({
      from: '2026-05-01T11:59:00Z',
      until: '2026-05-01T12:30:00Z',
      jobs: of('0 * * * *'),
      folder,
    });
    first.state.close();
    const { begun } = await told({
      from: '2026-05-03T09:15:00Z',
      until: '2026-05-03T20:30:00Z',
      jobs: of('0 20 * * *'),
      folder,
    });
    expect(times(begun)).toEqual(['2026-05-03T20:00:00 schedule']);
  });

  it('moves each run by up to the jitter, and keeps the moved time over a restart', async () => {
    const folder = home.make();
    const random = [0.5, 0.999_999, 0, 0.25];
    const jobs = `jobs:\n${job("schedule: '0 * * * *', jitter: 10m")}`;
    const first = await told({
      from: '2026-05-01T11:30:00Z',
      until: '2026-05-01T13:05:00Z',
      folder,
      jobs,
      random: () => random.shift()!,
    });
    expect(times(first.begun)).toEqual(['2026-05-01T12:05:00 schedule']);
    first.state.close();
    const second = await told({
      from: '2026-05-01T13:06:00Z',
      until: '2026-05-01T14:30:00Z',
      folder,
      jobs,
      random: () => random.shift()!,
    });
    expect(times(second.begun)).toEqual(['2026-05-01T13:09:59 schedule', '2026-05-01T14:00:00 schedule']);
  });

  it('makes up once, when the hours begin, what fell due outside of them', async () => {
    const { begun } = await told({
      from: '2026-05-01T19:30:00Z',
      until: '2026-05-02T02:30:00Z',
      jobs: `jobs:\n${job("schedule: '0 * * * *', hours: 22:00-00:30")}`,
    });
    expect(times(begun)).toEqual([
      '2026-05-01T22:00:00 made-up',
      '2026-05-01T23:00:00 schedule',
      '2026-05-02T00:00:00 schedule',
    ]);
  });

  it('stops a run at the end of its hours, and continues in the next ones', async () => {
    const exits: number[] = [];
    const { begun } = await told({
      from: '2026-05-01T21:30:00Z',
      until: '2026-05-03T01:00:00Z',
      jobs: `jobs:\n${job("schedule: '0 22 * * *', hours: 22:00-06:00")}`,
      run: async (one, run) => {
        const ended = await lasting(run.number === 1 ? 10 * 3_600_000 : 3_600_000)(one, run);
        exits.push(ended.result.exit);
        expect(run.clock.now()).toBe(Date.parse(run.number === 1 ? '2026-05-02T06:00Z' : '2026-05-02T23:00Z'));
        return ended;
      },
    });
    // The run that is due at the same time as the one that goes on is the same.
    expect(times(begun)).toEqual(['2026-05-01T22:00:00 schedule', '2026-05-02T22:00:00 resumed']);
    expect(exits).toEqual([143, 0]);
  });

  it('continues a killed run immediately', async () => {
    const folder = home.make();
    const jobs = `jobs:\n${job("schedule: '0 22 * * *'")}`;
    const clock = new VirtualClock(Date.parse('2026-05-01T21:59:00Z'));
    const begun = Promise.withResolvers<void>();
    const scene = syncScene(folder, {
      clock,
      run: () => {
        begun.resolve();
        return new Promise(() => {});
      },
    });
    void runScheduler(jobsOf(folder, jobs), scene.context);
    await begun.promise;
    clock.stop();
    scene.state.close();
    const { begun: again } = await told({ from: '2026-05-01T23:10:00Z', until: '2026-05-02T21:00:00Z', jobs, folder });
    expect(times(again)).toEqual(['2026-05-01T23:10:00 resumed']);
  });

  it('stops what runs when it is asked to stop, and remembers that it is not done', async () => {
    const { begun, state } = await told({
      from: '2026-05-01T11:59:00Z',
      until: '2026-05-01T12:10:00Z',
      jobs: `jobs:\n${job("schedule: '0 * * * *'")}`,
      run: async (one, run) => {
        const ended = await lasting(3_600_000)(one, run);
        expect(run.stopping.reason).toMatchObject({ code: 'interrupted', exit: 143 });
        return ended;
      },
    });
    expect(begun).toHaveLength(1);
    expect(lastJobRun(state.db, 'a')).toMatchObject({
      endedAtMs: Date.parse('2026-05-01T12:10Z'),
      result: { exit: 143 },
    });
  });

  it('sends a heartbeat twice a minute, even if all jobs run for long', async () => {
    const folder = home.make();
    const clock = new VirtualClock(Date.parse('2026-05-01T11:59:00Z'));
    const beats: number[] = [];
    const scene = syncScene(folder, { clock, run: lasting(3_600_000), listener: { beat: (atMs) => beats.push(atMs) } });
    clock.after(10 * minute, scene.stop);
    await runScheduler(jobsOf(folder, `jobs:\n${job("schedule: '0 * * * *'")}`), scene.context);
    clock.stop();
    expect(beats).toHaveLength(20);
  });

  it('stops everything gracefully if the state can no longer be written', async () => {
    const folder = home.make();
    const clock = new VirtualClock(Date.parse('2026-05-01T11:59:00Z'));
    const exits: number[] = [];
    const scene = syncScene(folder, {
      clock,
      run: async (one, run) => {
        if (one.config.name === 'b') {
          await run.clock.sleep(minute);
          throw new Error('the disk is full');
        }
        const ended = await lasting(3_600_000)(one, run);
        exits.push(ended.result.exit);
        return ended;
      },
    });
    const jobs = jobsOf(folder, `jobs:\n${job("schedule: '0 * * * *'")}${job("schedule: '0 * * * *'", 'b')}`);
    await expect(runScheduler(jobs, scene.context)).rejects.toThrow('the disk is full');
    clock.stop();
    expect(exits).toEqual([143]);
    expect(clock.now()).toBeLessThan(Date.parse('2026-05-01T12:02:00Z'));
  });
});
