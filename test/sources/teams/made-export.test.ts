import { expect, it } from 'vitest';
import { openExport } from '../../../src/io/input/open-export.ts';
import { teams } from '../../../src/sources/teams/index.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { makeExport } from './made-export.ts';

const home = temporaryFolderInMemory();

it('an export that was made has as many messages as were made, each once', async () => {
  const folder = home.make();
  const count = await makeExport(folder, 200_000);
  const [input] = await openExport([folder]);
  const messages = messagesOf(await readAll(teams, input!));
  expect(messages).toHaveLength(count);
  expect(new Set(messages.map(({ origin }) => origin.id)).size).toBe(count);
  expect(messages[0]).toMatchObject({ mentions: ['aaaaaaaa-0000-4000-8000-000000000000'] });
});
