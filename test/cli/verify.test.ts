import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

/** The objects of a file in the report's folder, a line each. */
// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
const linesOf = (folder: string, name: string): any[] =>
  readFileSync(join(folder, 'chatferry.report', name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('chatferry verify', () => {
  it('finds missing messages, lists them by conversation, requires --yes to repair them, and repairs them', async () => {
    const folder = home.make();
    const { url, data } = await serveSandbox(folder);
    expect(await run(['import', everyFeature, '--to', url, '--yes'], { folder, env })).toMatchObject({ code: 0 });
    const server = new Database(data);
    server.exec('DELETE FROM message WHERE id = 5');
    server.close();

    const { code, stdout } = await run(['verify', '--grace-period', '0s'], { folder, env });
    expect({ code, stdout }).toEqual({
      code: 6,
      stdout: expect.stringMatching(/Verify +32 same, 1 missing\n +.+: 1 missing/),
    });
    const [difference, ...others] = linesOf(folder, 'differences.ndjson');
    expect(others).toEqual([]);
    expect(difference).toMatchObject({ kind: 'missing', location: expect.stringContaining('.json#/') });
    const checks = linesOf(folder, 'verify.ndjson');
    expect(checks.reduce((sum, { same }) => sum + same, 0)).toBe(32);
    expect(checks.filter(({ missing }) => missing > 0)).toMatchObject([{ conversation: difference.conversation }]);

    const unasked = await run(['verify', '--repair', '--grace-period', '0s'], { folder, env });
    expect(unasked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Cannot send 1 missing message to ${url} again`),
    });
    expect(await runJson(['verify', '--repair', '--yes', '--grace-period', '0s'], { folder, env })).toMatchObject({
      code: 0,
      json: { verify: { same: 33, missing: 0, repaired: 1 }, imported: 33, pending: 0, requests: { import: 1 } },
    });
  });

  it('checks a sample chosen by a seed', async () => {
    const folder = home.make();
    expect(await run(['import', everyFeature], { folder })).toMatchObject({ code: 0 });
    const sampled = await runJson(['verify', '--sample', '5', '--seed', 'spring'], { folder });
    expect(sampled).toMatchObject({
      code: 0,
      json: { verify: { same: 5, sample: { messages: 5, of: 33, seed: 'spring' } } },
    });
    const { code, stderr } = await run(['verify', '--sample', '5', '--repair'], { folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Cannot repair from a sample') });
  });
});
