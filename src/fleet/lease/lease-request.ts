import type { BegunLease, LeaseEnd } from '../database/leases.ts';
import type { LeaseProgress, Unit, UnitCopy } from '../database/units.ts';
import type { Claim } from '../work/engine.ts';
import type { FleetFilesRule } from '../copies/fleet-files.ts';

/** Message from a worker to the process of a lease. The address of the database is in its environment: it may hold a password. */
export interface LeaseRequest {
  readonly claim: Claim;
  /** Random: who says it has the unit. */
  readonly token: string;
  readonly unit: Unit;
  readonly lease: BegunLease;
  /** The newest first. */
  readonly copies: readonly UnitCopy[];
  /** The unit's own, on this machine. */
  readonly folder: string;
  readonly files: FleetFilesRule;
  readonly times: LeaseTimes;
}

/** In ms. */
export interface LeaseTimes {
  readonly lease: number;
  readonly heartbeat: number;
  /** Between two copies of a store that is being sent. */
  readonly copyEvery: number;
}

export type ToLease =
  | { readonly kind: 'begin'; readonly request: LeaseRequest }
  | { readonly kind: 'stop'; readonly why: 'worker' | 'lost' };

/** Measurements of a lease, for the worker's metrics. */
export type Measured =
  | { readonly kind: 'leave' | 'slot' | 'copy'; readonly ms: number; readonly bytes?: number; readonly address: string }
  | { readonly kind: 'uncopied'; readonly count: number; readonly unit: string }
  | { readonly kind: 'fenced'; readonly unit: string };

export type FromLease =
  | { readonly kind: 'measured'; readonly measured: Measured }
  | { readonly kind: 'progress'; readonly progress: LeaseProgress }
  /** The lease is over and recorded; undefined if the unit was lost: then nothing is recorded. */
  | { readonly kind: 'ended'; readonly end: Pick<LeaseEnd, 'exit' | 'state' | 'reason'> | undefined };
