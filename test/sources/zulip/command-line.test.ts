import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/zulip/whole-export/export');

it('an export is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('zulip');

  const mapping = resolve('mappings/zulip.yaml');
  const planned = await runJson(['plan', path, '--mapping', mapping, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 13, planned: 12, skipped: 1, invalid: 0 });
  const imported = await runJson(['import', path, '--mapping', mapping, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 13, imported: 12, pending: 0 });
  expect(imported.json).toMatchObject({ verify: { same: 12, missing: 0, different: 0 } });

  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents.map((texts) => texts.length).sort()).toEqual([1, 1, 1, 1, 3, 5]);
  expect(contents.flat()).toContain('Good **morning**, @Tomasz Król! 🛠️ :gull: https://example.com/plan');
});
