import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { everyFeature, smallExport } from './samples.ts';

const home = temporaryFolder();

describe('chatferry init', () => {
  it('writes what plan and import then read by themselves, and names the next command', async () => {
    const folder = home.make();
    const { code, stdout } = await run(['init', everyFeature, '--yes', '--set', 'messages.deleted=keep'], { folder });
    expect(code).toBe(0);
    expect(stdout).toContain('export: Slack export (folder or ZIP), because of ');
    expect(stdout).toContain('Wrote chatferry.mapping.yaml\nWrote chatferry.yaml\n');
    expect(stdout).toMatch(/\d people whom no file of the export describes/);
    expect(stdout).toMatch(/Next\n {2}.*chatferry plan .*every-feature\/export\n$/);
    const planned = await runJson(['plan', everyFeature], { folder });
    expect(planned).toMatchObject({ code: 0, json: { read: 42, planned: 35 } });
  });

  it('prints one object for --json', async () => {
    const folder = home.make();
    const { json, code } = await runJson(['init', smallExport(folder), '--yes', '--quiet'], { folder });
    expect(code).toBe(0);
    expect(json).toMatchObject({ command: 'init', source: 'slack', open: [], counts: { messages: 3 }, exit: 0 });
  });

  it('without a terminal needs --yes, and says how to answer', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['init', smallExport(folder)], { folder });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'Cannot ask: standard input and output are no terminal\n' +
        '  Pass --yes to take what has one reading; --set KEY=VALUE decides the rest\n',
    });
  });

  it('says which key a --set does not know, before it reads anything', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['init', 'nowhere.zip', '--yes', '--set', 'people.uidd=x'], { folder });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('people.uidd: there is no such key') });
  });

  it('says what it keeps, and what --force would do', async () => {
    const folder = home.make();
    const args = ['init', smallExport(folder), '--yes'];
    await run(args, { folder });
    const again = await run([...args, '--store', 'other.db'], { folder });
    expect(again.stdout).toContain('Kept chatferry.mapping.yaml: nothing is new\n');
    expect(readFileSync(join(folder, 'chatferry.yaml'), 'utf8')).toContain('\nstore: other.db\n');
    const forced = await run([...args, '--force'], { folder });
    expect(forced.stdout).toContain(
      'Wrote chatferry.mapping.yaml anew; what was there is in chatferry.mapping.yaml.bak',
    );
  });
});
