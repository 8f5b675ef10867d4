import type { Broken } from './broken.ts';
import { Dice } from './dice.ts';
import type { Ledger } from './ledger.ts';
import { runSchedule } from './run-schedule.ts';
import { scheduleOf } from './schedule.ts';
import { type ScenarioName, scenarioNames } from './scenarios.ts';

export type { Ledger } from './ledger.ts';

export interface SimulationOptions {
  /** Decides everything: export, faults, kills, what happens first. The same seed is the same simulation, to the last request. */
  readonly seed: number;
  /** If left out, the seed chooses. */
  readonly scenario?: ScenarioName | undefined;
  /** Called for each event, with one line and the virtual time. */
  readonly log?: ((line: string) => void) | undefined;
  /** For tests: a protocol with a piece missing. */
  readonly broken?: Broken | undefined;
}

/**
 * One migration on a virtual clock, from the plan to the last receipt, through whatever the scenario breaks: the code that sends is
 * that of every import, and so is the sandbox that it sends to. Takes some 30 ms of one core.
 */
export async function simulate({
  seed,
  scenario = new Dice(seed ^ 0xca5e).pick(scenarioNames),
  log,
  broken,
}: SimulationOptions): Promise<Ledger> {
  const schedule = scheduleOf(seed, scenario);
  return { seed, scenario, ...(await runSchedule({ schedule, seed, log, broken })) };
}
