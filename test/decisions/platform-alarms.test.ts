import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Answered, CardPage } from '../../src/desk/shapes.ts';
import { openDesk } from '../cli/desk-scene.ts';
import { run } from '../cli/in-process.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const question = 'Who wrote the messages whose author is nobody that the export describes?';

const home = temporaryFolder();

/** A workspace of Slack in which a fifth of the messages is by people whom no list has. */
function writeWorkspace(folder: string): void {
  const people = ['Ann Berg', 'Bo Lind', 'Cy Moor', 'Di Tan'];
  const users = people.map((name, index) => ({ id: `U0000000${index}`, name: name.split(' ')[0], real_name: name }));
  const messages = Array.from({ length: 100 }, (_, index) => ({
    type: 'message',
    user: index % 5 === 4 ? `U9999999${index % 3}` : `U0000000${index % 4}`,
    text: `The boat is back, number ${index}`,
    ts: `${1_700_000_000 + index * 60}.000100`,
  }));
  const channels = [{ id: 'C00000001', name: 'harbour', created: 1_699_999_999, members: users.map(({ id }) => id) }];
  mkdirSync(join(folder, 'export', 'harbour'), { recursive: true });
  const files = { 'users.json': users, 'channels.json': channels, 'harbour/2023-11-14.json': messages };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, 'export', name), JSON.stringify(content));
}

it('what looks odd about all rows of a platform is asked on the terminal and in the report, and stops nothing', async () => {
  const folder = home.make();
  writeWorkspace(folder);
  expect(await run(['init', 'export', '--yes'], { folder })).toMatchObject({ code: 0 });
  const { code, stdout } = await run(['plan', '--quiet'], { folder });
  expect(code, stdout).toBe(0);
  for (const words of [
    question,
    '20 of 100 messages name an author whom no list of people has',
    '- Leave these 20 messages out',
    'If you do nothing: everything is sent as it is',
    'Details: docs/reference/alarms.md',
  ])
    expect(stdout).toContain(words);
  expect(stdout).not.toContain('checks alarm-');
  expect(readFileSync(join(folder, 'chatferry.report', 'report.html'), 'utf8')).toContain(question);

  const accepted = ['init', 'export', '--yes', '--set', 'reading.seen.nobody=20 of 100'];
  expect(await run(accepted, { folder })).toMatchObject({ code: 0 });
  expect((await run(['plan', '--quiet'], { folder })).stdout).not.toContain(question);
});

it('it is a card of the desk, and decided once a person says there that it is right', async () => {
  const folder = home.make();
  writeWorkspace(folder);
  await run(['init', 'export', '--yes'], { folder });
  await run(['plan', '--quiet'], { folder });
  const desk = await openDesk(['export'], folder);
  await desk.counted();
  const { rows, version, open } = await desk.ask<CardPage>('cards');
  const card = rows.find(({ id }) => id === 'alarm-nobody')!;
  expect(card).toMatchObject({ question, answer: null, about: { count: 20, of: 'messages', isExact: true } });
  const answers = [card.options.findIndex(({ does }) => does.startsWith('Leave it as it is'))];
  const answer = await desk.send('answer', JSON.stringify({ card: card.id, answers, by: 'Ana', version }));
  expect((await answer.json()) as Answered).toMatchObject({ open: open - 1 });
  expect(readFileSync(join(folder, 'chatferry.mapping.yaml'), 'utf8')).toContain('20 of 100');
  const again = await desk.ask<CardPage>('cards');
  expect(again.rows.find(({ id }) => id === 'alarm-nobody')).toMatchObject({ answer: { by: 'Ana', holds: true } });
});
