import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Says with which seed the long proofs began, and behind a failure the line that repeats it. */
export class RepeatLine implements Reporter {
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  onInit(): void {
    console.log(`Seed ${this.#seed}: CHATFERRY_TEST_SEED=${this.#seed} begins again with it`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const failed = modules.flatMap((module) => [...module.children.allTests('failed')]);
    if (failed.length === 0) return;
    console.log('\nRepeat what failed:');
    for (const test of failed) console.log(`  ${this.#lineFor(test)}`);
  }

  #lineFor(test: TestCase): string {
    const path = relative(process.cwd(), test.module.moduleId);
    const pattern = test.fullName.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return `CHATFERRY_TEST_SEED=${this.#seed} npx vitest run --config test/long/vitest.config.ts ${path} -t ${quoted(pattern)}`;
  }
}

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
