import type { JobConfig } from '../../sync/sync-file.ts';
import type { JobResult } from '../../sync/job-result.ts';
import { type Job, jobFor } from '../../sync/job.ts';
import { runJob } from '../../sync/run-job.ts';
import type { JobState } from '../../sync/job-state.ts';
import { openTarget, type Target } from '../../delivery/target.ts';
import type { FleetLanes } from '../work/lanes.ts';
import type { FleetPermits } from '../work/permits.ts';
import { fleetPace } from '../work/pace.ts';
import type { Query } from '../database/database.ts';
import type { Measured, LeaseRequest } from './lease-request.ts';
import type { RunControls } from '../../lib/flow/run-controls.ts';

export interface RunUnitOptions extends RunControls {
  readonly config: JobConfig;
  readonly state: JobState;
  readonly query: Query;
  readonly permits: FleetPermits;
  readonly lanes: FleetLanes;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly measured: (measured: Measured) => void;
  readonly onFault: (error: unknown) => void;
  /** Called once everything is planned, and sending begins. */
  readonly onPlanned: () => void;
}

/** Result of a lease, in the form of a job's run. */
export interface UnitRun {
  readonly result:
    | Pick<JobResult, 'exit' | 'stopped' | 'notes' | 'added' | 'remaining' | 'requests' | 'verify'>
    | Pick<JobResult, 'exit' | 'stopped'>;
  /** It was stopped before its end. */
  readonly isCut: boolean;
}

/** An export that is migrated once: what was planned is not looked at again. */
export const isOnce = ({ export: location, schedule }: JobConfig): boolean =>
  'path' in location && schedule === undefined;

/** Plans, sends, verifies: whatever is next for the unit. Never throws: whatever happens is its result. */
export async function runUnit({ unit, lease }: LeaseRequest, options: RunUnitOptions): Promise<UnitRun> {
  const { config, state, clock } = options;
  const job = buildFleetJob(options);
  const { result, isCut } = await runJob(job, {
    ...options,
    state,
    number: lease.number,
    startedAtMs: clock.now(),
    // Planned messages are sent, wherever the export is by now.
    ...(isOnce(config) && unit.phase !== 'plan' && { open: async () => ({ takes: [], failures: [] }) }),
  });
  return { result, isCut };
}

/** The job as any other, but that its destination is reached by the fleet's pace and with its send permits. */
function buildFleetJob(options: RunUnitOptions): Job {
  const { config, env } = options;
  const job = jobFor({ env }, config);
  return {
    config,
    request: async () => ({
      ...(await job.request()),
      isTakenOver: true,
      openTarget: (store, target) => fleetTarget(store, target, options),
    }),
  };
}

async function fleetTarget(
  store: Parameters<typeof openTarget>[0],
  given: Parameters<typeof openTarget>[1],
  { query, permits, lanes, measured, onPlanned }: RunUnitOptions,
): Promise<Target> {
  onPlanned();
  const target = await openTarget(store, given);
  const { importsPerMinute, readsPerMinute, actionsPerMinute } = target.profile;
  return {
    ...target,
    permits,
    openClaims: (profile) => lanes.open(profile),
    openPace: (onWait) =>
      fleetPace(query, {
        address: target.name,
        perMinute: {
          get import() {
            return given.importRate?.() ?? importsPerMinute;
          },
          read: readsPerMinute,
          action: actionsPerMinute,
        },
        clock: given.clock,
        onWait,
        mayGo: () => permits.mayGo(),
        onSlot: (ms) => measured({ kind: 'slot', ms, address: target.name }),
      }),
  };
}
