import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { damagedRows, everyFeature } from './samples.ts';

const home = temporaryFolder();

it('report writes the formats that are asked for, where --report says, from a store that plan filled', async () => {
  const folder = home.make();
  const { json: planned } = await runJson(['plan', damagedRows], { folder });
  expect(readdirSync(join(folder, 'chatferry.report'))).toEqual([
    ...['conversations.csv', 'problems.csv', 'report.html', 'report.json'],
  ]);

  const formats = 'html,json,markdown,csv';
  const { json } = await runJson(['report', '--format', formats, '--report', 'all'], { folder });
  expect(json).toMatchObject({ read: planned.read, invalid: planned.invalid, report: join('all', 'report.html') });
  const names = ['conversations.csv', 'problems.csv', 'report.html', 'report.json', 'report.md'];
  expect(readdirSync(join(folder, 'all'))).toEqual(names);
  for (const name of names) expect(statSync(join(folder, 'all', name)).mode & 0o777, name).toBe(0o600);

  const invalid = readFileSync(join(folder, 'all', 'problems.csv'), 'utf8').match(/^"invalid"/gm);
  expect(invalid).toHaveLength(planned.invalid as number);
});

it('report names the folder if there is no page to open', async () => {
  const folder = home.make();
  await run(['plan', damagedRows], { folder });
  const { code, stdout } = await run(['report', '--format', 'markdown', '--report', 'ci'], { folder });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Report +ci$/m);
  expect(readdirSync(join(folder, 'ci'))).toEqual(['report.md']);
});

it.skipIf(process.platform !== 'linux').each([['plan', damagedRows], ['report'], ['verify']])(
  '%s --report with a path that cannot be created ends with 7 immediately',
  async (...args) => {
    const folder = home.make();
    await run(['import', damagedRows], { folder });
    const { code, stderr } = await run([...args, '--report', '/proc/nowhere/report'], { folder });
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('to "/proc/nowhere/report": ENOENT') });
  },
);

it('report --anonymous writes pages without names and no lists, in a folder of its own', async () => {
  const folder = home.make();
  await run(['import', everyFeature], { folder });
  const before = readdirSync(join(folder, 'chatferry.report'));
  const { code, stdout } = await run(['report', '--anonymous'], { folder });
  expect(code).toBe(0);
  const own = join(folder, 'chatferry.report', 'anonymous');
  expect(readdirSync(own)).toEqual(['report.html', 'report.json']);
  expect(readdirSync(join(folder, 'chatferry.report'))).toEqual(['anonymous', ...before]);
  const named = readFileSync(join(folder, 'chatferry.report', 'report.html'), 'utf8');
  const texts = [stdout, ...readdirSync(own).map((name) => readFileSync(join(own, name), 'utf8'))];
  for (const word of ['Ines', 'ines@example.com', 'u05hlines1', 'Tomasz', folder]) {
    if (!word.includes('@')) expect(named).toContain(word);
    for (const text of texts) expect(text).not.toContain(word);
  }

  const csv = await run(['report', '--anonymous', '--format', 'csv'], { folder });
  expect(csv).toMatchObject({ code: 2, stderr: expect.stringContaining('the lists hold names') });
});
