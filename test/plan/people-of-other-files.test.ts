import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planExport } from '../../src/commands/prepare.ts';
import { writeFiles } from '../scenes/make-export.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

const mapping = `
source:
  tables:
    users: { file: a.json, list: /users }
    messages: { file: "*.json", list: /messages }
  users: { id: id, name: name, isBot: bot }
  messages: { id: id, conversation: room, author: author, text: text, time: { from: at, format: unix-s } }
people: { bots: skip }
`;

const said = (id: string, author: string) => ({ id, room: 'r1', author, text: `text ${id}`, at: 1709251200 });

it('knows from the last plan who is described in a file that is not read again', async () => {
  const folder = home.make();
  const users = [
    { id: 'ann', name: 'Ann', bot: false },
    { id: 'deploy', name: 'Deploy', bot: true },
  ];
  writeFiles(join(folder, 'export'), {
    'a.json': { users, messages: [said('1', 'ann'), said('2', 'deploy')] },
    'b.json': { messages: [said('3', 'ann')] },
  });
  const plan = async () => (await planExport(await sessionRequest(folder, { mapping, source: 'json' }))).report;
  expect((await plan()).totals).toMatchObject({ read: 3, planned: 2, skipped: 1 });

  writeFiles(join(folder, 'export'), { 'b.json': { messages: [said('3', 'ann'), said('4', 'deploy')] } });
  const { totals, people } = await plan();
  expect(totals).toMatchObject({ read: 4, planned: 2, skipped: 2 });
  expect(people).toMatchObject({ placeholders: 0 });
});

it('a person refused by a module is reported once: where the person is described, not in every later plan', async () => {
  const folder = home.make();
  const module = `
    export function mapPerson(user, { next }) {
      if (user.id === 'bob') throw new Error('no idea');
      return next(user);
    }`;
  writeFileSync(join(folder, 'my.ts'), module);
  const users = [
    { id: 'ann', name: 'Ann' },
    { id: 'bob', name: 'Bob' },
  ];
  writeFiles(join(folder, 'export'), {
    'a.json': { users, messages: [said('1', 'ann'), said('2', 'bob')] },
    'b.json': { messages: [said('3', 'ann')] },
  });
  const request = await sessionRequest(folder, { mapping: `${mapping}module: ./my.ts\n`, source: 'json' });
  const plan = async () => (await planExport(request)).report;
  await plan();
  writeFiles(join(folder, 'export'), { 'b.json': { messages: [said('3', 'ann'), said('4', 'bob')] } });
  const { totals, problems } = await plan();
  expect(totals).toMatchObject({ read: 4 });
  expect(problems.find(({ code }) => code === 'module-failed')?.count).toBe(1);
});
