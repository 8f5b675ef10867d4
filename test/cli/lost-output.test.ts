import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { buildProgram } from '../../src/cli/main.ts';
import { processHost } from '../../src/cli/host.ts';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';
import { type Ended, run, type ServedSandbox, serveSandbox, start, testKey } from './in-process.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey, CHATFERRY_FROM_KEY: testKey };
const words = 'Cannot write to standard output: the disk is full (ENOSPC)\n  The output is incomplete';

/** Standard output that takes no byte. */
const failing = (code: string): Writable =>
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      done(chunk.length === 0 ? null : Object.assign(new Error(`${code}: write`), { code }));
    },
  });

const toFullDisk = (args: readonly string[], folder: string): Promise<Ended> =>
  run(args, { folder, env, output: failing('ENOSPC') });

/** `media copy`, `status`: every command that is not a list of others. */
const leaves = ({ commands }: Command, above = ''): string[] =>
  commands.flatMap((command) => {
    const name = `${above}${command.name()}`;
    return command.commands.length > 0 ? leaves(command, `${name} `) : [name];
  });

const names = leaves(await buildProgram(processHost()));

/** Commands that need a PostgreSQL, an hour or a browser. */
const helpOnly = /^(?:desk|fleet|submit|worker|selftest)\b/;

/** Arguments for each command that make it print something. The commands run one after another, in one folder. */
const args: Readonly<Record<string, readonly string[]>> = {
  inspect: ['export.ndjson'],
  init: ['export.ndjson', '--yes'],
  trust: [],
  'mapping test': ['mapping.yaml'],
  checks: [],
  doctor: ['export.ndjson', '--yes'],
  plan: ['export.ndjson'],
  people: [],
  import: ['export.ndjson', '--yes'],
  'media copy': ['--media-to', './media', '--media-base-url', 'https://files.example.com/'],
  'media verify': [],
  'media undo': ['--yes'],
  convert: ['export.ndjson', '--out', '-'],
  fetch: ['--out', 'fetched', '--from'],
  status: [],
  report: [],
  verify: [],
  explain: ['m1'],
  'export-failed': ['--out', '-'],
  retry: ['--yes'],
  reconcile: ['export.ndjson', '--store', 'rebuilt.db', '--grace-period', '0s', '--to'],
  purge: ['--yes'],
  undo: ['--yes'],
  sync: ['--once', '--config', 'jobs.yaml'],
  jobs: ['--config', 'jobs.yaml'],
  sandbox: ['--port', '0'],
  call: ['--list'],
  completion: ['bash'],
  version: [],
};

describe('a command whose standard output is on a full disk', () => {
  let folder: string;
  let service: ServedSandbox;
  beforeAll(async () => {
    folder = home.make();
    service = await serveSandbox(folder);
    writeRecords(join(folder, 'export.ndjson'), [
      person('ann'),
      channel('general'),
      says(1, 'general', 'ann', 'Hello'),
    ]);
    writeFileSync(join(folder, 'mapping.yaml'), '{}\n');
    writeFileSync(
      join(folder, 'jobs.yaml'),
      'store: jobs.db\nto: sandbox\njobs: [{ name: one, export: ./export.ndjson }]\n',
    );
  });

  it.each(names)('%s --help ends with 7', async (name) => {
    const { code, stderr } = await toFullDisk([...name.split(' '), '--help'], folder);
    expect({ code, stderr }).toEqual({ code: exitCodes.store, stderr: expect.stringContaining(words) });
  });

  it('is tried as a whole, each', () => {
    expect(Object.keys(args).sort()).toEqual(names.filter((name) => !helpOnly.test(name)).sort());
  });

  it.each(Object.keys(args).filter((name) => name !== 'sandbox'))('%s ends with 7', async (name) => {
    const given = [...name.split(' '), ...args[name]!];
    if (/^--(?:from|to)$/.test(given.at(-1)!)) given.push(service.url);
    const { code, stderr } = await toFullDisk(given, folder);
    expect({ code, stderr }).toEqual({ code: exitCodes.store, stderr: expect.stringContaining(words) });
  });

  it('sandbox serves on, and ends with 7 when it is stopped', async () => {
    const { kill, ended } = start(['sandbox', ...args.sandbox!], { folder, env, output: failing('ENOSPC') });
    await vi.waitFor(() => kill('SIGTERM'));
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: exitCodes.store, stderr: expect.stringContaining(words) });
  });

  it.each(['--version', '--help', 'help', 'help import'])('%s ends with 7', async (line) => {
    expect(await toFullDisk(line.split(' '), folder)).toMatchObject({ code: exitCodes.store });
  });
});

describe('a reader of standard output that went away', () => {
  it.each(['EPIPE', 'ECONNRESET', 'EOF'])('is no error: %s', async (code) => {
    const ended = await run(['checks'], { folder: home.make(), output: failing(code) });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('does not hide that a command failed', async () => {
    const folder = home.make();
    expect(await run(['plan', 'nowhere'], { folder, output: failing('EPIPE') })).toMatchObject({ code: 4 });
  });
});
