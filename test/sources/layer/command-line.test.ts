import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('an export of Layer is inspected, planned and imported as a user would', async () => {
  const path = resolve('samples/layer/historical/export.json');
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Layer');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 6, planned: 6, skipped: 0, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ imported: 6, pending: 0, verify: { same: 6, missing: 0, different: 0 } });

  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents.flat()).toEqual(expect.arrayContaining(['I have it', 'Berth seven\nat noon', 'See you there']));
});

it('a message that a later event deletes is not sent', async () => {
  const path = resolve('samples/layer/scheduled/export.ndjson');
  const { json } = await runJson(['plan', path, '--quiet'], { folder: home.make() });
  expect(json).toMatchObject({ read: 2, planned: 1, skipped: 1, invalid: 0 });
});
