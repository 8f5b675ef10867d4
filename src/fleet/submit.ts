import { basename, resolve } from 'node:path';
import { withDefaults } from '../commands/session.ts';
import { UsageError } from '../lib/errors.ts';
import type { JobConfig } from '../sync/config/sync-file.ts';
import { jobFor, scheduleOf } from '../sync/job.ts';
import { mayBegin, nextDue } from '../sync/schedule.ts';
import { addressOf, checkTarget, profileOf } from '../upload/target.ts';
import type { FleetDatabase, Query } from './database/database.ts';
import {
  groupOf,
  lockExport,
  putUnit,
  readUnit,
  setState,
  type Unit,
  type UnitConfig,
  unitsOf,
} from './database/units.ts';
import { sendTurns, type TurnToSend } from './database/turns.ts';
import type { Engine } from './engine.ts';
import { isOnce } from './turn/run-unit.ts';

/** A job as it is handed in. */
export interface SubmittedJob {
  /** As it is checked and read here; a worker reads it again from what is written down. */
  readonly config: JobConfig;
  readonly written: UnitConfig;
}

export interface SubmitOptions {
  readonly tenant: string;
  /** How many parts an export is carried over in; 1 for none. */
  readonly parts: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: number;
  readonly random: () => number;
}

/** What became of a unit that was handed in. */
export interface Submitted {
  readonly unit: string;
  readonly was: 'new' | 'changed' | 'the same';
  readonly address: string;
  /** Somebody paused it: what changed counts once it is resumed. */
  readonly isPaused: boolean;
  /** Where it is due anew. */
  readonly dueInMs: number | undefined;
}

/**
 * Makes a unit of a job, or changes the one that is there; its first turn is due at once, or as its schedule says. One that was paused because its
 * job was gone goes on; one that somebody paused stays paused.
 *
 * @throws UsageError, StoreError
 */
export async function submitJob(
  database: FleetDatabase,
  engine: Engine,
  job: SubmittedJob,
  options: SubmitOptions,
): Promise<readonly Submitted[]> {
  const { tenant, parts, nowMs, random } = options;
  const { config, written } = job;
  assertNoToken(config);
  const { address, quota } = await checkedTarget(config, options);
  const schedule = scheduleOf({ config });
  const dueMs = isOnce(config) ? nowMs : (nextDue(schedule, nowMs, random) ?? nowMs);
  const afterMs = mayBegin(schedule, dueMs, nowMs) - nowMs;
  const name = `${tenant}/${config.name}`;
  const all = Array.from({ length: parts }, (_, part) => ({
    id: parts === 1 ? name : `${name}#${part + 1}`,
    ...(parts === 1 ? { part: null, parts: null } : { part, parts }),
  }));
  return await database.transaction(async (query) => {
    // Of two that are handed in at once the second sees the first.
    await lockExport(query, address);
    if (parts > 1) await lockExport(query, name);
    await assertSameParts(query, name, parts);
    await assertNotTwice(query, { name, address, job });
    const submitted: Submitted[] = [];
    const begun: TurnToSend[] = [];
    for (const one of all) {
      const before = await readUnit(query, one.id);
      assertSameAddress(before, address);
      const was = before === undefined ? 'new' : sameJson(before.config, written) ? 'the same' : 'changed';
      await putUnit(query, { ...one, tenant, config: written, address, export: name, quota });
      const isBack = before?.state === 'paused' && before.reason === jobGone;
      const isDue = was !== 'the same' || isBack;
      if (isDue) begun.push(...(await beginAnew(query, engine, one.id, { isNew: was === 'new', isBack, afterMs })));
      const isPaused = before?.state === 'paused' && !isBack;
      submitted.push({ unit: one.id, was, address, isPaused, dueInMs: isDue && !isPaused ? afterMs : undefined });
    }
    await sendTurns(query, engine, begun);
    return submitted;
  });
}

/** Reads the export again under what is said now. A turn that runs goes on as it began; the next one is under the new rules. @returns That one. */
async function beginAnew(
  query: Query,
  engine: Engine,
  id: string,
  { isNew, isBack, afterMs }: { readonly isNew: boolean; readonly isBack: boolean; readonly afterMs: number },
): Promise<readonly TurnToSend[]> {
  if (!isNew) {
    await query('DELETE FROM ferry.name_taken WHERE unit = $1', [id]);
    await query(
      `UPDATE ferry.unit SET phase = 'plan', revision = revision + 1, failures = 0, reason = NULL,
         state = CASE WHEN state = 'running' OR state = 'paused' AND NOT $2 THEN state ELSE 'waiting' END WHERE id = $1`,
      [id, isBack],
    );
  }
  const unit = (await readUnit(query, id))!;
  if (unit.state === 'paused') return [];
  await query(`UPDATE ferry.unit SET due_at = clock_timestamp() + $2::float8 * interval '1 ms' WHERE id = $1`, [
    id,
    afterMs,
  ]);
  await engine.withdraw(id, query);
  return [{ unit, group: groupOf(unit), afterMs }];
}

/** Why a unit rests whose job its file has no more. */
const jobGone = 'job-gone: its job is gone from the configuration';

/** Jobs of a file that are there no more are paused, not dropped: what they carried over stays in their books. @returns Their names. */
export async function pauseGone(
  database: FleetDatabase,
  engine: Engine,
  tenant: string,
  names: readonly string[],
): Promise<readonly string[]> {
  return await database.transaction(async (query) => {
    const gone = (await unitsOf(query, tenant)).filter(
      (unit) =>
        unit.config.from === 'config' &&
        !names.includes(unit.export.slice(tenant.length + 1)) &&
        (unit.state === 'waiting' || unit.state === 'running'),
    );
    for (const name of new Set(gone.flatMap((unit) => (unit.parts === null ? [] : [unit.export]))))
      await lockExport(query, name);
    for (const { id } of gone) {
      await setState(query, id, 'paused', jobGone);
      await engine.withdraw(id, query);
    }
    return gone.map(({ id }) => id);
  });
}

/** What a unit has to know stands in the database: no token may. The address is not quoted. @throws UsageError */
function assertNoToken({ name, export: location }: JobConfig): void {
  if (!('url' in location)) return;
  const { username, password, search } = new URL(location.url);
  if (username === '' && password === '' && search === '') return;
  throw new UsageError(
    `Cannot submit "${name}": the address of its export may hold a token, and would stand in the database`,
    {
      hint: 'Put the token into a header, in a file that workers have: headersFile. Or fetch it with a command: that reads it from a file',
    },
  );
}

/** A store knows what it has sent to one destination. @throws UsageError */
function assertSameAddress(before: Unit | undefined, address: string): void {
  if (!before || before.address === address) return;
  throw new UsageError(`Cannot submit "${before.export}" to ${address}: it goes to ${before.address}`, {
    hint: `Pass another --name for the other destination; or, to have it there instead: chatferry fleet drop ${before.export}`,
  });
}

/** Two units with the same messages would both look, find nothing, and both send. @throws UsageError */
async function assertNotTwice(
  query: Query,
  {
    name,
    address,
    job: { config, written },
  }: { readonly name: string; readonly address: string; readonly job: SubmittedJob },
): Promise<void> {
  if (!('path' in config.export)) return;
  const paths = new Set(config.export.path.map((path) => resolve(path)));
  const others = await query<{ export: string; config: Unit['config'] }>(
    'SELECT DISTINCT ON (export) export, config FROM ferry.unit WHERE address = $1 AND export <> $2',
    [address, name],
  );
  const chosen = chosenOf(written);
  const other = others.find(
    ({ config }) => chosenOf(config) === chosen && pathsOf(config).some((path) => paths.has(path)),
  );
  if (!other) return;
  throw new UsageError(`Cannot submit "${name}": "${other.export}" carries the same export to the same destination`, {
    hint: `Submit it under that name to change how; or, to begin anew: chatferry fleet drop ${other.export}`,
  });
}

/** What of its export a unit carries. */
const chosenOf = ({ job, top }: UnitConfig): string =>
  JSON.stringify([job.only ?? top.only, job.part ?? top.part, job.workspace ?? top.workspace]);

/** Paths of a unit's export, as its folder has them. */
function pathsOf({ job, folder }: Unit['config']): readonly string[] {
  const { export: location } = job;
  const paths = typeof location === 'object' && location !== null && 'path' in location ? location.path : location;
  return [paths].flat().flatMap((path) => (typeof path === 'string' ? [resolve(folder, path)] : []));
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
  // Where no key is here, the workers have it.
  if (key) checkTarget(request);
  return { address: addressOf(request), quota: profileOf(request).importsPerMinute ?? null };
}

async function assertSameParts(query: Query, name: string, parts: number): Promise<void> {
  const [other] = (await unitsOf(query, name)).filter((unit) => (unit.parts ?? 1) !== parts);
  if (!other) return;
  throw new UsageError(`Cannot submit "${name}" in ${parts} parts: it is there in ${other.parts ?? 1}`, {
    hint: `Pass another --name, or drop it first: chatferry fleet drop ${name}`,
  });
}

/** The server orders keys as it likes. */
const sameJson = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** `./Acme Export 2024.zip` → `acme-export-2024`. */
export function nameOfExport(path: string): string {
  const name = basename(resolve(path))
    .toLowerCase()
    .replace(/\.[a-z0-9]{1,6}$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60);
  const trimmed = name.replace(/^-/, '').replace(/-$/, '');
  return trimmed === '' ? 'export' : trimmed;
}
