/**
 * Measures the cost of sharing: `npm run bench -- --fleet`, about four minutes.
 *
 * Runs a PostgreSQL from npm in a temporary folder, on that folder's disk. Workers are connections of this process,
 * each with its own pool. The rates of `leave` and of slots depend on the machine's disk; quota and takeover depend on
 * the protocol alone.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FleetDatabase, openDatabase } from '../src/fleet/database/database.ts';
import { beginLease } from '../src/fleet/database/leases.ts';
import { putUnit } from '../src/fleet/database/units.ts';
import { startEmbedded } from '../src/fleet/embedded/embedded.ts';
import { type Claim, Engine } from '../src/fleet/work/engine.ts';
import { FleetPermits } from '../src/fleet/work/permits.ts';
import { makeFleet } from '../src/fleet/open-fleet.ts';
import { fleetPace } from '../src/fleet/work/pace.ts';
import { Worker } from '../src/fleet/worker.ts';
import { systemClock } from '../src/lib/flow/clock.ts';
import type { Secret } from '../src/lib/secret.ts';
import { formatTable } from './table.ts';

const never = new AbortController().signal;
const { sleep, monotonic } = systemClock;

interface Place {
  readonly url: Secret;
  readonly folder: string;
  /** With a pool of its own, as each worker has. */
  open(): Promise<FleetDatabase>;
}

/** @returns A table for the terminal. */
export async function fleetTable(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chatferry-bench-'));
  chmodSync(folder, 0o711);
  const server = await startEmbedded(join(folder, 'postgres'));
  const opened: FleetDatabase[] = [];
  const open = async () => {
    const database = await openDatabase(server.url, { max: 6, application: 'bench' });
    opened.push(database);
    return database;
  };
  try {
    await makeFleet(await open());
    const place = { url: server.url, folder, open };
    const rows = [
      ...(await leaveRows(place)),
      ...(await takeoverRows(place)),
      ...(await idleRows(place)),
      ...(await quotaRows(place)),
    ];
    return formatTable(['figure', 'measured'], rows);
  } finally {
    for (const database of opened) await database.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const engineOf = (database: FleetDatabase, supervises: boolean) =>
  Engine.open(database, { heartbeatSeconds: 10, supervises });

async function unitOf({ query }: FleetDatabase, name: string): Promise<string> {
  const id = `bench/${name}`;
  await putUnit(query, {
    ...{ id, tenant: 'bench', quota: null, address: `https://${name}.example` },
    config: { job: {}, top: {}, folder: '/', from: 'command' },
  });
  return id;
}

/** Eight requests at a time ask to leave, of eight units. */
async function leaveRows({ open }: Place): Promise<readonly (readonly string[])[]> {
  const database = await open();
  const engine = await engineOf(database, false);
  const times: number[] = [];
  const muids = Array.from({ length: 50 }, (_, index) => `m1${'x'.repeat(24)}${index}`);
  const gates: FleetPermits[] = [];
  for (let index = 0; index < 8; index++) {
    const unit = await unitOf(database, `leave-${index}`);
    await engine.send({ unit, group: unit });
    const claim = (await engine.claim())!;
    const token = randomUUID();
    await database.transaction((query) => beginLease(query, claim, token, 'bench'));
    const around = { clock: systemClock, heartbeatMs: 10_000, signal: never, mayGo: async () => {} };
    gates.push(new FleetPermits(database.query, { claim, token, ...around, onPermit: (ms) => void times.push(ms) }));
  }
  const untilMs = monotonic() + 5_000;
  await Promise.all(
    gates.map(async (permits) => {
      while (monotonic() < untilMs) await permits.acquire({ muids });
    }),
  );
  await engine.close();
  times.sort((a, b) => a - b);
  return [
    ['leave, 8 at a time: p50 / p99', `${shown(at(times, 0.5))} / ${shown(at(times, 0.99))} ms`],
    ['leave: requests a second', String(Math.round(times.length / 5))],
  ];
}

/** Twenty leases whose worker is silent from one moment on, and another worker that looks as workers do. */
async function takeoverRows({ open }: Place): Promise<readonly (readonly string[])[]> {
  const count = 20;
  const [dies, lives] = [await open(), await open()];
  const [first, second] = [await engineOf(dies, false), await engineOf(lives, true)];
  const claims: Claim[] = [];
  for (let index = 0; index < count; index++) {
    const unit = await unitOf(dies, `taken-${index}`);
    await first.send({ unit, group: unit });
    claims.push((await first.claim())!);
    // So that not all of them are silent from the same instant.
    await sleep(150);
  }
  const killedMs = new Map<string, number>();
  for (const claim of claims) {
    await first.beat([claim]);
    killedMs.set(claim.job, monotonic());
  }
  await first.close();
  const times: number[] = [];
  while (times.length < count) {
    const claim = await second.claim();
    const silentSinceMs = claim && killedMs.get(claim.job);
    if (silentSinceMs !== undefined) times.push(monotonic() - silentSinceMs);
    else if (!claim) await sleep(500);
  }
  await second.close();
  times.sort((a, b) => a - b);
  return [
    [
      `claim after the last beat of who was killed, heartbeat 10 s, ${count} kills: p50 / max`,
      `${shown(at(times, 0.5) / 1000)} / ${shown(times.at(-1)! / 1000)} s`,
    ],
  ];
}

/** A worker among a thousand units that wait for an hour, and one that becomes due. */
async function idleRows({ open, folder, url }: Place): Promise<readonly (readonly string[])[]> {
  const database = await open();
  const engine = await engineOf(database, true);
  for (let index = 0; index < 1_000; index++) {
    const unit = await unitOf(database, `idle-${index}`);
    await engine.send({ unit, group: `https://idle-${index}.example`, afterMs: 3_600_000 });
  }
  const stopping = new AbortController();
  let begunMs: number | undefined;
  const worker = new Worker({
    ...{
      database: { ...database, url },
      engine,
      leases: 8,
      work: join(folder, 'work'),
      clock: systemClock,
      env: process.env,
    },
    files: { files: join(folder, 'files') },
    times: { lease: 600_000, heartbeat: 30_000, copyEvery: 60_000 },
    listener: {
      leaseBegan() {
        begunMs ??= monotonic();
      },
    },
    stopping: stopping.signal,
    onLine() {},
  });
  const running = worker.run();
  await sleep(5_000);
  const [ownMs, serverMs] = [process.cpuUsage(), serverCpuMs(folder)];
  const seconds = 30;
  await sleep(seconds * 1000);
  const own = process.cpuUsage(ownMs);
  const server = serverCpuMs(folder) - serverMs;
  const times: number[] = [];
  for (let index = 0; index < 5; index++) {
    begunMs = undefined;
    const unit = await unitOf(database, `due-${index}`);
    const sentMs = monotonic();
    await engine.send({ unit, group: unit });
    while (begunMs === undefined) await sleep(5);
    times.push(begunMs - sentMs);
    // The unit has no job, so its lease fails while the next ones run.
    await sleep(1_500);
  }
  stopping.abort(new Error('measured'));
  await running;
  await engine.close();
  times.sort((a, b) => a - b);
  const share = (ms: number) => `${((ms / (seconds * 1000)) * 100).toFixed(1)} %`;
  return [
    ['1,000 idle units: CPU of a worker', share((own.user + own.system) / 1000)],
    ['1,000 idle units: CPU of PostgreSQL', share(server)],
    [
      '1,000 idle units: a due one is claimed after, p50 / max',
      `${shown(at(times, 0.5))} / ${shown(times.at(-1)!)} ms`,
    ],
  ];
}

/** Four workers with four requests at a time each, at 600 a minute, for two minutes. */
async function quotaRows({ open }: Place): Promise<readonly (readonly string[])[]> {
  const [perMinute, minutes] = [600, 2];
  const sent: number[] = [];
  const over = new AbortController();
  const send = async (query: FleetDatabase['query']) => {
    const pace = fleetPace(query, {
      address: 'quota',
      perMinute: { import: perMinute },
      clock: systemClock,
      onWait() {},
    });
    while (!over.signal.aborted) {
      await pace.take('import', over.signal).catch(() => {});
      if (!over.signal.aborted) sent.push(monotonic());
    }
  };
  const beganMs = monotonic();
  const all: Promise<void>[] = [];
  for (let worker = 0; worker < 4; worker++) {
    const { query } = await open();
    for (let lane = 0; lane < 4; lane++) all.push(send(query));
  }
  await sleep(minutes * 60_000);
  over.abort(new Error('measured'));
  await Promise.all(all);
  const inTime = sent.filter((ms) => ms <= beganMs + minutes * 60_000).sort((a, b) => a - b);
  let most = 0;
  for (let first = 0, last = 0; last < inTime.length; last++) {
    while (inTime[last]! - inTime[first]! >= 60_000) first++;
    most = Math.max(most, last - first + 1);
  }
  return [
    ['quota of 600 a minute, 4 workers, 2 minutes: most in any sliding minute', String(most)],
    ['quota: share of the rate that was used', `${((inTime.length / (perMinute * minutes)) * 100).toFixed(1)} %`],
  ];
}

const at = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)]!;
const shown = (value: number): string => value.toFixed(1);

/** CPU time of the server and all of its processes, in ms; Linux only. */
function serverCpuMs(folder: string): number {
  const main = readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]!;
  let ticks = 0;
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(id);
    if (fields && (id === main || fields[1] === main)) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10;
}

/** Fields that follow the name in the /proc line of a process: state, parent … */
function statOf(id: string): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${id}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return undefined;
  }
}
