import childProcess from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { syncBuiltinESMExports } from 'node:module';
import { relative } from 'node:path';
import { afterEach, beforeEach } from 'vitest';

/**
 * The test files that start processes in `npm test`, each with the number of its tests that do: at most 20 tests in all. A process takes about
 * a second, many times as long as the same in-process. Other tests that need one belong to test/proofs.
 */
const allowed: Readonly<Record<string, number>> = {
  'bin/chatferry.test.ts': 5,
  'store/store.test.ts': 2,
  'cli/commands.test.ts': 1,
  'cli/exit-codes.test.ts': 1,
  'cli/secrets.test.ts': 2,
  'io/folder-input.test.ts': 2,
  'io/open-export.test.ts': 1,
  'io/standard-input.test.ts': 1,
  'sync/locations.test.ts': 3,
};

/** `git ls-files`, which the first test file that needs it runs: see repository/tracked-files.ts. */
const freeProgram = 'git';

/** Each seed that failed before runs in a process of its own, however many there are. */
const replays = 'regression-seeds.test.ts';

const sum = Object.values(allowed).reduce((total, tests) => total + tests, 1);
if (sum > 20)
  throw new Error(`Move tests to test/proofs: ${sum} tests of npm test may start processes, the limit is 20`);

/** Names of the tests in the current file that started a process. */
const starters = new Set<string>();
let current = '';
const note = () => starters.add(current);

if (process.env.CHATFERRY_TEST_TIER === undefined) {
  subscribe('child_process', note);
  const functions: Record<string, (...args: readonly unknown[]) => unknown> = childProcess as never;
  for (const name of ['spawnSync', 'execFileSync', 'execSync']) {
    const start = functions[name]!;
    functions[name] = (...args) => {
      if (args[0] !== freeProgram) note();
      return start(...args);
    };
  }
  syncBuiltinESMExports();
}

/** Fails a test that starts a process unless its file may do so. To be called for each test file. */
export function limitProcesses(): void {
  starters.clear();
  current = 'set-up of the file';
  beforeEach(({ task }) => {
    current = task.fullTestName;
  });
  afterEach(({ task }) => {
    current = 'set-up of tests';
    const file = relative(import.meta.dirname, task.file.filepath);
    if (file === replays || starters.size <= (allowed[file] ?? 0)) return;
    const names = [...starters].join('", "');
    starters.clear();
    throw new Error(
      `Move tests of ${file} to test/proofs, or list them in test/started-processes.ts: "${names}" start processes`,
    );
  });
}
