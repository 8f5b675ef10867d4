import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/mattermost/every-feature/export');

it('a bulk export is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('mattermost');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 18, planned: 16, skipped: 2, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 18, imported: 16, pending: 0 });
  const verified = await runJson(['verify', '--quiet'], { folder });
  expect(verified.json).toMatchObject({ verify: { same: 16, missing: 0, different: 0 } });

  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents.sort((a, b) => a.length - b.length || (a[0]! < b[0]! ? -1 : 1))).toMatchObject([
    ['Buy rope'],
    ['It was a good crane'],
    ['Who has coffee?'],
    ['Are you there?', 'In a minute'],
    { 0: 'The plan', 2: 'High water 22:31', 3: 'Low water 16:20', length: 5 },
    { 0: 'Good **morning**, @Tom. and @all! 👋 :party_parrot:', 1: 'Morning. Who has the key of #Pier 4?', length: 6 },
  ]);
});
