import { simulate } from './simulate.ts';
import { addUp, type Failure, isClean, type ScenarioResult } from '../../src/selftest/result.ts';

const simulationsName = 'simulations';

export interface SimulationsOptions {
  /** Seed of the first one; each further one has the next number. */
  readonly seed: number;
  /** Asked before each, with how many there were. */
  readonly goesOn: (done: number) => boolean;
  readonly signal: AbortSignal;
}

/** So many are enough to look at. */
const failuresMax = 5;

/**
 * Simulated migrations on a virtual clock, one after the other: see `simulate`. Hundreds in the time of one real one, and each
 * seed is exactly the same migration again. A few failures end it.
 *
 * @throws the signal's reason.
 */
export async function runSimulations({ seed, goesOn, signal }: SimulationsOptions): Promise<{
  readonly result: ScenarioResult;
  readonly failures: readonly Failure[];
}> {
  let sum = addUp(simulationsName, []);
  const failures: Failure[] = [];
  for (let done = 0; failures.length < failuresMax && goesOn(done); done++) {
    signal.throwIfAborted();
    const current = seed + done;
    const fail = (...problems: readonly string[]) =>
      failures.push({ scenario: simulationsName, seed: current, problems, folder: null });
    try {
      const { problems, ...ledger } = await simulate({ seed: current });
      // Each life of the client is a run, and every kill begins another.
      const result = { ...ledger, runs: ledger.kills + 1 };
      sum = addUp(simulationsName, [sum, result]);
      if (!isClean(result) || problems.length > 0) fail(...problems, JSON.stringify(ledger));
    } catch (error) {
      sum = addUp(simulationsName, [sum, { ...addUp(simulationsName, []), runs: 1 }]);
      fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
  return { result: sum, failures };
}
