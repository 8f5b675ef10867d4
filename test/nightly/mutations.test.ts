import { afterAll, describe, expect, it } from 'vitest';
import { sources } from '../../src/sources/registry.ts';
import { mutableSample, tried } from '../contracts/mutations/mutated-sample.ts';
import { faultsOf } from '../contracts/mutations/mutation-checks.ts';
import { ExitTable } from '../contracts/mutations/exit-table.ts';
import { planOf } from '../contracts/mutations/planned-sample.ts';
import { samplesOf } from '../contracts/samples.ts';
import { temporaryFolderInMemory } from '../scenes/temporary-folder.ts';

const folders = temporaryFolderInMemory();
const exits = new ExitTable();

/** A plan with a store takes as long as reading a sample thirty times: one in so many gets one. */
const plannedEvery = 500;

/** Failures that are shown of one source: the rest is mostly the same again. */
const shownMax = 20;

describe('a sample with one value of another kind', () => {
  afterAll(() => console.log(`\n${exits.print()}\n`));

  it.each(sources)('is read and planned for any value at any place: $name', async (adapter) => {
    const faults: string[] = [];
    let count = 0;
    for (const sample of samplesOf(adapter.name)) {
      const mutable = await mutableSample(adapter, sample);
      for (const mutation of mutable.mutations) {
        const found = await tried(adapter, mutable, mutation);
        exits.add(adapter.name, mutation.kind, found.exit);
        faults.push(...faultsOf(mutable, mutation, found));
        if (count++ % plannedEvery !== 0) continue;
        const planned = await planOf(adapter, mutable, mutation, folders.make());
        if (planned.exit !== found.exit || !planned.isBalanced)
          faults.push(`${sample.folder}, ${mutation.place}: ${mutation.kind} is planned otherwise: ${planned.exit}`);
      }
    }
    expect(faults.slice(0, shownMax)).toEqual([]);
  });

  it('was tried in every source that reads JSON or tables', ({ task }) => {
    task.meta.figures = { mutations: exits.count };
    expect(exits.count).toBeGreaterThan(100_000);
  });
});
