import { randomUUID } from 'node:crypto';
import { existsSync, globSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { openFleetFiles } from '../../src/fleet/copies/fleet-files.ts';
import { UnitCopies } from '../../src/fleet/copies/unit-copies.ts';
import { beginLease } from '../../src/fleet/database/leases.ts';
import { listCopies, readUnit, type Unit } from '../../src/fleet/database/units.ts';
import { submitJob } from '../../src/fleet/submit.ts';
import { runLease } from '../../src/fleet/lease/run-lease.ts';
import type { LeaseRequest } from '../../src/fleet/lease/lease-request.ts';
import { jobFromKeys } from '../../src/fleet/unit-job.ts';
import { type Clock, systemClock } from '../../src/lib/flow/clock.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import type { MediaLocation } from '../../src/media/media-location.ts';
import { apiKey, never } from '../scenes/bench.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { servedFaulty, type ServedFaulty } from '../scenes/served-sandbox.ts';
import { exportOf } from './fleet-here.ts';
import type { FleetDatabase, Query } from '../../src/fleet/database/database.ts';
import type { Claim, Engine } from '../../src/fleet/work/engine.ts';
import type { FleetScene } from './fleet-scene.ts';

/** Leases of units in this process, one after the other, at a service that stores duplicates. */
export interface LeaseScene extends ServedFaulty {
  readonly folder: string;
  /** Location of the copies: a path in a file system. */
  readonly files: string;
  /** Unforeseen errors. */
  readonly faults: readonly unknown[];
  /** A unit of one conversation. @param keys Of its job. */
  submit(name: string, messages: number, keys?: Readonly<Record<string, string>>): Promise<string>;
  /** Its next lease, on a machine that has nothing of it, whatever it is due. @returns The unit behind it. */
  lease(unit: string, changes?: LeaseChanges): Promise<Unit>;
  /** Messages at the service, by conversation, in the order of arrival. */
  contents(): Readonly<Record<string, readonly string[]>>;
  /** Paths of its copies under `files`, sorted. */
  copies(): readonly string[];
  /** Expects this number of messages in the one conversation, each once and in order, and no unforeseen error. */
  expectAllOnce(count: number): void;
}

export interface LeaseChanges {
  readonly location?: MediaLocation;
  readonly clock?: Clock;
  /** How long it may take; ten minutes by default. */
  readonly ms?: number;
  /** Aborted: the worker is asked to stop. */
  readonly stopping?: AbortSignal;
  /** Before each statement: what it throws is what the database does. */
  readonly before?: (sql: string, request: LeaseRequest) => unknown;
}

export async function leaseScene({ database, engine, query }: FleetScene, folder: string): Promise<LeaseScene> {
  const service = await servedFaulty(folder);
  const files = join(folder, 'files');
  const location = await openFleetFiles({ files }, { env: {}, folder });
  const faults: unknown[] = [];
  const env = { CHATFERRY_API_KEY: apiKey };
  const contents = (): Readonly<Record<string, readonly string[]>> =>
    existsSync(service.data) ? Object.fromEntries(sandboxContents(service.data)) : {};
  return {
    ...service,
    folder,
    files,
    faults,
    async submit(name, messages, keys = {}) {
      const job = { name, to: service.url, export: { path: [exportOf(folder, name, messages)] }, ...keys };
      const given = { tenant: 'acme', env, nowMs: systemClock.now(), random: Math.random };
      const written = jobFromKeys({ job, top: {}, folder, from: 'command' });
      return (await submitJob(database, engine, written, given)).unit;
    },
    async lease(
      unit,
      { location: at = location, clock = patient, ms = leaseMs, stopping = never, before = () => {} } = {},
    ) {
      await query('UPDATE pgboss.job SET start_after = now() WHERE singleton_key = $1', [unit]);
      const work = join(folder, 'work', encodeURIComponent(unit));
      rmSync(work, { recursive: true, force: true });
      const claim = await claimOf(engine, unit);
      const token = randomUUID();
      const lease = (await database.transaction((query) => beginLease(query, claim, token, 'worker-1')))!;
      const request: LeaseRequest = {
        ...{ claim, token, lease, folder: work, files: { files } },
        unit: (await readUnit(query, unit))!,
        copies: await listCopies(query, unit),
        times: { lease: ms, heartbeat: 10_000, copyEvery: 60_000 },
      };
      const asked =
        (query: Query): Query =>
        async (sql, values) => {
          await before(sql, request);
          return await query(sql, values);
        };
      const watched: FleetDatabase = {
        ...database,
        query: asked(query),
        transaction: (work) => database.transaction((query) => work(asked(query))),
      };
      const around = {
        ...{ database: watched, engine, env, stopping, clock, random: Math.random, progress: silent },
        copies: new UnitCopies(at, { clock: { ...systemClock, sleep: async () => {} }, random: Math.random }),
        signal: never,
        measured() {},
        onFault(fault: unknown) {
          faults.push(fault);
        },
        say() {},
      };
      await runLease(request, around);
      return (await readUnit(query, unit))!;
    },
    contents,
    copies: () => globSync('copies/**/*.zst', { cwd: files }).sort(),
    expectAllOnce(count) {
      const [texts] = Object.values(contents());
      expect(texts!.map((text) => Number(/^Message (\d+) /.exec(text)![1]))).toEqual(
        Array.from({ length: count }, (_, index) => index + 1),
      );
      expect(faults).toEqual([]);
    },
  };
}

const leaseMs = 600_000;
/** How often a lease looks whether a copy is due. */
const checkMs = 1_000;

let skippedMs = 0;

/** Waits for what others do; what a run waits for by itself, minutes of grace, is over at once. */
export const patient: Clock = {
  now: () => systemClock.now() + Math.floor(skippedMs),
  monotonic: () => systemClock.monotonic() + skippedMs,
  uptime: () => systemClock.uptime() + skippedMs,
  async sleep(ms, signal) {
    const isSkipped = ms >= 500 && ms < leaseMs && ms !== checkMs;
    if (isSkipped) skippedMs += ms;
    await systemClock.sleep(isSkipped ? 1 : ms, signal);
  },
};

/** Those of other units are left to their tests. */
async function claimOf(engine: Engine, unit: string): Promise<Claim> {
  for (;;) {
    const claim = await engine.claim();
    if (!claim) throw new Error(`There is no lease of "${unit}"`);
    if (claim.unit === unit) return claim;
  }
}
