import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

const files = trackedFiles();

/** Everything that a reader or a test run goes through. */
const mentions = files
  .filter((path) => /^test\/.*\.ts$|^[^/]*\.md$|^docs\/.*\.md$/.test(path))
  .map(readTracked)
  .join('\n');

describe('every mapping file', () => {
  it('is named in a test or in the documentation', () => {
    const names = files.filter((path) => path.startsWith('mappings/')).map((path) => path.slice('mappings/'.length));
    expect(names.filter((name) => !mentions.includes(name))).toEqual([]);
  });
});

describe('every sample', () => {
  const samples = new Set(files.flatMap((path) => /^samples\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? []));

  /** The contract of sources goes through all samples of its source; others must be named. */
  it('is gone through by the contract of its source, or named in a test or in the documentation', () => {
    const underContract = files
      .filter((path) => /^test\/sources\/.*\.test\.ts$/.test(path) && readTracked(path).includes('describeSource('))
      .map((path) => path.split(/[/.]/)[2]!);
    const unused = [...samples].filter((sample) => {
      const [source] = sample.split('/');
      return !underContract.includes(source!) && !mentions.includes(sample);
    });
    expect(unused).toEqual([]);
  });
});
