import { expect, it } from 'vitest';
import { scenarioNames } from '../simulate/scenarios.ts';
import { simulate } from '../simulate/simulate.ts';
import { testSeed } from '../seed.ts';
import { countOf, isReplay } from '../tier.ts';

const count = countOf({ ci: 150, nightly: 2000 });

it('simulate() finds that the promise is kept, whatever breaks', async ({ task }) => {
  const sum = { kills: 0, requests: 0 };
  const scenarios = new Set<string>();
  for (let seed = testSeed; seed < testSeed + count; seed++) {
    task.meta.seed = seed;
    const { scenario, kills, requests, ...promised } = await simulate({ seed });
    expect(promised, `seed ${seed}, ${scenario}`).toEqual({
      seed,
      lost: 0,
      duplicated: 0,
      unexpected: 0,
      outOfOrder: 0,
      unconfirmed: 0,
      misstated: 0,
      hung: 0,
      problems: [],
    });
    sum.kills += kills;
    sum.requests += requests;
    scenarios.add(scenario);
  }
  task.meta.figures = { simulations: count, ...sum };
  // The clock is virtual, so a seed decides how many kills there are. Without them nothing is proved.
  if (!isReplay) {
    expect(scenarios.size).toBe(scenarioNames.length);
    expect(sum.kills).toBeGreaterThan(count / 4);
  }
});
