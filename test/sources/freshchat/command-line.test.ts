import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/freshchat/answers/export');

it('answers are inspected, planned and imported as a user would, and private notes stay where they are', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Freshchat');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 12, planned: 7, skipped: 5, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 12, imported: 7, verify: { same: 7, missing: 0, different: 0 } });
  const texts = JSON.stringify([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()]);
  expect(texts).toContain('My boat leaks');
  expect(texts).not.toMatch(/she never pays|040 111|never arrived/i);
});
