import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('a download of Google Chat is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const path = resolve('samples/googlechat/takeout/export');
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('googlechat');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 13, planned: 12, skipped: 1, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 13, imported: 12, pending: 0 });
  const verified = await runJson(['verify', '--quiet'], { folder });
  expect(verified.json).toMatchObject({ verify: { same: 12, missing: 0, different: 0 } });
  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents.find((texts) => texts.includes('Thank you'))).toMatchObject({ 1: 'Thank you', length: 4 });
});
