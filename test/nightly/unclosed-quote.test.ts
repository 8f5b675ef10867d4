import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runJson } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

const mapping = `source:
  messages: { id: id, conversation: channel, author: author, time: time, text: text }
  zone: UTC
`;
const good = (id: number) => `${id},general,u${id % 7},2024-03-01T10:00:00Z,row ${id} of the table\n`;
const open = '7,general,u7,2024-03-01T09:00:00Z,"never closed\n';

it('a quote that is never closed before more than a row may hold costs its row alone', async () => {
  const folder = home.make();
  const rows = Array.from({ length: 330_000 }, (_, index) => good(100 + index)).join('');
  writeFileSync(join(folder, 'chat.csv'), `id,channel,author,time,text\n${open}${rows}`);
  writeFileSync(join(folder, 'm.yaml'), mapping);
  expect(await runJson(['plan', 'chat.csv', '--mapping', 'm.yaml'], { folder })).toMatchObject({
    code: 3,
    json: { read: 330_001, planned: 330_000, invalid: 1 },
  });
});
