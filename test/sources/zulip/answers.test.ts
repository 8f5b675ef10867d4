import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { zulip } from '../../../src/sources/zulip/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { openSample, samplesOf } from '../../contracts/samples.ts';
import { messagesOf } from '../../contracts/source/check.ts';
import { readAll } from '../../contracts/source.ts';
import { planOf } from '../../scenes/slack-rows.ts';
import { temporaryFolderInMemory } from '../../scenes/temporary-folder.ts';
import { missingIn } from '../ledger.ts';

const home = temporaryFolderInMemory();
const sample = (name: string) => openSample(samplesOf('zulip').find((one) => one.name === name)!);
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

const person = (id: number) => ({ id, full_name: `Person ${id}`, email: `p${id}@example.com`, is_mirror_dummy: false });
const users = [8, 9].map((user_id) => ({ user_id, full_name: `Person ${user_id}`, is_bot: false, avatar_version: 1 }));
const row = {
  ...{ id: 7, type: 'private', sender_id: 8, sender_realm_str: 'pier', sender_full_name: 'Person 8', recipient_id: 70 },
  ...{ display_recipient: [person(8), person(9)], subject: '', content: 'Hi', content_type: 'text/x-markdown' },
  ...{ timestamp: 1_772_442_000, reactions: [], sender_email: 'p8@example.com' },
};
const read = (rows: readonly object[], more: Readonly<Record<string, string>> = {}) =>
  readAll(zulip, memoryInput({ 'users.ndjson': lines(users), 'direct.ndjson': lines(rows), ...more }));
const originsOf = async (...args: Parameters<typeof read>) =>
  messagesOf(await read(...args)).map(({ origin }) => `${origin.workspace} ${origin.conversation} ${origin.id}`);

describe('an answer of the API', () => {
  it('has the messages of the export of the server, each with the same identity and thread', async () => {
    const identities = async (name: string) =>
      messagesOf(await readAll(zulip, await sample(name)))
        .map(({ origin, threadRoot, author, systemEvent }) =>
          JSON.stringify({ origin, threadRoot, author, systemEvent }),
        )
        .sort();
    expect(await identities('api-answers')).toEqual(await identities('whole-export'));
  });

  it('has a private message in the chat of everybody whose message it is', async () => {
    const rows = [
      row,
      { ...row, id: 8, display_recipient: [person(9), person(8)], sender_id: 9, recipient_id: 71 },
      { ...row, id: 9, display_recipient: [person(8)] },
      { ...row, id: 10, display_recipient: [person(8), person(10), person(9)], recipient_id: 72 },
      { ...row, id: 11, type: 'direct' },
    ];
    const ids = ['pier dm-8-9 7', 'pier dm-8-9 8', 'pier dm-8-8 9', 'pier group-72 10', 'pier dm-8-9 11'];
    expect(await originsOf(rows)).toEqual(ids);
  });

  it.each([
    ['somebody has no id', { display_recipient: [person(8), { full_name: 'X' }] }],
    ['nobody is named', { display_recipient: [] }],
    ['the type is of no kind', { type: 'letter' }],
    ['it is private and of a stream', { stream_id: 5 }],
    ['it is of a stream without number', { type: 'stream' }],
    ['a group has no number', { display_recipient: [8, 9, 10].map(person), recipient_id: null }],
  ])('has an invalid row if %s', async (_, fields) => {
    const codes = (await read([{ ...row, ...fields }])).flatMap((entry) =>
      entry.type === 'invalid' ? [entry.code] : [],
    );
    expect(codes).toEqual(['zulip-no-recipient']);
  });

  it('has the address of the organisation from its own people, whoever wrote first', async () => {
    const bot = {
      ...row,
      id: 6,
      sender_id: 3,
      sender_email: 'welcome-bot@zulip.com',
      sender_realm_str: 'zulipinternal',
    };
    const messages = messagesOf(await read([bot, row]));
    expect(messages.map(({ origin, systemEvent }) => [origin.workspace, systemEvent])).toEqual([
      ['pier', 'welcome-bot'],
      ['pier', undefined],
    ]);
  });

  it('takes nobody of the organisation for one of the accounts of the system', async () => {
    const like = { ...row, sender_id: 4, sender_email: 'notification-bot@example.com' };
    expect(messagesOf(await read([row, { ...like, id: 8 }])).map(({ systemEvent }) => systemEvent)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('may be all messages of the server at its main address, which has no name', async () => {
    expect(await originsOf([{ ...row, sender_realm_str: '' }])).toEqual([' dm-8-9 7']);
  });

  it('keeps ids with more digits than a number holds', async () => {
    const text = lines([row]).replace('"id":7', '"id":90071992547409931');
    expect(messagesOf(await read([], { 'direct.ndjson': text })).map(({ origin }) => origin.id)).toEqual([
      '90071992547409931',
    ]);
  });

  it('makes no threads of one of a series of fetches, in which a topic may have begun before', async () => {
    const inStream = { ...row, type: 'stream', stream_id: 5, subject: 'tides' };
    const rows = [inStream, { ...inStream, id: 8 }];
    const rootsOf = async (isIncrement: boolean) => {
      const entries = await read(rows, { 'chatferry-fetch.json': JSON.stringify({ isIncrement, ended: 'x' }) });
      const codes = entries.flatMap((entry) => (entry.type === 'problem' ? [entry.code] : []));
      return { roots: messagesOf(entries).map(({ threadRoot }) => threadRoot), codes };
    };
    expect(await rootsOf(false)).toEqual({ roots: [undefined, '7'], codes: [] });
    expect(await rootsOf(true)).toEqual({ roots: [undefined, undefined], codes: ['zulip-topics-as-labels'] });
  });

  it('has an invalid row for a message in a list of another name, and counts other lists', async () => {
    const page = JSON.stringify({ messages: [row], raw: [{ ...row, id: 8 }], drafts: [{ id: 9 }] });
    const found = (await read([], { 'direct.ndjson': page })).flatMap((entry) =>
      entry.type === 'invalid' || entry.type === 'problem' ? [`${entry.type} ${entry.reason}`] : [],
    );
    expect(found).toEqual([
      'invalid Expected messages in "messages", found one in "raw"',
      'problem 1 × rows of drafts',
    ]);
  });

  it('is whole if one page has the oldest message and one the newest', async () => {
    const page = (found_oldest: boolean, found_newest: boolean, id: number) =>
      JSON.stringify({
        result: 'success',
        messages: [{ ...row, id }],
        found_oldest,
        found_newest,
        history_limited: false,
      });
    const partial = async (files: Readonly<Record<string, string>>) =>
      (await readAll(zulip, memoryInput({ 'users.ndjson': lines(users), ...files }))).flatMap((entry) =>
        entry.type === 'problem' && entry.code === 'export-is-partial' ? [entry.location.path] : [],
      );
    const first = { 'page-1.json': page(true, false, 7) };
    expect(await partial(first)).toEqual(['page-1.json']);
    expect(await partial({ ...first, 'page-2.json': page(false, true, 8) })).toEqual([]);
  });
});

/** Fields that mean nothing, with the reason. */
const meaningless: Readonly<Record<string, readonly string[]>> = {
  'the time, the author and the conversation stand in the message': [
    ...['timestamp', 'sender_id', 'recipient_id', 'display_recipient*', 'stream_id', 'type'],
    ...['sender_full_name', 'sender_email'],
  ],
  'the organisation is part of the identity': ['sender_realm_str'],
  'says again what the text says': ['topic_links*', 'is_me_message', 'content_type', 'edit_history[].topic'],
  'an older form of the text, which custom.previousTexts has': ['edit_history[].prev_rendered_content'],
  'counted for the whole file (zulip-not-migrated)': ['client', 'flags*', 'submessages*'],
  'each reaction has the person by id, and its emoji': [
    'reactions[].user*',
    'reactions[].emoji_*',
    'reactions[].reaction_type',
  ],
  'who moved the message, and when': ['edit_history[].timestamp', 'edit_history[].user_id'],
};

/** Paths that are not planned but counted: by the name of the count in the facts of the row. */
const losses: Readonly<Record<string, readonly string[]>> = {
  custom: ['subject', 'edit_history[].prev_topic', 'edit_history[].prev_content'],
  edited: ['last_edit_timestamp'],
  filesWithoutAddress: ['content'],
};

describe('the plan and losses of answers of the API', () => {
  const folder = 'samples/zulip/api-answers/export';
  type Row = Readonly<Record<string, unknown>> & { readonly id: number };
  const rows = ['messages.ndjson', 'direct.ndjson'].flatMap((name) =>
    readFileSync(`${folder}/${name}`, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as Row),
  );

  /** Removes the numbers after people's names, commands, and the words that name the kind of a fence. */
  const shown = ({ content, ...rest }: Row): Row => ({
    ...rest,
    content: String(content).replace(/\|\d+|^\/(?:me|poll)\b|```(?:quote|spoiler)|\/user_uploads\/\S+/gm, ' '),
  });

  async function balanceOf(raw: readonly Row[]) {
    const everything = 'messages: { system: keep, calls: keep, deleted: keep }';
    const { rows: planned } = await planOf(home.make(), folder, everything);
    const conversations = new Map(planned.map(({ id, conversation }) => [id, conversation]));
    const byId = new Map(raw.map((one) => [`${conversations.get(String(one.id))} ${one.id}`, shown(one)]));
    return { missing: missingIn({ rows: byId, planned, meaningless, losses }), planned: planned.length };
  }

  it('account for every value of the sample api-answers', async () => {
    expect(await balanceOf(rows)).toEqual({ missing: {}, planned: 13 });
  });

  it('do not account for an unknown field', async () => {
    expect((await balanceOf(rows.map((one) => ({ ...one, colour: 'mauve' })))).missing).toEqual({ colour: 13 });
  });
});
