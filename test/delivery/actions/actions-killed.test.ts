import { describe, expect, it } from 'vitest';
import { sceneEffects, sceneRecords } from '../../scenes/actions-scene.ts';
import { ActionsWorld, plannedImage } from '../../scenes/actions-world.ts';
import { isNightly } from '../../tier.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';

const home = temporaryFolderInMemory();

/** Undisturbed runs until nothing is left to do, at most. */
const runsMax = 5;

describe('a client that is killed', () => {
  it('leaves no action undone and none done twice, whenever it dies', async () => {
    const image = await plannedImage(home.make(), sceneRecords);
    const undisturbed = new ActionsWorld({ image });
    await undisturbed.live();
    const first = undisturbed.momentsBefore!;
    await undisturbed.close();
    let deaths = 0;
    // An action has four moments or more, so every third one meets each of them, in some action.
    const step = isNightly ? 1 : 3;
    for (let moments = first; ; moments += step) {
      const world = new ActionsWorld({ image });
      if ((await world.live(moments)) !== 'died') {
        await world.close();
        break;
      }
      deaths++;
      await finish(world);
      expect({ moments, effects: world.effects() }).toEqual({ moments, effects: sceneEffects });
      expect({ moments, duplicates: world.repeatedReactions() }).toEqual({ moments, duplicates: [] });
      expect({ moments, sums: sumsOf(world) }).toEqual({ moments, sums: { planned: 9, good: 9 } });
      await world.close();
    }
    // For each action: its intent, its request, its answer, its receipt.
    expect(deaths).toBeGreaterThan((4 * sceneEffects.length) / step);
  });

  it('does the same where answers are slow and the second one is killed too', async () => {
    const image = await plannedImage(home.make(), sceneRecords);
    for (let seed = 1; seed <= (isNightly ? 25 : 9); seed++) {
      const world = new ActionsWorld({ image, latencyMaxMs: 2_000, seed });
      await world.live(40 + ((seed * 37) % 80));
      await world.live(10 + ((seed * 13) % 40));
      await finish(world);
      expect({ seed, effects: world.effects() }).toEqual({ seed, effects: sceneEffects });
      expect({ seed, duplicates: world.repeatedReactions() }).toEqual({ seed, duplicates: [] });
      expect({ seed, sums: sumsOf(world) }).toEqual({ seed, sums: { planned: 9, good: 9 } });
      await world.close();
    }
  });
});

async function finish(world: ActionsWorld): Promise<void> {
  for (let run = 0; run < runsMax; run++) {
    const end = await world.live();
    expect(end).toMatchObject({ stopped: undefined });
    const kinds = Object.values(world.totals?.kinds ?? {});
    if (kinds.every(({ pending, unconfirmed }) => pending + unconfirmed === 0)) return;
  }
}

function sumsOf(world: ActionsWorld) {
  const kinds = Object.values(world.totals?.kinds ?? {});
  const sum = (of: (totals: (typeof kinds)[number]) => number) =>
    kinds.reduce((total, totals) => total + of(totals), 0);
  return { planned: sum(({ planned }) => planned), good: sum(({ done, existing }) => done + existing) };
}
