import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const server = resolve('samples/discord/server/export');

it('a folder of channels is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', server], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('discord');

  const planned = await runJson(['plan', server, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 23, planned: 17, skipped: 6, invalid: 0 });

  const imported = await runJson(['import', server, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 23, imported: 17, pending: 0 });
  const again = await runJson(['import', server, '--quiet'], { folder });
  expect(again.json).toMatchObject({ read: 23, imported: 17, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  const texts = [...contents.values()].sort((a, b) => a.length - b.length);
  expect(texts).toMatchObject([
    ['The code has changed'],
    ['**A bell for the fog**\n\nCould we have a bell?', 'Yes please'],
    { 0: 'Good morning **harbour**, the tide is in :tide: 🌊', 2: 'Who paints pier 4?', length: 14 },
  ]);
});
