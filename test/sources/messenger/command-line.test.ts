import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it.each([
  ['messenger', { read: 20, planned: 16, skipped: 4 }, 'Who has the key?'],
  ['instagram', { read: 12, planned: 10, skipped: 2 }, 'Question?'],
])('a download of %s is inspected, planned and imported as a user would', async (name, counts, text) => {
  const folder = home.make();
  const path = resolve('samples', name, 'download/export');
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain(name);

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ ...counts, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: counts.read, imported: counts.planned, pending: 0 });
  const verified = await runJson(['verify', '--quiet'], { folder });
  expect(verified.json).toMatchObject({ verify: { same: counts.planned, missing: 0, different: 0 } });
  expect([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()].flat()).toContain(text);
});
