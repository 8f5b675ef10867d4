import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { addUp, isClean } from '../../src/selftest/result.ts';
import { scenarios } from '../../src/selftest/scenarios.ts';
import { runMigration } from '../../src/selftest/selftest.ts';
import { program } from '../program.ts';
import { never } from '../scenes/bench.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed as seed } from '../seed.ts';

/** `CHATFERRY_TEST_SEED` begins again with a seed that a failure printed. */
const migrationCount = 10;
const killsMax = 7;
/** Two cores; half of the time is waiting. */
const sideBySide = 4;
const home = temporaryFolder();

describe('ten migrations with real processes against a sandbox of its own, with faults', () => {
  it('lose, repeat, reorder and invent nothing through 60 kills', async () => {
    const faulty = scenarios.filter(({ server }) => server !== 'embedded');
    const limit = pLimit(sideBySide);
    const done = await Promise.all(
      Array.from({ length: migrationCount }, (_, index) =>
        limit(() =>
          runMigration({
            scenario: faulty[index % faulty.length]!,
            seed: seed + index,
            killsMax,
            parent: home.path,
            signal: never,
            program,
          }),
        ),
      ),
    );
    const behaviours = new Set(faulty.map(({ server }) => server !== 'embedded' && server.duplicates));
    expect(behaviours).toEqual(new Set(['refused', 'stored']));
    expect(done.flatMap(({ failure }) => failure ?? [])).toEqual([]);
    const sum = addUp(
      'kills',
      done.map(({ result }) => result),
    );
    console.log(`seed ${seed}: ${JSON.stringify(sum)}`);
    expect(sum, `seed ${seed}`).toSatisfy(isClean);
    expect(sum.kills, `seed ${seed}`).toBeGreaterThanOrEqual(60);
  });
});
