import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { addUp, isClean } from '../../src/selftest/result.ts';
import { scenarios } from '../../src/selftest/steps/scenarios.ts';
import { runMigration } from '../../src/selftest/selftest.ts';
import { program } from '../program.ts';
import { never } from '../scenes/bench.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { testSeed } from '../seed.ts';
import { countOf } from '../tier.ts';

const migrationCount = countOf({ ci: 1, nightly: 10 });
/** Kills of one migration. Some end before the last of them. */
const killsMax = 6;
/** On two cores: half of the time is waiting. */
const sideBySide = 4;
const home = temporaryFolder();

describe('migrations with real processes against a sandbox of its own, with faults', () => {
  it('lose, repeat, reorder and invent nothing, however often they are killed', async ({ task }) => {
    const faulty = scenarios.filter(({ server }) => server !== 'embedded');
    const behaviours = new Set(faulty.map(({ server }) => server !== 'embedded' && server.duplicates));
    expect(behaviours).toEqual(new Set(['refused', 'stored']));

    // The seed alone chooses the scenario, so that a replay meets the same one.
    const requests = Array.from({ length: migrationCount }, (_, index) => testSeed + index).map((seed) => ({
      ...{ seed, killsMax, parent: home.path, signal: never, program },
      scenario: faulty[seed % faulty.length]!,
    }));
    const limit = pLimit(sideBySide);
    const done = await Promise.all(requests.map((request) => limit(() => runMigration(request))));
    const failures = done.flatMap(({ failure }) => failure ?? []);
    if (failures[0]) task.meta.seed = failures[0].seed;
    expect(failures).toEqual([]);

    const results = done.map(({ result }) => result);
    const sum = addUp('kills', results);
    expect(sum).toSatisfy(isClean);
    task.meta.figures = { migrations: migrationCount, kills: sum.kills, requests: sum.requests };
  });
});
