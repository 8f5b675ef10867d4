import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreError, UsageError } from '../lib/errors.ts';
import type { UnitCopies } from './copies/unit-copies.ts';
import { unpackStore } from './copies/unpack-store.ts';
import type { FleetDatabase, Query } from './database/database.ts';
import { copiesOf, groupOf, removeUnit, setState, type Unit, unitsOf } from './database/units.ts';
import type { Engine } from './engine.ts';
import { copiesLost } from './turn/after-turn.ts';

export type UnitChange = 'pause' | 'resume' | 'retry' | 'drop';

/** What became of a unit; `running`: its turn is asked to stop, and ends within half a minute. */
export interface ChangedUnit {
  readonly unit: string;
  readonly was: Unit['state'];
  readonly is: Unit['state'] | 'dropped' | 'unchanged';
}

/**
 * Pauses, resumes, begins again or drops units.
 *
 * @param name Of a unit, of an export with its parts, or of a tenant.
 * @throws UsageError where there is none, or one that runs would be dropped.
 */
export async function changeUnits(
  database: FleetDatabase,
  { engine, copies, signal }: { readonly engine: Engine; readonly copies: UnitCopies; readonly signal: AbortSignal },
  change: UnitChange,
  name: string,
): Promise<readonly ChangedUnit[]> {
  const changed = await database.transaction(async (query) => {
    const units = await unitsOf(query, name);
    if (units.length === 0) throw noUnit(name);
    const results: ChangedUnit[] = [];
    for (const unit of units)
      results.push({ unit: unit.id, was: unit.state, is: await changes[change](unit, { query, engine }) });
    return results;
  });
  // Behind the commit: until then they would be missed.
  for (const { unit, is } of changed) if (is === 'dropped') await removeCopies(unit, copies, signal);
  return changed;
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
    if (unit.state !== 'dead' && unit.state !== 'stopped') return 'unchanged';
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
  // A part that is planned waits for the others.
  if (unit.phase === 'named') return 'waiting';
  await engine.withdraw(unit.id, query);
  await engine.send({ unit: unit.id, group: groupOf(unit) }, query);
  return 'waiting';
}

/**
 * Fetches the last copy of a unit's store, to look at with every other command.
 *
 * @param store Where it is to lie; there is nothing yet.
 * @throws UsageError, StoreError
 */
export async function openUnit(
  database: FleetDatabase,
  copies: UnitCopies,
  { unit, store, signal }: { readonly unit: string; readonly store: string; readonly signal: AbortSignal },
): Promise<{ readonly store: string; readonly agoMs: number; readonly number: number }> {
  if (existsSync(store))
    throw new UsageError(`Cannot open "${unit}" as "${store}": there is such a file`, { hint: 'Pass another --store' });
  const all = await copiesOf(database.query, unit);
  if (all.length === 0) {
    const [one, ...others] = await unitsOf(database.query, unit);
    if (!one) throw noUnit(unit);
    const hint =
      others.length > 0
        ? `Name one of them: ${[one, ...others]
            .slice(0, 5)
            .map(({ id }) => id)
            .join(', ')}`
        : 'It has one once it was planned';
    throw new UsageError(`Cannot open "${unit}": there is no copy of its store yet`, { hint });
  }
  const scratch = mkdtempSync(join(dirname(resolve(store)), '.chatferry-open-'));
  const faults: string[] = [];
  try {
    for (const { key, sum, agoMs, number } of all) {
      try {
        await copies.fetch(key, sum, join(scratch, 'copy'), signal);
        await unpackStore(join(scratch, 'copy'), { store, state: join(scratch, 'jobs.db') });
        return { store, agoMs, number };
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        faults.push(error.message);
      }
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  throw new StoreError(`Cannot open "${unit}": no copy of its store can be used: ${faults.join('; ')}`, {
    path: store,
  });
}

const noUnit = (name: string) =>
  new UsageError(`Cannot find "${name}": there is no such unit, export or tenant`, {
    hint: 'chatferry fleet status shows all',
  });
