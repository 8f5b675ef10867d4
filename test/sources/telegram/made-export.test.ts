import { expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { telegram } from '../../../src/sources/telegram/index.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();

it('makeExport() writes an export that is read whole, and the same again with more after it', async () => {
  const [few, more] = [home.make(), home.make()];
  const counts = [await makeExport(few, 50_000), await makeExport(more, 100_000)];
  const [before, after] = await Promise.all(
    [few, more].map(async (folder) => {
      const [input] = await openExport([folder]);
      const entries = await readAll(telegram, input!);
      expect(entries.filter(({ type }) => type === 'invalid' || type === 'problem')).toEqual([]);
      return entries.flatMap((entry) =>
        entry.type === 'record' && entry.record.kind === 'message' ? [entry.record] : [],
      );
    }),
  );
  expect([before!.length, after!.length]).toEqual(counts);
  expect(after!.slice(0, before!.length)).toEqual(before);
});
