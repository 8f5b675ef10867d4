import { userInfo } from 'node:os';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readDecisions } from '../../src/report/decision-log.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { decidingScene } from '../desk/deciding-scene.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();
const me = userInfo().username;

function folderWithChat(): string {
  const folder = home.make();
  const row = (id: number) => `${id},${['a', 'b'][id % 2]},${['Jo', 'Ann'][id % 2]},2024-03-0${id} 10:00,Hello`;
  writeFileSync(join(folder, 'chat.csv'), `id,Raum,Wer,created_at,text\n${[1, 2, 3, 4].map(row).join('\n')}\n`);
  return folder;
}

const historyIn = (folder: string) =>
  readDecisions(join(folder, 'chatferry.db')).map(({ key, answer, before, by }) => [key, answer, before, by]);

it('answers of the command line and of the file make one history, with what was shown', async () => {
  const folder = folderWithChat();
  const mapping = join(folder, 'chatferry.mapping.yaml');
  await run(['init', 'chat.csv', '--yes'], { folder });
  expect(historyIn(folder)).toEqual([]);
  await run(['init', 'chat.csv', '--yes', '--set', 'source.messages.conversation=Raum'], { folder });
  writeFileSync(mapping, readFileSync(mapping, 'utf8').replace(/#(zone: UTC)/, '$1'));
  await run(['init', 'chat.csv', '--yes', '--set', 'source.messages.author=Wer', '--set', 'people.bots=skip'], {
    folder,
  });
  const answered = [
    ['source.messages.conversation', 'Raum', null, me],
    ['source.zone', 'UTC', null, 'chatferry.mapping.yaml'],
    ['source.messages.author', 'Wer', null, me],
    ['people.bots', 'skip', 'keep', me],
  ];
  expect(historyIn(folder).toSorted()).toEqual(answered.toSorted());
  const author = readDecisions(join(folder, 'chatferry.db')).find(({ key }) => key === 'source.messages.author');
  expect(author).toMatchObject({
    about: 'Who wrote a message? Take the author from "Wer"',
    shown: ['no column is for certain who wrote it', 'Take the author from "Wer"', expect.stringMatching(/^Name/)],
  });
  // Nothing new.
  await run(['init', 'chat.csv', '--yes', '--set', 'source.messages.author=Wer'], { folder });
  expect(historyIn(folder)).toHaveLength(4);
  await run(['init', 'chat.csv', '--yes', '--set', 'source.zone=Europe/Berlin'], { folder });
  expect(historyIn(folder).at(-1)).toEqual(['source.zone', 'Europe/Berlin', 'UTC', me]);
  const desk = await decidingScene(folder, join(folder, 'chat.csv'));
  await desk.answer('source.zone', [0]);
  await run(['init', 'chat.csv', '--yes', '--set', 'people.bots=keep'], { folder });
  expect(historyIn(folder).slice(-2)).toEqual([
    ['source.zone', 'UTC', 'Europe/Berlin', 'Ana'],
    ['people.bots', 'keep', 'skip', me],
  ]);
});

it('an answer can be taken back: the question is open again, and the history says so', async () => {
  const folder = folderWithChat();
  const set = (...settings: string[]) =>
    run(['init', 'chat.csv', '--yes', ...settings.flatMap((setting) => ['--set', `source.${setting}`])], { folder });
  await set('messages.conversation=Raum', 'messages.author=Wer', 'zone=UTC');
  const { code, stdout } = await set('zone=?');
  expect(code).toBe(2);
  expect(stdout).toContain('In which time zone are the times?');
  expect(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8')).toMatch(/zone: "\?"\n *#zone: UTC/);
  expect(historyIn(folder).at(-1)).toEqual(['source.zone', '?', 'UTC', me]);
  expect(await set('zone=Europe/Berlin')).toMatchObject({ code: 0 });
  for (const key of ['people.bogus', 'source.messages.bogus']) {
    const { code: refused, stderr } = await run(['init', 'chat.csv', '--yes', '--set', `${key}=?`], { folder });
    expect([refused, stderr]).toEqual([2, expect.stringContaining(`Cannot take back "${key}": there is no such key`)]);
  }
});
