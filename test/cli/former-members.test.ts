import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/lib/flow/clock.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { serveSandbox } from '../../src/sandbox/serve.ts';
import type { ChatRecord } from '../../src/model/records.ts';
import type { ReportData } from '../../src/report/report-data.ts';
import { byName, sandboxContents } from '../scenes/sandbox-contents.ts';
import { WatchedSandbox } from '../scenes/server-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { channel, noonMs, person, says, writeRecords } from '../scenes/write-records.ts';
import { run, runJson, testKey } from './in-process.ts';

const home = temporaryFolder();

/** Cid left the harbour and Dot was banned from it, a bot never was a member of the pier, and the export does not list who is in the lobby. */
const records: readonly ChatRecord[] = [
  ...['ann', 'ben', 'cid', 'dot', 'bot'].map((id) => person(id)),
  channel('harbour', {
    members: ['ann', 'ben', 'dot'],
    memberships: [
      { user: 'ann', scope: 'admin' },
      { user: 'cid', joinedAtMs: noonMs - 60_000, leftAtMs: noonMs + 60_000 },
      { user: 'dot', isBanned: true },
    ],
    createdAtMs: noonMs - 30_000,
  }),
  channel('pier', { members: ['ann'] }),
  channel('lobby'),
  channel('quiet', { members: ['ann', 'ben'] }),
  says(1, 'harbour', 'ann', 'one'),
  says(2, 'harbour', 'cid', 'two'),
  says(3, 'harbour', 'ben', 'three'),
  says(4, 'harbour', 'dot', 'four'),
  says(5, 'pier', 'ann', 'five'),
  says(6, 'pier', 'bot', 'six'),
  says(7, 'pier', 'ann', 'seven'),
  says(8, 'lobby', 'ben', 'eight'),
  says(9, 'quiet', 'ben', 'nine'),
];

const everything = {
  harbour: ['one', 'two', 'three', 'four'],
  lobby: ['eight'],
  pier: ['five', 'six', 'seven'],
  quiet: ['nine'],
};

const readReport = (folder: string): ReportData =>
  JSON.parse(readFileSync(join(folder, 'chatferry.report/report.json'), 'utf8'));

async function scene(former?: string, listless = 'writers') {
  const folder = home.make();
  writeRecords(join(folder, 'export.ndjson'), records);
  const data = join(folder, 'server.db');
  const sandbox = new WatchedSandbox({
    store: openSandboxStore(data),
    apiKey: testKey,
    profile: 'spec',
    clock: systemClock,
    hasDirectory: true,
  });
  sandbox.plan = { outsiders: 'refused' };
  const served = await serveSandbox(sandbox);
  onTestFinished(async () => {
    await served.close(100);
    await sandbox.close();
  });
  const decide = (way: string) =>
    writeFileSync(
      join(folder, 'mapping.yaml'),
      `version: 1\npeople: { former: ${way} }\nconversations: { members: ${listless} }\n`,
    );
  decide(former ?? 'ask');
  const place = { folder, env: { CHATFERRY_API_KEY: testKey } };
  const at = ['--to', served.url, '--people', 'import', '--mapping', 'mapping.yaml', '--yes', '--quiet'];
  const there = () => {
    const contents = sandboxContents(data);
    return Object.fromEntries(
      Object.entries(byName(contents)).map(([name, texts]) => [
        name.replace('group_', ''),
        texts.filter((text) => text !== null),
      ]),
    );
  };
  return {
    folder,
    sandbox,
    decide,
    there,
    members: () => membersIn(data),
    actions: () => actionsIn(data),
    bans: () => select(data, 'SELECT uid FROM group_ban'),
    plan: () => runJson(['plan', 'export.ndjson', ...at.filter((word) => word !== '--yes')], place),
    send: () => runJson(['import', 'export.ndjson', ...at], place),
    verify: () => runJson(['verify', ...at.filter((word) => word !== '--yes').slice(0, 2), '--quiet'], place),
    run: (...args: readonly string[]) => run([...args], place),
  };
}

const select = (data: string, sql: string): string[] => {
  const db = new Database(data, { readonly: true });
  try {
    return db.prepare<[], string>(sql).pluck().all();
  } finally {
    db.close();
  }
};

const membersIn = (data: string) => select(data, `SELECT guid || ' ' || uid FROM group_member ORDER BY 1`);
const actionsIn = (data: string) =>
  select(data, `SELECT json_extract(entities, '$.on.entity.uid') FROM message WHERE category = 'action' ORDER BY 1`);

describe('messages of people who are no members of their group, if the service refuses them', () => {
  it('wait with what follows them in their conversation, and are asked about once', async () => {
    const { folder, send, there, plan, run: runHere } = await scene();
    const { json: planned } = await plan();
    expect(planned).toMatchObject({ planned: 9, exit: 0 });
    const first = await send();
    expect(first.json).toMatchObject({
      imported: 4,
      pending: 5,
      failed: 0,
      exit: 5,
      stopped: { code: 'former-members', hint: expect.stringContaining('people.former') },
    });
    expect(there()).toEqual({ harbour: ['one'], lobby: ['eight'], pier: ['five'], quiet: ['nine'] });
    const { decisions } = readReport(folder);
    expect(decisions.find(({ id }) => id === 'former-member')).toMatchObject({
      id: 'former-member',
      why: expect.stringContaining('3 people in 2 groups'),
      about: { count: 3, of: 'messages', isExact: true },
      examples: expect.arrayContaining([expect.stringContaining('"Person cid" is no member of "harbour"')]),
      answer: null,
    });
    expect((await runHere('status')).stdout).toContain('wait, because');
    // Each conversation is tried once more, and no further.
    const again = await send();
    expect(again.json).toMatchObject({ imported: 4, pending: 5, exit: 5, requests: { import: 1 } });
  });

  it.each(['before the first import', 'after it has asked'])(
    'are sent with their authors as members, who are removed once everything is verified: decided %s',
    async (when) => {
      const isAsked = when === 'after it has asked';
      const { decide, send, there, members, actions, verify, run: runHere } = await scene(isAsked ? 'ask' : 'join');
      if (isAsked) expect((await send()).code).toBe(5);
      decide('join');
      const { json, stderr } = await send();
      expect(json, stderr).toMatchObject({ imported: 9, exit: 0, verify: { missing: 0, foreign: 0 } });
      expect(json.arrivals.members).toMatchObject({ leaving: 0, staying: 0, left: 3, planned: 9, imported: 9 });
      expect(there()).toEqual(everything);
      expect(members()).toEqual(['harbour ann', 'harbour ben', 'lobby ben', 'pier ann', 'quiet ann', 'quiet ben']);
      expect(actions()).toEqual(['bot', 'cid', 'dot']);
      expect((await verify()).json).toMatchObject({ exit: 0, verify: { same: 9, missing: 0, extra: 0, foreign: 0 } });
      expect((await send()).json).toMatchObject({ exit: 0, requests: { import: 0 } });
      expect(actions()).toHaveLength(3);
      const undone = await runHere('undo', '--yes');
      expect([undone.code, undone.stdout + undone.stderr]).toEqual([0, expect.anything()]);
      expect(members()).toEqual([]);
    },
  );

  it.each(['before the first import', 'after it has asked'])('are left out and counted: decided %s', async (when) => {
    const isAsked = when === 'after it has asked';
    const { folder, decide, send, there, members, actions } = await scene(isAsked ? 'ask' : 'leave-out');
    if (isAsked) expect((await send()).code).toBe(5);
    decide('leave-out');
    const { json } = await send();
    expect(json).toMatchObject({ planned: 6, skipped: 3, imported: 6, exit: 0, verify: { missing: 0 } });
    expect(readReport(folder).skipped).toMatchObject([{ code: 'message of a former member', count: 3 }]);
    expect(there()).toEqual({ harbour: ['one', 'three'], lobby: ['eight'], pier: ['five', 'seven'], quiet: ['nine'] });
    expect(members()).toEqual(['harbour ann', 'harbour ben', 'lobby ben', 'pier ann', 'quiet ann', 'quiet ben']);
    expect(actions()).toEqual([]);
    decide('join');
    expect((await send()).json).toMatchObject({ planned: 9, skipped: 0, imported: 9, exit: 0 });
    expect(actions()).toEqual(['bot', 'cid', 'dot']);
  });

  it('leave out no group as a whole: who is a member of a group without a list is another decision', async () => {
    const { send, there } = await scene('leave-out', 'ask');
    expect((await send()).json).toMatchObject({ planned: 6, skipped: 3, imported: 5, pending: 1, exit: 5 });
    expect(there()).not.toHaveProperty('lobby');
  });

  it('stay members whom the destination had as members before', async () => {
    const { sandbox, send, members, actions, there } = await scene('join');
    const make = (kind: string, items: object) =>
      sandbox.deliver({
        method: 'POST',
        path: `/v3/data_import/${kind}`,
        headers: { apikey: testKey },
        body: JSON.stringify({ [kind]: items }),
      });
    make('users', { cid: { uid: 'cid', name: 'Cid' } });
    make('groups', { harbour: { guid: 'harbour', name: 'Harbour', type: 'public', createdAt: 1_700_000_000 } });
    const member = { memberId: 'harbour_member_cid', guid: 'harbour', uid: 'cid', joinedAt: 1_700_000_001 };
    make('members', { harbour_member_cid: member });
    expect((await send()).json).toMatchObject({ imported: 9, exit: 0 });
    expect(there()).toEqual(everything);
    expect(members()).toContain('harbour cid');
    expect(actions()).toEqual(['bot', 'dot']);
  });

  it('are sent as before to a service that takes them', async () => {
    const { sandbox, send, there, actions, bans } = await scene();
    sandbox.plan = { outsiders: 'stored' };
    expect((await send()).json).toMatchObject({ imported: 9, pending: 0, exit: 0 });
    expect(there()).toEqual(everything);
    expect(actions()).toEqual([]);
    expect(bans()).toEqual(['dot']);
  });
});
