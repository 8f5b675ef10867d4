import { basename, resolve } from 'node:path';
import { withDefaults } from '../commands/session.ts';
import { UsageError } from '../lib/errors.ts';
import type { JobConfig } from '../sync/config/sync-file.ts';
import { jobFor, scheduleOf } from '../sync/job.ts';
import { mayBegin, nextDue } from '../sync/schedule.ts';
import { addressOf, checkTarget, profileOf } from '../upload/target.ts';
import type { FleetDatabase, Query } from './database/database.ts';
import { groupOf, putUnit, readUnit, setState, type UnitConfig, unitsOf } from './database/units.ts';
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
  readonly dueInMs: number | undefined;
}

/** Makes a unit of a job, or changes the one that is there; its first turn is due at once, or as its schedule says. @throws UsageError, StoreError */
export async function submitJob(
  database: FleetDatabase,
  engine: Engine,
  job: SubmittedJob,
  options: SubmitOptions,
): Promise<readonly Submitted[]> {
  const { tenant, parts, nowMs, random } = options;
  const { config, written } = job;
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
    await assertSameParts(query, name, parts);
    const submitted: Submitted[] = [];
    for (const one of all) {
      const before = await readUnit(query, one.id);
      const isSame = before !== undefined && sameJson(before.config, written) && before.address === address;
      await putUnit(query, { ...one, tenant, config: written, address, export: name, quota });
      const was = isSame ? 'the same' : before ? 'changed' : 'new';
      if (was !== 'the same') await beginAnew(query, engine, one.id, { isNew: was === 'new', afterMs });
      submitted.push({ unit: one.id, was, address, dueInMs: was === 'the same' ? undefined : afterMs });
    }
    return submitted;
  });
}

/** Reads the export again under what is said now. A turn that runs goes on as it began; the next one is under the new rules. */
async function beginAnew(
  query: Query,
  engine: Engine,
  id: string,
  { isNew, afterMs }: { readonly isNew: boolean; readonly afterMs: number },
): Promise<void> {
  if (!isNew)
    await query(
      `UPDATE ferry.unit SET phase = 'plan', state = CASE WHEN state = 'running' THEN state ELSE 'waiting' END, failures = 0, reason = NULL WHERE id = $1`,
      [id],
    );
  const unit = (await readUnit(query, id))!;
  await query(`UPDATE ferry.unit SET due_at = clock_timestamp() + $2::float8 * interval '1 ms' WHERE id = $1`, [
    id,
    afterMs,
  ]);
  await engine.withdraw(id, query);
  await engine.send({ unit: id, group: groupOf(unit), afterMs }, query);
}

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
        unit.state !== 'paused',
    );
    for (const { id } of gone) {
      await setState(query, id, 'paused');
      await engine.withdraw(id, query);
    }
    return gone.map(({ id }) => id);
  });
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
