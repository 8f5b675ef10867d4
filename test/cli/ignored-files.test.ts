import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { message, user, userId } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';

const home = temporaryFolder();
const ann = userId(1);
const foreign = 'old [1] "a".json';

/** A Slack export with a file of chat that no source reads, and a job that imports it. */
function folderWithJob(): string {
  const folder = home.make();
  const files: Readonly<Record<string, readonly object[]>> = {
    'users.json': [user(ann, 'Ann')],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [ann] }],
    'general/2024-03-01.json': [message('1709251200.000100', ann, 'first')],
    [foreign]: [{ text: 'Hi', created_at: 1, author: { id: 'a' } }],
  };
  for (const [path, rows] of Object.entries(files)) {
    mkdirSync(join(folder, 'slack', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'slack', path), JSON.stringify(rows));
  }
  writeFileSync(join(folder, 'my.yaml'), 'version: 1\n');
  const job = '{ name: a, export: ./slack, mapping: ./my.yaml }';
  writeFileSync(join(folder, 'chatferry.yaml'), `report: ./reports\nto: sandbox\njobs:\n  - ${job}\n`);
  return folder;
}

const sync = ['sync', '--once', '--config', 'chatferry.yaml'];
describe('a file that resembles chat', () => {
  it('ends a job with 3 until the mapping ignores it, as the plan says', async () => {
    const folder = folderWithJob();
    expect((await runJson(sync, { folder })).code).toBe(3);
    const { stdout } = await run(['plan', 'slack', '--store', 'other.db'], { folder });
    const [advice] = /files: \{ ignore: \["old.*?\] \}/.exec(stdout.replaceAll(/\s+/g, ' '))!;
    writeFileSync(join(folder, 'my.yaml'), `${advice}\n`);
    expect((await runJson(sync, { folder })).json).toMatchObject({ jobs: [{ exit: 0 }], exit: 0 });
    const planned = await run(['plan', 'slack', '--store', 'other.db', '--mapping', 'my.yaml'], { folder });
    expect(planned.code).toBe(0);
    expect(planned.stdout).toMatch(/Ignored files\n(?:.*\n)*.*Ignored by the mapping/);
    expect(planned.stdout).not.toContain('unread-chat');
    // Nothing changed.
    expect((await runJson(sync, { folder })).code).toBe(0);
  });

  it('is asked about again when the mapping ignores it no more', async () => {
    const folder = folderWithJob();
    writeFileSync(join(folder, 'my.yaml'), 'files: { ignore: ["old*"] }\n');
    expect((await runJson(sync, { folder })).code).toBe(0);
    writeFileSync(join(folder, 'my.yaml'), 'version: 1\n');
    expect((await runJson(sync, { folder })).code).toBe(3);
  });
});

it('a conversion leaves ignored files out', async () => {
  const folder = folderWithJob();
  writeFileSync(join(folder, 'my.yaml'), 'files: { ignore: ["general/**"] }\n');
  await run(['convert', 'slack', '--mapping', 'my.yaml', '--out', 'out.ndjson'], { folder });
  const lines = readFileSync(join(folder, 'out.ndjson'), 'utf8');
  expect(lines).toContain('"kind":"user"');
  expect(lines).not.toContain('"kind":"message"');
});

it.each([
  ['html', 'html'],
  ['json', 'json'],
  ['markdown', 'md'],
])('a report in %s lists the ignored files with the reason', async (format, ending) => {
  const folder = folderWithJob();
  writeFileSync(join(folder, 'my.yaml'), 'files: { ignore: ["old*"] }\n');
  await run(['plan', 'slack', '--mapping', 'my.yaml', '--report', 'out', '--format', format], { folder });
  expect(readFileSync(join(folder, 'out', `report.${ending}`), 'utf8')).toContain('Ignored by the mapping');
});
