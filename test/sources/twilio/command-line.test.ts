import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const text = {
  ...{
    sid: 'SM00000000000000000000000000000001',
    from: '+15550100001',
    to: '+15550109999',
    body: 'Hi',
    num_media: '0',
  },
  ...{ direction: 'inbound', status: 'received', date_sent: 'Mon, 02 Mar 2026 09:00:00 +0000' },
  ...{ date_created: 'Mon, 02 Mar 2026 09:00:00 +0000', subresource_uris: { media: '/2010-04-01/Media.json' } },
};
const inCamelCase = {
  ...{
    sid: text.sid,
    from: text.from,
    to: text.to,
    body: 'Hi',
    numMedia: '0',
    direction: 'inbound',
    status: 'received',
  },
  ...{ dateSent: '2026-03-02T09:00:00.000Z', dateCreated: '2026-03-02T09:00:00.000Z', accountSid: 'AC0' },
};
const path = resolve('samples/twilio/programmable-chat/export');

it('saved answers are inspected, planned and imported as a user would', async () => {
  const folder = home.make();
  const inspected = await run(['inspect', path], { folder });
  expect(inspected.code).toBe(0);
  expect(inspected.stdout).toContain('twilio');

  const planned = await runJson(['plan', path, '--quiet'], { folder });
  expect(planned.json).toMatchObject({ read: 5, planned: 4, skipped: 1, invalid: 0 });
  const imported = await runJson(['import', path, '--quiet'], { folder });
  expect(imported.json).toMatchObject({
    read: 5,
    imported: 4,
    pending: 0,
    verify: { same: 4, missing: 0, different: 0 },
  });

  const [contents] = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents).toMatchObject({ 0: 'Moor at the **quay**', 1: 'Moored, at berth nine', length: 4 });
});

it('the log of text messages is chats of two numbers, without what nobody received', async () => {
  const folder = home.make();
  const log = resolve('samples/twilio/text-messages/export');
  const planned = await run(['plan', log, '--quiet'], { folder });
  expect(planned.code).toBe(0);
  const imported = await runJson(['import', log, '--quiet'], { folder });
  expect(imported.json).toMatchObject({ read: 9, imported: 6, skipped: 3, invalid: 0, verify: { same: 6 } });
  const contents = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(contents).toEqual(
    expect.arrayContaining([
      ['Is the gate open? 🌊', 'From *six* on', 'At the same time', 'As this', expect.any(String)],
      ['And here, by another way'],
    ]),
  );
});

it.each([
  [
    'a page of the log',
    { messages: [text], page: 0, next_page_uri: null, first_page_uri: '/2010-04-01/a.json?Page=0' },
  ],
  ['a list of a helper library', [inCamelCase]],
  ['a file of BulkExport', { ...text, date_sent: '2026-03-02T09:00:00Z', date_created: '2026-03-02T09:00:00Z' }],
])('%s is known as Twilio, and its message is in a chat of two', async (_, content) => {
  const folder = home.make();
  writeFileSync(join(folder, 'log.json'), JSON.stringify(content));
  const planned = await runJson(['plan', 'log.json', '--quiet'], { folder });
  expect(planned.json).toMatchObject({ source: 'twilio', read: 1, planned: 1 });
  expect(planned.stdout).not.toContain('attachment-without-address');
});
