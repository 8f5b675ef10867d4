import { writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { type GeneratedExport, makeExport } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { type Ended, run, runJson, start, testKey } from '../cli/process.ts';
import { gatedServer } from '../cli/slow-server.ts';

/** Tests of what the machine around a run may do to it: everything still arrives once, and the exit code is correct. */

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };
const made: GeneratedExport = makeExport(join(home.path, 'export'), { seed: 5, messages: 240 });

const lastObject = ({ stdout }: Ended) => JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Record<string, unknown>;

/** A module that is loaded before the program. */
function preload(folder: string, code: string): Record<string, string> {
  const path = join(folder, 'preload.mjs');
  writeFileSync(path, code);
  return { NODE_OPTIONS: `--import ${path}` };
}

/** A server of this process, and the arguments of an import into it. */
async function remote(folder: string) {
  const data = join(folder, 'server.db');
  const server = await gatedServer(data, testKey);
  const args = [
    'import',
    made.folder,
    '--to',
    server.url,
    '--yes',
    '--batch-items',
    '20',
    '--grace-period',
    '1s',
    '--json',
  ];
  return {
    server,
    args,
    expectArrived: () => expect(byName(sandboxContents(data))).toEqual(byName(made.conversations)),
  };
}

describe('a process that is suspended during its requests', () => {
  it('continues where it stopped: nothing times out at once, nothing is sent again', async () => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    const { child, ended } = start([...args, '--concurrency', '4'], { folder, env });
    await server.held();
    child.kill('SIGSTOP');
    // The answers come while the process is stopped.
    server.open();
    await wait(1500);
    child.kill('SIGCONT');
    const end = await ended;
    expect(end.code).toBe(0);
    expect(lastObject(end)).toMatchObject({
      imported: made.planned,
      unconfirmed: 0,
      late: 0,
      requests: { import: Math.ceil(made.planned / 20), retried: 0 },
    });
    expectArrived();
  });
});

describe('a clock that jumps', () => {
  it.each([
    ['forward by years', 10 * 365 * 86_400_000],
    ['back by two days', -2 * 86_400_000],
  ])('%s during a run changes nothing but stamps', async (_, jumpMs) => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    server.open();
    // Jumps to and fro: every third look at the clock is another time.
    const jumping = `const real = Date.now; let looks = 0;
      Date.now = () => real() + (++looks % 3 === 0 ? ${jumpMs} : 0);`;
    const { code, json } = await runJson(args, { folder, env: { ...env, ...preload(folder, jumping) } });
    expect({ code, json }).toMatchObject({ code: 0, json: { imported: made.planned, requests: { retried: 0 } } });
    expectArrived();
  });

  it('between a kill and the next run sends nothing twice, at a server that stores duplicates', async () => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    const { child, ended } = start(args, { folder, env });
    await server.held();
    child.kill('SIGKILL');
    await ended;
    server.open();
    const behind = preload(folder, 'const real = Date.now; Date.now = () => real() - 2 * 86_400_000;');
    const { code, json } = await runJson(args, { folder, env: { ...env, ...behind } });
    expect({ code, json }).toMatchObject({ code: 0, json: { imported: made.planned, unconfirmed: 0 } });
    expectArrived();
  });
});

describe('another country', () => {
  it('makes the same ids and the same messages', async () => {
    const staged = async (around: Record<string, string>) => {
      const folder = home.make();
      await run(['plan', made.folder, '--quiet'], { folder, env: around });
      const db = new Database(join(folder, 'chatferry.db'), { readonly: true });
      const rows = db.prepare('SELECT muid, sent_at, payload FROM message ORDER BY muid').all();
      db.close();
      return rows;
    };
    const here = await staged({ TZ: 'UTC', LC_ALL: 'C', LANG: 'C' });
    expect(here.length).toBeGreaterThan(100);
    expect(await staged({ TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' })).toEqual(here);
  });
});

describe('few files that may be open', () => {
  it('are enough, or are named: no message is invalid for it', async () => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    server.open();
    for (const limit of [26, 34, 64]) {
      const { code, stdout, stderr } = await start(args, { folder, env, shell: `ulimit -n ${limit}` }).ended;
      expect([0, 5, 7], `limit ${limit}: ${stderr}`).toContain(code);
      expect(stderr).not.toMatch(/^\s+at /m);
      if (code === 0) expect(JSON.parse(stdout)).toMatchObject({ invalid: 0, failed: 0 });
    }
    const { json } = await runJson(args, { folder, env });
    expect(json).toMatchObject({ exit: 0, invalid: 0, failed: 0, unconfirmed: 0 });
    expectArrived();
  });
});

describe('a heap that is used up', () => {
  it('is a kill like any other', async () => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    const hog = `const kept = []; setInterval(() => { if (process.env.HOG) for (;;) kept.push(new Array(1e5).fill(0.5 + kept.length)); }, 500);`;
    const more = preload(folder, hog);
    const options = { NODE_OPTIONS: `${more.NODE_OPTIONS} --max-old-space-size=64` };
    const { code, signal } = await start(args, { folder, env: { ...env, ...options, HOG: '1' } }).ended;
    expect(code === 134 || signal === 'SIGABRT', `${code} ${signal}`).toBe(true);
    server.open();
    expect(await runJson(args, { folder, env })).toMatchObject({ code: 0, json: { imported: made.planned } });
    expectArrived();
  });
});

describe('outputs that take nothing', () => {
  it.each([
    ['standard output is closed', 'exec >&-', []],
    ['standard error is closed', 'exec 2>&-', ['--progress', 'json']],
    ['the disk of standard output is full', 'exec >/dev/full', []],
    ['the disk of progress is full', 'exec 2>/dev/full', []],
    ['the disk of the log is full', 'exec 2>/dev/full', ['--progress', 'json']],
  ])('are no reason to stop where %s', async (_, shell, log) => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    server.open();
    expect((await start([...args, ...log], { folder, env, shell }).ended).code).toBe(0);
    expectArrived();
  });

  it('are no reason to stop if the reader goes away midway', async () => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    const { child, ended } = start([...args, '--progress', 'json'], { folder, env });
    await server.held();
    child.stdout!.destroy();
    child.stderr!.destroy();
    server.open();
    expect((await ended).code).toBe(0);
    expectArrived();
  });
});

describe('a report that cannot be written', () => {
  it('is said, with 7, after the result of the run', async () => {
    const folder = home.make();
    const { server, args, expectArrived } = await remote(folder);
    server.open();
    writeFileSync(join(folder, 'taken'), 'a file, where a folder would be');
    const end = await start([...args, '--report', 'taken'], { folder, env }).ended;
    expect(end.code).toBe(7);
    expect(end.stderr).toContain('Cannot write the report to "taken"');
    expect(lastObject(end)).toMatchObject({ exit: 7, report: null, imported: made.planned, verify: { missing: 0 } });
    expect((await run(['report'], { folder })).code).toBe(0);
    expectArrived();
  });
});
