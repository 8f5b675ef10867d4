import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/front/answers/export');

it('answers are inspected, planned and imported as a user would, and what agents alone saw stays where it is', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Front');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 13, planned: 5, skipped: 8, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 13, imported: 5, verify: { same: 5, missing: 0, different: 0 } });
  const texts = JSON.stringify([...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()]);
  expect(texts).toContain('My boat leaks');
  expect(texts).not.toMatch(/never|Who is she|Can you ask|comes off|Shall I call|Call of 4|look at berth|lawyer@/);
});
