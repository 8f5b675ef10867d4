import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeExport } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder();

describe('--part K/N', () => {
  it('imports an export in parts, which add up to the export', async () => {
    const folder = home.make();
    const sum = { read: 0, skipped: 0, imported: 0 };
    for (const number of [1, 2, 3]) {
      const args = ['import', everyFeature, '--part', `${number}/3`, '--store', `part-${number}.db`];
      const { code, json } = await runJson(args, { folder });
      expect(code).toBe(0);
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += json[name];
    }
    expect(sum).toEqual({ read: 42, skipped: 9, imported: 33 });
    const { stdout } = await run(['status', '--store', 'part-2.db'], { folder });
    expect(stdout).toContain('(part 2 of 3)');
  });

  it('sends at most one request a part more than the whole needs', async () => {
    const folder = home.make();
    const shape = { seed: 8, messages: 900, channels: 30, directs: 10, days: 4 };
    const { folder: path, planned } = makeExport(join(folder, 'export'), shape);
    const [parts, requests] = [6, [] as number[]];
    for (let number = 1; number <= parts; number++) {
      const args = ['import', path, '--part', `${number}/${parts}`, '--store', `part-${number}.db`];
      const { json } = await runJson(args, { folder });
      expect(json.requests.import).toBe(Math.ceil(json.imported / 50));
      requests.push(json.requests.import);
    }
    const sum = requests.reduce((all, some) => all + some, 0);
    expect(sum).toBeLessThanOrEqual(Math.ceil(planned / 50) + parts);
  });

  it('keeps stores of parts apart, and says what a store holds', async () => {
    const folder = home.make();
    await run(['plan', everyFeature, '--part', '2/3'], { folder });
    const { code, stderr } = await run(['plan', everyFeature, '--part', '1/3'], { folder });
    expect(code).toBe(7);
    expect(stderr).toContain('it holds part 2 of 3 of its export, and part 1 of 3 was asked for');
    expect(stderr).toContain('Pass --part 2/3, or --store with another file');
    expect((await run(['plan', everyFeature], { folder })).code).toBe(7);
    expect((await run(['plan', everyFeature, '--part', '2/3'], { folder })).code).toBe(0);
  });

  it.each(['0/3', '4/3', '2', '1/0', '1/3/5'])('takes no %s', async (part) => {
    const { code, stderr } = await run(['plan', everyFeature, '--part', part], { folder: home.make() });
    expect(code).toBe(2);
    expect(stderr).toContain('expected a part and how many there are, such as 2/8');
  });
});

describe('chatferry convert --split', () => {
  it('writes a file for each part into a folder, and names the command that goes on', async () => {
    const folder = home.make();
    const { code, stdout } = await run(['convert', everyFeature, '--split', '3', '--out', 'parts'], { folder });
    expect(code).toBe(0);
    expect(readdirSync(join(folder, 'parts')).sort()).toEqual([1, 2, 3].map((number) => `part-${number}-of-3.ndjson`));
    expect(stdout).toMatch(/^Read +42 {2}messages/);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      /chatferry plan parts\/part-1-of-3\.ndjson --part 1\/3 --store part-1\.db$/,
    );
    let imported = 0;
    for (const number of [1, 2, 3]) {
      const path = join('parts', `part-${number}-of-3.ndjson`);
      imported += (await runJson(['import', path, '--store', `${number}.db`], { folder })).json.imported;
    }
    expect(imported).toBe(33);
  });

  it('does not write several files to standard output', async () => {
    const { code, stderr } = await run(['convert', everyFeature, '--split', '3', '--out', '-'], {
      folder: home.make(),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('parts do not go to standard output');
  });
});
