import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreError, UsageError } from '../lib/errors.ts';
import { noUnit } from './change-units.ts';
import type { UnitCopies } from './copies/unit-copies.ts';
import { unpackStore } from './copies/unpack-store.ts';
import type { FleetDatabase } from './database/database.ts';
import { copiesOf, type Unit, type UnitCopy, unitsOf } from './database/units.ts';

/** A copy of a unit's store that lies here now. */
export interface OpenedStore {
  readonly unit: string;
  readonly store: string;
  /** How long ago it was saved, in ms. */
  readonly agoMs: number;
  readonly number: number;
}

export interface OpenRequest {
  /** Of a unit, or of an export with its parts. */
  readonly name: string;
  /** Where the store is to lie, of several parts the folder of their stores, `1.db` to `50.db`; there is nothing yet. Default: after the name. */
  readonly store?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Fetches the last copy of a unit's store, or those of all parts of an export, to look at with every other command.
 *
 * @throws UsageError, StoreError; then nothing lies there.
 */
export async function openUnits(
  database: FleetDatabase,
  copies: UnitCopies,
  { name, store, signal }: OpenRequest,
): Promise<readonly OpenedStore[]> {
  const found = await copiesOfName(database, name);
  const isInParts = found[0]!.unit.id !== name;
  const target = store ?? `${name.replaceAll(/[^a-z0-9-]+/g, '-')}${isInParts ? '' : '.db'}`;
  if (existsSync(target))
    throw new UsageError(`Cannot open "${name}" as "${target}": there is such a file or folder`, {
      hint: 'Pass another --store',
    });
  const scratch = mkdtempSync(join(dirname(resolve(target)), '.chatferry-open-'));
  let isWhole = false;
  try {
    if (isInParts) mkdirSync(target, { mode: 0o700 });
    const opened: OpenedStore[] = [];
    for (const { unit, copies: all } of found) {
      const path = isInParts ? join(target, `${unit.part! + 1}.db`) : target;
      opened.push({
        unit: unit.id,
        store: path,
        ...(await openNewest(unit.id, all, { copies, path, scratch, signal })),
      });
    }
    isWhole = true;
    return opened;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    if (!isWhole && isInParts) rmSync(target, { recursive: true, force: true });
  }
}

interface CopiesOfUnit {
  readonly unit: Unit;
  /** The newest first; one at least. */
  readonly copies: readonly UnitCopy[];
}

/** @throws UsageError where there is no such unit, one has no copy yet, or the name is that of several exports. */
async function copiesOfName({ query }: FleetDatabase, name: string): Promise<readonly CopiesOfUnit[]> {
  const units = await unitsOf(query, name);
  const [first] = units;
  if (!first) throw noUnit(name);
  if (units.length > 1 && first.export !== name) {
    const ids = [...new Set(units.map((unit) => unit.export))].slice(0, 5);
    throw new UsageError(`Cannot open "${name}": it is a tenant`, { hint: `Name one of its units: ${ids.join(', ')}` });
  }
  const found: CopiesOfUnit[] = [];
  for (const unit of units) found.push({ unit, copies: await copiesOf(query, unit.id) });
  const without = found.filter(({ copies }) => copies.length === 0).map(({ unit }) => unit.id);
  if (without.length === 0) return found;
  const of = units.length > 1 ? ` of ${without.slice(0, 5).join(', ')}` : '';
  throw new UsageError(`Cannot open "${name}": there is no copy of its store yet${of}`, {
    hint: 'It has one once it was planned',
  });
}

/** The newest copy that is whole. @throws StoreError where there is none. */
async function openNewest(
  unit: string,
  all: readonly UnitCopy[],
  {
    copies,
    path,
    scratch,
    signal,
  }: { readonly copies: UnitCopies; readonly path: string; readonly scratch: string; readonly signal: AbortSignal },
): Promise<Pick<OpenedStore, 'agoMs' | 'number'>> {
  const faults: string[] = [];
  for (const { key, sum, agoMs, number } of all) {
    try {
      await copies.fetch(key, sum, join(scratch, 'copy'), signal);
      await unpackStore(join(scratch, 'copy'), { store: path, state: join(scratch, 'jobs.db') });
      return { agoMs, number };
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      faults.push(error.message);
    }
  }
  throw new StoreError(`Cannot open "${unit}": no copy of its store can be used: ${faults.join('; ')}`, { path });
}
