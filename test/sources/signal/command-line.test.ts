import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('an export of Signal is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const account = resolve('samples/signal/plain-text-export/export');
  const inspected = await run(['inspect', account], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Signal (');

  writeFileSync(join(folder, 'my-signal.yaml'), 'messages: { attachments: placeholder }\n');
  const request = [account, '--mapping', 'my-signal.yaml', '--quiet'];
  const planned = await runJson(['plan', ...request], { folder });
  expect(planned.json).toMatchObject({ read: 26, planned: 19, skipped: 7, invalid: 0 });
  const imported = await runJson(['import', ...request], { folder });
  expect(imported.json).toMatchObject({ read: 26, imported: 19, pending: 0 });
  const again = await runJson(['import', ...request], { folder });
  expect(again.json).toMatchObject({ read: 26, imported: 19, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  const [most] = [...contents.values()].sort((a, b) => b.length - a.length);
  expect(most).toMatchObject({
    0: '**Good morning**, the _tide_ is in',
    3: '@Mei Lin and @Ines Kai do you have the key?',
    5: 'Berth seven, not six',
    12: '> Low water is late\n\nWho said that?',
    length: 13,
  });
});
