import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadOptions } from '../../src/config/load-options.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { init } from '../../src/commands/prepare/init.ts';
import { closeOpened, openToAsk } from '../../src/decisions/questions.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { planExport } from '../../src/commands/prepare.ts';
import { listSamples, onePerSource } from '../contracts/samples.ts';
import { everyNth, isNightly } from '../tier.ts';
import { never } from '../scenes/bench.ts';
import { message, user, userId, writeFiles } from '../scenes/make-export.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import type { InitRequest } from '../../src/commands/requests.ts';

const home = temporaryFolder();

/** Takes what has one reading, as `--yes` does. */

const request = (folder: string, changes: Partial<InitRequest> = {}): InitRequest => ({
  exports: [join(folder, 'export')],
  mappingPath: join(folder, 'chatferry.mapping.yaml'),
  configPath: join(folder, 'chatferry.yaml'),
  config: {},
  settings: {},
  force: false,
  progress: silent,
  signal: never,
  ...changes,
});

const read = (folder: string, name: string) => readFileSync(join(folder, name), 'utf8');

/** Two people, one of whom no file describes, in a channel and in a direct conversation. */
function smallExport(): string {
  const folder = home.make();
  mkdirSync(join(folder, 'export'));
  const [ann, ghost] = [userId(1), userId(2)];
  writeFiles(join(folder, 'export'), {
    'users.json': [user(ann)],
    'channels.json': [{ id: 'C00000001', name: 'general', members: [ann, ghost] }],
    'dms.json': [{ id: 'D00000001', members: [ann, ghost] }],
    'general/2024-03-01.json': [message('1709251201.000100', ann, 'Hello'), message('1709251202.000100', ghost, 'Boo')],
    'D00000001/2024-03-02.json': [1, 2, 3].map((number) => message(`170934000${number}.000100`, ann, 'Who are you?')),
  });
  return folder;
}

describe('init()', () => {
  it('writes a configuration that names the source and a mapping that decides nothing yet', async () => {
    const folder = smallExport();
    const result = await init(request(folder, { config: { workspace: 'acme', store: undefined } }));
    const { mappingPath, configPath } = request(folder);
    expect(result).toMatchObject({ source: 'slack', open: [], kept: [], setKeys: [] });
    expect(result.files).toEqual([
      { path: mappingPath, how: 'new' },
      { path: configPath, how: 'new' },
    ]);
    const options = loadOptions({ flags: {}, env: {}, configPath });
    expect(options).toMatchObject({
      source: 'slack',
      workspace: 'acme',
      mapping: mappingPath,
      store: './chatferry.db',
    });
    expect(await loadMapping(mappingPath)).toEqual({ ...(await loadMapping(undefined)), path: mappingPath });
    expect(statSync(mappingPath).mode & 0o777).toBe(0o600);
  });

  it.each(['chatferry.mapping.yaml', 'chatferry.yaml'])(
    'does not write over the %s of another process',
    async (name) => {
      const folder = smallExport();
      const path = join(folder, name);
      const another = (written: string) => written === path && writeFileSync(path, '# of another process\n');
      const refused = `Cannot write "${path}": it has changed meanwhile`;
      await expect(init(request(folder), another)).rejects.toThrow(refused);
      expect(read(folder, name)).toBe('# of another process\n');
    },
  );

  it('offers uids for unknown people, with the numbers of messages they sent and received', async () => {
    const folder = smallExport();
    const { counts } = await init(request(folder));
    expect(counts).toMatchObject({ messages: 5, invalid: 0, unresolvedPeople: 1, conversations: 2 });
    const text = read(folder, 'chatferry.mapping.yaml');
    const [ann, ghost] = [userId(1), userId(2)];
    expect(text).toContain(`    #${ghost}: ${ghost.toLowerCase()}  # wrote 1 message, got 3 direct messages\n`);
    expect(text).not.toContain(`#${ann}`);
    expect(text).toContain('    #C00000001: c00000001  # general: public, 2 messages, 2024-03-01 to 2024-03-01\n');
    expect(text).toMatch(new RegExp(`#- D00000001  # .+, ${ghost}: direct, 3 messages, 2024-03-02 to 2024-03-02\n`));
    expect(text).not.toContain('#D00000001:');
  });

  it('has its decisions applied by the next plan', async () => {
    const folder = smallExport();
    await init(request(folder));
    const { mappingPath } = request(folder);
    const text = read(folder, 'chatferry.mapping.yaml').replace('#- D00000001', '- D00000001');
    const { report } = await planExport(await sessionRequest(folder, { mapping: text }));
    expect(report.totals).toMatchObject({ planned: 2, skipped: 3 });
    writeFileSync(mappingPath, text);
    await init(request(folder));
    expect(read(folder, 'chatferry.mapping.yaml')).toBe(text);
  });

  it('adds to an existing mapping who is new in the export, and says that nothing is new where nothing is', async () => {
    const folder = smallExport();
    await init(request(folder));
    expect((await init(request(folder))).files.map(({ how }) => how)).toEqual(['same', 'same']);
    writeFiles(join(folder, 'export'), {
      'general/2024-03-03.json': [message('1709424001.000100', userId(3), 'New here')],
    });
    expect((await init(request(folder))).files.map(({ how }) => how)).toEqual(['changed', 'same']);
    const text = read(folder, 'chatferry.mapping.yaml');
    expect(text).toContain(
      `    # New in the export since:\n    #${userId(3)}: ${userId(3).toLowerCase()}  # wrote 1 message\n`,
    );
  });

  it('keeps the values of a configuration, adds missing ones, and reports the difference', async () => {
    const folder = smallExport();
    writeFileSync(join(folder, 'chatferry.yaml'), '# ours\nstore: team.db\nconcurrency: 2');
    const { kept } = await init(request(folder, { config: { store: 'mine.db', to: 'sandbox' } }));
    expect(kept).toEqual([{ key: 'store', found: 'team.db', wanted: 'mine.db' }]);
    const lines = read(folder, 'chatferry.yaml').split('\n');
    expect(lines.filter((line) => !line.startsWith('mapping: '))).toEqual([
      '# ours',
      'store: team.db',
      'concurrency: 2',
      'export: export',
      'source: slack',
      'to: sandbox',
      '',
    ]);
  });

  it('never names two destinations', async () => {
    const folder = smallExport();
    writeFileSync(join(folder, 'chatferry.yaml'), 'appId: "0123"\nregion: eu\n');
    await init(request(folder, { config: { to: 'sandbox' } }));
    expect(loadOptions({ flags: {}, env: {}, configPath: join(folder, 'chatferry.yaml') })).toMatchObject({
      appId: '0123',
    });
    expect(read(folder, 'chatferry.yaml')).not.toContain('to:');
  });

  it('starts over when it is forced to, and backs up the previous file each time', async () => {
    const folder = smallExport();
    writeFileSync(join(folder, 'chatferry.mapping.yaml'), 'not: a mapping\n');
    await expect(init(request(folder))).rejects.toThrow('chatferry.mapping.yaml:1:1: not: there is no such key');
    const { files } = await init(request(folder, { force: true }));
    const path = request(folder).mappingPath;
    expect(files[0]).toEqual({ path, how: 'replaced', backup: `${path}.bak` });
    await init(request(folder, { force: true }));
    expect(read(folder, 'chatferry.mapping.yaml.bak')).toBe('not: a mapping\n');
    expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toHaveLength(3);
  });

  it('writes nothing if a decision has an unknown key or a value that the source does not accept', async () => {
    const folder = smallExport();
    const wrong = (settings: InitRequest['settings']) => init(request(folder, { settings }));
    await expect(wrong({ people: { uidd: 'x' } })).rejects.toThrow('people.uidd: there is no such key');
    await expect(wrong({ source: { includeUnfurls: 'x' } })).rejects.toThrow('source.includeUnfurls: ');
    await expect(wrong({ source: { colour: 'x' } })).rejects.toThrow('source.colour: there is no such key');
    expect(readdirSync(folder)).toEqual(['export']);
  });

  it('writes answers without counting, and adds what counting finds later', async () => {
    const folder = smallExport();
    const settings = { people: { bots: 'skip' }, source: { includeUnfurls: true } };
    const quick = await init(request(folder, { count: false, settings }));
    expect(quick).toMatchObject({ counts: null, invalidRows: [], files: [{ how: 'new' }, { how: 'new' }] });
    expect(read(folder, 'chatferry.mapping.yaml')).toMatch(/^ {2}bots: skip\b/m);
    expect(read(folder, 'chatferry.mapping.yaml')).not.toContain(userId(2));
    const { counts } = await init(request(folder));
    expect(counts).toMatchObject({ messages: 5, unresolvedPeople: 1 });
    const text = read(folder, 'chatferry.mapping.yaml');
    expect(text).toMatch(/^ {2}bots: skip\b/m);
    expect(text).toContain(userId(2));
    await expect(init(request(folder, { count: false, settings: { source: { colour: 'x' } } }))).rejects.toThrow(
      'source.colour: there is no such key',
    );
  });

  it('asks an export that was opened before, and leaves it open', async () => {
    const folder = smallExport();
    const opened = await openToAsk([join(folder, 'export')], undefined);
    let closed = 0;
    const inputs = opened.inputs.map((input) => ({ ...input, close: async () => void closed++ }));
    const result = await init(request(folder, { opened: { ...opened, inputs } }));
    expect(result).toMatchObject({ source: 'slack', counts: { messages: 5 } });
    expect(closed).toBe(0);
    await closeOpened({ inputs });
    expect(closed).toBe(1);
    await closeOpened(opened);
    const alone = smallExport();
    await init(request(alone));
    expect(read(alone, 'chatferry.mapping.yaml')).toBe(read(folder, 'chatferry.mapping.yaml'));
  });

  it('writes people beyond the first 200 to a file next to the mapping', async () => {
    const folder = smallExport();
    writeFiles(join(folder, 'export'), {
      'general/2024-03-03.json': Array.from({ length: 230 }, (_, index) =>
        message(`1709424${String(index).padStart(3, '0')}.000100`, userId(index + 10), 'Hi'),
      ),
    });
    const { files } = await init(request(folder));
    expect(files.map(({ how }) => how)).toEqual(['new', 'rest', 'new']);
    const rest = read(folder, 'chatferry.mapping.rest.yaml');
    expect(rest).toContain('# people.uids: ');
    expect(rest.match(/^#\w+: /gm)).toHaveLength(31);
  });
});

describe.each(isNightly ? listSamples() : everyNth(2, onePerSource()))(
  'sample $source/$name',
  ({ folder: sample, source }) => {
    it('can be planned with what init wrote, after the questions are answered', async () => {
      const folder = home.make();
      const names = readdirSync(sample);
      const exports = names.filter((name) => name.startsWith('export')).map((name) => join(sample, name));
      const mappingPath = join(folder, 'chatferry.mapping.yaml');
      const own = names.includes('mapping.yaml') ? (await loadMapping(join(sample, 'mapping.yaml'))).rules.source : {};
      const { counts, open } = await init(request(folder, { exports, mappingPath, settings: { source: own } }));
      if (open.length > 0) await expect(loadMapping(mappingPath)).rejects.toThrow(open[0]!.id);
      const answered = readFileSync(mappingPath, 'utf8').replaceAll(/: "\?"\n( *)#/g, ': "?"\n$1');
      writeFileSync(mappingPath, answered);
      const mapping = await loadMapping(mappingPath);
      const { report } = await planExport({ ...(await sessionRequest(folder, { from: exports })), mapping, source });
      expect(counts!.messages).toBeGreaterThan(0);
      expect(report.totals.planned).toBeGreaterThan(0);
    });
  },
);
