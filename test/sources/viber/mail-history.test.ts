import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, runJson } from '../../cli/in-process.ts';
import { sandboxContents } from '../../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();

const history =
  '\uFEFF25/03/2019,18:04:05,Ann Ray,+15555550101,Is the pier open?\n' +
  '25/03/2019,18:05:00,Me,+15555550100,"From six on, I think"\n' +
  '02/04/2019,07:00:01,Ann Ray,+15555550101,Photo message\n';

const mapping = `
source:
  zone: Europe/Berlin
  messages:
    time: { date: column 1, time: column 2, format: "dd/MM/yyyy HH:mm:ss" }
    conversation: { constant: Ann Ray }
    author: column 4
    authorName: column 3
    text: column 5
`;

it('the mail history of Viber is named and not guessed, and the advice reads it exactly', async () => {
  const folder = home.make();
  writeFileSync(join(folder, 'Ann Ray.csv'), history);
  const inspected = await run(['inspect', 'Ann Ray.csv'], { folder });
  const said = inspected.stdout + inspected.stderr;
  expect(said).toContain('the message history that the app sends by mail');
  expect(said).toContain('--source csv');

  writeFileSync(join(folder, 'history.yaml'), mapping);
  const request = ['Ann Ray.csv', '--source', 'csv', '--mapping', 'history.yaml', '--quiet'];
  const imported = await runJson(['import', ...request], { folder });
  expect(imported.json).toMatchObject({ read: 3, imported: 3, invalid: 0 });
  const [chat] = [...sandboxContents(join(folder, 'chatferry.sandbox.db')).values()];
  expect(chat).toEqual(['Is the pier open?', 'From six on, I think', 'Photo message']);
  await run(['convert', ...request, '--out', 'records.ndjson'], { folder });
  const records = readFileSync(join(folder, 'records.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.filter(({ kind }) => kind === 'message')).toMatchObject([
    { sentAtMs: Date.parse('2019-03-25T18:04:05+01:00'), author: '+15555550101', authorDetails: { name: 'Ann Ray' } },
    { sentAtMs: Date.parse('2019-03-25T18:05:00+01:00'), author: '+15555550100', authorDetails: { name: 'Me' } },
    { sentAtMs: Date.parse('2019-04-02T07:00:01+02:00'), author: '+15555550101' },
  ]);
});
