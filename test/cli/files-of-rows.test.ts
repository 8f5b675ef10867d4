import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { confirmReading } from '../scenes/confirm-reading.ts';
import { questionsIn } from '../scenes/questions-in.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

/** So many rows show which column names the people and which the rooms. */
const rowsMin = 6;
const rooms = ['harbour', 'mill', 'bakery'];

/** Makes a table of two people in three rooms. Each row has a text and the values of further columns. Rows with only a text are added. */
function scene(columns: string, rows: readonly string[]): string {
  const folder = home.make();
  const plain = `Yes${','.repeat(columns.split(',').length)}`;
  const padded = [...rows, ...Array.from({ length: Math.max(0, rowsMin - rows.length) }, () => plain)];
  const lines = padded.map(
    (row, index) =>
      `${index + 1},${rooms[index % 3]},${index % 2 ? 'tomasz' : 'ines'},2026-03-02T09:1${index}:00Z,${row}`,
  );
  writeFileSync(join(folder, 'chat.csv'), `id,room,author,time,text,${columns}\n${lines.join('\n')}\n`);
  const bound = 'id: id, conversation: room, author: author, time: time, text: text';
  writeFileSync(join(folder, 'unbound.yaml'), `source:\n  messages: { ${bound} }\n`);
  return folder;
}

const init = async (folder: string, ...more: string[]) =>
  runJson(['init', 'chat.csv', '--yes', '--force', '--quiet', ...more], { folder });

describe('rows that have only a file', () => {
  it.each([
    ['addresses of pictures, whatever the column is called', 'anlagen', ['https://files.example.com/a.png']],
    ['a name that says so', 'MediaUrl0', ['https://api.example.com/media/ME1']],
    ['further ones behind the first', 'MediaUrl0,MediaUrl1', ['https://a.example.com/1,https://a.example.com/2']],
    ['one of two kinds', 'image_url,video_url', ['https://a.example.com/1.jpg,', ',https://a.example.com/1.mp4']],
  ])('become messages by themselves: %s', async (_, columns, cells) => {
    const commas = ','.repeat(columns.split(',').length - 1);
    const folder = scene(columns, [`The tide is in,${commas}`, ...cells.map((cell) => `,${cell}`), `Good,${commas}`]);
    expect(await init(folder)).toMatchObject({ code: 0, json: { counts: { invalid: 0 } } });
    await confirmReading(folder, 'chat.csv');
    const planned = await runJson(['plan', 'chat.csv'], { folder });
    expect(planned).toMatchObject({ code: 0, json: { planned: rowsMin, invalid: 0 } });
  });

  it('cause a question if the paths in the column may be something else', async () => {
    const folder = scene('ref', ['The tide is in,', ',uploads/a.png', 'Good,']);
    const { code, json } = await init(folder);
    expect({ code, open: questionsIn(json) }).toMatchObject({
      code: 2,
      open: [{ key: 'messages.attachments', readings: [{ value: [{ url: 'ref' }] }, { value: [] }] }],
    });
  });

  it('are invalid, with the unmapped column named, and are migrated once it is mapped', async () => {
    const folder = scene('pic', ['The tide is in,', ',https://files.example.com/a.png', 'Good,']);
    const plan = ['plan', 'chat.csv', '--mapping', 'unbound.yaml'];
    const { json } = await runJson(plan, { folder });
    expect(json).toMatchObject({ invalid: 1 });
    await run(['report', '--format', 'json', '--report', 'out'], { folder });
    const { problems } = JSON.parse(readFileSync(join(folder, 'out', 'report.json'), 'utf8'));
    const found = problems.find(({ code }: { code: string }) => code === 'file-not-bound');
    expect(found).toMatchObject({
      count: 1,
      severity: 'decision',
      examples: [{ location: 'chat.csv:3', detail: expect.stringContaining('attachments: [{ url: "pic" }]') }],
    });
    const set = ['--mapping', 'unbound.yaml', '--set', 'source.messages.attachments=[{ url: "pic" }]'];
    expect(await init(folder, ...set)).toMatchObject({ code: 0, json: { counts: { invalid: 0 } } });
  });

  it.each([
    ['pictures of people', 'avatar_url', 'https://files.example.com/a.png'],
    ['links to pages', 'page', 'https://www.example.com/index.html'],
  ])('take no %s for files where every row has a text', async (_, column, cell) => {
    const folder = scene(
      column,
      Array.from({ length: rowsMin }, (_, row) => `The tide is in ${row},${cell}`),
    );
    const { json } = await init(folder);
    expect(json.open).toEqual([]);
    const planned = await runJson(['inspect', 'chat.csv'], { folder });
    expect(planned.json.notMigrated).toEqual([{ name: column, rows: rowsMin }]);
  });
});
