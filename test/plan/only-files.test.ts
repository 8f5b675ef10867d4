import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const photo = { attachments: [{ name: 'IMG-1.jpg', url: 'IMG-1.jpg' }] };
const records = [
  person('U1'),
  channel('C1'),
  says(1, 'C1', 'U1', 'one'),
  says(2, 'C1', 'U1', '', photo),
  says(3, 'C1', 'U1', ' '),
];

interface Given {
  readonly folder: string;
  readonly mapping?: string;
  readonly more?: typeof records;
}

async function imported({ folder, more = [], ...changes }: Given) {
  const exports = [writeRecords(join(folder, 'export.ndjson'), [...records, ...more])];
  const { report } = await importExport(await sessionRequest(folder, { from: exports, ...changes }));
  return { report, contents: byName(sandboxContents(join(folder, 'chatferry.sandbox.db'))) };
}

it('a message that is only a local file is sent, with a text that names it, and counted with what to do', async () => {
  const { report, contents } = await imported({ folder: home.make() });
  expect(contents).toEqual({ group_c1: ['one', '📎 IMG-1.jpg'] });
  expect(report.invalid).toMatchObject([{ code: 'blank-text', count: 1 }]);
  expect(report.problems).toContainEqual(expect.objectContaining({ code: 'message-only-file', count: 1 }));
  expect(report.losses).toContainEqual(
    expect.objectContaining({
      name: 'messages of files only',
      count: 1,
      becomes: expect.stringContaining('messages.attachmentUrls'),
    }),
  );
});

it('a mapping may take them for blank, and naming them after something was sent is a changed mapping', async () => {
  const folder = home.make();
  const { report, contents } = await imported({ folder, mapping: 'messages: { onlyFiles: blank }\n' });
  expect(contents).toEqual({ group_c1: ['one'] });
  expect(report.invalid).toMatchObject([{ code: 'blank-text', count: 2 }]);
  await expect(imported({ folder })).rejects.toThrow('messages.onlyFiles was "blank", is "name"');
});
