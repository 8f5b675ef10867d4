import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';
import { damagedRows, everyFeature } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

/** Has a running sandbox refuse every message, or none. */
async function refuse(url: string, isRefusing: boolean): Promise<void> {
  const rules = isRefusing ? [{ answer: 'items-refused', operations: ['importMessages'], share: 1 }] : [];
  const response = await fetch(`${url}/sandbox/faults`, {
    method: 'PUT',
    headers: { apikey: testKey },
    body: JSON.stringify({ rules }),
  });
  expect(response.status).toBe(200);
}

describe('chatferry retry', () => {
  it('shows what failed by code, wants --yes, and sends it again', async () => {
    const folder = home.make();
    const { url } = await serveSandbox(folder);
    await refuse(url, true);
    const refused = await runJson(['import', everyFeature, '--to', url, '--yes', '--max-failures', '100%'], {
      folder,
      env,
    });
    expect(refused).toMatchObject({ code: 3, json: { failed: 33, imported: 0 } });
    await refuse(url, false);
    const unasked = await run(['retry'], { folder, env });
    expect(unasked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`Cannot send 33 failed messages to ${url} again`),
    });
    const { code, stdout } = await run(['retry', '--yes', '--code', 'ERR_OPERATION_FAILED'], { folder, env });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/ERR_OPERATION_FAILED {2}33 of 33 again/),
    });
    expect(await runJson(['verify'], { folder, env })).toMatchObject({
      code: 0,
      json: { verify: { same: 33, missing: 0 } },
    });
    const nothing = await run(['retry'], { folder, env });
    expect(nothing).toMatchObject({ code: 0, stdout: expect.stringContaining(': nothing') });
    const explained = await run(['explain', '1772470930.004200'], { folder });
    expect(explained.stdout).toMatch(/\(import\).*\n.*request 1 at .*\n.*then failed.*ERR_OPERATION_FAILED/);
    expect(explained.stdout).toMatch(/\(retry\).*\n.*request 1 at .*\n.*then imported, server id/);
  });

  it('names an id that did not fail, and a store from which nothing was sent', async () => {
    const folder = home.make();
    await run(['import', everyFeature], { folder });
    const unknown = await run(['retry', '1772470930.004200'], { folder });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('chatferry explain 1772470930.004200') });
    await run(['plan', everyFeature, '--store', 'planned.db'], { folder });
    const unsent = await run(['retry', '--store', 'planned.db'], { folder });
    expect(unsent).toMatchObject({ code: 7, stderr: expect.stringContaining('Run "chatferry import EXPORT" first') });
  });
});

describe('chatferry export-failed', () => {
  it('writes a file whose corrected lines can be imported into the same store', async () => {
    const folder = home.make();
    writeFiles(join(folder, 'export'), {
      'users.json': [user(userId(1), 'Ann')],
      'channels.json': [{ id: 'C00000001', name: 'one', members: [userId(1)] }],
      'one/2024-03-01.json': ['first', ' ', 'third'].map((text, index) =>
        message(`170925120${index}.000100`, userId(1), text),
      ),
    });
    expect(await runJson(['import', 'export'], { folder })).toMatchObject({
      code: 3,
      json: { imported: 2, invalid: 1 },
    });
    const { code, stdout } = await run(['export-failed', '--out', 'failed.ndjson'], { folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('chatferry import failed.ndjson') });
    const file = join(folder, 'failed.ndjson');
    const corrected = readFileSync(file, 'utf8').replace('"text":" "', '"text":"second"');
    writeFileSync(file, corrected);
    expect(corrected).toContain('"at":"one/2024-03-01.json#/1"');
    const sent = await runJson(['import', 'failed.ndjson'], { folder });
    expect(sent).toMatchObject({ code: 0, json: { read: 3, invalid: 0, imported: 3, late: 1 } });
    // A correction is the later version by its nature, also when the export is read again.
    expect((await run(['report'], { folder })).stdout).not.toContain('version-undecided');
    const day = join(folder, 'export', 'one', '2024-03-01.json');
    writeFileSync(day, `${readFileSync(day, 'utf8')}\n`);
    const again = await run(['import', 'export'], { folder });
    expect(again.code).toBe(0);
    expect(again.stdout).not.toContain('version-undecided');
  });

  it('wants to know where to write, and can write to standard output alone', async () => {
    const folder = home.make();
    await run(['plan', damagedRows], { folder });
    expect(await run(['export-failed'], { folder })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--out is missing'),
    });
    const { stdout } = await run(['export-failed', '--out', '-'], { folder });
    for (const line of stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('kind');
  });
});

describe('chatferry purge', () => {
  it('requires --yes, purges, and names the sandbox next to the store', async () => {
    const folder = home.make();
    await run(['import', everyFeature], { folder });
    const unasked = await run(['purge'], { folder });
    expect(unasked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Cannot purge the content of 33 messages'),
    });
    const { code, stdout } = await run(['purge', '--yes'], { folder });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('delete ./chatferry.sandbox.db as well'),
    });
    expect(readFileSync(join(folder, 'chatferry.db')).includes('release notes')).toBe(false);
    const { stdout: explained } = await run(['explain', '1772470930.004200'], { folder });
    expect(explained).toContain('purged: chatferry purge wiped it');
    expect(await runJson(['verify'], { folder })).toMatchObject({ code: 0, json: { verify: { same: 33 } } });
    expect(await runJson(['import', everyFeature], { folder })).toMatchObject({
      code: 0,
      json: { imported: 33, requests: { import: 0 } },
    });
  });
});

describe('chatferry explain', () => {
  it('shows hostile text as text', async () => {
    const folder = home.make();
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u202egnp.exe\nm1fake';
    writeFiles(join(folder, 'export'), {
      'users.json': [user(userId(1), hostile)],
      'channels.json': [{ id: 'C00000001', name: 'one', members: [userId(1)] }],
      'one/2024-03-01.json': [message('1709251200.000100', userId(1), hostile)],
    });
    await run(['import', 'export'], { folder });
    const { stdout } = await run(['explain', '1709251200.000100'], { folder });
    expect(stdout).toContain('location      one/2024-03-01.json#/0');
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(stdout).not.toMatch(/^m1fake/m);
  });
});
