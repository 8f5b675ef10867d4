import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run } from './in-process.ts';
import { everyFeature } from './samples.ts';

const home = temporaryFolder();

/** A folder with a table, and a configuration of it that this user trusts. */
async function folderFor(config: string): Promise<string> {
  const folder = home.make();
  writeFileSync(join(folder, 'chatferry.yaml'), config);
  writeFileSync(join(folder, 'chat.csv'), 'room,author,text,time\nGeneral,Ann,Hi,2026-11-01T08:00:00Z\n');
  expect(await run(['trust'], { folder })).toMatchObject({ code: 0 });
  return folder;
}

const ofTable = 'export: chat.csv\nsource: csv\nmapping: no.yaml\nexportScope: window\n';
const unused =
  '"./chatferry.yaml" is for another export: its source, mapping, exportScope are not used; to use all of it: --config ./chatferry.yaml';

describe('a configuration that was found', () => {
  it.each([['inspect'], ['plan'], ['doctor'], ['convert', '--out', 'records.ndjson']])(
    'describes no other export than its own: %s says so, and reads the other as it is',
    async (...command) => {
      const folder = await folderFor(ofTable);
      const { code, stderr } = await run([...command, everyFeature], { folder });
      expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining(unused) });
    },
  );

  it.each([[], ['./chat.csv']])('is used for its export, and for parts of it: plan %s', async (...exports) => {
    const folder = await folderFor(ofTable);
    const { code, stderr } = await run(['plan', ...exports], { folder });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/mapping "no\.yaml".*\n.*yaml:3:1/),
    });
    expect(stderr).not.toContain('is for another export');
    mkdirSync(join(folder, 'all'));
    writeFileSync(join(folder, 'all/chat.csv'), 'room,text\nGeneral,Hi\n');
    writeFileSync(join(folder, 'chatferry.yaml'), ofTable.replace('chat.csv', 'all'));
    await run(['trust'], { folder });
    expect((await run(['plan', 'all/chat.csv'], { folder })).stderr).toContain('mapping "no.yaml"');
  });

  it('is used for any export where it is named, or names none itself', async () => {
    const folder = await folderFor(ofTable);
    const named = await run(['plan', everyFeature, '--config', 'chatferry.yaml'], { folder });
    expect(named).toMatchObject({ code: 2, stderr: expect.stringContaining('mapping "no.yaml"') });
    const other = await folderFor('mapping: no.yaml\n');
    expect(await run(['plan', everyFeature], { folder: other })).toMatchObject({ code: 2 });
  });

  it('is named where the source that it sets cannot read the export', async () => {
    const folder = await folderFor('source: database\n');
    const { code, stderr } = await run(['inspect', everyFeature], { folder });
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining('source is set at ./chatferry.yaml:1:1'),
    });
    const said = await run(['inspect', everyFeature, '--source', 'database'], { folder });
    expect(said.stderr).not.toContain('chatferry.yaml');
    expect((await run(['doctor', everyFeature], { folder })).stdout).toContain('looks like an export of slack');
  });

  it('of another export keeps the desk closed: its answers would be about that one', async () => {
    const folder = await folderFor(ofTable);
    const { code, stderr } = await run(['desk', '--no-open', everyFeature], { folder });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('is for another export') });
  });

  it('of another export is not what the plan after init uses', async () => {
    const folder = await folderFor(ofTable);
    const { code, stdout } = await run(['init', everyFeature, '--yes'], { folder });
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`plan ${everyFeature} --source slack --mapping chatferry.mapping.yaml`),
    });
  });
});

it('a rehearsal whose mapping changed says how to begin again', async () => {
  const folder = home.make();
  expect(await run(['import', everyFeature, '--yes', '--quiet'], { folder })).toMatchObject({ code: 0 });
  writeFileSync(join(folder, 'm.yaml'), 'messages: { system: keep }\n');
  const changed = ['import', everyFeature, '--yes', '--quiet', '--mapping', 'm.yaml'];
  expect(await run(changed, { folder })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('begin again, as this was a rehearsal alone: --store with a new file'),
  });
  expect(await run([...changed, '--store', 'new.db'], { folder })).toMatchObject({ code: 0 });
});

it('status and verify give a rehearsal the mark that its import gave it', async () => {
  const folder = home.make();
  for (const command of [['import', everyFeature, '--yes'], ['status'], ['verify'], ['report']]) {
    const { stdout } = await run(command, { folder });
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      expect.stringMatching(/^! Rehearsal complete; the hosted service would refuse 33 of 33 messages/),
      expect.stringMatching(/^! All 33 planned messages have arrived and were read back unchanged/),
    ]);
  }
});

describe('chatferry doctor before messages that would all be refused', () => {
  const hosted = ['--rehearse-for', 'hosted'];

  it('is not ready after a plan that rejected all of them', async () => {
    const folder = home.make();
    expect((await run(['doctor', everyFeature, ...hosted], { folder })).stdout).toContain('no plan says how many are');
    await run(['plan', everyFeature, ...hosted], { folder });
    const { code, stdout } = await run(['doctor', everyFeature, ...hosted], { folder });
    expect({ code, stdout }).toMatchObject({
      code: 3,
      stdout: expect.stringMatching(/error {4}plan .*33 rows[\s\S]*Not ready/),
    });
  });

  it('is not ready after a plan by other limits', async () => {
    const folder = home.make();
    await run(['plan', everyFeature], { folder });
    const { code, stdout } = await run(['doctor', everyFeature, ...hosted], { folder });
    expect({ code, stdout }).toMatchObject({ code: 3, stdout: expect.stringMatching(/error {4}retention .*33 of 33/) });
    expect(await run(['doctor', everyFeature], { folder })).toMatchObject({ code: 0 });
  });

  it('is not ready with a mapping that cannot be used', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'm.yaml'), 'people: { lookup: { flie: uids.csv } }\n');
    const { code, stdout } = await run(['doctor', everyFeature, '--mapping', 'm.yaml'], { folder });
    expect({ code, stdout }).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('people.lookup.flie: there is no such key; did you mean "file"?'),
    });
  });
});
