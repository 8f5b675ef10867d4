import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listSamples } from '../contracts/samples.ts';
import { makeExport } from '../scenes/make-export.ts';
import { plannedRows } from '../scenes/planned-rows.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { threadsHere } from '../scenes/threads-here.ts';
import { readingThreads } from '../../src/plan/reading/reading-worker.ts';

const home = temporaryFolder();

it.each(listSamples().map((sample) => [`${sample.source}/${sample.name}`, sample] as const))(
  'a plan stages the same rows in the same order of %s, however many threads read',
  async (_, sample) => {
    const alone = await plannedRows(home.make(), { ...sample, threads: 0 });
    for (const count of [1, 3])
      expect(await plannedRows(home.make(), { ...sample, threads: threadsHere(count) })).toEqual(alone);
  },
);

it('a plan of a generated export stages the same rows, however many threads there are, and whichever is fast', async () => {
  const folder = home.make();
  makeExport(join(folder, 'export'), { seed: 7, messages: 30_000 });
  const alone = await plannedRows(home.make(), { folder, source: 'slack', threads: 0 });
  for (const count of [1, 2, 5]) {
    const threads = { ...readingThreads(count), bytesMin: 0 };
    expect(await plannedRows(home.make(), { folder, source: 'slack', threads })).toEqual(alone);
  }
});
