import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

it('a Takeout of Google Voice is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const exported = resolve('samples/googlevoice/takeout/export');
  const inspected = await run(['inspect', exported], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('Google Voice (Google Takeout)');

  const mapping = 'messages: { attachments: placeholder }\n';
  writeFileSync(join(folder, 'my-voice.yaml'), mapping);
  const request = [exported, '--mapping', 'my-voice.yaml', '--quiet'];
  const planned = await runJson(['plan', ...request], { folder });
  expect(planned.json).toMatchObject({ read: 17, planned: 12, skipped: 5, invalid: 0 });
  const imported = await runJson(['import', ...request], { folder });
  expect(imported.json).toMatchObject({ read: 17, imported: 12, pending: 0 });

  const contents = sandboxContents(join(folder, 'chatferry.sandbox.db'));
  const [most] = [...contents.values()].sort((a, b) => b.length - a.length);
  expect(most).toEqual([
    'Is the pier open?',
    'From six on\nand "until" ten & so',
    'At the same time',
    expect.stringContaining('Please call me back'),
    'See https://tides.example.com/today and *that* is it',
    'Are you there?',
  ]);
});
