import { readdirSync, readFileSync } from 'node:fs';
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

describe('chatferry report of the stores of parts', () => {
  const planned = async (parts: readonly number[], of = 3) => {
    const folder = home.make();
    for (const number of parts)
      await run(['plan', everyFeature, '--part', `${number}/${of}`, '--store', `${number}.db`], { folder });
    return { folder };
  };

  it('is one report of the whole: its sums, and all lists', async () => {
    const where = await planned([1, 2, 3]);
    await run(['plan', everyFeature, '--store', 'one.db'], where);
    const whole = (await runJson(['report', '--store', 'one.db'], where)).json;
    const { code, json } = await runJson(['report', '2.db', '1.db', '3.db', '--format', 'json,csv,html'], where);
    expect(code).toBe(0);
    const { read, skipped, rejected, planned: plans, pending, losses } = whole;
    expect(json).toMatchObject({ read, skipped, rejected, planned: plans, pending });
    // Nobody knows of parts whether they name the same people: the sums say "at least", and "at most".
    const { placeholders, 'people who never wrote': silent, ...sums } = losses;
    expect(json.losses).toMatchObject(sums);
    expect(json.losses.placeholders).toBeLessThanOrEqual(placeholders);
    expect(json.losses['people who never wrote']).toBeGreaterThanOrEqual(silent);
    const rowsOf = (report: string, list: string) =>
      readFileSync(join(where.folder, report, list), 'utf8')
        .split('\r\n')
        .sort();
    expect(rowsOf('whole.report', 'conversations.csv')).toEqual(rowsOf('one.report', 'conversations.csv'));
    const codesOf = (report: string) => new Set(rowsOf(report, 'problems.csv').map((row) => row.split(',')[2]));
    expect(codesOf('whole.report')).toEqual(codesOf('one.report'));
    expect(readFileSync(join(where.folder, 'whole.report', 'report.html'), 'utf8')).not.toContain('part 1 of 3');
    const countsOf = (report: string): Record<string, number> =>
      Object.fromEntries(
        JSON.parse(readFileSync(join(where.folder, report, 'report.json'), 'utf8')).problems.map(
          ({ code, count }: { code: string; count: number }) => [code, count],
        ),
      );
    // Of authors whom no file describes one wrote in two parts.
    expect(countsOf('whole.report')).toEqual({ ...countsOf('one.report'), 'author-not-described': 6 });
  });

  it.each([
    [['1.db', '3.db'], 'of 3, 2 is missing', 'sums of some would look like losses'],
    [['1.db', '2.db', '3.db', '1.db'], 'part 1 of 3 is in two of the stores', 'Name one store for each part'],
    [['1.db', '9.db'], 'part 1 of 3 of slack', 'part 9 of 9 of slack'],
    [['1.db', 'one.db'], '"one.db" with others: it holds no part of an export', 'report the others one by one'],
    [['--store', '1.db', '2.db'], 'Cannot use --store with stores of parts', 'without --store'],
  ])('adds up no %j', async (args, words, more) => {
    const where = await planned([1, 2, 3]);
    if (args.includes('9.db')) await run(['plan', everyFeature, '--part', '9/9', '--store', '9.db'], where);
    if (args.includes('one.db')) await run(['plan', everyFeature, '--store', 'one.db'], where);
    const { code, stderr } = await run(['report', ...args], where);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
    expect(stderr).toContain(more);
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
