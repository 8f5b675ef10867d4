import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Decision, isOpen } from '../../src/decisions/decision.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder();

const codesIn = (stderr: string): readonly string[] =>
  /^Exit code 3 because of --fail-on decision: ([a-z-]+(?:, [a-z-]+)*)\n$/.exec(stderr)?.[1]?.split(', ') ?? [];

function openDecisions(folder: string): readonly Decision[] {
  const report = JSON.parse(readFileSync(join(folder, 'chatferry.report', 'report.json'), 'utf8'));
  return (report.decisions as readonly Decision[]).filter(isOpen);
}

interface Shown {
  readonly command: string;
  readonly exit: number;
  readonly parts: readonly { readonly muid: string; readonly never: string; readonly always: string }[];
}

describe('chatferry plan --show-message', () => {
  it('prints a message of the last plan, and reads no export for it', async () => {
    const folder = home.make();
    await run(['plan', everyFeature, '--quiet'], { folder });
    const { stdout: explained } = await run(['explain', '1772470930.004200', '--json'], { folder });
    const { muid } = (JSON.parse(explained) as { messages: [{ muid: string }] }).messages[0];
    const { code, stdout } = await run(['plan', '--show-message', muid], { folder });
    expect(code).toBe(0);
    const { json } = await runJson(['plan', '--show-message', muid], { folder });
    const { command, exit, parts } = json as Shown;
    expect({ command, exit, muids: parts.map((part) => part.muid) }).toEqual({
      command: 'plan',
      exit: 0,
      muids: [muid],
    });
    expect(stdout).toContain(parts[0]!.never);
    expect(stdout).toContain('senderUserDetails: {"uid":');
  });

  it('ends with 2 if the store has no such message', async () => {
    const folder = home.make();
    const { code, stdout, stderr } = await run(['plan', everyFeature, '--quiet', '--show-message', 'm1nobody'], {
      folder,
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Cannot show "m1nobody": the store "./chatferry.db" has no message with this muid');
  });
});

describe('chatferry plan of a large export', () => {
  it('ends if the export cannot be read, and leaves no thread behind', async () => {
    const folder = home.make();
    const path = join(folder, 'export.zip');
    writeFileSync(path, '');
    truncateSync(path, 6_000_000);
    const { code, stderr } = await run(['plan', path, '--quiet'], { folder });
    expect(code).toBe(4);
    expect(stderr).toContain('expected a ZIP archive');
  });

  it('ends if the mapping cannot be read, even while the export is being opened', async () => {
    const folder = home.make();
    const path = join(folder, 'export.zip');
    writeFileSync(path, '');
    truncateSync(path, 6_000_000);
    const { code, stderr } = await run(['plan', path, '--quiet', '--mapping', 'no.yaml'], { folder });
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot read the mapping "no.yaml"');
  });
});

describe('chatferry plan, on the way to a decision', () => {
  it('says why nothing is left of an old export, and takes another retention', async () => {
    const folder = home.make();
    const args = ['plan', everyFeature, '--quiet', '--profile', 'hosted'];
    const refused = await run(args, { folder });
    expect(refused.code).toBe(3);
    expect(refused.stdout).toMatch(
      /How far back should messages be moved\? {2}33 rows[\s\S]* days for which the service keeps/,
    );
    expect(refused.stdout).toMatch(/^Next +(npx )?chatferry checks too-old$/m);
    expect(refused.stdout).not.toContain('chatferry import');
    const kept = await run([...args, '--retention-days', 'unlimited'], { folder });
    expect(kept.stdout).toContain('33 messages are ready to go');
    expect(kept.stdout).toContain(' --profile hosted --retention-days unlimited\n');
  });

  it('imports messages of any age into the sandbox if the retention is unlimited', async () => {
    const folder = home.make();
    const { code, json } = await runJson(
      ['import', everyFeature, '--profile', 'hosted', '--retention-days', 'unlimited'],
      { folder },
    );
    expect({ code, imported: json.imported }).toEqual({ code: 0, imported: 33 });
  });

  it('names the findings for which --fail-on ends it with 3', async () => {
    const folder = home.make();
    const { code, stderr } = await run(['plan', everyFeature, '--quiet', '--fail-on', 'decision'], { folder });
    expect(code).toBe(3);
    expect(codesIn(stderr)).toEqual(openDecisions(folder).map(({ id }) => id));
  });

  it('does not count a decision for --fail-on that is made', async () => {
    const folder = home.make();
    const plan = ['plan', everyFeature, '--quiet', '--fail-on', 'decision', '--mapping', 'chatferry.mapping.yaml'];
    await run(['init', everyFeature, '--yes'], { folder });
    const before = codesIn((await run(plan, { folder })).stderr);
    const settings = openDecisions(folder).flatMap(({ id, options }) => {
      const sets = options.flatMap(({ effect }) => ('sets' in effect ? [Object.entries(effect.sets)] : []));
      return sets.slice(-1).flatMap(([first]) => (first ? [{ id, flag: first.join('=') }] : []));
    });
    const [{ id, flag }] = settings as [{ id: string; flag: string }];
    await run(['init', everyFeature, '--yes', '--set', flag], { folder });
    expect(codesIn((await run(plan, { folder })).stderr)).toEqual(before.filter((code) => code !== id));
  });

  it('counts the conversations of a pilot, and calls none of the others empty', async () => {
    const folder = home.make();
    const { stdout } = await run(['plan', everyFeature, '--quiet', '--only', 'in:general'], { folder });
    expect(stdout).toMatch(/Planned +\d+ {2}in 1 conversation\n/);
    expect(stdout).not.toMatch(/empty-conversation|history-cut/);
  });
});
