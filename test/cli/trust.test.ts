import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fakeService } from './fake-service.ts';
import { type Ended, run, serveSandbox, testKey } from './in-process.ts';
import { smallExport } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

/** A module that leaves a trace where it runs, beside itself. */
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
      refusal('Cannot use the configuration "./chatferry.yaml": it lies inside the export "."'),
    );
    expect(hasRun(folder)).toBe(false);
  });

  it('is not loaded where it is named, or where a link leads there', async () => {
    const folder = home.make();
    trap(smallExport(folder));
    const args = ['inspect', 'small export', '--config'];
    const words = 'it lies inside the export "small export"';
    expect(await run([...args, 'small export/chatferry.yaml'], { folder, env })).toMatchObject(refusal(words));
    symlinkSync(join(folder, 'small export/chatferry.yaml'), join(folder, 'link.yaml'));
    expect(await run([...args, 'link.yaml'], { folder, env })).toMatchObject(refusal(words));
    expect(hasRun(join(folder, 'small export'))).toBe(false);
  });

  it('nor is a mapping there, or the module of a mapping that lies outside', async () => {
    const folder = home.make();
    const inside = smallExport(folder);
    trap(inside);
    const args = ['inspect', 'small export', '--mapping'];
    expect(await run([...args, 'small export/m.yaml'], { folder, env })).toMatchObject(
      refusal('Cannot use the mapping "small export/m.yaml": it lies inside the export "small export"'),
    );
    writeFileSync(join(folder, 'm.yaml'), 'module: ./small export/m.mjs\n');
    expect(await run([...args, 'm.yaml'], { folder, env })).toMatchObject(
      refusal('Cannot use the module "./small export/m.mjs": it lies inside the export "small export"'),
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
      refusal('Cannot use the mapping "./small export/m.yaml": it lies inside the export'),
    );
  });
});

describe('a module', () => {
  it('runs from what the command line or the environment names, and not from a configuration that lies about', async () => {
    const folder = home.make();
    smallExport(folder);
    trap(folder);
    const args = ['plan', 'small export'];
    expect(await run(args, { folder })).toMatchObject(
      refusal('Cannot run the module "./m.mjs" of the mapping "m.yaml": nobody has named it'),
    );
    expect(hasRun(folder)).toBe(false);
    expect(await run([...args, '--config', 'chatferry.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(hasRun(folder)).toBe(true);
    expect(await run([...args, '--mapping', 'm.yaml'], { folder })).toMatchObject({ code: 0 });
    expect(await run(args, { folder, env: { CHATFERRY_MAPPING: 'm.yaml' } })).toMatchObject({ code: 0 });
  });
});

describe('yes and force', () => {
  it.each(['yes', 'force'])('%s does not count in a file', async (name) => {
    const folder = home.make();
    smallExport(folder);
    writeFileSync(join(folder, 'chatferry.yaml'), `${name}: true\n`);
    expect(await run(['convert', 'small export', '--out', 'x.ndjson'], { folder })).toMatchObject(
      refusal(`Cannot use ${name} at ./chatferry.yaml:1:1: it counts on the command line and in CHATFERRY_`),
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
    expect(await run(args, { folder, env })).toMatchObject(refusal(words(url)));
    expect(keys).toEqual([]);
  });

  it('goes nowhere that only a file in this folder names: fetch, sync', async () => {
    const folder = home.make();
    smallExport(folder);
    const { url, keys } = await keyTrap();
    writeFileSync(join(folder, 'chatferry.yaml'), `from: ${url}\n`);
    expect(await run(['fetch', '--out', 'x.ndjson'], { folder, env })).toMatchObject(refusal(words(url)));
    const job = (text: string) => writeFileSync(join(folder, 'chatferry.yaml'), `jobs: [{ name: a, ${text} }]`);
    const named = '(job "a" at ./chatferry.yaml:1:10)\n  Pass --config ./chatferry.yaml';
    job(`to: "${url}", export: ./small export`);
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject(refusal(named));
    job(`to: sandbox, export: { fetch: { from: "${url}", apiKeyVariable: CHATFERRY_API_KEY } }`);
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject(refusal(named));
    job('to: sandbox, export: { command: [touch, ran], format: x.ndjson }');
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject(refusal(named));
    job(`to: sandbox, export: { url: "${url}/x.ndjson" }`);
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject(refusal(named));
    const quiet = 'jobs: [{ name: a, to: sandbox, export: ./small export }]';
    writeFileSync(join(folder, 'chatferry.yaml'), `${quiet}\nsync: { log: { file: ran } }\n`);
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject(
      refusal('tell others what it does (sync.log)'),
    );
    expect(hasRun(folder)).toBe(false);
    expect(keys).toEqual([]);
    writeFileSync(join(folder, 'chatferry.yaml'), quiet);
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject({ code: 0 });
  });

  it('goes where --to or --yes has sent it once, without being asked again; nowhere else', async () => {
    const folder = home.make();
    smallExport(folder);
    const { url } = await serveSandbox(folder);
    writeFileSync(join(folder, 'chatferry.yaml'), `to: ${url}\n`);
    const args = ['import', 'small export'];
    expect(await run(args, { folder, env })).toMatchObject(refusal(words(url)));
    expect(await run([...args, '--yes'], { folder, env })).toMatchObject({ code: 0 });
    expect(await run(['verify'], { folder, env })).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, 'state', 'addresses'), 'utf8')).toBe(`${url}\n`);
    // Another machine, or a store that somebody else has made.
    expect(await run(['verify', '--store', 'chatferry.db'], { folder, env: { ...env } })).toMatchObject({ code: 0 });
    mkdirSync(join(folder, 'elsewhere'));
    writeFileSync(join(folder, 'state', 'addresses'), '');
    writeFileSync(join(folder, 'chatferry.yaml'), '');
    expect(await run(['verify'], { folder, env })).toMatchObject(refusal(words(url)));
    expect(await run(['verify'], { folder, env: { ...env, CHATFERRY_TO: url } })).toMatchObject({ code: 0 });
  });
});

describe('files of messages', () => {
  const elsewhere = 's3://files/chat';
  const job = (media: string) => `jobs:\n  - { name: a, export: "./small export", to: sandbox, media: ${media} }\n`;

  it.each([
    ['in its options', `toMedia: "${elsewhere}"\n`, ['import', 'small export']],
    ['in its options, with a token', 'toMedia: ./media\nmediaToken: token\n', ['plan', 'small export']],
    ['by the mapping that it names', 'mapping: m.yaml\n', ['import', 'small export']],
    ['by the mapping that it names, to copy', 'mapping: m.yaml\n', ['media', 'copy']],
    ['in a job', job(`{ to: "${elsewhere}" }`), ['sync', '--once']],
    [
      'in a job, with keys',
      job('{ to: ./media, address: "https://a.example", credentials: keys }'),
      ['sync', '--once'],
    ],
  ])('go nowhere else because a configuration that lies about says so %s', async (_, text, args) => {
    const folder = home.make();
    smallExport(folder);
    writeFileSync(join(folder, 'm.yaml'), `media: { to: "${elsewhere}" }\n`);
    writeFileSync(join(folder, 'chatferry.yaml'), text);
    expect(await run(args, { folder, env })).toMatchObject(refusal('nobody has named the file'));
  });

  it('go where a named configuration says, and into a folder', async () => {
    const folder = home.make();
    smallExport(folder);
    writeFileSync(join(folder, 'chatferry.yaml'), `toMedia: "${elsewhere}"\n`);
    const named = ['--config', './chatferry.yaml'];
    expect((await run(['plan', 'small export', ...named], { folder, env })).code).toBe(0);
    writeFileSync(join(folder, 'chatferry.yaml'), 'toMedia: ./media\nmediaAddress: "https://a.example"\n');
    expect((await run(['plan', 'small export'], { folder, env })).code).toBe(0);
  });
});
