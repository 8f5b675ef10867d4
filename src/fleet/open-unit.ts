import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { StoreError, UsageError } from '../lib/errors.ts';
import { noUnit } from './change-units.ts';
import type { UnitCopies } from './copies/unit-copies.ts';
import { unpackStore } from './copies/unpack-store.ts';
import type { FleetDatabase } from './database/database.ts';
import { listCopies, type UnitCopy, listUnits } from './database/units.ts';

/** A local copy of a unit's store. */
export interface OpenedStore {
  readonly unit: string;
  readonly store: string;
  /** How long ago it was saved, in ms. */
  readonly agoMs: number;
  readonly number: number;
}

export interface OpenRequest {
  /** Id of the unit. */
  readonly name: string;
  /** Path of the store; nothing may exist there yet. Default: made from the name. */
  readonly store?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Fetches the last copy of a unit's store, for inspection with every other command.
 *
 * @throws UsageError, StoreError; then nothing is left at the target.
 */
export async function openUnit(
  database: FleetDatabase,
  copies: UnitCopies,
  { name, store, signal }: OpenRequest,
): Promise<OpenedStore> {
  const all = await requireCopies(database, name);
  const path = store ?? `${name.replaceAll(/[^a-z0-9-]+/g, '-')}.db`;
  if (existsSync(path))
    throw new UsageError(`Cannot open "${name}" as "${path}": there is such a file or folder`, {
      hint: 'Pass another --store',
    });
  const scratch = mkdtempSync(join(dirname(resolve(path)), '.chatferry-open-'));
  try {
    return { unit: name, store: path, ...(await openNewest(name, all, { copies, path, scratch, signal })) };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Returns the copies, newest first; at least one. @throws UsageError if there is no such unit, or no copy of it yet. */
async function requireCopies({ query }: FleetDatabase, name: string): Promise<readonly UnitCopy[]> {
  const units = await listUnits(query, name);
  if (units.length === 0) throw noUnit(name);
  if (!units.some(({ id }) => id === name)) {
    const ids = units.slice(0, 5).map(({ id }) => id);
    throw new UsageError(`Cannot open "${name}": it is a tenant`, { hint: `Name one of its units: ${ids.join(', ')}` });
  }
  const copies = await listCopies(query, name);
  if (copies.length > 0) return copies;
  throw new UsageError(`Cannot open "${name}": there is no copy of its store yet`, {
    hint: 'It has one once it was planned',
  });
}

/** Opens the newest copy that is complete. @throws StoreError if there is none. */
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
