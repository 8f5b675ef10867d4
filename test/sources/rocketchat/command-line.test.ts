import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/rocketchat/collections/export');

it('collections are inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('rocketchat');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 21, planned: 16, skipped: 5, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 21, imported: 16, pending: 0 });
  expect(imported.json).toMatchObject({ verify: { same: 16, missing: 0, different: 0 } });

  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents.sort((a, b) => a.length - b.length || (a[0]! < b[0]! ? -1 : 1))).toMatchObject([
    ['Are you there?'],
    ['Who has coffee?'],
    ['Encrypted message', 'Read it :custom_gull:'],
    { 0: 'Good **morning**, @Ines Bruun and @all! 👋 :party_parrot: ~~late~~ _soon_', 2: 'I do', length: 12 },
  ]);
});
