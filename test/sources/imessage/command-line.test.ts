import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('a database of Messages is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const folderOfMac = resolve('samples/imessage/mac/export');
  const inspected = await run(['inspect', folderOfMac], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('iMessage (');

  writeFileSync(join(folder, 'my-imessage.yaml'), 'messages: { attachments: placeholder }\n');
  const request = [folderOfMac, '--mapping', 'my-imessage.yaml', '--quiet'];
  const planned = await runJson(['plan', ...request], { folder });
  expect(planned.json).toMatchObject({ read: 27, planned: 22, skipped: 5, invalid: 0 });
  const imported = await runJson(['import', ...request], { folder });
  expect(imported.json).toMatchObject({ read: 27, imported: 22, pending: 0 });
  const again = await runJson(['import', ...request], { folder });
  expect(again.json).toMatchObject({ read: 27, imported: 22, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  const [most] = [...contents.values()].sort((a, b) => b.length - a.length);
  expect(most).toMatchObject({
    0: '**Good morning**, the tide is in 🌊',
    1: 'Does @Ines have the key?',
    3: 'Berth seven, not six',
  });
});
