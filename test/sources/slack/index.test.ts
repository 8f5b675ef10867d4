import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import type { ConversationRecord, MessageRecord, UserRecord } from '../../../src/model/records.ts';
import { slack } from '../../../src/sources/slack/index.ts';
import { watched } from '../../contracts/altered-input.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const users = [{ id: 'U1', team_id: 'T1', name: 'ada', profile: { display_name: 'Ada' } }];
const channels = [{ id: 'C1', name: 'general', members: ['U1'] }];
const row = { type: 'message', user: 'U1', text: 'hi', ts: '1700000000.000100' };

const read = (files: MemoryFiles, context = {}) => readAll(slack, memoryInput(files), context);

const records = <Kind extends string>(entries: readonly Entry[], kind: Kind) =>
  entries.flatMap((entry) => (entry.type === 'record' && entry.record.kind === kind ? [entry.record] : []));
const messages = (entries: readonly Entry[]) => records(entries, 'message') as MessageRecord[];
const conversations = (entries: readonly Entry[]) => records(entries, 'conversation') as ConversationRecord[];
const problems = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []));

describe('slack workspace id', () => {
  const workspaceOf = async (files: MemoryFiles, context = {}) =>
    messages(
      await read({ 'channels.json': channels, 'general/2024-01-01.json': [{ ...row, team: 'T7' }], ...files }, context),
    )[0]?.origin.workspace;

  it('is that of most people', async () => {
    const people = ['T2', 'T1', 'T1', 'T3'].map((team_id, index) => ({ id: `U${index}`, team_id }));
    expect(await workspaceOf({ 'users.json': people })).toBe('T1');
    expect(await workspaceOf({ 'users.json': [...people].reverse() })).toBe('T1');
  });

  it('is the organisation in an organisation', async () => {
    const people = ['T1', 'T2'].map((team_id, index) => ({
      id: `W${index}`,
      team_id,
      enterprise_user: { enterprise_id: 'E1' },
    }));
    expect(await workspaceOf({ 'org_users.json': people })).toBe('E1');
  });

  it('comes from the command line if no user has a team, and never from messages', async () => {
    expect(await workspaceOf({ 'users.json': [{ id: 'U1' }] }, { workspace: 'acme' })).toBe('acme');
    expect(await workspaceOf({})).toBe('');
    expect(await workspaceOf({ 'users.json': users }, { workspace: 'acme' })).toBe('T1');
  });
});

describe('slack people', () => {
  const personOf = async (fields: object) =>
    (records(await read({ 'users.json': [{ id: 'U1', ...fields }] }), 'user') as UserRecord[])[0];

  it.each([
    [{ profile: { display_name: 'Ada', real_name: 'Ada L' }, name: 'ada' }, 'Ada'],
    [{ profile: { display_name: '', display_name_normalized: 'Ada N', real_name: 'Ada L' } }, 'Ada N'],
    [{ profile: { display_name: '', real_name: 'Ada L' }, real_name: 'Else' }, 'Ada L'],
    [{ profile: { display_name: '', real_name: '', real_name_normalized: 'Ada R' } }, 'Ada R'],
    [{ real_name: 'Ada T', name: 'ada' }, 'Ada T'],
    [{ name: 'ada', profile: null }, 'ada'],
    [{}, 'U1'],
  ])('%j is called %s', async (fields, name) => expect((await personOf(fields))?.name).toBe(name));

  it.each([
    [{ is_owner: true, is_admin: true }, 'owner'],
    [{ is_primary_owner: true }, 'owner'],
    [{ is_admin: true }, 'admin'],
    [{ is_restricted: true }, 'guest'],
    [{ is_restricted: true, is_ultra_restricted: true }, 'single-conversation-guest'],
    [{ is_bot: true, is_admin: true }, 'bot'],
    [{}, 'member'],
  ])('%j is %s', async (fields, role) => expect((await personOf(fields))?.role).toBe(role));

  it('reports who has no id, and reads the others', async () => {
    const entries = await read({ 'users.json': [null, { name: 'nobody' }, ...users] });
    expect(problems(entries)).toEqual(['user-without-id', 'user-without-id']);
    expect(records(entries, 'user').length).toBe(1);
  });
});

describe('slack conversations', () => {
  it('finds the folder by name, for direct conversations by id, whatever Unicode form it has', async () => {
    const entries = await read({
      'channels.json': [{ id: 'C1', name: 'caf\u00e9' }],
      'dms.json': [{ id: 'D1', members: ['U1', 'U2'] }],
      'mpims.json': [{ id: 'G1', name: 'mpdm-a--b-1', members: ['U1', 'U2'] }],
      'file_conversations.json': [{ id: 'C2', name: 'FC:F1:Plan' }],
      'cafe\u0301/2024-01-01.json': [row],
      'D1/2024-01-01.json': [row],
      'mpdm-a--b-1/2024-01-01.json': [row],
      'FC:F1:Plan/2024-01-01.json': [row],
    });
    expect(messages(entries).map(({ origin }) => origin.conversation)).toEqual(['D1', 'C2', 'C1', 'G1']);
    expect(conversations(entries).map(({ id, type, name }) => `${id} ${type} ${name}`)).toEqual([
      'C1 public caf\u00e9',
      'D1 direct ',
      'C2 private FC:F1:Plan',
      'G1 group-direct ',
    ]);
    expect(problems(entries)).toEqual([]);
  });

  it('makes a private conversation of a folder that no list names, for every reader of a part', async () => {
    const files = {
      'users.json': users,
      'lost/2024-01-01.json': [row],
      'D0LOST001/2024-01-01.json': [row],
      'mpdm-x--y-1/2024-01-01.json': [row],
    };
    for (const entries of [await read(files), await read(files, { wants: () => false })]) {
      expect(conversations(entries).map(({ id, type }) => `${id} ${type}`)).toEqual([
        'D0LOST001 direct',
        'lost private',
        'mpdm-x--y-1 group-direct',
      ]);
      expect(problems(entries)).toEqual(['unlisted-folder', 'unlisted-folder', 'unlisted-folder']);
    }
  });

  it('reads repeated entries once, and reports those that only look repeated', async () => {
    const dms = [
      { id: 'D1', members: ['U1', 'U2'] },
      { id: 'D1', members: ['U1', 'U2'] },
      { id: 'D2', members: ['U2', 'U1'] },
      { id: 'D3', members: ['U1'] },
      { id: 'D4' },
    ];
    const entries = await read({ 'dms.json': dms });
    expect(conversations(entries).map(({ id }) => id)).toEqual(['D1', 'D2', 'D3', 'D4']);
    expect(problems(entries)).toEqual(['second-direct-conversation', 'no-members']);
  });

  it('reads a folder at the top of an organisation by the one workspace that names it', async () => {
    const entries = await read({
      'org_users.json': users,
      'teams/a/channels.json': [
        { id: 'C1', name: 'shared' },
        { id: 'C2', name: 'general' },
      ],
      'teams/b/channels.json': [{ id: 'C3', name: 'general' }],
      'shared/2024-01-01.json': [row],
      'general/2024-01-01.json': [row],
      'teams/b/general/2024-01-01.json': [row],
      'teams/b/lost/2024-01-01.json': [row],
    });
    expect(messages(entries).map(({ origin }) => origin.conversation)).toEqual(['general', 'C1', 'C3', 'b/lost']);
  });
});

describe('slack day files', () => {
  /** More than is read in one piece. */
  const rows = Array.from({ length: 40_000 }, (_, index) => ({
    ...row,
    ts: `${1700000000 + index}.000100`,
    text: `${'lorem ipsum '.repeat(18)}${index}`,
  }));

  it('closes a large one when the reader stops early', async () => {
    const { input, watch } = watched(memoryInput({ 'channels.json': channels, 'general/2024-01-01.json': rows }));
    const context = { signal: new AbortController().signal, wants: () => true };
    for await (const entries of slack.read(
      input,
      { includeUnfurls: false, fileTokens: 'remove', escapeText: false },
      context,
    )) {
      if (entries.some((entry) => entry.type === 'record' && entry.record.kind === 'message')) break;
    }
    expect(watch.opened.filter((path) => path === 'general/2024-01-01.json').length).toBe(2);
    expect(watch.openCount).toBe(0);
  });

  it('reads one that is too large for one piece, in the same way', async () => {
    const entries = await read({ 'channels.json': channels, 'general/2024-01-01.json': rows });
    expect(JSON.stringify(rows).length).toBeGreaterThan(9 * 1024 * 1024);
    expect(messages(entries).length).toBe(40_000);
    expect(entries.at(-2)).toMatchObject({ location: { path: 'general/2024-01-01.json', pointer: '/39999' } });
    expect(entries.at(-1)).toEqual({ type: 'file', path: 'general/2024-01-01.json', role: 'rows' });
  });

  it('reads an empty day', async () => {
    const entries = await read({ 'channels.json': channels, 'general/2024-01-01.json': [] });
    expect(entries.filter((entry) => entry.type === 'invalid')).toEqual([]);
  });

  it('accept a byte order mark, and reject content that is not a list of messages', async () => {
    const bom = await read({ 'channels.json': channels, 'general/a.json': `\ufeff${JSON.stringify([row])}` });
    expect(messages(bom).length).toBe(1);
    for (const content of ['', '{"messages":[]}', 'null', '[', '[1', '<html>']) {
      const entries = await read({ 'channels.json': channels, 'general/a.json': content });
      expect(entries.filter((entry) => entry.type === 'invalid').length, content).toBeGreaterThan(0);
    }
  });

  it('keeps the rows before a break and counts the rest as one', async () => {
    const whole = JSON.stringify([row, { ...row, ts: '1700000001.000100' }, { ...row, ts: '1700000002.000100' }]);
    const entries = await read({ 'channels.json': channels, 'general/a.json': whole.slice(0, -20) });
    expect(messages(entries).length).toBe(2);
    expect(entries.filter((entry) => entry.type === 'invalid')).toMatchObject([
      { location: { path: 'general/a.json', pointer: '/2' }, conversation: 'C1' },
    ]);
  });
});

it('replies that slackdump writes into the row that they answer are messages of its thread', async () => {
  const reply = { ...row, text: 'yes', ts: '1700000005.000200' };
  const parent = {
    ...row,
    thread_ts: row.ts,
    slackdump_thread_replies: [{ ...reply, thread_ts: row.ts }, { ...reply, ts: '1700000006.000300' }, 7],
  };
  const entries = await read({
    'users.json': users,
    'channels.json': channels,
    'general/2024-01-01.json': [parent, row],
  });
  expect(messages(entries).map(({ origin, threadRoot }) => [origin.id, threadRoot])).toEqual([
    [row.ts, undefined],
    ['1700000005.000200', row.ts],
    ['1700000006.000300', row.ts],
    [row.ts, undefined],
  ]);
  expect(entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.location.pointer] : []))).toEqual([
    '/0/slackdump_thread_replies/2',
  ]);
});
