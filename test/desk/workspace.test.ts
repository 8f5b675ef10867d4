import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfigFile } from '../../src/config/config-file.ts';
import { loadOptions } from '../../src/config/load-options.ts';
import { Changed, Workspace } from '../../src/desk/files/workspace.ts';
import { renderJson } from '../../src/report/report-files.ts';
import { dryRun } from '../report/fixture.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();
const before = process.cwd();

beforeEach(() => {
  process.chdir(home.make());
  vi.stubEnv('CHATFERRY_STATE_DIR', home.make());
});
afterEach(() => {
  process.chdir(before);
  vi.unstubAllEnvs();
});

const workspaceOf = ({ exports = [] as readonly string[], configPath = undefined as string | undefined } = {}) =>
  new Workspace({
    ...{ folder: process.cwd(), exports, configPath },
    readOptions: () => loadOptions({ flags: {}, env: {}, configPath }),
  });

describe('a Workspace', () => {
  it('has the names that commands use where nothing else is said', () => {
    expect(workspaceOf().paths()).toEqual({
      config: 'chatferry.yaml',
      mapping: 'chatferry.mapping.yaml',
      store: './chatferry.db',
      rehearsal: './chatferry.rehearsal.db',
      people: 'chatferry.people.csv',
      decisions: './chatferry.decisions.json',
    });
  });

  it('follows what the configuration says at each moment', () => {
    writeFileSync('own.yaml', '');
    const workspace = workspaceOf({ configPath: 'own.yaml' });
    writeFileSync('own.yaml', 'store: ./other.db\nmapping: ./mine.yaml\n');
    expect(workspace.paths()).toMatchObject({ mapping: './mine.yaml', rehearsal: './other.rehearsal.db' });
  });

  it.each([
    'chatferry.yaml',
    'chatferry.mapping.yaml',
    'chatferry.people.csv',
    'chatferry.decisions.json',
    'chatferry.report/report.json',
    'chatferry.rehearsal.report/report.json',
  ])('has another version when %s was made, replaced by one of the same size and time, and removed', (path) => {
    mkdirSync('chatferry.report');
    mkdirSync('chatferry.rehearsal.report');
    const workspace = workspaceOf();
    const versions = new Set([workspace.version()]);
    const write = (name: string, text: string) => {
      writeFileSync(name, text);
      utimesSync(name, 1_000, 1_000);
    };
    write(path, '# one');
    versions.add(workspace.version());
    write(`${path}.next`, '# two');
    renameSync(`${path}.next`, path);
    versions.add(workspace.version());
    expect([versions.size, workspace.version()]).toEqual([3, [...versions][2]]);
    rmSync(path);
    expect(workspace.version()).toBe([...versions][0]);
  });

  it('refuses what the page asks for after the files have changed', () => {
    const workspace = workspaceOf();
    const seen = `${workspace.version()}.12`;
    workspace.assertVersion(seen);
    writeFileSync('chatferry.mapping.yaml', 'source: {}\n');
    expect(() => workspace.assertVersion(seen)).toThrow(Changed);
    expect(() => workspace.assertVersion('')).toThrow(Changed);
  });

  it('reads a report again once it has changed, and takes nothing else for one', () => {
    const workspace = workspaceOf();
    expect(workspace.report('plan')).toBeNull();
    mkdirSync('chatferry.report');
    writeFileSync('chatferry.report/report.json', renderJson(dryRun()));
    expect(workspace.report('plan')?.command).toBe('plan');
    expect(workspace.report('plan')).toBe(workspace.report('plan'));
    for (const text of ['{', '{}', '[]', '{"version":2}']) {
      writeFileSync('chatferry.report/report.json', text);
      expect([text, workspace.report('plan')]).toEqual([text, null]);
    }
  });

  it('makes a configuration, which counts afterwards, and takes its export instead of the one that was named', async () => {
    const workspace = workspaceOf({ exports: ['./old.zip'] });
    workspace.writeConfig({ export: './export.zip', appId: '0123', region: 'eu', to: null });
    expect(readConfigFile(undefined)).toMatchObject({
      trust: 'trusted',
      values: { export: './export.zip', appId: '0123', region: 'eu' },
    });
    expect([workspace.named, workspace.exports()]).toEqual([[], [join(process.cwd(), 'export.zip')]]);
  });

  it('changes and removes keys, and leaves everything else as it is written', async () => {
    writeFileSync(
      'own.yaml',
      '# Ours\nstore: ./a.db # large\nto: https://chat.example.com\nexport:\n  - a.zip\n  - b.zip\n\n# Rate\nrate: 60\n',
    );
    const workspace = workspaceOf({ configPath: 'own.yaml' });
    workspace.writeConfig({ to: null, export: null, appId: '0123', rate: '90' });
    expect(readFileSync('own.yaml', 'utf8')).toMatchInlineSnapshot(`
      "# Ours
      store: ./a.db # large

      # Rate
      rate: "90"

      appId: "0123"
      "
    `);
  });

  it.each([
    ['one line', '{ to: x, store: y, appId: "1" }\n', { to: null }, { store: 'y', appId: '1' }],
    ['no end of line', 'store: y\nto: x', { to: null }, { store: 'y' }],
    ['nothing else', 'to: x\n', { to: null }, {}],
    ['a key without a value', 'to:\nstore: y\n', { to: null }, { store: 'y' }],
    ['texts over several lines', 'to: |\n  x\n  store: z\nstore: y\n', { to: null }, { store: 'y' }],
    ['a key that is not there', 'store: y\n', { to: null }, { store: 'y' }],
    [
      'a list in place of a text',
      'export: a.zip\n',
      { export: ['b.zip', 'c: d.zip'] },
      { export: ['b.zip', 'c: d.zip'] },
    ],
  ])('does that in a file with %s', async (_, text, changes, values) => {
    writeFileSync('own.yaml', text);
    workspaceOf({ configPath: 'own.yaml' }).writeConfig(changes);
    expect(readConfigFile('own.yaml')?.values).toEqual(values);
  });

  it('shows a path in one form, however it was named', () => {
    const workspace = workspaceOf();
    const inside = join(process.cwd(), 'settings', 'a.yaml');
    expect(['settings/a.yaml', './settings/a.yaml', inside].map((path) => workspace.shown(path))).toEqual(
      Array(3).fill('settings/a.yaml'),
    );
    const outside = ['../a.yaml', join(process.cwd(), '..', 'a.yaml')];
    expect(outside.map((path) => workspace.shown(path))).toEqual(outside);
  });

  it('trusts no words of another person along with its own', async () => {
    writeFileSync('chatferry.yaml', 'to: https://evil.example\n');
    workspaceOf().writeConfig({ workspace: 'T1' });
    expect(readConfigFile(undefined)).toMatchObject({ trust: 'unknown', values: {} });
  });
});
