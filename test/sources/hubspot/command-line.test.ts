import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/hubspot/answers/export');

it('answers are inspected, planned and imported as a user would, comments stay where they are, and texts that are not whole are named', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('HubSpot');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 13, planned: 6, skipped: 7, invalid: 0 });
  expect((await run(['plan', path], { folder })).stdout).toContain('Texts that are not whole');
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 13, imported: 6, verify: { same: 6, missing: 0, different: 0 } });
  const texts = JSON.stringify([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()]);
  expect(texts).toContain('The yard opens at nine');
  expect(texts).not.toMatch(/pays/);
});
