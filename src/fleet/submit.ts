import { basename, resolve } from 'node:path';
import { withDefaults } from '../commands/session.ts';
import { isServerAddress, plainAddress } from '../io/input/server-input.ts';
import { UsageError } from '../lib/errors.ts';
import type { JobConfig } from '../sync/sync-file.ts';
import { jobFor, scheduleOf, mayBegin, nextDue } from '../sync/job.ts';
import { addressOf, checkTarget, profileOf } from '../delivery/target.ts';
import type { FleetDatabase, Query } from './database/database.ts';
import { putUnit, readUnit, setState, type Unit, type UnitConfig, listUnits } from './database/units.ts';
import { sendLease } from './database/leases.ts';
import type { Engine } from './work/engine.ts';
import { isOnce } from './lease/run-unit.ts';

export interface SubmittedJob {
  /** As it is checked and read here; a worker reads it again from what is written down. */
  readonly config: JobConfig;
  readonly written: UnitConfig;
}

export interface SubmitOptions {
  readonly tenant: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
  readonly random: () => number;
}

export interface Submitted {
  readonly unit: string;
  readonly was: 'new' | 'changed' | 'the same';
  readonly address: string;
  /** Whether it was paused by a person: changes count once it is resumed. */
  readonly isPaused: boolean;
  /** Time until it is due, if it is due again. */
  readonly dueInMs: number | undefined;
}

/**
 * Creates a unit from a job, or changes the existing one. Its first lease is due at once, or as its schedule specifies.
 * A unit that was paused because its job was gone is resumed; one that a person paused stays paused.
 *
 * @throws UsageError, StoreError
 */
export async function submitJob(
  database: FleetDatabase,
  engine: Engine,
  job: SubmittedJob,
  options: SubmitOptions,
): Promise<Submitted> {
  const { tenant, nowMs, random } = options;
  const { config, written } = job;
  assertNoToken(config);
  const { address, quota } = await checkedTarget(config, options);
  const schedule = scheduleOf({ config });
  const dueMs = isOnce(config) ? nowMs : (nextDue(schedule, nowMs, random) ?? nowMs);
  const afterMs = mayBegin(schedule, dueMs, nowMs) - nowMs;
  const id = `${tenant}/${config.name}`;
  return await database.transaction(async (query) => {
    await lockAddress(query, address);
    await assertNotTwice(query, { id, address, job });
    const before = await readUnit(query, id);
    assertSameAddress(before, address);
    const was = before === undefined ? 'new' : sameJson(before.config, written) ? 'the same' : 'changed';
    await putUnit(query, { id, tenant, config: written, address, quota });
    const isBack = before?.state === 'paused' && before.reason === jobGone;
    const isDue = was !== 'the same' || isBack;
    if (isDue) await startOver(query, engine, id, { isNew: was === 'new', isBack, afterMs });
    const isPaused = before?.state === 'paused' && !isBack;
    return { unit: id, was, address, isPaused, dueInMs: isDue && !isPaused ? afterMs : undefined };
  });
}

/** Until the end of the transaction: of two units that are handed in at once for one destination, the second sees the first. */
const lockAddress = async (query: Query, address: string): Promise<void> =>
  void (await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`ferry ${address}`]));

/** Reads the export again under what is said now. A lease that runs goes on as it began; the next one is under the new rules. */
async function startOver(
  query: Query,
  engine: Engine,
  id: string,
  { isNew, isBack, afterMs }: { readonly isNew: boolean; readonly isBack: boolean; readonly afterMs: number },
): Promise<void> {
  if (!isNew)
    await query(
      `UPDATE ferry.unit SET phase = 'plan', revision = revision + 1, failures = 0, reason = NULL,
         state = CASE WHEN state = 'running' OR state = 'paused' AND NOT $2 THEN state ELSE 'waiting' END WHERE id = $1`,
      [id, isBack],
    );
  const unit = (await readUnit(query, id))!;
  if (unit.state === 'paused') return;
  await query(`UPDATE ferry.unit SET due_at = clock_timestamp() + $2::float8 * interval '1 ms' WHERE id = $1`, [
    id,
    afterMs,
  ]);
  await engine.withdraw(id, query);
  await sendLease(query, engine, { unit, group: unit.address, afterMs });
}

/** Why a unit rests whose job its file has no more. */
const jobGone = 'job-gone: its job is gone from the configuration';

/** Jobs of a file that are there no more are paused, not dropped: their totals stay. @returns Their names. */
export const pauseGone = async (
  database: FleetDatabase,
  engine: Engine,
  tenant: string,
  names: readonly string[],
): Promise<readonly string[]> =>
  await database.transaction(async (query) => {
    const gone = (await listUnits(query, tenant)).filter(
      (unit) =>
        unit.config.from === 'config' &&
        !names.includes(unit.id.slice(tenant.length + 1)) &&
        (unit.state === 'waiting' || unit.state === 'running'),
    );
    for (const { id } of gone) {
      await setState(query, id, 'paused', jobGone);
      await engine.withdraw(id, query);
    }
    return gone.map(({ id }) => id);
  });

/**
 * Throws if the address holds a token: a unit's configuration is stored in the database, where no token may be. The
 * address is not quoted. @throws UsageError
 */
function assertNoToken({ name, export: location }: JobConfig): void {
  if (!('url' in location)) return;
  const { username, password, search } = new URL(location.url);
  if (username === '' && password === '' && search === '') return;
  throw new UsageError(
    `Cannot submit "${name}": the address of its export may contain a token, which would be stored in the database`,
    {
      hint: 'Put the token into a header, in a file that workers have: headersFile. Or fetch it with a command: that reads it from a file',
    },
  );
}

/** A store knows what it has sent to one destination. @throws UsageError */
function assertSameAddress(before: Unit | undefined, address: string): void {
  if (!before || before.address === address) return;
  throw new UsageError(`Cannot submit "${before.id}" to ${address}: it goes to ${before.address}`, {
    hint: `Pass another --name for the other destination; or, to have it there instead: chatferry fleet drop ${before.id}`,
  });
}

/** Two units with the same messages would both look, find nothing, and both send. @throws UsageError */
async function assertNotTwice(
  query: Query,
  {
    id,
    address,
    job: { config, written },
  }: { readonly id: string; readonly address: string; readonly job: SubmittedJob },
): Promise<void> {
  if (!('path' in config.export)) return;
  const paths = new Set(config.export.path.map((path) => exportKey(path)));
  const others = await query<Pick<Unit, 'id' | 'config'>>(
    'SELECT id, config FROM ferry.unit WHERE address = $1 AND id <> $2 ORDER BY id',
    [address, id],
  );
  const chosen = choiceKey(written);
  const other = others.find(
    ({ config }) => choiceKey(config) === chosen && exportPaths(config).some((path) => paths.has(path)),
  );
  if (!other) return;
  throw new UsageError(`Cannot submit "${id}": "${other.id}" migrates the same export to the same destination`, {
    hint: `Submit it under that name to change its settings, or run "chatferry fleet drop ${other.id}" to start over`,
  });
}

/** Returns the part of the export that a unit imports. */
const choiceKey = ({ job, top }: UnitConfig): string =>
  JSON.stringify([job.only ?? top.only, job.workspace ?? top.workspace]);

/** Returns a key that identifies the same export on every worker: an absolute path, or a database without the user who reads it. */
const exportKey = (path: string, folder = ''): string =>
  isServerAddress(path) ? plainAddress(path) : resolve(folder, path);

function exportPaths({ job, folder }: Unit['config']): readonly string[] {
  const { export: location } = job;
  const paths = typeof location === 'object' && location !== null && 'path' in location ? location.path : location;
  return [paths].flat().flatMap((path) => (typeof path === 'string' ? [exportKey(path, folder)] : []));
}

async function checkedTarget(
  config: JobConfig,
  { env }: SubmitOptions,
): Promise<{ readonly address: string; readonly quota: number | null }> {
  const request = withDefaults(await jobFor({ env }, config).request());
  if (request.to === 'sandbox' && request.appId === undefined) {
    throw new UsageError(`Cannot submit "${config.name}": the embedded sandbox is a file of one machine`, {
      hint: 'Pass --to with an address; "chatferry sandbox" serves one on this machine',
    });
  }
  const key = request.apiKey;
  // Without a key here, the workers have it.
  if (key) checkTarget(request);
  return { address: addressOf(request), quota: profileOf(request).importsPerMinute ?? null };
}

/** The server orders keys as it likes. */
const sameJson = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** `./Acme Export 2024.zip` → `acme-export-2024`, `postgres://reader@db.example.org/app` → `app`. */
export function nameFromExport(path: string): string {
  const name = basename(isServerAddress(path) ? plainAddress(path) : resolve(path))
    .toLowerCase()
    .replace(/\.[a-z0-9]{1,6}$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const trimmed = name.replace(/^-/, '').replace(/-$/, '');
  return trimmed === '' ? 'export' : trimmed;
}
