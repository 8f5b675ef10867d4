import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/lib/hash.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fakeService } from './fake-service.ts';
import { type Ended, run, runJson, serveSandbox, testKey } from './in-process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

/** A module that leaves a trace next to itself when it runs. */
const module = `import { writeFileSync } from 'node:fs';
writeFileSync(new URL('./ran', import.meta.url), process.env.CHATFERRY_API_KEY ?? '');
export const mapMessage = (message, { next }) => next(message);
`;

/** Puts a mapping with a module, and a configuration that names it, into a folder. */
function trap(folder: string, more = ''): void {
  writeFileSync(join(folder, 'm.mjs'), module);
  writeFileSync(join(folder, 'm.yaml'), 'module: ./m.mjs\n');
  writeFileSync(join(folder, 'chatferry.yaml'), `mapping: m.yaml\n${more}`);
}

/** Of every command while the configuration is one that was only found. */
const ignored = {
  stderr: expect.stringContaining(
    '"./chatferry.yaml" does not count, because you have not trusted it; to look at it and trust it: chatferry trust',
  ),
};

const hasRun = (folder: string): boolean => existsSync(join(folder, 'ran'));

const refusal = (words: string): Partial<Ended> => ({ code: 2, stderr: expect.stringContaining(words) });

describe('a configuration inside an export', () => {
  const commands = [
    ['inspect', '.'],
    ['plan', '.'],
    ['import', '.'],
    ['convert', '.', '--out', '../out.ndjson'],
    ['reconcile', '.'],
    ['init', '.', '--yes'],
    ['doctor', '.'],
  ];

  it.each(commands)('is not loaded by %s %s', async (...args) => {
    const folder = smallExport(home.make());
    trap(folder);
    expect(await run(args, { folder, env })).toMatchObject(
      refusal('Cannot use the configuration "./chatferry.yaml": it is inside the export "."'),
    );
    expect(hasRun(folder)).toBe(false);
  });

  it('is not loaded if it is named or reached by a link', async () => {
    const folder = home.make();
    trap(smallExport(folder));
    const args = ['inspect', 'small export', '--config'];
    const words = 'it is inside the export "small export"';
    expect(await run([...args, 'small export/chatferry.yaml'], { folder, env })).toMatchObject(refusal(words));
    symlinkSync(join(folder, 'small export/chatferry.yaml'), join(folder, 'link.yaml'));
    expect(await run([...args, 'link.yaml'], { folder, env })).toMatchObject(refusal(words));
    expect(hasRun(join(folder, 'small export'))).toBe(false);
  });

  it('is not loaded, nor is a mapping or module there, even if the mapping of the module is outside', async () => {
    const folder = home.make();
    const inside = smallExport(folder);
    trap(inside);
    const args = ['inspect', 'small export', '--mapping'];
    expect(await run([...args, 'small export/m.yaml'], { folder, env })).toMatchObject(
      refusal('Cannot use the mapping "small export/m.yaml": it is inside the export "small export"'),
    );
    writeFileSync(join(folder, 'm.yaml'), 'module: ./small export/m.mjs\n');
    expect(await run([...args, 'm.yaml'], { folder, env })).toMatchObject(
      refusal('Cannot use the module "./small export/m.mjs": it is inside the export "small export"'),
    );
    expect(hasRun(inside)).toBe(false);
  });

  it('nor is a mapping inside the export of a job', async () => {
    const folder = home.make();
    trap(smallExport(folder));
    writeFileSync(
      join(folder, 'chatferry.yaml'),
      'jobs: [{ name: a, to: sandbox, export: ./small export, mapping: ./small export/m.yaml }]',
    );
    expect(await run(['sync', '--once', '--config', 'chatferry.yaml'], { folder, env })).toMatchObject(
      refusal('Cannot use the mapping "./small export/m.yaml": it is inside the export'),
    );
  });
});

describe('the export of a configuration', () => {
  it('is planned and imported without an argument, from the folder of the file, once the file is trusted or named', async () => {
    const folder = home.make();
    smallExport(folder);
    const path = join(folder, 'chatferry.yaml');
    writeFileSync(path, 'export: small export\n');
    for (const args of [['plan'], ['import', '--yes'], ['import', '--dry-run']])
      expect(await run(args, { folder })).toMatchObject({ code: 2, ...ignored });
    expect(existsSync(join(folder, 'chatferry.db'))).toBe(false);
    expect(await runJson(['plan', 'small export'], { folder })).toMatchObject({ code: 0, json: { read: 3 } });
    const elsewhere = home.make();
    expect(await runJson(['plan', '--config', path], { folder: elsewhere })).toMatchObject({
      code: 0,
      json: { read: 3 },
    });
    await run(['trust'], { folder });
    expect(await runJson(['import', '--yes'], { folder })).toMatchObject({ code: 0, json: { imported: 3 } });
    writeFileSync(path, 'export: [small export, small export]\n');
    await run(['trust'], { folder });
    expect(await runJson(['plan'], { folder })).toMatchObject({ code: 0, json: { read: 3 } });
    writeFileSync(path, 'export: { path: small export }\n');
    expect(await run(['plan', '--config', 'chatferry.yaml'], { folder })).toMatchObject(
      refusal('Cannot use export at chatferry.yaml:1:1: expected a path, or a list of paths'),
    );
  });

  it('gives way to an argument, and to a message that is shown', async () => {
    const folder = home.make();
    smallExport(folder);
    writeFileSync(join(folder, 'chatferry.yaml'), 'export: nowhere\n');
    const named = ['--config', 'chatferry.yaml'];
    expect(await run(['plan', 'small export', ...named], { folder })).toMatchObject({ code: 0 });
    expect(await run(['plan', '--show-message', 'x', ...named], { folder })).toMatchObject(refusal('"x"'));
    expect(await run(['plan', ...named], { folder })).toMatchObject({ stderr: expect.stringContaining('nowhere') });
  });
});

describe('a module', () => {
  it('runs if the command line or the environment names it, but not from a configuration that was only found', async () => {
    const folder = home.make();
    smallExport(folder);
    trap(folder);
    const args = ['plan', 'small export'];
    expect(await run(args, { folder })).toMatchObject({ code: 0, ...ignored });
    expect(hasRun(folder)).toBe(false);
    expect(await run([...args, '--config', 'chatferry.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(hasRun(folder)).toBe(true);
    expect(await run([...args, '--mapping', 'm.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(await run(args, { folder, env: { CHATFERRY_MAPPING: 'm.yaml' } })).toMatchObject({ code: 0 });
  });
});

describe('chatferry trust', () => {
  const args = ['plan', 'small export'];
  const folderWith = (text: string) => {
    const folder = home.make();
    smallExport(folder);
    trap(folder, text);
    return folder;
  };

  it('shows what it trusts, and every command then uses the file until it changes', async () => {
    const folder = folderWith('store: a.db\nrate: 5\n');
    expect(await run(['trust'], { folder })).toMatchObject({
      code: 0,
      stdout:
        './chatferry.yaml says\n  mapping: m.yaml\n  store: a.db\n  rate: 5\n' +
        'Trusted as it is now; chatferry trust --remove ./chatferry.yaml removes it from the trusted files\n',
    });
    expect(hasRun(folder)).toBe(false);
    const used = await run(args, { folder });
    expect(used).toMatchObject({ code: 0, stderr: expect.not.stringContaining('does not count') });
    expect(hasRun(folder)).toBe(true);
    rmSync(join(folder, 'ran'));
    appendFileSync(join(folder, 'chatferry.yaml'), '# changed\n');
    expect(await run(args, { folder })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('does not count, because it has changed since you trusted it; to look'),
    });
    expect(hasRun(folder)).toBe(false);
    expect(await run(['trust', 'chatferry.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(await run(args, { folder })).toMatchObject({ code: 0 });
  });

  it('stores trust by path and SHA-256 of the content with mode 0600, and revokes it', async () => {
    const folder = folderWith('');
    const { json } = await runJson(['trust'], { folder });
    expect(json).toEqual({ command: 'trust', file: './chatferry.yaml', exit: 0 });
    const list = join(folder, 'state', 'trusted.json');
    const path = join(realpathSync(folder), 'chatferry.yaml');
    expect(JSON.parse(readFileSync(list, 'utf8'))).toEqual({ [path]: sha256Hex('mapping: m.yaml\n') });
    expect(statSync(list).mode & 0o777).toBe(0o600);
    expect((await run(['trust', '--remove'], { folder })).stdout).toBe('./chatferry.yaml is trusted no longer\n');
    expect((await run(['trust', '--remove'], { folder })).stdout).toBe('./chatferry.yaml was not trusted\n');
    expect(await run(args, { folder })).toMatchObject(ignored);
    chmodSync(list, 0o644);
    expect(await run(args, { folder })).toMatchObject(
      refusal('Cannot read the list of trusted files: others may read'),
    );
    writeFileSync(list, 'x');
    chmodSync(list, 0o600);
    expect(await run(args, { folder })).toMatchObject(refusal('it is damaged'));
  });

  it('does not hold for the same text elsewhere, also if a link leads from there', async () => {
    const folder = folderWith('');
    await run(['trust'], { folder });
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    smallExport(elsewhere);
    trap(elsewhere);
    const env = { CHATFERRY_STATE_DIR: join(folder, 'state') };
    const state = join(elsewhere, 'state');
    symlinkSync(env.CHATFERRY_STATE_DIR, state);
    expect(await run(args, { folder: elsewhere, env })).toMatchObject(ignored);
    rmSync(join(elsewhere, 'chatferry.yaml'));
    symlinkSync(join(folder, 'chatferry.yaml'), join(elsewhere, 'chatferry.yaml'));
    expect(await run(args, { folder: elsewhere, env })).toMatchObject(ignored);
    expect(hasRun(elsewhere)).toBe(false);
  });

  it('hides nothing of a file, and reports why one cannot be read', async () => {
    const folder = folderWith('');
    writeFileSync(join(folder, 'chatferry.yaml'), 'store: a.db # \u202emoc\n');
    expect((await run(['trust'], { folder })).stdout).toContain('  store: a.db # \\u202emoc\n');
    expect(await run(['trust', 'nothing.yaml'], { folder })).toMatchObject(refusal('Cannot read the configuration'));
  });
});

describe('chatferry init', () => {
  it('trusts files that it wrote, but not those that a stranger had written before', async () => {
    const folder = home.make();
    smallExport(folder);
    const init = ['init', 'small export', '--yes'];
    expect((await run(init, { folder })).stdout).not.toContain('chatferry trust');
    expect(await run(['plan', 'small export'], { folder })).toMatchObject({ code: 0 });
    expect(await run([...init, '--store', 'other.db'], { folder })).toMatchObject({ code: 0 });
    expect(await run(['plan', 'small export'], { folder })).toMatchObject({ code: 0 });
    appendFileSync(join(folder, 'chatferry.yaml'), 'fleet: { database: "postgres://stranger/x" }\n');
    expect((await run(init, { folder })).stdout).toContain('chatferry trust');
    expect(await run(['plan', 'small export'], { folder })).toMatchObject({
      stderr: expect.stringContaining('has changed since you trusted it'),
    });
  });

  it.each([
    ['a configuration', 'chatferry.yaml', 'fleet: { database: "postgres://stranger/x" }\n'],
    ['a mapping', 'chatferry.mapping.yaml', 'version: 1\nmodule: ./m.mjs\n'],
  ])('says that %s which was there before has to be trusted', async (_, name, text) => {
    const folder = home.make();
    smallExport(folder);
    writeFileSync(join(folder, 'm.mjs'), module);
    writeFileSync(join(folder, name), text);
    const { code, stdout } = await run(['init', 'small export', '--yes'], { folder });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/Next\n {2}.*chatferry trust /) });
    expect(await run(['plan', 'small export'], { folder })).toMatchObject(ignored);
    expect(hasRun(folder)).toBe(false);
  });
});

describe('yes and force', () => {
  it.each(['yes', 'force'])('%s does not count in a file', async (name) => {
    const folder = home.make();
    smallExport(folder);
    writeFileSync(join(folder, 'chatferry.yaml'), `${name}: true\n`);
    const named = ['--config', 'chatferry.yaml'];
    expect(await run(['convert', 'small export', '--out', 'x.ndjson', ...named], { folder })).toMatchObject(
      refusal(`Cannot use ${name} at chatferry.yaml:1:1: it counts on the command line and in CHATFERRY_`),
    );
    expect(existsSync(join(folder, 'x.ndjson'))).toBe(false);
  });
});

/** A service that counts who shows it a key. */
async function keyTrap() {
  const keys: unknown[] = [];
  const { url } = await fakeService((request, response) => {
    keys.push(request.headers.apikey);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}');
  });
  return { url, keys };
}

describe('the key', () => {
  const words = (url: string) => `Cannot send the API key to ${url} for the first time without being asked to`;

  it.each([
    [['import', 'small export']],
    [['doctor']],
    [['reconcile', 'small export']],
    [['call', 'listMessages']],
    [['verify']],
    [['retry']],
    [['undo']],
  ])('goes nowhere that only a configuration names: %j', async (args) => {
    const folder = home.make();
    smallExport(folder);
    await run(['plan', 'small export'], { folder });
    const { url, keys } = await keyTrap();
    writeFileSync(join(folder, 'chatferry.yaml'), `to: ${url}\n`);
    expect(await run(args, { folder, env })).toMatchObject(ignored);
    await run(['trust'], { folder });
    expect(await run(args, { folder, env })).toMatchObject(refusal(words(url)));
    expect(keys).toEqual([]);
  });

  it('goes nowhere that only a file in this folder names: fetch, sync', async () => {
    const folder = home.make();
    smallExport(folder);
    const { url, keys } = await keyTrap();
    const named = ['--config', 'chatferry.yaml'];
    writeFileSync(join(folder, 'chatferry.yaml'), `from: ${url}\n`);
    expect(await run(['fetch', '--out', 'x'], { folder, env })).toMatchObject({ code: 2, ...ignored });
    expect(await run(['fetch', '--out', 'x', ...named], { folder, env })).toMatchObject(refusal(words(url)));
    const job = `to: "${url}", export: { fetch: { from: "${url}", apiKeyVariable: CHATFERRY_API_KEY } }`;
    writeFileSync(join(folder, 'chatferry.yaml'), `jobs: [{ name: a, ${job} }]`);
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject({ code: 2, ...ignored });
    expect(keys).toEqual([]);
  });

  it('goes where --to or --yes has sent it once, without being asked again; nowhere else', async () => {
    const folder = home.make();
    smallExport(folder);
    const { url } = await serveSandbox(folder);
    writeFileSync(join(folder, 'chatferry.yaml'), `to: ${url}\n`);
    await run(['trust'], { folder });
    const args = ['import', 'small export'];
    expect(await run(args, { folder, env })).toMatchObject(refusal(words(url)));
    expect(await run([...args, '--yes'], { folder, env })).toMatchObject({ code: 0 });
    expect(await run(['verify'], { folder, env })).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'state', 'addresses'), 'utf8')).toBe(`${url}\n`);
    // Another machine, or a store from another user.
    expect(await run(['verify', '--store', 'chatferry.db'], { folder, env: { ...env } })).toMatchObject({ code: 0 });
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'state', 'addresses'), '');
    rmSync(join(folder, 'chatferry.yaml'));
    expect(await run(['verify'], { folder, env })).toMatchObject(refusal(words(url)));
    expect(await run(['verify'], { folder, env: { ...env, CHATFERRY_TO: url } })).toMatchObject({ code: 0 });
  });
});

describe('files of messages', () => {
  const elsewhere = 's3://files/chat';
  it('are copied to the location in a named configuration', async () => {
    const folder = home.make();
    smallExport(folder);
    writeFileSync(join(folder, 'chatferry.yaml'), `mediaTo: "${elsewhere}"\n`);
    const named = ['--config', './chatferry.yaml'];
    expect((await run(['plan', 'small export', ...named], { folder, env })).code).toBe(0);
  });
});
