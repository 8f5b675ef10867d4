import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach } from 'vitest';
import { testSeed } from './seed.ts';

/**
 * Every property of fast-check begins with a seed of its own, made of `testSeed` and its name: the same values in every `npm test`,
 * fresh ones in the long proofs. Loading fast-check takes a while: only files that name it wait for that.
 */

/** By path of the test file. */
const haveProperties = new Map<string, boolean>();

beforeEach(async ({ task }) => {
  const { filepath } = task.file;
  if (!haveProperties.has(filepath)) haveProperties.set(filepath, namesFastCheck(filepath));
  if (!haveProperties.get(filepath)) return;
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seedOf(task.fullTestName) });
});

const namesFastCheck = (path: string): boolean => readFileSync(path, 'utf8').includes(`from 'fast-check'`);

const seedOf = (name: string): number =>
  createHash('sha256')
    .update(JSON.stringify([testSeed, name]))
    .digest()
    .readInt32LE();
