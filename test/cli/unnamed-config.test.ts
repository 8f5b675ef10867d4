import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../src/cli/main.ts';
import { ruleOf } from '../../src/config/harmless-keys.ts';
import { openDatabase } from '../../src/lib/sqlite.ts';
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

/** Words that a command wants after its name, by the name of the argument. */
const words: Readonly<Record<string, string>> = {
  EXPORT: 'small export',
  SHELL: 'bash',
  UNIT: 'acme/a',
  FILE: 'm.yaml',
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
  const given = command.registeredArguments.map((argument) => words[argument.name()] ?? 'x');
  const known = flags.filter(([flag]) => command.options.some(({ long }) => long === flag));
  return [...path, ...given, ...known.flat()];
}

const commands = [
  ...leaves.map(([command, path]) => argsOf(command, path)),
  ...operations.map(({ name }) => ['call', name]),
  ['submit', '--tenant', 'acme', 'small export', '--to', 'https://chat.example.com'],
  ['fleet', 'status', '--watch'],
];

const trusting = ['sync', 'jobs', 'worker', 'fleet', 'submit', 'call'];
/** Whether a command has an option that does not count in such a file, or reads a part of the file that has such keys. */
const isRefused = ([name = '', ...rest]: readonly string[]): boolean =>
  trusting.includes(name) ||
  readers.some(
    ([command, path]) =>
      path.every((word, index) => [name, ...rest][index] === word) && riskyOptionsOf(command).length > 0,
  );

const riskyOptionsOf = (command: Command): readonly string[] =>
  command.options
    .map((option) => option.attributeName())
    .filter((option) => Object.hasOwn(hostile.options, option) && ruleOf(option)?.counts !== 'always');

/** Whether a job may say it, too. */
const isOfJobs = (key: string): boolean => schemaKeys().includes(`jobs[].${key}`);

const env = { CHATFERRY_API_KEY: testKey };
const found = 'was found in this folder, not named';
const times = { schedule: '0 3 * * *', timeZone: 'UTC', jitter: '1s', keepReports: { count: '2' } };

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

  it.each(commands)('reaches nothing through %s %s', async (...args) => {
    for (const config of hostile.whole) {
      write(config);
      const { code, stderr } = await runToEnd(args);
      expectNothingDone();
      if (!isRefused(args)) continue;
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(found) });
    }
  });

  const riskyOptions = Object.entries(hostile.options).filter(([key]) => ruleOf(key)?.counts !== 'always');

  it.each(riskyOptions)('stops every command that would use its %s, and no other', async (key, value) => {
    write({ [key]: value });
    for (const [command, path] of readers) {
      const isUsed = riskyOptionsOf(command).includes(key) || (path[0] === 'sync' && isOfJobs(key));
      if (!isUsed) continue;
      const { code, stderr } = await run(argsOf(command, path), { folder, env });
      expect({ path, code, stderr }).toEqual({ path, code: 2, stderr: expect.stringContaining(`${key} (line 2)`) });
    }
    expect(await run(['checks'], { folder, env })).toMatchObject({ code: 0 });
    expectNothingDone();
  });

  const job = { name: 'a', to: 'sandbox', export: './small export' };

  it.each<[string, unknown]>([
    ...hostile.locations.map((location): [string, unknown] => [
      'jobs.0.export',
      { jobs: [{ ...job, export: location }] },
    ]),
    ['jobs.0.media.to', { jobs: [{ ...job, media: { to: './media', address: url } }] }],
    ['jobs.0.report', { jobs: [{ ...job, report: out('report') }] }],
    ['sync.webhook', { jobs: [job], sync: { webhook: {} } }],
    ...Object.entries(hostile.sync).map(([key, value]): [string, unknown] => [
      `sync.${key}`,
      { jobs: [job], sync: { [key]: value } },
    ]),
  ])('stops sync with %s: %j', async (key, config) => {
    write(config);
    const looks = key === 'sync.state' ? [['jobs']] : [];
    for (const args of [['sync', '--once'], ['sync'], ...looks])
      expect(await run(args, { folder, env })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`sets ${key}`),
      });
    expectNothingDone();
  });

  const fleetKeys = Object.entries(hostile.fleet).filter(([key]) => ruleOf(`fleet.${key}`)?.counts !== 'always');

  it.each(fleetKeys)(
    'stops every command of a fleet with fleet.%s, also if a variable names the database',
    async (key, value) => {
      write({ fleet: { [key]: value } });
      const variables = { CHATFERRY_FLEET_DATABASE: hostile.fleet.database, CHATFERRY_FLEET_FILES: './files' };
      for (const args of [['worker'], ['fleet', 'init'], ['fleet', 'status'], ['fleet', 'open', 'acme/a']])
        for (const more of [{}, variables])
          expect(await run(args, { folder, env: { ...env, ...more } })).toMatchObject({
            code: 2,
            stderr: expect.stringContaining(`sets fleet.${key} (line 3)`),
          });
      expectNothingDone();
    },
  );

  it('sends no messages of its own to a destination that a variable names', async () => {
    write({ jobs: [job] });
    for (const more of [{ CHATFERRY_TO: url }, { CHATFERRY_APP_ID: 'mine', CHATFERRY_REGION: 'us' }])
      expect(await run(['sync', '--once'], { folder, env: { ...env, ...more } })).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('names a destination'),
      });
    expectNothingDone();
  });

  it('writes through no link, and removes no folder that a state in its folder names as an old report', async () => {
    const elsewhere = home.make();
    mkdirSync(join(elsewhere, 'a'));
    symlinkSync(join(elsewhere, 'a', 'new.db'), join(folder, 'chatferry-a.db'));
    write({ jobs: [job] });
    const leads = { code: 2, stderr: expect.stringContaining('leads out of its folder') };
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject(leads);
    rmSync(join(folder, 'chatferry-a.db'));
    mkdirSync(join(folder, 'links'));
    symlinkSync(join(elsewhere, 'a'), join(folder, 'links', 'a'));
    write({ jobs: [{ ...job, report: './links' }] });
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject(leads);
    expect(readdirSync(join(elsewhere, 'a'))).toEqual([]);

    write({ jobs: [{ ...job, keepReports: { count: '1' } }] });
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject({ code: 0 });
    const db = openDatabase(join(folder, 'chatferry.jobs.db'));
    db.prepare('UPDATE job_run SET report = ?').run(join(elsewhere, 'a'));
    db.close();
    rmSync(join(folder, 'chatferry-a.db'));
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject({ code: 0 });
    expect(existsSync(join(elsewhere, 'a'))).toBe(true);
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

  it('is used for all harmless keys, and for keys that a flag or a variable overrides', async () => {
    const harmless = Object.entries(hostile.options).filter(([key]) => ruleOf(key)?.counts === 'always');
    const { rehearseFor: _, showMessage: __, bandwidth: ___, ...top } = Object.fromEntries(harmless);
    write({
      ...top,
      store: './mine.db',
      report: './reports',
      mapping: './m.yaml',
      to: url,
      jobs: [job],
      fleet: hostile.fleet,
    });
    const args = ['import', 'small export', '--to', 'sandbox'];
    const variables = { CHATFERRY_MAPPING: './own.yaml' };
    writeFileSync(join(folder, 'own.yaml'), '');
    expect(await run(args, { folder, env: { ...env, ...variables } })).toMatchObject({ code: 0 });
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['mine.db', 'reports']));
    write({
      ...top,
      report: './reports',
      jobs: [{ ...job, ...times }],
      sync: { state: './s.db', log: { file: './log' } },
    });
    expect(await run(['sync', '--once'], { folder, env })).toMatchObject({ code: 0 });
    expect(await run(['jobs'], { folder, env })).toMatchObject({ code: 0 });
    expectNothingDone();
  });
});
