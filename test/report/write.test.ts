import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../src/lib/errors.ts';
import { type ReportLists, writeReport } from '../../src/report/report-files.ts';
import { emptyReport, finishedImport } from './fixture.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chatferry-report-'));
});
afterEach(() => rm(directory, { recursive: true }));

const readJson = async (folder: string): Promise<unknown> =>
  JSON.parse(await readFile(join(folder, 'report.json'), 'utf8'));
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

const lists: ReportLists = {
  conversations: () => finishedImport().conversations,
  problems: () => [
    {
      family: 'invalid',
      severity: 'blocks',
      code: 'no-content',
      count: 1,
      location: 'general/2016-03-01.json#/7',
      conversation: '=general',
      muid: 'm1',
      detail: '@SUM(1)',
      remedy: '',
    },
  ],
};

describe('writeReport()', () => {
  test('writeReport() makes the directory and its files, for their owner only', async () => {
    const target = join(directory, 'a', 'b');
    const paths = await writeReport(target, finishedImport(), { lists });
    const names = ['report.html', 'report.json', 'conversations.csv', 'problems.csv'];
    expect(paths).toEqual(names.map((name) => join(target, name)));
    expect(await modeOf(target)).toBe(0o700);
    expect(await Promise.all(paths.map(modeOf))).toEqual([0o600, 0o600, 0o600, 0o600]);
    expect(await readFile(join(target, 'report.html'), 'utf8')).toMatch(/^<!doctype html>/);
    expect(await readJson(target)).toMatchObject({ totals: { read: 1_385 } });
  });

  test('writeReport() writes the formats that it is asked for', async () => {
    await writeReport(directory, finishedImport(), { formats: ['markdown'], lists });
    expect(await readdir(directory)).toEqual(['report.md']);
  });

  test('writeReport() writes no lists if it is given none', async () => {
    await writeReport(directory, finishedImport());
    expect(await readdir(directory)).toEqual(['report.html', 'report.json']);
  });

  test('writeReport() writes lists that are longer than one chunk whole', async () => {
    const [row] = lists.problems();
    const problems = () => Array.from({ length: 20_000 }, (_, index) => ({ ...row!, code: `code-${index}` }));
    await writeReport(directory, finishedImport(), { formats: ['csv'], lists: { ...lists, problems } });
    const lines = (await readFile(join(directory, 'problems.csv'), 'utf8')).split('\r\n');
    expect(lines).toHaveLength(20_002);
    expect(lines.at(-2)).toContain('"code-19999"');
  });

  test('writeReport() replaces an older report and leaves nothing else behind', async () => {
    await writeReport(directory, emptyReport());
    await writeReport(directory, finishedImport());
    expect(await readJson(directory)).toMatchObject({ totals: { read: 1_385 } });
    expect(await readdir(directory)).toEqual(['report.html', 'report.json']);
  });

  test('writeReport() does not write through a link and leaves the mode of a directory that was there', async () => {
    await writeFile(join(directory, 'precious'), 'mine');
    await symlink(join(directory, 'precious'), join(directory, 'report.json'));
    await chmod(directory, 0o755);
    await writeReport(directory, finishedImport());
    expect(await readFile(join(directory, 'precious'), 'utf8')).toBe('mine');
    expect(await modeOf(directory)).toBe(0o755);
  });

  test('writeReport() names the directory that cannot be written', async () => {
    const target = join(directory, 'file');
    await writeFile(target, '');
    const error = await writeReport(target, finishedImport()).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ path: target, message: expect.stringMatching(/^Cannot write the report to ".*": /) });
  });

  test('writeReport() removes its temporary file when it cannot rename it', async () => {
    await mkdir(join(directory, 'report.html'));
    await expect(writeReport(directory, finishedImport())).rejects.toThrow(StoreError);
    expect(await readdir(directory)).toEqual(['report.html']);
  });
});
