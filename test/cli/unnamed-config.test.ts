import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/main.ts';
import { loadOptions } from '../../src/config/load-options.ts';
import { operations } from '../../src/service/operations.ts';
import { schemaKeys } from '../config/schema-keys.ts';
import { atFileEnd } from '../file-end.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { hostileConfig, keysOf, out } from './hostile-config.ts';
import { run, start, testHost, testKey } from './in-process.ts';
import { smallExport } from './samples.ts';

/**
 * A stranger's `chatferry.yaml`, in the folder in which a user runs commands. Every address in it leads to one server,
 * which counts connections; every path out of the folder leads to `outside`; its programs leave the file `ran`.
 */
const home = temporaryFolder();
const root = home.make();
const folder = join(root, 'folder');
const outside = join(root, 'outside');

let connections = 0;
const server = createServer((socket) => {
  connections++;
  socket.destroy();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
atFileEnd(() => void server.close());
const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const hostile = hostileConfig(address);
const url = `http://${address}`;

const write = (config: unknown) => writeFileSync(join(folder, 'chatferry.yaml'), JSON.stringify(config, null, 1));

/** What a command wants after its name, by the name of the argument. */
const argumentsOf: Readonly<Record<string, string>> = {
  EXPORT: 'small export',
  SHELL: 'bash',
  UNIT: 'acme/a',
  FILE: 'own.yaml',
};
/** Flags that let a command get as far as possible, if it has the flag. */
const flags: readonly (readonly string[])[] = [
  ['--yes'],
  ['--once'],
  ['--leases', '1'],
  ['--port', '0'],
  ['--scenario', 'none'],
  ['--remove'],
];

const leavesOf = (
  command: Command,
  path: readonly string[] = [],
): readonly (readonly [Command, readonly string[]])[] =>
  command.commands.length === 0
    ? [[command, path]]
    : command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));

const leaves = leavesOf(await buildProgram(testHost({ folder: root }).host)).filter(
  ([, [name]]) => name !== 'help' && name !== 'call',
);
/** Those that read a configuration; `sandbox` has options of the same names, and no other. */
const readers = leaves.filter(([command]) => command.options.some(({ long }) => long === '--config'));

function argsOf(command: Command, path: readonly string[]): readonly string[] {
  const given = command.registeredArguments.map((argument) => argumentsOf[argument.name()] ?? 'x');
  const known = flags.filter(([flag]) => command.options.some(({ long }) => long === flag));
  return [...path, ...given, ...known.flat()];
}

const commands = [
  ...leaves.map(([command, path]) => argsOf(command, path)),
  ...operations.map(({ name }) => ['call', name]),
  ['submit', '--tenant', 'acme', 'small export', '--to', 'https://chat.example.com'],
  ['fleet', 'status', '--watch'],
];

/** Whether a command reads a configuration. */
const isReader = ([name = '', ...rest]: readonly string[]): boolean =>
  name === 'call' || readers.some(([, path]) => path.every((word, index) => [name, ...rest][index] === word));

const env = { CHATFERRY_API_KEY: testKey };
const words =
  '"./chatferry.yaml" does not count, because you have not trusted it; to look at it and trust it: chatferry trust';
/** It ends with these if the configuration does not count. */
const needing = ['desk', 'sync', 'jobs'];

/** Runs a command to its end; what serves is stopped. */
async function runToEnd(args: readonly string[]) {
  if (args[0] !== 'sandbox') return await run(args, { folder, env });
  const { line, kill, ended } = start(args, { folder, env });
  await line('Sandbox at ');
  kill('SIGTERM');
  return await ended;
}

function expectNothingDone(): void {
  expect(connections).toBe(0);
  expect(existsSync(outside)).toBe(false);
  expect(readdirSync(folder)).not.toContain('ran');
}

beforeAll(async () => {
  mkdirSync(folder);
  smallExport(folder);
  const mode = 0o600;
  for (const name of ['key', 'token', 'keys']) writeFileSync(join(folder, name), 'secret', { mode });
  writeFileSync(join(folder, 'm.yaml'), `module: ./m.mjs\nmedia: { to: "${out('media')}", address: "${url}" }\n`);
  writeFileSync(join(folder, 'own.yaml'), 'version: 1\n');
  writeFileSync(join(folder, 'm.mjs'), `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\n`);
  // Something that could be sent, sent again, verified and rolled back.
  await run(['import', 'small export', '--yes'], { folder });
});

describe('a configuration that was only found', () => {
  it('sets every key in this test', () => {
    const set = new Set(hostile.whole.flatMap((config) => [...keysOf(config)]));
    // Tables have any names.
    const isSet = (key: string) => set.has(key) || [...set].some((one) => one.startsWith(`${key}.`));
    expect(schemaKeys().filter((key) => !isSet(key))).toEqual([]);
  });

  it.each(commands)('does not count for %s %s, which says so', async (...args) => {
    for (const config of hostile.whole) {
      write(config);
      const { code, stderr } = await runToEnd(args);
      expectNothingDone();
      if (isReader(args)) expect(stderr).toContain(words);
      if (needing.includes(args[0]!)) expect(code).toBe(2);
    }
  });

  const given = { flags: {}, env: {} };

  it.each(Object.entries(hostile.options))('has no %s', (key, value) => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      write({ [key]: value });
      const found = loadOptions(given);
      rmSync('chatferry.yaml');
      expect(found).toEqual(loadOptions(given));
    } finally {
      process.chdir(before);
    }
  });

  it('does not have to be one', async () => {
    writeFileSync(join(folder, 'chatferry.yaml'), 'yes: [');
    expect(await run(['plan', 'small export'], { folder, env })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(words),
    });
  });

  it('is said in the form of everything else', async () => {
    write({ only: 'in:nowhere' });
    const plan = async (...more: string[]) => await run(['plan', 'small export', ...more], { folder, env });
    expect((await plan('--quiet')).stderr).toBe(`${words}\n`);
    const { stdout, stderr } = await plan('--json', '--progress', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ read: 3, planned: 3 });
    expect(
      stderr
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).message),
    ).toContain(words);
    const journal = await run(['sync', '--once'], { folder, env: { ...env, JOURNAL_STREAM: '8:1' } });
    expect(JSON.parse(journal.stderr)).toMatchObject({ level: 'error', msg: words });
  });

  it('stops what would be sent to a service without it', async () => {
    write({ only: 'in:nowhere' });
    const submit = ['submit', '--tenant', 'acme', 'small export', '--to', url];
    const fleet = { CHATFERRY_FLEET_DATABASE: hostile.fleet.database, CHATFERRY_FLEET_FILES: './files' };
    expect(await run(submit, { folder, env: { ...env, ...fleet } })).toMatchObject({ code: 2 });
    expect(await run(['import', 'small export', '--yes', '--to', url], { folder, env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('without the configuration of this folder'),
    });
    expectNothingDone();
  });

  it('starts no PostgreSQL that was only found, either', async () => {
    write({});
    mkdirSync(join(folder, 'chatferry-fleet'));
    for (const args of [['worker'], ['fleet', 'status']])
      expect(await run(args, { folder, env })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('Cannot use the PostgreSQL in "./chatferry-fleet"'),
      });
    rmSync(join(folder, 'chatferry-fleet'), { recursive: true });
  });
});
