import { expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { instagram } from '../../../src/sources/meta/index.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();

it('makeExport() writes an export that is read whole, each message once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 20_000);
  const [input] = await openExport([folder]);
  const entries = await readAll(instagram, input!);
  const ids = entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.origin.id] : [],
  );
  expect(new Set(ids).size).toBe(count);
  expect(entries.filter(({ type }) => type === 'invalid' || type === 'problem')).toEqual([]);
});
