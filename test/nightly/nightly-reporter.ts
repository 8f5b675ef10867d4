import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { addFailedSeeds, type FailedSeed } from '../regression-seeds.ts';
import type { Proof } from './proof.ts';

/**
 * Writes down what the nightly found: one proof for each test file, to the file that `CHATFERRY_NIGHTLY_PROOFS` names, and each seed that
 * failed, to `test/regression-seeds.json`. Prints the seed, and the command that repeats a failure.
 */
export class NightlyReporter implements Reporter {
  readonly #seed: string;
  readonly #root: string;

  constructor(seed: string, root: string) {
    this.#seed = seed;
    this.#root = root;
  }

  onInit(): void {
    console.log(`Seed ${this.#seed}: CHATFERRY_TEST_SEED=${this.#seed} begins with it again`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const proofsPath = process.env.CHATFERRY_NIGHTLY_PROOFS;
    if (proofsPath) writeFileSync(proofsPath, JSON.stringify(modules.map((module) => this.#proofOf(module))));
    const failed = modules.flatMap((module) => [...module.children.allTests('failed')]);
    if (failed.length === 0) return;
    // A replay repeats a seed that is written down already.
    if (proofsPath) addFailedSeeds(failed.flatMap((test) => this.#seedOf(test)));
    console.log('\nRepeat a failure:');
    for (const test of failed) console.log(`  ${this.#lineFor(test)}`);
  }

  #proofOf(module: TestModule): Proof {
    const tests = [...module.children.allTests()];
    const countOf = (state: string) => tests.filter((test) => test.result().state === state).length;
    const figures = Object.assign({}, ...tests.map((test) => test.meta().figures ?? {}));
    const isPassed = module.state() !== 'failed';
    return {
      name: this.#pathOf(module).replace(/\.test\.ts$/, ''),
      seed: isSeeded(module) ? this.#seed : null,
      result: isPassed ? (countOf('passed') > 0 ? 'passed' : 'skipped') : 'FAILED',
      seconds: module.diagnostic().duration / 1000,
      tests: { passed: countOf('passed'), failed: countOf('failed'), skipped: countOf('skipped') },
      figures,
    };
  }

  /** Nothing for a test without random values: there is no seed to keep. */
  #seedOf(test: TestCase): FailedSeed[] {
    if (!isSeeded(test.module)) return [];
    return [{ file: this.#pathOf(test.module), test: test.fullName, seed: test.meta().seed ?? Number(this.#seed) }];
  }

  #lineFor(test: TestCase): string {
    const pattern = test.fullName.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(`'`, `'\\''`);
    const seed = test.meta().seed ?? this.#seed;
    return `CHATFERRY_TEST_SEED=${seed} npx vitest run --config test/nightly/vitest.config.ts ${this.#pathOf(test.module)} -t '${pattern}'`;
  }

  #pathOf = ({ moduleId }: TestModule): string => relative(this.#root, moduleId);
}

const isSeeded = ({ moduleId }: TestModule): boolean =>
  /from '(fast-check|.*\/seed\.ts)'/.test(readFileSync(moduleId, 'utf8'));
