import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/model/entry.ts';
import { slack } from '../../../src/sources/slack/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { madeRows } from './made-export.ts';

const users = [
  { id: 'U00000001', team_id: 'T00000001', profile: { display_name: 'Ada' } },
  { id: 'U00000002', team_id: 'T00000001', profile: { display_name: 'Bob' } },
];
const members = users.map(({ id }) => id);
const group = { id: 'G00000001', name: 'mpdm-ada--bob-1', created: 1_700_000_000 };
const channel = { id: 'C00000001', name: 'general', created: 1_700_000_000 };
const secret = { id: 'C00000002', name: 'harbour' };
const direct = { id: 'D00000001', created: 1_700_000_000 };

const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const exported: MemoryFiles = {
  'users.json': users,
  'channels.json': [{ ...channel, members }],
  'groups.json': [{ ...secret, members }],
  'dms.json': [{ ...direct, members }],
  'mpims.json': [{ ...group, members }],
  'general/2026-02-02.json': madeRows,
};

const fetched: MemoryFiles = {
  'users.ndjson': lines(users),
  'conversations.ndjson': lines([
    { ...channel, is_private: false },
    { ...secret, is_private: true },
    { ...direct, is_im: true, user: 'U00000002' },
    { ...group, is_mpim: true, is_private: true },
  ]),
  ...Object.fromEntries([channel, secret, direct, group].map(({ id }) => [`members/${id}.ndjson`, lines(members)])),
  // Newest first, and the replies for themselves.
  'history/C00000001.ndjson': lines(madeRows.filter((row) => row.thread_ts === undefined).toReversed()),
  'replies/C00000001.ndjson': lines(madeRows.filter((row) => row.thread_ts !== undefined)),
};

const read = (files: MemoryFiles) => readAll(slack, memoryInput(files));
const recordsOf = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.type === 'record' ? [JSON.stringify(entry.record)] : [])).toSorted();
const conversationsOf = (entries: readonly Entry[]) =>
  entries.flatMap(({ ...entry }) => ('record' in entry && entry.record.kind === 'conversation' ? [entry.record] : []));

describe('rows of the API of Slack', () => {
  it('become the records that an export of the same workspace gives: a fetch can follow an import of it', async () => {
    const records = recordsOf(await read(fetched));
    expect(records.length).toBe(madeRows.length + 6);
    expect(records).toEqual(recordsOf(await read(exported)));
  });

  it('are read inside one folder around them too', async () => {
    const wrapped = Object.fromEntries(Object.entries(fetched).map(([path, text]) => [`slack/${path}`, text]));
    expect(recordsOf(await read(wrapped))).toEqual(recordsOf(await read(fetched)));
  });

  it.each([
    [{ is_private: false }, 'public'],
    [{ is_private: true }, 'private'],
    [{ is_private: false, is_group: true }, 'private'],
    [{ is_private: 'false' }, 'private'],
    [{}, 'private'],
    [{ is_im: true }, 'direct'],
    [{ is_mpim: true, is_private: true }, 'group-direct'],
  ])('of a conversation with %j are of one that is %s', async (fields, type) => {
    const list = lines([{ ...channel, ...fields }]);
    expect(conversationsOf(await read({ 'conversations.ndjson': list }))).toMatchObject([{ id: channel.id, type }]);
  });

  it('belong to the conversation whose id names their file, though another one is called so', async () => {
    const entries = await read({
      'conversations.ndjson': lines([
        { ...secret, name: channel.id, is_private: true },
        { ...channel, is_private: false },
      ]),
      'history/C00000001.ndjson': lines(madeRows.slice(0, 1)),
    });
    const conversations = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.origin.conversation] : [],
    );
    expect(conversations).toEqual([channel.id]);
  });

  it('take the name of a person of another workspace from another row of their file', async () => {
    const foreign = { ...madeRows[0], user: 'U99999999', user_profile: { display_name: 'Kim' }, text: 'Hi' };
    const entries = await read({
      'users.ndjson': lines(users),
      'history/C00000001.ndjson': lines([{ ...madeRows[0], ts: '1770000900.000100', text: '<@U99999999>?' }, foreign]),
    });
    const texts = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.text] : [],
    );
    expect(texts).toEqual(['@Kim?', 'Hi']);
  });

  it('are missing if their file is empty: a fetch writes none', async () => {
    const entries = await read({ 'users.ndjson': lines(users), 'history/C00000001.ndjson': '' });
    expect(entries).toContainEqual(expect.objectContaining({ type: 'invalid', code: 'unreadable-file' }));
  });
});
