import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GeneratedExport, makeExport } from '../scenes/make-export.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { run, runJson, start, testKey } from '../cli/process.ts';
import { gatedServer, listen } from '../cli/slow-server.ts';
import { canMount, smallDisk } from '../cli/small-disk.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };
const made: GeneratedExport = makeExport(join(home.path, 'export'), { seed: 3, messages: 240 });
const exported = made.folder;

const here = () => ({ folder: home.make() });
const withKey = () => ({ folder: home.make(), env });
const everythingIsSame = { same: made.planned, missing: 0, extra: 0, different: 0, duplicated: 0, foreign: 0 };

/** Every file below a folder, as text. */
function filesBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, text: readFileSync(path, 'latin1') }));
}

describe('an import that is interrupted in the middle', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'leaves totals that add up after %s; the next run sends the rest, and verifies all of it',
    async (signal, exit) => {
      const where = withKey();
      const server = await gatedServer(join(where.folder, 'server.db'), testKey);
      const args = [
        'import',
        exported,
        '--to',
        server.url,
        '--yes',
        '--grace-period',
        '1s',
        '--batch-items',
        '20',
        '--json',
      ];
      server.open();
      const first = start([...args, '--concurrency', '2'], where);
      await server.arrived('POST', 3);
      server.shut();
      await server.held();
      first.child.kill(signal);
      const { code, stdout } = await first.ended;
      expect(code).toBe(exit);
      const totals = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, number>;
      expect(totals.imported).toBeGreaterThan(0);
      expect(totals.unconfirmed).toBeGreaterThan(0);
      expect(totals.planned).toBe(totals.imported! + totals.pending! + totals.unconfirmed!);
      expect(totals.verify).toBeNull();

      server.open();
      const { json } = await runJson(args, where);
      expect(json).toMatchObject({ exit: 0, imported: made.planned, unconfirmed: 0, verify: everythingIsSame });
      expect(byName(sandboxContents(join(where.folder, 'server.db')))).toEqual(byName(made.conversations));
      expect((await runJson(args, where)).json).toMatchObject({
        exit: 0,
        requests: { import: 0, list: 0 },
        verify: null,
      });
    },
  );

  it('is verified by the next run if it was killed while it verified', async () => {
    const where = withKey();
    const server = await gatedServer(join(where.folder, 'server.db'), testKey);
    server.open();
    const args = ['import', exported, '--to', server.url, '--yes', '--json'];
    const first = start([...args, '--progress', 'json'], where);
    await first.line('"stage":"Verifying"');
    first.child.kill('SIGKILL');
    await first.ended;
    expect((await runJson(args, where)).json).toMatchObject({
      exit: 0,
      requests: { import: 0 },
      verify: everythingIsSame,
    });
  });
});

describe('a disk that takes no more', () => {
  it('ends an import with 7 and no stack, and the same command continues', async () => {
    const where = here();
    const { code, stderr } = await start(['import', exported, '--json'], { ...where, shell: 'ulimit -f 120' }).ended;
    expect({ code, stderr }).toMatchObject({ code: 7, stderr: expect.not.stringMatching(/^\s+at /m) });
    const again = await runJson(['import', exported], where);
    expect(again).toMatchObject({ code: 0, json: { imported: made.planned, verify: { duplicated: 0, missing: 0 } } });
    expect(byName(sandboxContents(join(where.folder, 'chatferry.sandbox.db')))).toEqual(byName(made.conversations));
  });

  describe.skipIf(!canMount())('because it is full', () => {
    it('records answers that still arrive, sends nothing more, and the same command continues', async () => {
      const where = withKey();
      const disk = await smallDisk(where.folder, '40m');
      const server = await gatedServer(join(where.folder, 'server.db'), testKey);
      const args = [
        'import',
        exported,
        '--to',
        server.url,
        '--yes',
        '--batch-items',
        '20',
        '--concurrency',
        '4',
        '--json',
      ];
      const onDisk = { ...where, shell: disk.shell };
      const first = start(args, onDisk);
      server.open();
      await server.arrived('POST', 3);
      server.shut();
      await server.held();
      disk.fill();
      server.open();
      const { code, stderr } = await first.ended;
      expect({ code, stderr }).toMatchObject({ code: 7, stderr: expect.stringContaining('the disk is full') });
      expect(stderr).not.toMatch(/^\s+at /m);
      const imported = 20 * server.requests.filter((line) => line.startsWith('POST')).length;
      expect(imported).toBeLessThan(made.planned);
      const between = await runJson(['status'], onDisk);
      expect(between.json).toMatchObject({ imported, unconfirmed: 0, pending: made.planned - imported });

      disk.free();
      expect((await runJson(args, onDisk)).json).toMatchObject({
        exit: 0,
        imported: made.planned,
        verify: everythingIsSame,
      });
      expect(byName(sandboxContents(join(where.folder, 'server.db')))).toEqual(byName(made.conversations));
    });

    it('sends nothing if there is no room for the answers', async () => {
      const where = withKey();
      const disk = await smallDisk(where.folder, '7m');
      const server = await gatedServer(join(where.folder, 'server.db'), testKey);
      server.open();
      const args = ['import', exported, '--to', server.url, '--yes'];
      const { code, stderr } = await start(args, { ...where, shell: disk.shell }).ended;
      expect({ code, stderr }).toMatchObject({
        code: 7,
        stderr: expect.stringContaining('.reserve": the disk is full'),
      });
      expect(server.requests.filter((line) => line.startsWith('POST'))).toEqual([]);
    });
  });
});

describe('the API key', () => {
  it('is in no output and no file after a kill, even if a gateway repeats it', async () => {
    const where = withKey();
    const confused = await listen((request, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end(`<html>${JSON.stringify(request.headers)}</html>`);
    });
    const killed = start(['import', exported, '--to', confused.url, '--yes', '--progress', 'json'], where);
    await confused.arrived('GET', 1);
    killed.child.kill('SIGKILL');
    const { stdout, stderr } = await killed.ended;
    expect(confused.headers[0]?.apikey).toBe(testKey);
    const spellings = [testKey, Buffer.from(testKey).toString('base64').replace(/=+$/, '')];
    const places = [{ path: 'stdout', text: stdout }, { path: 'stderr', text: stderr }, ...filesBelow(where.folder)];
    expect(places.length).toBeGreaterThan(3);
    const found = places.filter(({ text }) => spellings.some((spelling) => text.includes(spelling)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

describe('output that is not read', () => {
  it.each(['status', 'report'])('is no fault of %s', async (command) => {
    const where = here();
    await run(['plan', exported, '--quiet'], where);
    const looking = start([command], where);
    looking.child.stdout!.destroy();
    const { code, stderr } = await looking.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe('settings of an import', () => {
  it('apply from the file, from variables and from flags, even if they turn something off', async () => {
    const where = here();
    writeFileSync(join(where.folder, 'chatferry.yaml'), 'report: from-file\nbatchItems: 10\nverify: false\n');
    const named = ['--config', 'chatferry.yaml'];
    expect((await runJson(['import', exported, '--store', '1.db', ...named], where)).json).toMatchObject({
      report: 'from-file/report.html',
      verify: null,
      requests: { import: Math.ceil(made.planned / 10) },
    });
    const variables = { CHATFERRY_BATCH_ITEMS: '20', CHATFERRY_VERIFY: 'true' };
    expect(
      (await runJson(['import', exported, '--store', '2.db', ...named], { ...where, env: variables })).json,
    ).toMatchObject({
      verify: everythingIsSame,
      requests: { import: Math.ceil(made.planned / 20) },
    });
    const flags = [...named, '--store', '3.db', '--batch-items', '30', '--no-verify'];
    expect((await runJson(['import', exported, ...flags], { ...where, env: variables })).json).toMatchObject({
      verify: null,
      requests: { import: Math.ceil(made.planned / 30) },
    });
  });

  it('are refused before anything is read or written', async () => {
    const where = withKey();
    for (const to of ['ftp://chat.example.com', 'chat.example.com', 'http://chat.example.com', 'https://']) {
      const { code, stderr } = await run(['import', exported, '--to', to, '--yes'], where);
      expect({ to, code, stderr }).toMatchObject({ code: 2, stderr: expect.not.stringContaining('Reading') });
    }
    expect(existsSync(join(where.folder, 'chatferry.db'))).toBe(false);
  });

  it('let paths have spaces and letters of any language', async () => {
    const where = { folder: join(home.make(), 'mein Ordner Ü 東京') };
    mkdirSync(where.folder);
    const { code } = await run(['import', exported, '--store', 'mein Import.db'], where);
    expect(code).toBe(0);
    expect(existsSync(join(where.folder, 'mein Import.sandbox.db'))).toBe(true);
  });
});
