import { UsageError } from '../lib/errors.ts';
import type { UnitCopies } from './copies/unit-copies.ts';
import type { FleetDatabase, Query } from './database/database.ts';
import { removeUnit, setState, type Unit, listUnits } from './database/units.ts';
import { sendLease } from './database/leases.ts';
import type { Engine } from './work/engine.ts';
import { copiesLost } from './lease/after-lease.ts';

export type UnitChange = 'pause' | 'resume' | 'retry' | 'drop';

/** Result of a change to a unit; `running`: its lease is asked to stop, and ends within half a minute. */
export interface ChangedUnit {
  readonly unit: string;
  readonly was: Unit['state'] | 'dropped';
  readonly is: Unit['state'] | 'dropped' | 'unchanged';
}

/**
 * Pauses, resumes, restarts or drops units.
 *
 * @param name Of a unit, or of a tenant.
 * @throws UsageError if there is none, or if a running unit would be dropped.
 */
export async function changeUnits(
  database: FleetDatabase,
  { engine, copies, signal }: { readonly engine: Engine; readonly copies: UnitCopies; readonly signal: AbortSignal },
  change: UnitChange,
  name: string,
): Promise<readonly ChangedUnit[]> {
  const changed = await database.transaction(async (query) => {
    const units = await lockedUnits(query, name);
    const results: ChangedUnit[] = [];
    for (const unit of units)
      results.push({ unit: unit.id, was: unit.state, is: await changes[change](unit, { query, engine }) });
    return results;
  });
  if (changed.length === 0) return [await dropLeftCopies(name, { change, copies, signal })];
  // Behind the commit: until then they would be missed.
  for (const { unit, is } of changed) if (is === 'dropped') await removeCopies(unit, copies, signal);
  return changed;
}

async function lockedUnits(query: Query, name: string): Promise<readonly Unit[]> {
  const ids = (await listUnits(query, name)).map(({ id }) => id);
  await query('SELECT 1 FROM ferry.unit WHERE id = ANY($1) ORDER BY id FOR UPDATE', [ids]);
  return await listUnits(query, name);
}

/** Removes the copies of a unit that was dropped while its copies could not be removed. @throws UsageError if nothing has that name. */
async function dropLeftCopies(
  name: string,
  {
    change,
    copies,
    signal,
  }: { readonly change: UnitChange; readonly copies: UnitCopies; readonly signal: AbortSignal },
): Promise<ChangedUnit> {
  const isLeft = change === 'drop' && name.includes('/') && (await copies.list(name, signal)).length > 0;
  if (!isLeft) throw noUnit(name);
  await removeCopies(name, copies, signal);
  return { unit: name, was: 'dropped', is: 'dropped' };
}

interface Changing {
  readonly query: Query;
  readonly engine: Engine;
}

/** Also those that the database never heard of. */
async function removeCopies(unit: string, copies: UnitCopies, signal: AbortSignal): Promise<void> {
  for (const { key } of await copies.list(unit, signal)) await copies.remove(key, signal);
}

const changes: Readonly<Record<UnitChange, (unit: Unit, changing: Changing) => Promise<ChangedUnit['is']>>> = {
  async pause({ id, state }, { query, engine }) {
    if (state === 'paused' || state === 'done') return 'unchanged';
    await setState(query, id, 'paused');
    await engine.withdraw(id, query);
    return 'paused';
  },
  async resume(unit, changing) {
    return unit.state === 'paused' ? await begin(unit, changing) : 'unchanged';
  },
  async retry(unit, changing) {
    // One that waits until it is tried again need not wait.
    const isTriedAgain = unit.state === 'waiting' && unit.failures > 0;
    if (unit.state !== 'dead' && unit.state !== 'stopped' && !isTriedAgain) return 'unchanged';
    // Every conversation is read before anything is sent.
    if (unit.reason?.startsWith(copiesLost))
      await changing.query(`UPDATE ferry.unit SET phase = 'plan' WHERE id = $1`, [unit.id]);
    return await begin(unit, changing);
  },
  async drop({ id, worker }, { query, engine }) {
    if (worker !== null) {
      throw new UsageError(`Cannot drop "${id}": ${worker} works on it`, {
        hint: `Run "chatferry fleet pause ${id}" first, and this again half a minute later`,
      });
    }
    await engine.withdraw(id, query);
    await removeUnit(query, id);
    return 'dropped';
  },
};

async function begin(unit: Unit, { query, engine }: Changing): Promise<ChangedUnit['is']> {
  await setState(query, unit.id, 'waiting');
  await engine.withdraw(unit.id, query);
  await sendLease(query, engine, { unit, group: unit.address });
  return 'waiting';
}

export const noUnit = (name: string) =>
  new UsageError(`Cannot find "${name}": there is no such unit or tenant`, {
    hint: 'chatferry fleet status shows all',
  });
