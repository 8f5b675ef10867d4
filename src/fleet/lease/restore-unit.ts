import { rmSync } from 'node:fs';
import { openStore, type Store } from '../../store/open.ts';
import type { LeftIntent } from '../../store/batches.ts';
import type { Clock } from '../../lib/flow/clock.ts';
import { StoreError } from '../../lib/errors.ts';
import { NewerStore } from '../../lib/migrations.ts';
import { unpackStore } from '../copies/unpack-store.ts';
import type { UnitCopies } from '../copies/unit-copies.ts';
import type { Query } from '../database/database.ts';
import { listAnnounced, type UnitCopy } from '../database/units.ts';
import type { LeaseRequest } from './lease-request.ts';
import { emptyFolder, heldCopy, touchFolder, unitFiles } from './unit-folder.ts';

export interface RestoreOptions {
  readonly copies: UnitCopies;
  readonly query: Query;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** There are copies, and none can be used: a person has to decide whether the unit starts over. */
export class CopiesLost extends StoreError {}

export interface Restored {
  /** Number of the copy that they come from; 0 if there was none: everything is planned again. */
  readonly number: number;
  /** Why a newer copy was not taken, in words. */
  readonly faults: readonly string[];
  /** It was made before the database lost commits: what left since then is not known. */
  readonly isLost: boolean;
  /** Since then nothing left that is not known, in ms. */
  readonly lostAgoMs: number;
}

/**
 * Restores the files of a unit from its last copy and the requests that left since then. Files that already are that
 * copy stay.
 *
 * @throws StoreError if no copy of several can be used; MediaFault if they cannot be reached.
 */
export async function restoreUnit(request: LeaseRequest, options: RestoreOptions): Promise<Restored> {
  const { folder, copies, lease } = request;
  const [newest] = copies;
  if (newest && newest.epoch === lease.epoch && !lease.isLost && heldCopy(folder) === newest.key) {
    touchFolder(folder);
    return { number: newest.number, faults: [], isLost: false, lostAgoMs: lease.lostAgoMs };
  }
  emptyFolder(folder);
  const faults: string[] = [];
  for (const copy of await candidates(request, options)) {
    try {
      await fetchCopy(request, copy, options);
    } catch (error) {
      // One that is older would be believed with a list of what left that is not its own program's.
      if (!(error instanceof StoreError) || error instanceof NewerStore) throw error;
      faults.push(error.message);
      continue;
    }
    const isLost = isLostCopy(request, copy);
    const lostAgoMs = isLost ? await lastUnknownAgoMs(request, copy, options) : lease.lostAgoMs;
    const number = await findFreeNumber(request, options, copy.number);
    await replay(request, copy, { ...options, isLost, lostAgoMs });
    return { number, faults, isLost, lostAgoMs };
  }
  if (faults.length > 0 && request.unit.phase !== 'plan') throw allDamaged(request, faults);
  emptyFolder(folder);
  const number = await findFreeNumber(request, options, 0);
  if (faults.length === 0) return { number, faults, isLost: lease.isLost, lostAgoMs: lease.lostAgoMs };
  return { number, faults, isLost: true, lostAgoMs: await unknownForMs(request, options) };
}

/**
 * Returns for how long, in ms, no request has left that is missing in the store. The time starts when commits were
 * lost. If a newer copy cannot be used or there is none, it starts at the last request that the database knows.
 */
async function unknownForMs({ unit, lease, copies }: LeaseRequest, { query }: RestoreOptions): Promise<number> {
  const [row] = await query<{ ms: number | null }>(
    'SELECT (extract(epoch FROM clock_timestamp() - max(left_at)) * 1000)::float8 AS ms FROM ferry.intent WHERE unit = $1',
    [unit.id],
  );
  const leftAgoMs = row!.ms ?? copies[0]?.agoMs ?? (lease.isLost ? Number.POSITIVE_INFINITY : 0);
  return Math.min(lease.lostAgoMs, leftAgoMs);
}

const lastUnknownAgoMs = (request: LeaseRequest, { epoch }: Candidate, options: RestoreOptions): Promise<number> =>
  epoch === undefined ? handedInAgoMs(request, options) : unknownForMs(request, options);

/**
 * Returns the age, in ms, of the last possible unknown request, for a copy made before the unit was submitted. The loss
 * may not have been noticed, but the requests of that earlier unit left before the first lease of this one.
 */
async function handedInAgoMs({ unit, lease }: LeaseRequest, { query }: RestoreOptions): Promise<number> {
  const [row] = await query<{ ms: number | null }>(
    `SELECT (extract(epoch FROM clock_timestamp() - greatest((SELECT min(began) FROM ferry.lease WHERE unit = $1),
       (SELECT max(left_at) FROM ferry.intent WHERE unit = $1))) * 1000)::float8 AS ms`,
    [unit.id],
  );
  return Math.min(lease.lostAgoMs, row!.ms ?? 0);
}

/**
 * Where the database lost commits, what lies there may be newer than what it knows. A unit without a copy was handed in again, or has lost none:
 *
 *     what lies there            comes from                                                       is
 *     announced in this unit     a lease that died between putting its first copy and saving it    a stray: nothing left, the unit begins anew
 *     not announced              a unit of that name before: in a database that is lost, or       its store; what left later is not known
 *                                restored to before it was handed in; or dropped meanwhile
 *
 * A first copy may also have been saved, and requests have left, in commits that are lost: then the fleet's epoch is above the unit's, and every
 * one counts. No other request leaves before a copy was saved.
 */
async function candidates(
  { unit, copies, lease }: LeaseRequest,
  { copies: files, query, signal }: RestoreOptions,
): Promise<readonly Candidate[]> {
  if (!lease.isLost && copies.length > 0) return copies;
  const strays = lease.isLost ? [] : await listAnnounced(query, unit.id);
  const listed = (await files.list(unit.id, signal)).filter(({ key }) => !strays.includes(key));
  return listed.map(
    (one) =>
      copies.find(({ key }) => key === one.key) ?? {
        ...one,
        sum: undefined,
        mark: undefined,
        epoch: undefined,
        agoMs: 0,
      },
  );
}

/** Whether a copy is from before a loss. Ids of intents begin again after a database was restored, so an earlier mark is meaningless. */
const isLostCopy = ({ lease }: LeaseRequest, { epoch }: Pick<Candidate, 'epoch'>): boolean =>
  lease.isLost || epoch !== lease.epoch;

interface Candidate extends Pick<UnitCopy, 'number' | 'key' | 'agoMs'> {
  readonly epoch: number | undefined;
  readonly sum: string | undefined;
  readonly mark: string | undefined;
}

async function fetchCopy(
  { folder }: LeaseRequest,
  { key, sum }: Candidate,
  { copies, signal }: RestoreOptions,
): Promise<void> {
  const { store, state, packed } = unitFiles(folder);
  try {
    await copies.fetch(key, sum, packed, signal);
    await unpackStore(packed, { store, state });
  } finally {
    rmSync(packed, { force: true });
  }
}

/** A number that no copy has, so that a newer one never has the name of an older. */
async function findFreeNumber(
  request: LeaseRequest,
  { copies, signal }: RestoreOptions,
  known: number,
): Promise<number> {
  const listed = await copies.list(request.unit.id, signal);
  return Math.max(known, ...[...listed, ...request.copies].map(({ number }) => number));
}

/**
 * Writes the requests that left since the copy into the store: those that surely arrived as such, the rest unconfirmed.
 * From the clocks of other machines, only the age of a request is trusted.
 */
async function replay(request: LeaseRequest, copy: Candidate, options: ReplayOptions): Promise<void> {
  const { unit, folder } = request;
  const { query, clock, isLost, lostAgoMs } = options;
  const { mark, agoMs } = copy;
  const intents = isLost || mark === undefined ? [] : await intentsSince(query, unit.id, mark);
  const store = openStore(unitFiles(folder).store, { command: 'worker', nowMs: clock.now() });
  try {
    // Requests missing from a lost list may have left until the moment at which it was lost.
    store.batches.ageOpen(isLost ? Math.min(agoMs, lostAgoMs) : agoMs, clock.now());
    replayInto(store, unit.address, intents, clock.now());
  } finally {
    store.close();
  }
}

interface ReplayOptions extends RestoreOptions {
  readonly isLost: boolean;
  readonly lostAgoMs: number;
}

function replayInto(store: Store, address: string, intents: readonly LeftIntent[], nowMs: number): void {
  if (intents.length === 0) return;
  const destination = store.destinations.find(address);
  if (!destination) throw unknownMessages(store.path, intents.length);
  const { unknown } = store.batches.replay(destination.id, intents, nowMs);
  if (unknown > 0) throw unknownMessages(store.path, unknown);
}

const unknownMessages = (path: string, count: number) =>
  new StoreError(`Cannot go on with the copy of a store: ${count} messages left since then that it does not know`, {
    path,
    hint: 'The unit was planned again without a copy: retry it; reconcile finds existing messages',
  });

async function intentsSince(query: Query, unit: string, mark: string): Promise<readonly LeftIntent[]> {
  const rows = await query<{
    muids: string[];
    actions: string[];
    arrivals: string[];
    agoMs: number;
    arrived: Record<string, string> | null;
  }>(
    `SELECT muids, actions::text[], arrivals::text[], arrived, (extract(epoch FROM clock_timestamp() - left_at) * 1000)::float8 AS "agoMs"
     FROM ferry.intent WHERE unit = $1 AND id > $2 ORDER BY id`,
    [unit, mark],
  );
  return rows.map(({ muids, actions, arrivals, agoMs, arrived }) => ({
    muids,
    actions: actions.map(Number),
    arrivals: arrivals.map(Number),
    agoMs,
    arrived: arrived ?? undefined,
  }));
}

const allDamaged = ({ unit, folder }: LeaseRequest, faults: readonly string[]) =>
  new CopiesLost(`Cannot go on with "${unit.id}": no copy of its store can be used: ${faults.join('; ')}`, {
    path: folder,
    hint: 'chatferry fleet retry starts over from the export: every conversation is read before anything is sent',
  });
