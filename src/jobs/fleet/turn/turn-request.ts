import type { BegunTurn, TurnEnd } from '../database/turns.ts';
import type { TurnProgress, Unit, UnitCopy } from '../database/units.ts';
import type { Claim } from '../engine.ts';
import type { FleetFilesRule } from '../copies/fleet-files.ts';

/** Message from a worker to the process of a turn. The address of the database is in its environment: it may hold a password. */
export interface TurnRequest {
  readonly claim: Claim;
  /** Random: who says it has the unit. */
  readonly token: string;
  readonly unit: Unit;
  readonly turn: BegunTurn;
  /** The newest first. */
  readonly copies: readonly UnitCopy[];
  /** The unit's own, on this machine. */
  readonly folder: string;
  readonly files: FleetFilesRule;
  readonly times: TurnTimes;
}

/** In ms. */
export interface TurnTimes {
  readonly turn: number;
  readonly heartbeat: number;
  /** Between two copies of a store that is being sent. */
  readonly copyEvery: number;
}

export type ToTurn =
  | { readonly kind: 'begin'; readonly request: TurnRequest }
  | { readonly kind: 'stop'; readonly why: 'worker' | 'lost' };

/** Measurements of a turn, for the worker's metrics. */
export type Measured =
  | { readonly kind: 'leave' | 'slot' | 'copy'; readonly ms: number; readonly bytes?: number; readonly address: string }
  | { readonly kind: 'uncopied'; readonly count: number; readonly unit: string }
  | { readonly kind: 'fenced'; readonly unit: string };

export type FromTurn =
  | { readonly kind: 'measured'; readonly measured: Measured }
  | { readonly kind: 'progress'; readonly progress: TurnProgress }
  /** The turn is over and recorded; undefined if the unit was lost: then nothing is recorded. */
  | { readonly kind: 'ended'; readonly end: Pick<TurnEnd, 'exit' | 'state' | 'reason'> | undefined };
