import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();

const header = 'id,channel,author,time,text\n';
const year2024 = `${header}1,general,ann,2024-03-01T10:00:00Z,happy new year
2,general,bob,2024-03-01T11:00:00Z,the same to you
3,general,ann,2024-03-01T12:00:00Z,lunch
`;
const year2025 = `${header}1,general,bob,2025-01-01T10:00:00Z,another year
2,general,ann,2025-01-02T11:00:00Z,indeed
3,general,ann,2025-01-03T12:00:00Z,dinner
`;

const mappingWith = (id: string) => `version: 1
source:
  messages: { ${id}conversation: channel, author: author, time: time, text: text }
  zone: UTC
# Without an id, its column is one that nothing reads and that comes again.
reading: { seen: { split: yes } }
`;

/** A folder with files and a mapping. */
function folderWith(files: Readonly<Record<string, string>>, id = 'id: id, '): string {
  const folder = home.make();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'mapping.yaml'), mappingWith(id));
  return folder;
}

const mapped = ['--mapping', 'mapping.yaml'];

async function expectRefused(args: readonly string[], folder: string, ...words: readonly string[]): Promise<void> {
  const ended = await run([...args, ...mapped], { folder });
  expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 2 });
  for (const word of ['ids of messages are not unique', '--workspace', 'messages.id', ...words])
    expect(ended.stderr).toContain(word);
}

describe('messages of two exports that have the same ids', () => {
  const both = { '2024.csv': year2024, '2025.csv': year2025 };

  it('are not taken for repetitions: nothing is sent, and both places are named, as often as it is tried', async () => {
    const folder = folderWith(both);
    for (const command of ['plan', 'import', 'import'])
      await expectRefused([command, '2024.csv', '2025.csv'], folder, '2024.csv:2', '2025.csv:2');
    const ended = await run(['import'], { folder });
    expect(ended.code).toBe(2);
    expect(await runJson(['status'], { folder })).toMatchObject({ json: { imported: 0 } });
  });

  it('are noticed if the second export is imported a year later', async () => {
    const folder = folderWith(both);
    expect((await run(['import', '2024.csv', ...mapped], { folder })).code).toBe(0);
    await expectRefused(['import', '2025.csv'], folder, '2024.csv:2', '2025.csv:2');
    await expectRefused(['import', '2025.csv'], folder, '2024.csv:2', '2025.csv:2');
    // The old one alone is as good as it was.
    expect((await run(['import', '2024.csv', ...mapped], { folder })).code).toBe(0);
    expect(await runJson(['status'], { folder })).toMatchObject({ json: { read: 3, imported: 3, duplicates: 0 } });
    writeFileSync(join(folder, '2025.csv'), header);
    expect((await run(['import', '2024.csv', '2025.csv', ...mapped], { folder })).code).toBe(0);
  });

  it('are noticed if the second export replaces the first', async () => {
    const folder = folderWith({ 'chat.csv': year2024 });
    expect((await run(['import', 'chat.csv', ...mapped], { folder })).code).toBe(0);
    writeFileSync(join(folder, 'chat.csv'), year2025);
    await expectRefused(['import', 'chat.csv'], folder, 'chat.csv:2');
    writeFileSync(join(folder, 'chat.csv'), year2024);
    expect((await run(['import', 'chat.csv', ...mapped], { folder })).code).toBe(0);
  });

  it('are simply the new ones where nothing of the first was sent', async () => {
    const folder = folderWith({ 'chat.csv': year2024 });
    expect((await run(['plan', 'chat.csv', ...mapped], { folder })).code).toBe(0);
    writeFileSync(join(folder, 'chat.csv'), year2025);
    expect((await run(['import', 'chat.csv', ...mapped], { folder })).code).toBe(0);
    expect(await runJson(['status'], { folder })).toMatchObject({ json: { read: 3, imported: 3, duplicates: 0 } });
  });

  it.each([
    ['the name of the file is part of the id', 'id: { template: "{:file} {id}" }, '],
    ['the id is made of what the row says', ''],
  ])('all arrive where %s', async (_, id) => {
    const folder = folderWith(both, id);
    expect((await run(['import', '2024.csv', '2025.csv', ...mapped], { folder })).code).toBe(0);
    expect(await runJson(['status'], { folder })).toMatchObject({ json: { read: 6, imported: 6, duplicates: 0 } });
  });

  it('all arrive where each has a workspace and a store of its own', async () => {
    const folder = folderWith(both);
    const own = (year: string) => ['--workspace', year, '--store', `${year}.db`, ...mapped];
    expect((await run(['import', '2024.csv', ...own('2024')], { folder })).code).toBe(0);
    expect((await run(['import', '2025.csv', ...own('2025')], { folder })).code).toBe(0);
  });
});

describe('a message in two exports', () => {
  it('is one, also where its text was edited, or its author is called otherwise by now', async () => {
    const later = year2024.replace('lunch', 'lunch (edited)').replace('2,general,bob', '2,general,robert');
    const folder = folderWith({ 'a.csv': year2024, 'b.csv': later });
    expect((await run(['import', 'a.csv', 'b.csv', ...mapped], { folder })).code).toBe(0);
    expect(await runJson(['status'], { folder })).toMatchObject({ json: { read: 3, imported: 3, duplicates: 3 } });
  });

  it('is one where only its time was put right', async () => {
    const folder = folderWith({ 'a.csv': year2024, 'b.csv': year2024.replaceAll('2024-03-01T1', '2024-03-02T1') });
    expect((await run(['import', 'a.csv', 'b.csv', ...mapped], { folder })).code).toBe(0);
  });
});
