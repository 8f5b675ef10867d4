import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeExport } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson, start } from './in-process.ts';
import { damagedRows, everyFeature } from './samples.ts';

const home = temporaryFolder();

describe('chatferry convert', () => {
  it('writes a file, prints the totals, and names the next command', async () => {
    const folder = home.make();
    const { code, stdout, stderr } = await run(['convert', everyFeature, '--out', 'my export.ndjson'], { folder });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Read +42 {2}messages of export \(Slack export/);
    expect(stdout).toMatch(/^Lines +60 {2}[\d.]+ KiB in my export\.ndjson$/m);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/chatferry plan 'my export\.ndjson'$/);
    expect(stderr).toContain('Converting');
    expect(readdirSync(folder).filter((name) => name.includes('export'))).toEqual(['my export.ndjson']);
    expect(existsSync(join(folder, 'chatferry.db'))).toBe(false);
  });

  it('writes a file that imports like the export itself', async () => {
    const folder = home.make();
    await run(['convert', everyFeature, '--out', 'a.ndjson.gz'], { folder });
    const { code, json } = await runJson(['import', 'a.ndjson.gz'], { folder });
    expect(code).toBe(0);
    expect(json).toMatchObject({ read: 42, skipped: 9, invalid: 0, planned: 33, imported: 33, verify: { same: 33 } });
    const explained = await run(['explain', '1772470930.004200'], { folder });
    // A value that counts for several cases does so in the file as well.
    const direct = await runJson(['plan', everyFeature, '--store', 'direct.db'], { folder });
    expect(direct.json.losses['details of profiles']).toBe(4);
    expect(json.losses['details of profiles']).toBe(4);
    expect(explained.stdout).toMatch(/location +a\.ndjson:\d+ in /);
    expect(explained.stdout).toMatch(/ {2}record +\{|"origin"/);
  });

  it('ends with 3 if rows are invalid, and prints in JSON what it wrote', async () => {
    const folder = home.make();
    const { code, json } = await runJson(['convert', damagedRows, '--out', 'a.ndjson'], { folder });
    expect(code).toBe(3);
    expect(json).toMatchObject({ command: 'convert', source: 'slack', out: 'a.ndjson', isComplete: true, exit: 3 });
    expect(json).toMatchObject({ read: 15, messages: 6, invalid: 9, lines: 30 });
    expect(json.read).toBe(json.messages + json.invalid);
  });

  it('writes nothing but records to standard output', async () => {
    const folder = home.make();
    const { code, stdout, stderr } = await run(['convert', everyFeature, '--out', '-'], { folder });
    expect(code).toBe(0);
    const kinds = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds.length).toBe(60);
    expect(stderr).toMatch(/^Read +42/m);
    expect(stderr).not.toContain('Next');
  });

  it.each([
    ['without --out', [], 'Cannot convert: --out is missing'],
    [
      'over a file',
      ['--out', 'there.ndjson'],
      'Cannot write "there.ndjson": it exists already, and says something else\n  Pass --force',
    ],
    ['into no folder', ['--out', 'no/a.ndjson'], 'its folder does not exist'],
    ['with a mapping that is none', ['--out', 'a.ndjson', '--mapping', 'no.yaml'], 'Cannot read the mapping "no.yaml"'],
    ['as a source that is none', ['--out', 'a.ndjson', '--source', 'nope'], 'there is no such source'],
  ])('%s ends with 2 and says what to do', async (_, flags, words) => {
    const folder = home.make();
    writeFileSync(join(folder, 'there.ndjson'), 'mine');
    const { code, stdout, stderr } = await run(['convert', everyFeature, ...flags], { folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(readFileSync(join(folder, 'there.ndjson'), 'utf8')).toBe('mine');
  });

  it.each(['a.ndjson', 'a.ndjson.gz'])('said twice, it leaves the file that says so already: %s', async (out) => {
    const folder = home.make();
    const args = ['convert', everyFeature, '--out', out];
    expect((await run(args, { folder })).stdout).not.toContain('already');
    const before = statSync(join(folder, out));
    const { code, stdout } = await run(args, { folder });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('said exactly this already') });
    expect(statSync(join(folder, out)).mtimeMs).toBe(before.mtimeMs);
    writeFileSync(join(folder, out), readFileSync(join(folder, out)).subarray(0, -40));
    expect((await run(args, { folder })).code).toBe(2);
  });

  it('replaces a file with --force', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'there.ndjson'), 'mine');
    const { code } = await run(['convert', everyFeature, '--out', 'there.ndjson', '--force'], { folder });
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'there.ndjson'), 'utf8')).toMatch(/^\{"kind":"chatferry"/);
  });

  it('stopped by a signal leaves no file and ends as such', async () => {
    const folder = home.make();
    makeExport(join(folder, 'export'), { seed: 1, messages: 60_000 });
    const { kill, line, ended } = start(['convert', 'export', '--out', 'a.ndjson'], { folder });
    await line('Converting');
    kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(readdirSync(folder).filter((name) => name.startsWith('a.ndjson'))).toEqual([]);
  });
});
