import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { questionsIn } from '../scenes/questions-in.ts';
import { runJson } from './in-process.ts';

const home = temporaryFolder();

const texts = [
  'The tide is in',
  'joined the room',
  'Max hat die Gruppe verlassen.',
  'Jo Smith has left',
  'I joined them at the mill, and left the keys there',
  'She was added to the list of those who help us by mistake, I think',
];

it('lines about joining or leaving cause a question if no column has the kind of a row', async () => {
  const folder = home.make();
  const rooms = ['harbour', 'mill', 'bakery'];
  const rows = texts.map((text, index) => {
    const author = index % 2 ? 'tomasz' : 'ines';
    return `${index + 1},${rooms[index % 3]},${author},2026-03-02T09:1${index}:00Z,"${text}"`;
  });
  writeFileSync(join(folder, 'chat.csv'), `id,room,author,time,text\n${rows.join('\n')}\n`);
  const init = ['init', 'chat.csv', '--yes', '--quiet'];
  const { code, json } = await runJson(init, { folder });
  expect(code).toBe(2);
  expect(json.open).toMatchObject([{ id: 'source.messages.kind' }]);
  const [system, plain] = questionsIn(json)[0]!.readings;
  expect(Object.keys((system!.value as { values: object }).values)).toEqual(texts.slice(1, 4));
  expect(plain!.value).toEqual({ constant: 'message' });
  await runJson([...init, '--set', `source.messages.kind=${JSON.stringify(system!.value)}`], { folder });
  const planned = await runJson(['plan', 'chat.csv'], { folder });
  expect(planned.json).toMatchObject({ planned: 3, skipped: 3, invalid: 0 });
});
