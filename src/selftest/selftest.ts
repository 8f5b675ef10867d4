import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { makeFolder } from '../lib/files/make-folder.ts';
import type { RunControls } from '../lib/flow/run-controls.ts';
import { UsageError } from '../lib/errors.ts';
import { migrate, type Migration, type MigrationOptions } from './steps/migrate.ts';
import { addUp, type Failure, type ScenarioResult } from './result.ts';
import { type Scenario, scenarios } from './steps/scenarios.ts';

export interface SelftestOptions extends Pick<RunControls, 'clock' | 'progress'> {
  /** How long it takes, about; 0 for one migration of every scenario, which takes some 50 s on two cores. */
  readonly minutes: number;
  /** Seed of the first migration of every scenario; each next migration has the next seed. */
  readonly seed: number;
  /** Only this one. */
  readonly scenario?: string | undefined;
  /** Aborted: everything that was started is killed. */
  readonly signal: AbortSignal;
  /** Called as soon as a scenario is done; the promise was kept if nothing failed. */
  readonly onResult: (result: ScenarioResult, isKept: boolean) => void;
}

export interface SelftestResult {
  /** In the order in which they came to their end. */
  readonly scenarios: readonly ScenarioResult[];
  readonly failures: readonly Failure[];
}

export const scenarioNames: readonly string[] = scenarios.map(({ name }) => name);

const killsMax = 6;

/**
 * Migrates made-up exports into the sandbox on this machine, with faults and kills, and keeps totals of the results.
 *
 * Starts real processes: as many migrations side by side as there are cores and one more, because much of their time is
 * waiting. Writes into a temporary folder, and leaves failed migrations there.
 *
 * @throws UsageError if there is no such scenario.
 * @throws the signal's reason
 */
export async function selftest(options: SelftestOptions): Promise<SelftestResult> {
  const { minutes, seed, scenario: only, clock, progress, signal, onResult } = options;
  if (only !== undefined && !scenarioNames.includes(only)) {
    throw new UsageError(`Cannot run the scenario "${only}": there is none of this name`, {
      hint: `Pass one of ${scenarioNames.join(', ')}`,
    });
  }
  const results: ScenarioResult[] = [];
  const failures: Failure[] = [];
  const wanted = scenarios.filter(({ name }) => only === undefined || only === name);
  const parent = mkdtempSync(join(tmpdir(), 'chatferry-selftest-'));
  const stage = progress.stage('Migrations', { total: wanted.length });
  try {
    const sideBySide = Math.min(wanted.length, availableParallelism() + 1);
    const sliceMs = (minutes * 60_000 * sideBySide) / wanted.length;
    const limit = pLimit(sideBySide);
    const all = await Promise.allSettled(
      wanted.map((scenario) =>
        limit(async () => {
          signal.throwIfAborted();
          const untilMs = clock.monotonic() + sliceMs;
          const done = await repeat({
            scenario,
            seed,
            parent,
            signal,
            shouldContinue: () => clock.monotonic() < untilMs,
          });
          results.push(done.result);
          failures.push(...done.failures);
          onResult(done.result, done.failures.length === 0);
          stage.update({ done: results.length });
        }),
      ),
    );
    for (const one of all) if (one.status === 'rejected') throw one.reason;
    return { scenarios: results, failures };
  } finally {
    stage.finish();
    if (signal.aborted) rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
    else if (failures.every(({ folder }) => folder === null)) rmdirSync(parent);
  }
}

interface Repetition {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly parent: string;
  readonly signal: AbortSignal;
  /** Asked before each migration but the first. */
  readonly shouldContinue: () => boolean;
}

/** Migrations of one scenario, one after the other, until its time is up or one fails: one folder is enough to look at. */
async function repeat({ shouldContinue, ...request }: Repetition): Promise<{
  result: ScenarioResult;
  failures: readonly Failure[];
}> {
  const { name } = request.scenario;
  let sum = addUp(name, []);
  for (let { seed } = request; ; seed++) {
    const { result, failure } = await runMigration({ ...request, seed, killsMax });
    sum = addUp(name, [sum, result]);
    if (failure) return { result: sum, failures: [failure] };
    if (!shouldContinue()) return { result: sum, failures: [] };
  }
}

export interface MigrationRequest extends Omit<MigrationOptions, 'folder'> {
  /** Where each migration gets a folder of its own. */
  readonly parent: string;
}

/**
 * A migration in a new folder, which is kept if something was not as it should be.
 *
 * @throws the signal's reason. Anything else that goes wrong is a failure of the migration.
 */
export async function runMigration({
  parent,
  ...request
}: MigrationRequest): Promise<{ readonly result: Migration['result']; readonly failure: Failure | undefined }> {
  const { scenario, seed } = request;
  const folder = join(parent, `${scenario.name}-${seed}`);
  makeFolder(folder);
  const { result, problems } = await migrateOrSayWhyNot({ ...request, folder });
  if (problems.length > 0) return { result, failure: { scenario: scenario.name, seed, problems, folder } };
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return { result, failure: undefined };
}

async function migrateOrSayWhyNot(options: MigrationOptions): Promise<Migration> {
  try {
    return await migrate(options);
  } catch (error) {
    options.signal.throwIfAborted();
    const problem = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { result: addUp(options.scenario.name, []), problems: [problem] };
  }
}
