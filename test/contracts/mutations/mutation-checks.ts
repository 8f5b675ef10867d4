import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/lib/flow/seeded-random.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { testSeed } from '../../seed.ts';
import type { Sample } from '../samples.ts';
import { changedElsewhere } from './changed-elsewhere.ts';
import { type MutableSample, mutableSample, tried } from './mutated-sample.ts';
import type { Mutation } from './mutation.ts';
import type { Outcome } from './outcome.ts';
import { planOf } from './planned-sample.ts';

/** Exit codes that a plan may have for any export: clean, a wrong command, some rows lost, no such export. */
const expectedExits: ReadonlySet<number> = new Set([0, 2, 3, 4]);

/** Tried by `npm test`; the nightly tries all of them. */
const readCount = 25;
/** Number of them, from the first, that are planned with a store. */
const planCount = 2;

interface Tried {
  readonly sample: MutableSample;
  readonly mutation: Mutation;
}

/** Puts values of another kind into the samples of a source. Every row but the one that has it arrives as before. */
export function describeMutations(adapter: SourceAdapter, samples: readonly Sample[]): void {
  const folders = temporaryFolderInMemory();
  let some: Promise<readonly Tried[]> | undefined;
  const chosen = () => {
    some ??= choose(adapter, samples);
    return some;
  };
  describe('with a value of another kind in it', () => {
    it('reads every other row as before', async () => {
      const faults: string[] = [];
      for (const { sample, mutation } of await chosen())
        faults.push(...faultsOf(sample, mutation, await tried(adapter, sample, mutation)));
      expect(faults).toEqual([]);
    });

    it('can be planned, and every row is accounted for', async () => {
      for (const { sample, mutation } of (await chosen()).slice(0, planCount)) {
        const planned = await planOf(adapter, sample, mutation, folders.make());
        expect(expectedExits, nameOf(sample, mutation)).toContain(planned.exit);
        expect(planned.isBalanced, nameOf(sample, mutation)).toBe(true);
      }
    });
  });
}

async function choose(adapter: SourceAdapter, samples: readonly Sample[]): Promise<readonly Tried[]> {
  const all: Tried[] = [];
  for (const sample of samples) {
    const mutable = await mutableSample(adapter, sample);
    for (const mutation of mutable.mutations) all.push({ sample: mutable, mutation });
  }
  const random = seededRandom(testSeed);
  return Array.from({ length: Math.min(readCount, all.length) }, () => all[Math.floor(random() * all.length)]!);
}

/** Returns the ways in which a mutation broke a guarantee. */
export function faultsOf(sample: MutableSample, mutation: Mutation, found: Outcome): readonly string[] {
  const faults: string[] = [];
  if (!expectedExits.has(found.exit)) faults.push(`ends with ${found.exit}: ${found.error?.stack ?? 'no error'}`);
  // A plan that is refused says why, and changes nothing.
  else if (!found.error)
    for (const row of changedElsewhere(sample.whole, mutation, found)) faults.push(`changes ${row.path} ${row.place}`);
  for (const unfit of new Set(found.unfit)) faults.push(`yields a record that does not fit the model: ${unfit}`);
  return faults.map((fault) => `${nameOf(sample, mutation)} ${fault}`);
}

const nameOf = ({ sample }: MutableSample, { place, kind }: Mutation): string => `${sample.folder}, ${place}: ${kind}`;
