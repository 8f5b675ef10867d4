import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/livechat/answers/export');

it('answers are inspected, planned and imported as a user would, and events for agents stay where they are', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('LiveChat');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 16, planned: 9, skipped: 7, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 16, imported: 9, verify: { same: 9, missing: 0, different: 0 } });
  const texts = JSON.stringify([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()]);
  expect(texts).toContain('My boat leaks');
  expect(texts).not.toMatch(/She never pays|debtor|192\.0\.2/);
});
