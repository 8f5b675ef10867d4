import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { damagedRows } from './samples.ts';

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
