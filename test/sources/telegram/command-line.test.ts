import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('a whole account is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const account = resolve('samples/telegram/account/export');
  const inspected = await run(['inspect', account], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Telegram Desktop');

  writeFileSync(join(folder, 'my-telegram.yaml'), 'messages: { calls: keep }\n');
  const request = [account, '--mapping', 'my-telegram.yaml', '--quiet'];
  const planned = await runJson(['plan', ...request], { folder });
  expect(planned.json).toMatchObject({ read: 9, planned: 9, skipped: 0, rejected: 0 });
  const imported = await runJson(['import', ...request], { folder });
  expect(imported.json).toMatchObject({ read: 9, imported: 9, pending: 0 });
  const again = await runJson(['import', ...request], { folder });
  expect(again.json).toMatchObject({ read: 9, imported: 9, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  expect([...contents.values()].sort((a, b) => b.length - a.length)[0]).toEqual([
    'Do you have the key of pier 4?',
    'Yes, in my pocket',
    'And a spare one',
    'Tomasz called',
  ]);
});
