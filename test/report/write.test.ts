import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { StoreError } from '../../src/lib/errors.ts';
import { writeReport } from '../../src/report/write.ts';
import { emptyReport, finishedImport } from './fixture.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'chatferry-report-'));
});
afterEach(() => rm(directory, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('writeReport()', () => {
  test('writeReport() makes the directory and both files, for their owner only', async () => {
    const target = join(directory, 'a', 'b');
    const paths = await writeReport(target, finishedImport());
    expect(paths).toEqual({ html: join(target, 'report.html'), json: join(target, 'report.json') });
    expect(await Promise.all([target, paths.html, paths.json].map(modeOf))).toEqual([0o700, 0o600, 0o600]);
    expect(await readFile(paths.html, 'utf8')).toMatch(/^<!doctype html>/);
    expect(JSON.parse(await readFile(paths.json, 'utf8')).books.read).toBe(1_385);
  });

  test('writeReport() replaces an older report and leaves nothing else behind', async () => {
    await writeReport(directory, emptyReport());
    const { json } = await writeReport(directory, finishedImport());
    expect(JSON.parse(await readFile(json, 'utf8')).books.read).toBe(1_385);
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
    await mkdir(join(directory, 'report.json'));
    await expect(writeReport(directory, finishedImport())).rejects.toThrow(StoreError);
    expect(await readdir(directory)).toEqual(['report.json']);
  });
});
