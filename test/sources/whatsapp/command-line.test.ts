import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
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
  expect(planned.json).toMatchObject({ read: 14, planned: 10, skipped: 4, invalid: 0 });

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

describe('two exports with a chat of one name', () => {
  const name = 'WhatsApp Chat with Anna.txt';
  const first = '13/4/24, 10:00 - Anna: hi\n13/4/24, 10:01 - Ben: yes\n13/4/24, 10:02 - Anna: so\n';
  const second = '13/5/24, 10:00 - Anna: tide?\n13/5/24, 10:01 - Ben: low\n13/5/24, 10:02 - Anna: ah\n';

  async function planned(chats: readonly string[], settings = '') {
    const folder = home.make();
    for (const [index, text] of chats.entries()) {
      mkdirSync(join(folder, `phone-${index}`));
      writeFileSync(join(folder, `phone-${index}`, name), text);
    }
    writeFileSync(join(folder, 'my.yaml'), `source: { zone: UTC${settings} }\n`);
    const exports = chats.map((_, index) => `phone-${index}`);
    const { stdout } = await run(['plan', ...exports, '--mapping', 'my.yaml', '--quiet'], { folder });
    return {
      folder,
      counts: /Planned +(\d+ +in \d+ conversations?)/.exec(stdout)![1],
      isAsked: stdout.includes('whatsapp-same-name'),
    };
  }

  it('stay two chats with two people, and the plan asks', async () => {
    expect(await planned([first, second])).toMatchObject({ counts: '6  in 2 conversations', isAsked: true });
  });

  it.each([
    ['apart', '2 conversations'],
    ['together', '1 conversation'],
  ])('follow the answer to the report: sameName: %s', async (answer, count) => {
    expect(await planned([first, second], `, sameName: ${answer}`)).toMatchObject({
      counts: `6  in ${count}`,
      isAsked: false,
    });
  });

  it('are one chat if three messages are the same', async () => {
    expect(await planned([first, `${first}${second}`])).toMatchObject({
      counts: '6  in 1 conversation',
      isAsked: false,
    });
  });

  it('are distinguished again by explain, which rereads the export of a message', async () => {
    const { folder } = await planned([first, second]);
    const { stdout } = await run(['explain', `${name}:1`], { folder });
    for (const from of ['phone-0', 'phone-1']) expect(stdout).toContain(`"conversation": "Anna (${from}/${name})"`);
  });
});
