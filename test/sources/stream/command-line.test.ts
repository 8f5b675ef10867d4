import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const path = resolve('samples/stream/import-v2/export');

it('an import file is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('stream');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 13, planned: 11, skipped: 2, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 13, imported: 11, pending: 0 });
  expect(imported.json).toMatchObject({ verify: { same: 11, missing: 0, different: 0 } });

  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents.sort((a, b) => a.length - b.length || (a[0]! < b[0]! ? -1 : 1))).toMatchObject([
    ['Are you there?\n\nLocation: (55.67, 12.59)', '> Are you there?\n\nIn a minute'],
    ['High water 22:31', 'Low water 16:20'],
    { 0: 'Good **morning**, @Tomasz Król! 👋 https://example.com/plan', 1: 'I have the key', length: 7 },
  ]);
});
