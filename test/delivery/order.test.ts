import { describe, expect, it } from 'vitest';
import { driftScene } from '../scenes/drift-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { noonMs, says } from '../scenes/write-records.ts';

const home = temporaryFolder();

describe('messages of one millisecond', () => {
  it('arrive in the order of their sort keys, whatever the order in which they were read, over several requests', async () => {
    const scene = driftScene(home.make());
    const numbers = [5, 2, 7, 1, 4, 6, 3];
    scene.write(numbers.map((number) => says(number, 'general', 'ann', `number ${number}`, { sentAtMs: noonMs })));
    const { report } = await scene.import({ overrides: { batchItemsMax: 2 } });
    expect(report).toMatchObject({ totals: { imported: 7, late: 0 }, verify: { same: 7, different: 0 } });
    expect(scene.texts()).toEqual(numbers.toSorted().map((number) => `number ${number}`));
  });
});
