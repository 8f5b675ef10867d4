import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { everyFeature, smallExport } from './samples.ts';

const home = temporaryFolder();

/** Changes every message in the embedded sandbox without its knowledge. */
function change(folder: string, from: string, to: string): void {
  const db = new Database(join(folder, 'chatferry.sandbox.db'));
  db.prepare('UPDATE message SET data = replace(data, ?, ?)').run(from, to);
  db.close();
}

const exitOf = async (folder: string, ...args: string[]) => (await run(args, { folder })).code;

describe('differences that verify has found', () => {
  it('end every import with 6 until their conversations are verified clean', async () => {
    const folder = home.make();
    const args = ['import', smallExport(folder)];
    expect(await exitOf(folder, ...args, '--no-verify')).toBe(6);
    change(folder, 'Message 2', 'Massage 2');
    expect(await exitOf(folder, ...args)).toBe(6);
    const again = await runJson(args, { folder });
    expect(again).toMatchObject({ code: 6, json: { verify: { same: 2, different: 1 } } });
    expect(again.json.unverified).toMatchObject({ conversations: 1, differing: true });
    expect(await runJson([...args, '--no-verify'], { folder })).toMatchObject({ code: 6, json: { verify: null } });
    const { stdout, code } = await run([...args, '--no-verify'], { folder });
    expect({ stdout, code }).toMatchObject({ code: 6, stdout: expect.not.stringContaining('✓') });
    change(folder, 'Massage 2', 'Message 2');
    expect(await runJson(args, { folder })).toMatchObject({
      code: 0,
      json: { verify: { same: 3, different: 0 }, unverified: null },
    });
    // Nothing is left to be read.
    expect(await runJson(args, { folder })).toMatchObject({ code: 0, json: { verify: null, unverified: null } });
  });

  it('end an import with 6 even if a row is invalid as well', async () => {
    const folder = home.make();
    const path = smallExport(folder);
    expect(await exitOf(folder, 'import', path)).toBe(0);
    change(folder, 'Message 2', 'Massage 2');
    expect(await exitOf(folder, 'verify')).toBe(6);
    writeFileSync(join(path, 'general', '2024-03-02.json'), '[{"type":"message"}]');
    expect(await exitOf(folder, 'import', path, '--no-verify')).toBe(6);
  });

  it('are only those of the conversations in which they are: the others are not read again', async () => {
    const folder = home.make();
    expect(await exitOf(folder, 'import', everyFeature)).toBe(0);
    const db = new Database(join(folder, 'chatferry.sandbox.db'));
    db.exec('DELETE FROM message WHERE id = 5');
    db.close();
    expect(await exitOf(folder, 'verify')).toBe(6);
    const { code, json } = await runJson(['import', everyFeature], { folder });
    expect({ code, json }).toMatchObject({ code: 6, json: { verify: { missing: 1 } } });
    expect(json.verify.same).toBeLessThan(30);
    expect(await exitOf(folder, 'verify', '--repair')).toBe(0);
    expect(await runJson(['import', everyFeature], { folder })).toMatchObject({ code: 0, json: { verify: null } });
  });
});

describe('a sent message that was not read back', () => {
  it('ends every import with 6 and says so, until verify has found all of it as it was sent', async () => {
    const folder = home.make();
    const args = ['import', smallExport(folder), '--no-verify'];
    const { code, stdout } = await run(args, { folder });
    expect(code).toBe(6);
    expect(stdout).toMatch(/All 3 planned messages have arrived; 1 conversation is still to be read back/);
    expect(stdout).toMatch(/Next +(npx )?chatferry verify/);
    expect(stdout).not.toContain('✓');
    expect(await exitOf(folder, ...args)).toBe(6);
    expect(await exitOf(folder, 'verify')).toBe(0);
    expect(await exitOf(folder, ...args)).toBe(0);
  });

  it('ends an import with 3 if a row is invalid as well', async () => {
    const folder = home.make();
    const path = smallExport(folder);
    writeFileSync(join(path, 'general', '2024-03-02.json'), '[{"type":"message"}]');
    expect(await exitOf(folder, 'import', path, '--no-verify')).toBe(3);
  });

  it.each([
    ['a sample', ['--sample', '1']],
    ['what a filter finds', ['--only', 'text:"Message 1"']],
  ])('is read by the next import, although %s was verified', async (_, flags) => {
    const folder = home.make();
    const args = ['import', smallExport(folder)];
    expect(await exitOf(folder, ...args, '--no-verify')).toBe(6);
    expect(await exitOf(folder, 'verify', ...flags, ...(flags[0] === '--sample' ? ['--seed', 's'] : []))).toBe(0);
    change(folder, 'Message 2', 'Massage 2');
    change(folder, 'Message 3', 'Massage 3');
    expect(await exitOf(folder, ...args)).toBe(6);
  });

  it('is named by status and report, with the time since when', async () => {
    const folder = home.make();
    expect(await exitOf(folder, 'import', smallExport(folder), '--no-verify')).toBe(6);
    const words = /not since \d{4}-\d\d-\d\d \d\d:\d\d UTC: 1 conversation to read back/;
    expect((await run(['status'], { folder })).stdout).toMatch(words);
    const { json } = await runJson(['status'], { folder });
    expect(json.unverified).toEqual({ sinceMs: expect.any(Number), conversations: 1, differing: false });
    await run(['report', '--format', 'html,markdown,json'], { folder });
    const page = (name: string) => readFileSync(join(folder, 'chatferry.report', name), 'utf8');
    expect(page('report.html')).toMatch(/Not verified since/);
    expect(page('report.md')).toMatch(/Not verified since/);
    expect(await exitOf(folder, 'verify')).toBe(0);
    expect((await runJson(['status'], { folder })).json.unverified).toBe(null);
    expect((await run(['status'], { folder })).stdout).not.toMatch(/not since/);
  });
});
