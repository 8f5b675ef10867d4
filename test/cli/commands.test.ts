import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/lib/sqlite.ts';
import { fastClock } from '../scenes/fast-clock.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { fakeService, refusingAddress } from './fake-service.ts';
import { run, runJson, serveSandbox, testKey } from './in-process.ts';
import { run as runProcess } from './process.ts';
import { damagedRows, everyFeature, smallExport } from './samples.ts';

const home = temporaryFolder();
const env = { CHATFERRY_API_KEY: testKey };

describe('chatferry without an export', () => {
  const folder = home.make();
  const commands = ['inspect', 'plan', 'import', 'status', 'report', 'verify', 'explain', 'sandbox'];

  it('chatferry --help lists every command and the exit codes', async () => {
    const { code, stdout } = await runProcess(['--help'], { folder });
    expect(code).toBe(0);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
    expect(stdout).toContain('Exit codes: 0 done');
  });

  it.each(commands)('chatferry %s --help names its options and writes nothing', async (command) => {
    const { code, stdout, stderr } = await run([command, '--help'], { folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: chatferry ${command}`);
    expect(stdout).toContain(command === 'sandbox' ? '--port' : 'CHATFERRY_');
    expect(readdirSync(folder)).not.toContain('chatferry.db');
  });

  it('chatferry alone shows its help and ends with 2', async () => {
    const { code, stderr } = await run([], { folder });
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: chatferry');
  });

  it.each([
    ['an unknown option', ['import', '--frob'], "unknown option '--frob'"],
    ['a key as an argument', ['import', '--api-key', 'x'], "unknown option '--api-key'"],
    ['an unknown command', ['ferry'], "unknown command 'ferry'"],
    ['a missing argument', ['plan'], "missing required argument 'EXPORT'"],
    ['a value that is no rate', ['import', everyFeature, '--rate', 'fast'], 'Cannot use --rate'],
    ['a port that is none', ['sandbox', '--port', '70000'], 'Cannot use --port'],
  ])('%s ends with 2 and is named', async (_, args, words) => {
    const { code, stdout, stderr } = await run(args, { folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('a path that does not exist ends with 4 and is named, with a hint', async () => {
    const { code, stderr } = await run(['plan', 'nowhere.zip'], { folder: home.make() });
    expect(code).toBe(4);
    expect(stderr).toContain('Cannot read "nowhere.zip": it does not exist\n  Check the path');
  });

  it('a folder that is not an export ends with 4, and prints what it resembles, the nearest sources and one step', async () => {
    const place = home.make();
    mkdirSync(join(place, 'holiday'));
    writeFileSync(join(place, 'holiday', 'beach.txt'), 'sand');
    const { code, stderr } = await run(['import', 'holiday'], { folder: place });
    expect(code).toBe(4);
    expect(stderr).toContain(
      'Cannot read "holiday": no source recognises it. "beach.txt" is text in UTF-8 that begins "sand". Nearest: whatsapp: no line begins',
    );
    expect(stderr).toContain('\n  Pass --source NAME');
  });

  it('a mapping fault names file, line and column, and ends with 2', async () => {
    const place = home.make();
    writeFileSync(join(place, 'rules.yaml'), 'version: 1\npeople:\n  uidd: "{id}"\n');
    const { code, stderr } = await run(['plan', everyFeature, '--mapping', 'rules.yaml'], { folder: place });
    expect(code).toBe(2);
    expect(stderr).toContain('rules.yaml:3:3: people.uidd: there is no such key');
  });

  it('status without a store ends with 7 and creates none', async () => {
    const place = home.make();
    const { code, stderr } = await run(['status'], { folder: place });
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('chatferry.db') });
    expect(existsSync(join(place, 'chatferry.db'))).toBe(false);
  });
});

describe('an import into the embedded sandbox', () => {
  it('import, status, explain, verify and a second import say the same of every message', async () => {
    const folder = home.make();
    const { code, json, stdout } = await runJson(['import', everyFeature], { folder });
    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(JSON.stringify(json));
    expect(json).toMatchObject({ read: 42, skipped: 9, invalid: 0, planned: 33, imported: 33, pending: 0, exit: 0 });
    for (const name of ['report.html', 'report.json']) {
      expect(statSync(join(folder, 'chatferry.report', name)).mode & 0o777, name).toBe(0o600);
    }
    expect(statSync(join(folder, 'chatferry.db')).mode & 0o777).toBe(0o600);

    const { json: status } = await runJson(['status'], { folder });
    expect(status).toMatchObject({ command: 'status', planned: 33, imported: 33, runId: json.runId });
    expect(status.destination).toContain(join(folder, 'chatferry.sandbox.db'));

    const byTs = await run(['explain', '1772470930.004200'], { folder });
    expect(byTs.code).toBe(0);
    const muid = byTs.stdout.split('\n')[0]!;
    const byMuid = await run(['explain', muid], { folder });
    expect(byMuid.stdout).toBe(byTs.stdout);
    expect(byMuid.stdout).toMatch(/location .*\.json/);
    expect(byMuid.stdout).toMatch(/imported, server id \d+/);
    const explained = await run(['explain', muid, '--json'], { folder });
    expect(JSON.parse(explained.stdout)).toMatchObject({ messages: [{ muid, verdict: 'planned' }] });
    const unknown = await run(['explain', 'nobody'], { folder });
    expect({ code: unknown.code, stderr: unknown.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('Cannot explain "nobody"'),
    });

    const verified = await runJson(['verify'], { folder });
    expect(verified).toMatchObject({ code: 0, json: { verify: { same: 33, missing: 0, extra: 0, different: 0 } } });

    const again = await runJson(['import', everyFeature], { folder });
    expect(again).toMatchObject({ code: 0, json: { imported: 33, requests: { import: 0, list: 0 } } });
  });

  it('--json prints every field that is promised, for plan, import, status and verify', async () => {
    const folder = home.make();
    const fields = (
      'command runId store source read duplicates skipped invalid planned imported existing failed pending unconfirmed late ' +
      'losses actions requests elapsedMs verify report exit'
    ).split(' ');
    for (const args of [['plan', everyFeature], ['import', everyFeature], ['status'], ['verify']]) {
      const { json, code } = await runJson(args, { folder });
      expect(Object.keys(json), args[0]).toEqual(expect.arrayContaining(fields));
      expect(Object.keys(json.requests)).toEqual(['import', 'list', 'retried', 'rateLimited']);
      expect(json).toMatchObject({ command: args[0], exit: code });
      expect(json.planned).toBe(json.imported + json.existing + json.failed + json.pending + json.unconfirmed);
    }
  });

  it('import without EXPORT sends the messages staged by a plan', async () => {
    const folder = home.make();
    const none = await run(['import'], { folder });
    expect({ code: none.code, stderr: none.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('holds no complete plan\n  Name the export: chatferry import EXPORT'),
    });
    const { json } = await runJson(['plan', everyFeature], { folder });
    expect(json).toMatchObject({ pending: 33, imported: 0, requests: { import: 0, list: 0 } });
    const sent = await runJson(['import'], { folder });
    expect(sent).toMatchObject({ code: 0, json: { imported: 33, pending: 0 } });
  });

  it('messages that cannot be read end plan and import with 3', async () => {
    const folder = home.make();
    const planned = await runJson(['plan', damagedRows], { folder });
    expect(planned).toMatchObject({ code: 3, json: { planned: 6, invalid: 9 } });
    const sent = await runJson(['import', damagedRows], { folder });
    expect(sent).toMatchObject({ code: 3, json: { imported: 6, invalid: 9, exit: 3 } });
    const report = JSON.parse(readFileSync(join(folder, 'chatferry.report', 'report.json'), 'utf8'));
    expect(JSON.stringify(report)).toContain('general/2026-03-02.json#/');
  });

  it('a message that is gone from the destination ends verify with 6', async () => {
    const folder = home.make();
    await run(['import', smallExport(folder)], { folder });
    const db = openDatabase(join(folder, 'chatferry.sandbox.db'));
    db.exec('DELETE FROM message WHERE id = (SELECT max(id) FROM message)');
    db.close();
    const verified = await runJson(['verify'], { folder });
    expect(verified).toMatchObject({ code: 6, json: { verify: { same: 2, missing: 1 }, exit: 6 } });
  });

  it('a file that is no store of Chatferry ends with 7', async () => {
    const folder = home.make();
    writeFileSync(join(folder, 'notes.db'), 'These are notes, and no database. '.repeat(200));
    const { code, stderr } = await run(['import', everyFeature, '--store', 'notes.db'], { folder });
    expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('notes.db') });
    expect(readFileSync(join(folder, 'notes.db'), 'utf8')).toMatch(/^These are notes/);
  });
});

describe('an import to an address', () => {
  it('without a terminal an import needs --yes, and nothing is sent', async () => {
    const folder = home.make();
    const service = await fakeService((_, response) => response.end());
    const { code, stderr } = await run(['import', everyFeature, '--to', service.url], { folder, env });
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot send 33 messages to ${service.url} without being asked to\n  Pass --yes`);
    expect(service.asked).toEqual([]);
  });

  it('a refused connection ends with 5, and the next step names the destination', async () => {
    const folder = home.make();
    const url = await refusingAddress();
    const args = ['import', smallExport(folder), '--to', url, '--yes', '--store', 'move.db'];
    const { code, stdout } = await run(args, { folder, env, clock: fastClock() });
    expect(code).toBe(5);
    expect(stdout).toContain('ECONNREFUSED');
    const next = `chatferry import '${join(folder, 'small export')}' --store move.db --to ${url}`;
    expect(stdout).toContain(next);
    const { json } = await runJson(['status', '--store', 'move.db'], { folder });
    expect(json).toMatchObject({ destination: url, pending: 3, stopped: { code: 'ECONNREFUSED' } });
  });

  it('a served sandbox takes the import once; status names it afterwards', async () => {
    const folder = home.make();
    const sandbox = await serveSandbox(folder);
    const args = ['import', everyFeature, '--to', sandbox.url, '--yes'];
    expect(await runJson(args, { folder, env })).toMatchObject({ code: 0, json: { imported: 33 } });
    const again = await runJson(args, { folder, env });
    expect(again).toMatchObject({ code: 0, json: { imported: 33, requests: { import: 0, list: 0 } } });
    const verified = await runJson(['verify'], { folder, env });
    expect(verified).toMatchObject({ code: 0, json: { destination: sandbox.url, verify: { same: 33 } } });
    await sandbox.stop();
    const { json } = await runJson(['status'], { folder });
    expect(json).toMatchObject({ destination: sandbox.url, imported: 33 });
  });
});
