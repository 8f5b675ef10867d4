import type { Clock } from '../lib/flow/clock.ts';
import type { FleetFilesRule } from './copies/fleet-files.ts';
import type { FleetDatabase } from './database/database.ts';
import type { DatabasePlace } from './database/epoch.ts';
import type { Engine } from './work/engine.ts';
import type { Measured, LeaseTimes } from './lease/lease-request.ts';

/** Notified of a worker's actions. Never throws, never waits. */
export interface WorkerListener {
  leaseBegan?(unit: string, lease: { readonly number: number; readonly isTakenOver: boolean }): void;
  leaseEnded?(
    unit: string,
    end: {
      readonly outcome: 'done' | 'failed' | 'lost' | 'crashed';
      readonly ms: number;
      readonly state?: string;
      readonly reason?: string | null;
    },
  ): void;
  measured?(measured: Measured): void;
  /** The database does not answer; and it does again. */
  database?(isUp: boolean, words: string): void;
  /** The database lost commits. */
  lost?(): void;
  /** It looks after its leases. */
  beat?(): void;
  stopping?(): void;
}

export interface WorkerOptions {
  readonly database: FleetDatabase;
  readonly engine: Engine;
  readonly files: FleetFilesRule;
  readonly times: LeaseTimes;
  /** Leases at a time. */
  readonly leases: number;
  /** Folder for the files of units. */
  readonly work: string;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly listener: WorkerListener;
  /** Aborted: leases are stopped, and what they have is copied. */
  readonly stopping: AbortSignal;
  /** Called with lines about faults from the process of a lease. */
  readonly onLine: (line: string) => void;
  /** Last known position of the database, if it is kept between starts. */
  readonly seen?: SeenPlace | undefined;
  /** Said in addition when the database does not answer. */
  readonly downHint?: string | undefined;
}

/** Storage, outside of the database, for its last known position. */
export interface SeenPlace {
  read(): Promise<DatabasePlace | undefined>;
  write(place: DatabasePlace): Promise<void>;
}

/** Does work that asks the database: what it does not answer is done again the next time. Never throws. */
export type Guard = (work: () => Promise<void>) => Promise<void>;

/** Folder in which `worker --embedded` keeps its PostgreSQL and its files by default, and in which other commands look for them. */
export const embeddedFolder = './chatferry-fleet';
