import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { Secret } from '../../src/lib/secret.ts';
import { importExport } from '../../src/commands/move.ts';
import { undoDestination } from '../../src/commands/repair.ts';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import type { ImportRequest } from '../../src/commands/requests.ts';
import { apiKey } from '../scenes/bench.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { change, column, WatchedSandbox } from '../scenes/server-scene.ts';
import { sessionRequest } from '../scenes/session-request.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, person, says, writeRecords } from '../scenes/write-records.ts';

const home = temporaryFolder();

const records = [
  person('ann'),
  person('bob', { isDeleted: true }),
  person('cleo', { isDeleted: true }),
  person('dan', { isDeleted: true }),
  channel('general', { members: ['ann', 'bob', 'cleo'] }),
  { ...channel('both', { members: ['bob', 'dan'] }), type: 'direct' as const },
  says(1, 'general', 'ann', 'one'),
  says(2, 'general', 'bob', 'two'),
  says(3, 'both', 'bob', 'three'),
  says(4, 'both', 'dan', 'four'),
];
const everything = { both: ['three', 'four'], general: ['one', 'two'] };

/** A server that imports people, with an export in which three of four people are deactivated. */
async function scene(changes: Parameters<typeof sessionRequest>[1] = {}) {
  const folder = home.make();
  const data = join(folder, 'server.db');
  mkdirSync(join(folder, 'export'));
  const file = join(folder, 'export', 'export.ndjson');
  writeRecords(file, records);
  const sandbox = new WatchedSandbox({
    store: openSandboxStore(data),
    apiKey,
    profile: 'spec',
    clock: systemClock,
    hasDirectory: true,
  });
  const served = await serveSandbox(sandbox);
  process.env.CHATFERRY_STATE_DIR = join(folder, 'state');
  onTestFinished(async () => {
    await served.close(100);
    await sandbox.close();
    delete process.env.CHATFERRY_STATE_DIR;
  });
  const overrides = { graceLongMs: 60, people: 'import' as const };
  const request = await sessionRequest(folder, {
    to: served.url,
    apiKey: new Secret(apiKey),
    from: [file],
    overrides,
    ...changes,
  });
  return { data, file, sandbox, request };
}

const deactivated = (data: string) => column(data, 'SELECT id FROM user WHERE deactivated_at IS NOT NULL ORDER BY id');
const undo = (request: ImportRequest) => undoDestination({ ...request, confirm: async () => true });

/** The texts in a sandbox, by conversation. */
const contents = (data: string) =>
  Object.fromEntries(
    Object.entries(byName(sandboxContents(data))).map(([name, texts]) => [
      name.startsWith('group') ? 'general' : 'both',
      texts,
    ]),
  );

describe('people who are deactivated in the export', () => {
  it('are imported active, and deactivated when their messages were read back', async () => {
    const { data, request } = await scene();
    const stages: string[] = [];
    const stage = (name: string) => {
      stages.push(name);
      return { update() {}, finish() {} };
    };
    const { report, exit } = await importExport({ ...request, progress: { ...request.progress!, stage } });
    expect(exit).toBe(exitCodes.done);
    expect(stages.filter((name) => name === 'Verifying')).toHaveLength(1);
    expect(contents(data)).toEqual(everything);
    expect(deactivated(data)).toEqual(['bob', 'cleo', 'dan']);
    expect(report.verify).toMatchObject({ same: 4, actions: { deactivations: { same: 3, missing: 0 } } });
  });

  it('stay active while something differs', async () => {
    const { data, sandbox, request } = await scene();
    let isChanged = false;
    sandbox.onRequest = () => {
      if (isChanged || sandboxContents(data).get('group_general')?.length !== 2) return;
      isChanged = true;
      change(data, `DELETE FROM message WHERE data ->> '$.text' = 'two'`);
    };
    const { report } = await importExport(request);
    expect(report.verify).toMatchObject({ missing: 1 });
    expect(deactivated(data)).toEqual([]);
  });

  it('are deactivated without a verification if there is to be none', async () => {
    const { data, request } = await scene({ verify: false });
    await importExport(request);
    expect(deactivated(data)).toEqual(['bob', 'cleo', 'dan']);
  });

  it('stay active if the mapping says that they have no names', async () => {
    const { data, request } = await scene({ mapping: 'people: { deleted: placeholder }\n' });
    await importExport(request);
    expect([contents(data), deactivated(data)]).toEqual([everything, []]);
  });

  it('are activated for what comes later, and deactivated again', async () => {
    const { data, file, request } = await scene();
    await importExport(request);
    writeRecords(file, [...records, says(5, 'general', 'cleo', 'five')]);
    expect((await importExport(request)).exit).toBe(exitCodes.done);
    expect(contents(data)).toEqual({ ...everything, general: ['one', 'two', 'five'] });
    expect(deactivated(data)).toEqual(['bob', 'cleo', 'dan']);
  });

  it('are activated by an undo if they were there before, and the next import brings everything again', async () => {
    const { data, request } = await scene();
    change(data, `INSERT INTO user (id, entity) VALUES ('bob', '{"uid":"bob","name":"there before"}')`);
    await importExport(request);
    const { exit, result } = await undo(request);
    expect({ exit, left: result.left }).toEqual({ exit: exitCodes.done, left: [] });
    expect(result.done).toMatchObject({ deactivation: { calls: 3 }, person: { calls: 3 } });
    expect([contents(data), deactivated(data)]).toEqual([{}, ['ann', 'cleo', 'dan']]);
    expect((await importExport(request)).exit).toBe(exitCodes.done);
    expect([contents(data), deactivated(data)]).toEqual([everything, ['bob', 'cleo', 'dan']]);
  });
});
