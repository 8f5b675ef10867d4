import type { SentMessages, LeaseProgress, Unit } from '../database/units.ts';
import { atDestinationMax } from '../work/engine.ts';

/**
 * Reason why a due unit does not run: its worker is silent and no other has it yet; no worker runs; two others at its
 * destination run; every worker has as many leases as it may.
 */
export type WaitsFor = 'takeover' | 'worker' | 'destination' | 'lease';

export interface UnitOverview
  extends Pick<Unit, 'tenant' | 'address' | 'state' | 'phase' | 'worker' | 'leases' | 'failures' | 'reason'> {
  /** Without its tenant: `slack`. */
  readonly name: string;
  readonly waitsFor: WaitsFor | null;
  /** Whether anything is known of its messages: `planned = imported + existing + failed + remaining`. */
  readonly isPlanned: boolean;
  readonly planned: number;
  readonly imported: number;
  readonly existing: number;
  /** Messages that are still to be sent or found out. */
  readonly remaining: number;
  readonly invalid: number;
  readonly failed: number;
  /** Requests a minute: allowed, as far as anybody knows, and those of the last minute, of all units at its address. */
  readonly quota: number | null;
  readonly used: number;
  /** When its next lease is due, in ms from now, where it waits for it. */
  readonly dueInMs: number | null;
  /**
   * Time until the unit is finished at the quota, which it shares with all remaining units at its address, in ms; null
   * while no worker works on it.
   */
  readonly etaMs: number | null;
  /** Leases that another worker had lost. */
  readonly takeovers: number;
  /** When its first lease began, and its last one ended, in ms before now. */
  readonly startedAgoMs: number | null;
  readonly endedAgoMs: number | null;
  /** The current stage of its lease, if one runs. */
  readonly stage: LeaseProgress | null;
  /** Where its log is. A lease without an end died with its worker. */
  readonly lastLease: { readonly worker: string; readonly endedAgoMs: number | null } | null;
}

/** A unit as it counts: one under a silent worker counts as waiting. */
export interface SeenUnit extends Unit {
  readonly isLost: boolean;
}

export interface UnitLeases {
  readonly takeovers: number;
  readonly startedAgoMs: number;
  readonly endedAgoMs: number | null;
  /** Worker of the last lease that is not running. */
  readonly lastWorker: string | null;
  readonly lastEndedAgoMs: number | null;
}

export interface FleetFacts {
  readonly nowMs: number;
  readonly units: readonly SeenUnit[];
  readonly workers: readonly { readonly leases: number; readonly running: number; readonly isSilent: boolean }[];
  readonly used: ReadonlyMap<string, number>;
  /** Limits that destinations have reported, by address. */
  readonly learned: ReadonlyMap<string, number>;
  readonly leases: ReadonlyMap<string, UnitLeases>;
}

export function overviewer(facts: FleetFacts): (unit: SeenUnit) => UnitOverview {
  const { nowMs, units, used, learned, leases } = facts;
  const waitsFor = waitReasons(facts);
  const timeLeft = timeLeftReader(units, learned);
  const isWorked = facts.workers.some(({ isSilent }) => !isSilent);
  return (unit) => {
    const { id, tenant, address, state, phase, dueAtMs, totals, progress, reason } = unit;
    const messages = latestMessages(unit);
    const { planned, imported, existing, failed, remaining } = messages ?? nothing;
    const { takeovers = 0, startedAgoMs = null, endedAgoMs = null } = leases.get(id) ?? {};
    return {
      tenant,
      name: id.slice(tenant.length + 1),
      address,
      state,
      phase,
      waitsFor: waitsFor(unit),
      isPlanned: messages !== undefined,
      planned,
      imported,
      existing,
      remaining,
      invalid: totals?.invalid ?? 0,
      failed,
      quota: unit.quota ?? learned.get(address) ?? null,
      used: used.get(address) ?? 0,
      dueInMs: state === 'waiting' && dueAtMs !== null ? Math.max(0, dueAtMs - nowMs) : null,
      etaMs: isWorked ? timeLeft(unit) : null,
      worker: unit.worker,
      leases: unit.leases,
      takeovers,
      startedAgoMs,
      endedAgoMs,
      failures: unit.failures,
      stage: state === 'running' ? progress : null,
      reason,
      lastLease: findLastLease(unit, leases),
    };
  };
}

const nothing: SentMessages = { planned: 0, imported: 0, existing: 0, failed: 0, remaining: 0 };

/** As the lease that sends has them, or the one that was killed; else after the last lease. */
function latestMessages({ totals, progress }: SeenUnit): SentMessages | undefined {
  if (progress?.sent) return progress.sent;
  return totals ? { ...totals, remaining: totals.pending + totals.unconfirmed } : undefined;
}

function findLastLease({ id }: SeenUnit, leases: FleetFacts['leases']): UnitOverview['lastLease'] {
  const { lastWorker, lastEndedAgoMs = null } = leases.get(id) ?? {};
  return typeof lastWorker === 'string' ? { worker: lastWorker, endedAgoMs: lastEndedAgoMs } : null;
}

function waitReasons({ nowMs, units, workers }: FleetFacts): (unit: SeenUnit) => WaitsFor | null {
  const alive = workers.filter(({ isSilent }) => !isSilent);
  const freeCount = alive.reduce((sum, { leases, running }) => sum + leases - running, 0);
  const running = Map.groupBy(
    units.filter(({ state }) => state === 'running'),
    ({ address }) => address,
  );
  return (unit) => {
    if (unit.isLost) return 'takeover';
    if (unit.state !== 'waiting' || (unit.dueAtMs !== null && unit.dueAtMs > nowMs)) return null;
    if (alive.length === 0) return 'worker';
    if ((running.get(unit.address)?.length ?? 0) >= atDestinationMax) return 'destination';
    return freeCount <= 0 ? 'lease' : null;
  };
}

/**
 * Returns a function that calculates the remaining time of a unit: until it is finished, the others at its address get
 * as many slots as it does. Null if the number of slots is unknown, or if the unit rests.
 */
function timeLeftReader(units: readonly SeenUnit[], learned: FleetFacts['learned']): (unit: SeenUnit) => number | null {
  const atAddress = Map.groupBy(
    units.filter((unit) => isActive(unit) && requestsLeft(unit) > 0),
    ({ address }) => address,
  );
  const untilThrough = new Map(
    [...atAddress].map(([address, sharing]) => [address, slotsUntil(sharing.map(requestsLeft))]),
  );
  return (unit) => {
    const quota = unit.quota ?? learned.get(unit.address);
    const own = requestsLeft(unit);
    if (quota === undefined || own === 0 || unit.isLost || !isActive(unit)) return null;
    return (untilThrough.get(unit.address)!.get(own)! / quota) * 60_000;
  };
}

/** For each count of requests that a unit may have left: how many all take until it is through, each as many as it has left, or as this one. */
function slotsUntil(left: readonly number[]): ReadonlyMap<number, number> {
  const sorted = left.toSorted((a, b) => a - b);
  const slots = new Map<number, number>();
  let sum = 0;
  for (const [index, own] of sorted.entries()) {
    sum += own;
    slots.set(own, sum + own * (sorted.length - 1 - index));
  }
  return slots;
}

const isActive = ({ state }: SeenUnit): boolean => state === 'waiting' || state === 'running';

const requestsLeft = (unit: SeenUnit): number => Math.ceil((latestMessages(unit)?.remaining ?? 0) / perRequest(unit));

/** Messages of a request at most: as the job says, or its file; or the hosted service has it. */
const perRequest = ({ config: { job, top } }: SeenUnit): number => Number(job.batchItems ?? top.batchItems ?? 50);
