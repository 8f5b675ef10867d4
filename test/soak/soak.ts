import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openStoreToRead } from '../../src/store/open.ts';
import { systemClock } from '../../src/lib/flow/clock.ts';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { isAccountedFor } from '../../src/model/totals.ts';
import { type ChatferryProcess, startChatferry } from '../../src/selftest/steps/process.ts';
import { startServer } from '../../src/selftest/steps/server.ts';
import { readStatus } from '../../src/commands/check.ts';
import { Dice } from '../simulate/dice.ts';
import { openJobStateToRead } from '../../src/sync/job-state.ts';
import { dropArchives } from '../month/archives.ts';
import { judge, readArrived } from '../month/judge.ts';
import { worldsOf } from '../month/month.ts';
import { monthEndMs, monthStartMs, outage } from '../month/world.ts';
import { writeExport } from '../month/write-export.ts';

export interface SoakOptions {
  /** How long the month takes; the last runs come on top. */
  readonly minutes: number;
  /** Odd: a service that stores duplicates. */
  readonly seed: number;
  readonly log: (line: string) => void;
}

export interface SoakResult {
  readonly messages: number;
  readonly arrived: number;
  readonly runs: number;
  readonly kills: number;
  readonly requests: number;
  readonly complaints: readonly string[];
  readonly folder: string;
}

const apiKey = 'soak';
const importsOnly: Pick<NonNullable<FaultPlanInput['rules']>[number], 'operations'> = {
  operations: ['importMessages'],
};

/** One import in five breaks, and one listing in twenty. */
const faults: FaultPlanInput = {
  rules: [
    { ...importsOnly, answer: 'reset', applied: 'whole', probability: 0.05 },
    { ...importsOnly, answer: 'closed', applied: 'nothing', probability: 0.04 },
    { ...importsOnly, answer: 'error', applied: 'first-part', probability: 0.04 },
    { ...importsOnly, answer: 'page', status: 504, applied: 'late', lateMs: 300, probability: 0.04 },
    { ...importsOnly, answer: 'keys-missing', probability: 0.03 },
    { operations: ['listMessages'], answer: 'error', probability: 0.05 },
  ],
  inARowMax: 2,
};

const configOf = (url: string) => `
to: ${url}
gracePeriod: 3s
rate: 300/min
sync:
  state: ./chatferry.jobs.db
  log: { file: ./sync.log }
jobs:
  - name: old
    export: ./export
    schedule: "*/5 * * * * *"
    drift: send
    keepReports: { count: 3 }
  - name: archived
    export: { dropFolder: ./dropped, settledFor: 2s }
    schedule: "*/5 * * * * *"
    keepReports: { count: 3 }
`;

export async function soak({ minutes, seed, log }: SoakOptions): Promise<SoakResult> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-soak-'));
  mkdirSync(join(folder, 'dropped'));
  const dice = new Dice(seed);
  const worlds = worldsOf(seed);
  const server = await startServer({
    folder,
    apiKey,
    data: 'service.db',
    duplicates: seed % 2 === 1 ? 'stored' : 'refused',
    plan: { ...faults, seed },
  });
  writeFileSync(join(folder, 'chatferry.yaml'), configOf(server.url));
  const startedMs = performance.now();
  const lengthMs = minutes * 60_000;
  const monthNow = () =>
    Math.min(monthEndMs, monthStartMs + ((performance.now() - startedMs) / lengthMs) * (monthEndMs - monthStartMs));
  const isOver = () => monthNow() >= monthEndMs;
  const writeDown = () => {
    writeExport(join(folder, 'export'), worlds.old.filesAt(monthNow()));
    dropArchives(join(folder, 'dropped'), worlds.archived, monthNow());
  };
  const start = () =>
    startChatferry(['sync', '--config', 'chatferry.yaml', '--quiet'], {
      folder,
      apiKey,
      log: 'sync.out',
      mayBeSilent: true,
    });
  const complaints: string[] = [];
  let kills = 0;
  let running: ChatferryProcess | undefined;

  const live = async () => {
    for (; !isOver(); await wait(1000)) writeDown();
    writeDown();
  };
  const breakDown = async () => {
    const scale = lengthMs / (monthEndMs - monthStartMs);
    await wait((outage.fromMs - monthStartMs) * scale);
    log('the service is gone');
    await server.restart((outage.toMs - outage.fromMs) * scale);
    log('the service is back');
  };
  const kill = async () => {
    while (!isOver()) {
      running = start();
      const ended = await Promise.race([running.ended, wait(dice.between(3_000, 40_000))]);
      if (ended) complaints.push(`sync ended by itself with ${ended.code}: ${ended.lastWords.join(' ')}`);
      running.kill();
      await running.ended;
      kills++;
      log(`killed for the ${kills}. time; ${countRuns(folder)} runs`);
      if (dice.chance(0.2)) await wait(dice.between(1_000, 20_000));
    }
  };
  writeDown();
  await Promise.all([live(), breakDown(), kill()]);

  running = start();
  await untilDone(folder, log);
  running.stop();
  const { code } = await running.ended;
  if (code !== 143) complaints.push(`sync ended with ${code} after SIGTERM`);
  const requests = await server.requests();
  for (const job of ['old', 'archived']) {
    const verify = startChatferry(['verify', '--store', `chatferry-${job}.db`, '--json'], {
      folder,
      apiKey,
      log: 'verify.log',
    });
    const ended = await verify.ended;
    if (ended.code !== 0) complaints.push(`verify of ${job} ended with ${ended.code}: ${ended.lastOutput}`);
  }
  await server.close();
  let arrivedCount = 0;
  for (const [job, world] of [
    ['old', worlds.old],
    ['archived', worlds.archived],
  ] as const) {
    const path = join(folder, `chatferry-${job}.db`);
    const store = openStoreToRead(path);
    const late = new Set(store.failures.lateMessages());
    store.close();
    const arrived = readArrived(join(folder, 'service.db'), world);
    arrivedCount += arrived.length;
    complaints.push(...judge(world, arrived, late));
    const { totals } = readStatus({ store: path, clock: systemClock }, 'status');
    if (!isAccountedFor(totals) || totals.pending + totals.unconfirmed + totals.failed + totals.invalid > 0)
      complaints.push(`the store of ${job} says ${JSON.stringify(totals)}`);
  }
  const messages = worlds.old.messages.length + worlds.archived.messages.length;
  return { messages, arrived: arrivedCount, runs: countRuns(folder), kills, requests, complaints, folder };
}

/** Runs of both jobs that came to an end. */
function countRuns(folder: string): number {
  const state = openJobStateToRead(join(folder, 'chatferry.jobs.db'));
  if (!state) return 0;
  try {
    return state.db.prepare<[], number>('SELECT count(*) FROM job_run WHERE ended_at IS NOT NULL').pluck().get()!;
  } finally {
    state.close();
  }
}

/** Until both jobs have had three good runs after everything was said. */
async function untilDone(folder: string, log: (line: string) => void): Promise<void> {
  const sinceMs = Date.now();
  for (;;) {
    await wait(2_000);
    const state = openJobStateToRead(join(folder, 'chatferry.jobs.db'));
    const good = state?.db
      .prepare<[number], number>('SELECT count(*) AS good FROM job_run WHERE started_at > ? AND exit = 0 GROUP BY job')
      .pluck()
      .all(sinceMs);
    state?.close();
    if (good && good.length === 2 && good.every((count) => count >= 3)) return;
    if (Date.now() - sinceMs > 300_000) return log('the last runs do not end well');
  }
}
