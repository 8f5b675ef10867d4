import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();

it('people and conversations that would get the same id are all named in one run, with the keys that separate them', async () => {
  const folder = home.make();
  const row = (number: number, room: string, author: string) =>
    `${number},${room},${author},2026-03-02T09:0${number}:00Z,hi`;
  const rows = [row(1, 'Pier', 'ann'), row(2, 'PIER', 'ANN'), row(3, 'Pier', 'bob'), row(4, 'PIER', 'Bob')];
  writeFileSync(join(folder, 'chat.csv'), `id,room,author,time,text\n${rows.join('\n')}\n`);
  writeFileSync(
    join(folder, 'm.yaml'),
    'source:\n  messages: { id: id, conversation: room, author: author, time: time, text: text }\n',
  );
  const { code, stderr } = await run(['plan', 'chat.csv', '--mapping', 'm.yaml'], { folder });
  expect(code).toBe(2);
  expect(stderr).toContain('the people "ann" and "ANN" would all become uid "ann"');
  expect(stderr).toContain('the people "bob" and "Bob" would all become uid "bob"');
  expect(stderr).toContain('the conversations "Pier" and "PIER" would all become guid "pier"');
  expect(stderr).toContain('people.uids or conversations.guids');
});
