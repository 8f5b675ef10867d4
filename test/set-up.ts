import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeEach } from 'vitest';
import { endFile } from './file-end.ts';
import { isLongRun } from './long-run.ts';
import { testSeed } from './seed.ts';

/**
 * Every property of fast-check begins with a seed of its own, made of `testSeed` and its name: the same values in every `npm test`,
 * fresh ones in the long proofs, and twice as many. Loading fast-check takes a while: only files that name it wait for that.
 */

/** By path of the test file. */
const haveProperties = new Map<string, boolean>();

beforeEach(async ({ task }) => {
  const { filepath } = task.file;
  if (!haveProperties.has(filepath)) haveProperties.set(filepath, namesFastCheck(filepath));
  if (!haveProperties.get(filepath)) return;
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf(task.fullTestName), numRuns: isLongRun ? 100 : 50 });
});

const namesFastCheck = (path: string): boolean => readFileSync(path, 'utf8').includes(`from 'fast-check'`);

const seedOf = (name: string): number =>
  createHash('sha256')
    .update(JSON.stringify([testSeed, name]))
    .digest()
    .readInt32LE();

/** Files share a process: each leaves the environment and the working folder as it found them. */
const environment = { ...process.env };
const folder = process.cwd();

afterAll(async () => {
  await endFile();
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
});
