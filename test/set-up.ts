import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeEach } from 'vitest';
import { passedTests, testKey } from '../scripts/test-results.ts';
import { endFile } from './file-end.ts';
import { limitProcesses } from './started-processes.ts';
import { isNightly } from './tier.ts';
import { testSeed } from './seed.ts';

limitProcesses();

/**
 * Gives every fast-check property a seed made from `testSeed` and its name: the same values in every `npm test`, fresh ones in the nightly,
 * and ten times as many. Loading fast-check takes a while, so only files that name it wait for that.
 */

/** By path of the test file. */
const haveProperties = new Map<string, boolean>();

beforeEach(async ({ task }) => {
  const { filepath } = task.file;
  if (!haveProperties.has(filepath)) haveProperties.set(filepath, namesFastCheck(filepath));
  if (!haveProperties.get(filepath)) return;
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf(task.fullTestName), numRuns: isNightly ? 250 : 25 });
});

const namesFastCheck = (path: string): boolean => readFileSync(path, 'utf8').includes(`from 'fast-check'`);

const seedOf = (name: string): number =>
  createHash('sha256')
    .update(JSON.stringify([testSeed, name]))
    .digest()
    .readInt32LE();

/**
 * `.ci/run` runs the tests in a clone with nothing next to it, and then those that it skipped. A test that passed does
 * not run again: with the same seed, the result would be the same.
 */
const passedPath = process.env.CHATFERRY_TEST_PASSED_BEFORE;
const passedBefore = passedPath ? passedTests(passedPath) : undefined;

beforeEach(({ task, skip }) => {
  const key = testKey(task.file.filepath, task.fullTestName);
  const count = passedBefore?.get(key) ?? 0;
  if (count === 0) return;
  passedBefore!.set(key, count - 1);
  skip('it passed in the step before');
});

/** Files share a process: each leaves the environment and the working folder as it found them. */
const environment = { ...process.env };
const folder = process.cwd();

afterAll(async () => {
  await endFile();
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
});
