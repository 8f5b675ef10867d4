import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processHost } from '../../src/cli/host.ts';
import { buildProgram } from '../../src/cli/main.ts';
import { version } from '../../src/lib/version.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';

const home = temporaryFolder();
const folder = home.make();
const sample = join(process.cwd(), 'samples/slack/every-feature/export');

describe('chatferry --help', () => {
  it('groups its commands by what one wants to do', async () => {
    const { stdout } = await run(['--help'], { folder });
    const headings = [...stdout.matchAll(/^(\w+):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(['Options', 'Prepare', 'Move', 'Check', 'Repair', 'Operate']);
    const inOrder = stdout.match(/^ {2}(?:plan|import|verify|undo|sync|help)\b/gm)!.map((line) => line.trim());
    expect(inOrder).toEqual(['plan', 'import', 'verify', 'undo', 'sync', 'help']);
  });

  it('says of each command what that says of itself, without loading it', async () => {
    const { stdout } = await run(['--help'], { folder });
    const loaded = (await buildProgram(processHost())).helpInformation();
    const lines = (text: string) => text.match(/^ {2}[a-z].*$/gm)!.map((line) => line.replace(/ +/g, ' '));
    expect(lines(stdout)).toEqual(lines(loaded));
  });
});

describe('chatferry import --help', () => {
  it('shows the ten options that people use', async () => {
    const { stdout } = await run(['import', '--help'], { folder });
    const shown = [...stdout.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, flag]) => flag);
    expect(shown.filter((flag) => !['--config', '--help-all'].includes(flag!))).toEqual(
      '--open --dry-run --store --mapping --only --app-id --region --rehearse-for --yes --api-key-file'.split(' '),
    );
    expect(stdout.split('\n').length).toBeLessThan(48);
  });

  it('leaves the others to --help-all, by topic', async () => {
    const { code, stdout } = await run(['import', '--help-all'], { folder });
    expect(code).toBe(0);
    const topics = [
      'Checkpoint store:',
      'Reading the export:',
      'Destination:',
      'Sending:',
      'Files of messages:',
      'Output:',
    ];
    for (const topic of topics) expect(stdout).toContain(`\n${topic}\n`);
    expect(stdout).toContain('--grace-period');
    expect((await run(['import', '--help'], { folder })).stdout).not.toContain('--grace-period');
  });
});

it.each(['-v', '--version', 'version'])('chatferry %s says the version', async (word) => {
  expect(await run([word], { folder })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it('import --dry-run plans, and sends nothing', async () => {
  const { code, stdout } = await run(['import', sample, '--dry-run', '--quiet'], { folder });
  expect(code).toBe(0);
  expect(stdout).toContain('33 messages');
  expect(stdout).toMatch(/^Next +(?:npx )?chatferry import /m);
  expect(existsSync(join(folder, 'chatferry.sandbox.db'))).toBe(false);
});

describe('completion', () => {
  const asked = async (...words: string[]) => {
    const { stdout } = await run(['complete', '--', ...words], { folder });
    return stdout.trimEnd().split('\n');
  };
  const names = (lines: string[]) => lines.map((line) => line.split('\t')[0]);

  it.each<[words: string[], found: string[]]>([
    [['imp'], ['import', ':4']],
    [['re'], ['report', 'retry', 'reconcile', ':4']],
    [
      ['mapping', ''],
      ['test', 'help', ':4'],
    ],
    [
      ['import', '--dr'],
      ['--dry-run', '--drift', ':4'],
    ],
    [
      ['plan', '--profile', ''],
      ['spec', 'hosted', 'sandbox', ':4'],
    ],
    [
      ['plan', '--source', 'ch'],
      ['chatwoot', 'chatferry', 'chat-service', ':4'],
    ],
    [
      ['sandbox', '--duplicates', ''],
      ['refused', 'stored', ':4'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', ':4'],
    ],
    [['plan', ''], [':0']],
    [['plan', '--mapping', ''], [':0']],
    [['mapping', 'test', ''], [':0']],
    [['plan', '--only', ''], [':4']],
    [['status', ''], [':4']],
  ])('of %j returns %j', async (words, found) => {
    expect(names(await asked(...words))).toEqual(found);
  });

  it('goes with what each command and option is for', async () => {
    expect(await asked('imp')).toContain(
      'import\tplan, send, verify; the same command continues after any interruption',
    );
  });

  it.each(['bash', 'zsh', 'fish'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await run(['completion', shell], { folder });
    expect(code).toBe(0);
    expect(stdout).toContain('chatferry complete --');
  });

  it('of an unknown shell is rejected with the list of known ones', async () => {
    const { code, stderr } = await run(['completion', 'tcsh'], { folder });
    expect(code).toBe(2);
    expect(stderr).toContain('Allowed choices are bash, zsh, fish');
  });
});
