import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const chat = resolve('samples/whatsapp/ios/export');

it('a chat is inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', chat], { folder });
  expect(inspected).toMatchObject({ code: 0, stdout: expect.stringContaining('WhatsApp') });

  const urls = '{ "WhatsApp%20Chat": "https://files.example.com/WhatsApp%20Chat" }';
  writeFileSync(join(folder, 'my.yaml'), `source: { zone: UTC }\nmessages: { attachmentUrls: ${urls} }\n`);
  const request = [chat, '--mapping', 'my.yaml'];
  const planned = await runJson(['plan', ...request, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 14, planned: 10, skipped: 4, rejected: 0 });

  const imported = await runJson(['import', ...request, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 14, imported: 10, pending: 0 });
  const again = await runJson(['import', ...request, '--quiet'], { folder });
  expect(again.json).toMatchObject({ read: 14, imported: 10, pending: 0 });

  const [texts] = sandboxContents(join(folder, 'chatferry.sandbox.db')).values();
  expect(texts).toMatchObject({
    0: 'Is the gate open?',
    1: 'Is the gate open?',
    3: 'image omitted',
    5: '`low`\n`water`',
    6: 'At ten',
    7: expect.stringContaining('POLL:'),
    8: expect.stringContaining('Location: '),
    length: 10,
  });
});
