import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
    expect(await runJson(args, { folder })).toMatchObject({ code: 0, json: { notMigrated: expected } });
    const { stdout } = await run(args, { folder });
    expect(stdout).toContain('3 columns are not migrated: status (3 rows), token (3), priority (1)');
  });

  it('are listed by init, with the setting that keeps one; that setting works as printed', async () => {
    const folder = scene();
    const { code, stdout } = await run(['init', 'chat.csv', '--mapping', 'mapping.yaml', '--yes'], { folder });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 columns are not migrated: '),
    });
    const offered = [...stdout.matchAll(/--set (source\.messages\.custom\.\S+) +(\d+ rows?)\n/g)];
    expect(offered.map(([, setting, rows]) => [setting, rows])).toEqual([
      ['source.messages.custom.status=status', '3 rows'],
      ['source.messages.custom.token=token', '3 rows'],
      ['source.messages.custom.priority=priority', '1 row'],
    ]);
    const [, setting = ''] = offered[0]!;
    const again = await run(['init', 'chat.csv', '--mapping', 'mapping.yaml', '--yes', '--set', setting], { folder });
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('2 columns are not migrated: ') });
    expect(readFileSync(join(folder, 'mapping.yaml'), 'utf8')).toMatch(/custom:\s+status: status/);
  });

  it('are a loss of plan and report, by their values; the values themselves are shown nowhere', async () => {
    const folder = scene();
    const planned = await runJson(['plan', 'chat.csv', '--mapping', 'mapping.yaml'], { folder });
    expect(planned).toMatchObject({ code: 0, json: { losses: { columns: 7 } } });
    const written = await run(['report', '--format', 'html,json,markdown,csv', '--report', 'out'], { folder });
    expect(written.code).toBe(0);
    const files = readdirSync(join(folder, 'out')).map((name) => readFileSync(join(folder, 'out', name), 'utf8'));
    expect(files.length).toBeGreaterThan(3);
    expect(files.join('\n')).toContain('columns');
    expect(files.join('\n') + JSON.stringify(await runJson(['status'], { folder }))).not.toContain('hidden-');
  });

  it('of nested JSON are listed as paths, except those read by another table of the file', async () => {
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
        notMigrated: [
          { name: 'colour', rows: 1, table: 'conversations' },
          { name: 'by.mood', rows: 1 },
        ],
      },
    });
  });

  it('of lists are listed as the paths inside them, counted by row; of partly read lists, only the unread paths are listed', async () => {
    const folder = home.make();
    const row = (id: string, more: object) => ({
      ...{ id, room: 'harbour', author: 'ines', text: 'hi', time: `2026-03-02T09:1${id}:00Z`, ...more },
    });
    const file = (name: string, more: object) => ({ url: `https://files.example.com/${name}`, name, ...more });
    const rows = [
      row('1', {
        files: [file('a.png', { caption: 'secret-1', by: { id: 'ines' } }), file('b.png', { caption: 'c' })],
      }),
      row('2', { files: [file('c.png', { caption: '', dimensions: { width: 4 } })] }),
      row('3', { likes: [{ emoji: '👍', users: [{ id: 'ines', mood: 'glad' }] }], tags: ['a', 'b'] }),
      row('4', {
        seen: [
          { by: 'ines', at: [{ day: 1 }] },
          { by: 'tomasz', at: [] },
        ],
        pages: [{ a: 1 }, { a: 2, b: 3 }],
      }),
    ];
    writeFileSync(join(folder, 'chat.json'), JSON.stringify(rows));
    const more = `    attachments: [{ list: files, url: url, name: name }]
    reactions: { list: likes, emoji: emoji, users: users }
    custom: { page: pages.0.a }
`;
    writeFileSync(join(folder, 'mapping.yaml'), mapping + more);
    const args = ['inspect', 'chat.json', '--mapping', 'mapping.yaml'];
    const { json } = await runJson(args, { folder });
    expect(json.notMigrated).toEqual([
      { name: 'files[].caption', rows: 1 },
      { name: 'files[].by.id', rows: 1 },
      { name: 'files[].dimensions.width', rows: 1 },
      { name: 'likes[].users[].mood', rows: 1 },
      { name: 'tags', rows: 1 },
      { name: 'seen[].by', rows: 1 },
      { name: 'seen[].at[].day', rows: 1 },
      { name: 'pages[].a', rows: 1 },
      { name: 'pages[].b', rows: 1 },
    ]);
    const planned = await runJson(['plan', 'chat.json', '--mapping', 'mapping.yaml'], { folder });
    expect(planned).toMatchObject({ code: 0, json: { losses: { columns: 9 } } });
    const { stdout } = await run(['init', 'chat.json', '--mapping', 'mapping.yaml', '--yes'], { folder });
    expect(stdout).toMatch(/--set source\.messages\.custom\.files=files +1 row\n/);
    expect(stdout).not.toMatch(/--set \S*\[\]/);
    expect(JSON.stringify(planned.json) + stdout).not.toContain('secret-1');
  });

  it('of lists in a cell are listed as the paths inside them', async () => {
    const folder = home.make();
    const cell = JSON.stringify([{ url: 'https://files.example.com/a.png', caption: 'x' }]).replaceAll('"', '""');
    const row = `1,harbour,ines,hi,2026-03-02T09:15:00Z,"${cell}"`;
    writeFileSync(join(folder, 'chat.csv'), `id,room,author,text,time,files\n${row}\n`);
    writeFileSync(join(folder, 'mapping.yaml'), `${mapping}    attachments: [{ list: files, url: url }]\n`);
    const { json } = await runJson(['inspect', 'chat.csv', '--mapping', 'mapping.yaml'], { folder });
    expect(json.notMigrated).toEqual([{ name: 'files[].caption', rows: 1 }]);
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
    expect(json.notMigrated).toHaveLength(201);
    expect(json.notMigrated[0]).toEqual({ name: 'further fields', rows: 100 });
  });

  it('are counted once of a file that has grown', async () => {
    const folder = scene();
    const plan = ['plan', 'chat.csv', '--mapping', 'mapping.yaml'];
    await runJson(plan, { folder });
    writeFileSync(join(folder, 'chat.csv'), `${table}4,harbour,ines,Late,2026-03-02T09:18:00Z,open,,hidden-4\n`);
    expect(await runJson(plan, { folder })).toMatchObject({ code: 0, json: { losses: { columns: 9 } } });
  });
});
