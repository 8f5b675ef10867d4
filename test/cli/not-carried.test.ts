import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

const table = `id,room,author,text,time,status,priority,token
1,harbour,ines,The tide is in,2026-03-02T09:15:00Z,open,,hidden-1
2,harbour,tomasz,I see it,2026-03-02T09:16:00Z,open,high,hidden-2
3,harbour,ines,Good,2026-03-02T09:17:00Z,closed,,hidden-3
`;

const mapping = `source:
  messages:
    id: id
    conversation: room
    author: author
    text: text
    time: time
`;

/** A table, and a mapping that leaves columns of it alone. */
function scene(): string {
  const folder = home.make();
  writeFileSync(join(folder, 'chat.csv'), table);
  writeFileSync(join(folder, 'mapping.yaml'), mapping);
  return folder;
}

const expected = [
  { name: 'status', rows: 3 },
  { name: 'token', rows: 3 },
  { name: 'priority', rows: 1 },
];

describe('columns that nothing reads', () => {
  it('are listed by inspect, with how many rows have a value', async () => {
    const folder = scene();
    const args = ['inspect', 'chat.csv', '--mapping', 'mapping.yaml'];
    expect(await runJson(args, { folder })).toMatchObject({ code: 0, json: { notCarried: expected } });
    const { stdout } = await run(args, { folder });
    expect(stdout).toContain('3 columns are not carried: status (3 rows), token (3), priority (1)');
  });

  it('are listed by init, with what keeps one; what it says holds to the letter', async () => {
    const folder = scene();
    const { code, stdout } = await run(['init', 'chat.csv', '--mapping', 'mapping.yaml', '--yes'], { folder });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('3 columns are not carried: ') });
    const [, setting = ''] = /--set (source\.messages\.custom\.\S+)/.exec(stdout) ?? [];
    const again = await run(['init', 'chat.csv', '--mapping', 'mapping.yaml', '--yes', '--set', setting], { folder });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('2 columns are not carried: ') });
    expect(readFileSync(join(folder, 'mapping.yaml'), 'utf8')).toMatch(/custom:\s+status: status/);
  });

  it('are a loss of plan and report, by their values; the values themselves are shown nowhere', async () => {
    const folder = scene();
    const planned = await runJson(['plan', 'chat.csv', '--mapping', 'mapping.yaml'], { folder });
    expect(planned).toMatchObject({ code: 0, json: { losses: { columns: 7 } } });
    const { stdout } = await run(['report', '--format', 'md', '--report', 'out'], { folder });
    const report = JSON.stringify(await runJson(['status'], { folder })) + stdout;
    expect(report).not.toContain('hidden-');
  });

  it('of nested JSON are paths, without what another table of the file reads', async () => {
    const folder = home.make();
    const rooms = [
      {
        ...{ id: 'harbour', title: 'Harbour', colour: 'blue' },
        messages: [{ id: '1', by: { uid: 'ines', mood: 'glad' }, at: 1_772_442_900, text: 'The tide is in' }],
      },
    ];
    writeFileSync(join(folder, 'rooms.json'), JSON.stringify({ rooms }));
    writeFileSync(
      join(folder, 'mapping.yaml'),
      `source:
  tables:
    messages: { file: rooms.json, list: /rooms/*/messages }
    conversations: { file: rooms.json, list: /rooms }
  conversations: { id: id, name: title }
  messages: { id: id, conversation: $outer.id, author: by.uid, text: text, time: { from: at, format: unix-s } }
`,
    );
    expect(await runJson(['inspect', 'rooms.json', '--mapping', 'mapping.yaml'], { folder })).toMatchObject({
      code: 0,
      json: {
        notCarried: [
          { name: 'colour', rows: 1 },
          { name: 'by.mood', rows: 1 },
        ],
      },
    });
  });

  it('are counted together behind the first 200, where ids are keys', async () => {
    const folder = home.make();
    const rows = Array.from({ length: 300 }, (_, index) => ({
      ...{ id: String(index), room: 'harbour', author: 'ines', text: 'hi', time: '2026-03-02T09:15:00Z' },
      [`seen-by-${index}`]: true,
    }));
    writeFileSync(join(folder, 'chat.json'), JSON.stringify(rows));
    writeFileSync(join(folder, 'mapping.yaml'), mapping);
    const { json } = await runJson(['inspect', 'chat.json', '--mapping', 'mapping.yaml'], { folder });
    expect(json.notCarried).toHaveLength(201);
    expect(json.notCarried[0]).toEqual({ name: 'further fields', rows: 100 });
  });

  it('are counted once of a file that has grown', async () => {
    const folder = scene();
    const plan = ['plan', 'chat.csv', '--mapping', 'mapping.yaml'];
    await runJson(plan, { folder });
    writeFileSync(join(folder, 'chat.csv'), `${table}4,harbour,ines,Late,2026-03-02T09:18:00Z,open,,hidden-4\n`);
    expect(await runJson(plan, { folder })).toMatchObject({ code: 0, json: { losses: { columns: 9 } } });
  });
});
