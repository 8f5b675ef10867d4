import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import type { LocationContext, Arrivals } from '../../src/sync/locations/location.ts';
import { openExportLocation } from '../../src/sync/run-job.ts';
import { openJobState } from '../../src/sync/job-state.ts';
import { never } from '../scenes/bench.ts';
import { jobsOf } from './fixture.ts';

/** The location of a job's export, read once. */
export interface LocationScene {
  readonly folder: string;
  obtain(changes?: Partial<LocationContext>): Promise<Arrivals>;
}

/** @param location As `export:` of a job says it. */
export function locationScene(location: object, folder: string): LocationScene {
  const [job] = jobsOf(folder, `jobs: [{ name: a, to: sandbox, export: ${JSON.stringify(location)} }]`);
  const state = openJobState(join(folder, 'jobs.db'), 0);
  onTestFinished(() => state.close());
  const context: LocationContext = {
    job: 'a',
    state,
    folder: join(folder, 'downloads'),
    isFresh: false,
    source: {},
    clock: systemClock,
    random: () => 0,
    progress: silent,
    env: { PATH: process.env.PATH, CHATFERRY_API_KEY: 'k3y' },
    signal: never,
  };
  return { folder, obtain: (changes) => openExportLocation(job!.config.export)({ ...context, ...changes }) };
}

/** An export that a program of Node writes. */
export const node = (script: string) => ({ command: [process.execPath, '-e', script], format: 'export.ndjson' });
