import { describe, expect, it } from 'vitest';
import { discord } from '../../../src/sources/discord/index.ts';
import { matrix } from '../../../src/sources/matrix/index.ts';
import { teams } from '../../../src/sources/teams/index.ts';
import { slack } from '../../../src/sources/slack/index.ts';
import { stream } from '../../../src/sources/stream/index.ts';
import type { SourceAdapter } from '../../../src/sources/source.ts';
import { readAll } from '../../contracts/source.ts';
import { memoryInput } from '../../contracts/memory-input.ts';

type Files = Parameters<typeof memoryInput>[0];

/** Returns the missing parts that an export itself declares, each with its count. */
async function partsMissing(adapter: SourceAdapter, files: Files): Promise<string[]> {
  const entries = await readAll(adapter, memoryInput(files));
  return entries.flatMap((entry) =>
    entry.type === 'problem' && entry.code === 'export-is-partial' ? [`${entry.count ?? 1}: ${entry.reason}`] : [],
  );
}

const channel = (more: object, messages: readonly object[] = [{}]) => ({
  guild: { id: '1477000000000000001', name: 'Harbour' },
  channel: { id: '1477000000000000100', type: 'GuildTextChat', name: 'general' },
  dateRange: { after: null, before: null },
  messages: messages.map((one, index) => ({
    id: `14770000000000002${index}`,
    type: 'Default',
    timestamp: '2026-03-02T10:00:00+00:00',
    content: 'tide',
    ...one,
  })),
  messageCount: messages.length,
  ...more,
});

const event = (id: string, more: object = {}) => ({
  type: 'm.room.message',
  event_id: id,
  room_id: '!r:example.com',
  sender: '@ann:example.com',
  origin_server_ts: 1772442000000,
  content: { msgtype: 'm.text', body: 'Hi' },
  ...more,
});

const answer = (start: string, end: string | undefined, id: string) => ({ chunk: [event(id)], start, end });

const page = (id: string, goesOn: boolean) => ({
  '@odata.context': "https://graph.example.com/$metadata#chats('1')/messages",
  ...(goesOn && { '@odata.nextLink': `https://graph.example.com/${id}` }),
  value: [
    {
      id,
      messageType: 'message',
      createdDateTime: '2026-03-02T10:00:00Z',
      chatId: '19:a@thread.v2',
      from: { user: { id: 'ann', displayName: 'Ann' } },
      body: { contentType: 'text', content: 'Hi' },
    },
  ],
});

const thread = { unsigned: { 'm.relations': { 'm.thread': { count: 2 } } } };
const reply = { content: { body: 'Yes', 'm.relates_to': { rel_type: 'm.thread', event_id: '$a' } } };
const name = 'general [1477000000000000100].json';
const started = { type: 'ThreadCreated', content: 'Harbour', reference: { channelId: '1477000000000000555' } };

const sync = (timeline: object) => ({
  next_batch: 's2',
  rooms: { join: { '!r:example.com': { timeline: { events: [event('$a')], ...timeline } } } },
});

const said = (id: string) => ({
  ...{ id, text: 'Hi', type: 'regular', pinned: true, created_at: '2026-03-02T10:00:00Z' },
  user: { id: 'ann', name: 'Ann' },
});
const harbour = (fields: object, pinned: readonly string[]) => ({
  channels: [
    {
      channel: { id: 'harbour', type: 'team', cid: 'team:harbour', ...fields },
      messages: [said('1'), said('2')],
      pinned_messages: pinned.map(said),
    },
  ],
});

const slackRow = (second: number) => ({ type: 'message', user: 'U1', text: 'Yes', ts: `177244290${second}.000100` });
const slackThread = (replyCount: number) => ({
  'channels.json': [{ id: 'C1', name: 'general', created: 1, members: ['U1'] }],
  'users.json': [{ id: 'U1', team_id: 'T1', name: 'ines', profile: { display_name: 'Ines' } }],
  'general/2026-03-02.json': [{ ...slackRow(0), reply_count: replyCount, slackdump_thread_replies: [slackRow(1)] }],
});

describe('an export that says that it is not whole', () => {
  it.each<[string, SourceAdapter, Files, string[]]>([
    [
      'more messages',
      discord,
      { [name]: channel({ messageCount: 7 }) },
      ['6: "messageCount" is 7, and the file has 1'],
    ],
    [
      'a range of time',
      discord,
      { [name]: channel({ dateRange: { after: '2026-01-01T00:00:00+00:00' } }) },
      ['1: "dateRange" is after 2026-01-01T00:00:00+00:00'],
    ],
    [
      'a thread without a file',
      discord,
      { [name]: channel({}, [started]) },
      ['1: No file of the thread 1477000000000000555 is there: "Harbour"'],
    ],
    [
      'an answer that goes on',
      matrix,
      { 'a.json': answer('t9', 't5', '$a') },
      ['1: "end" is "t5": the server has more, and no file begins there'],
    ],
    [
      'pages of Teams without a last one',
      teams,
      { 'a.json': page('1', true), 'b.json': page('2', true) },
      [
        '1: "@odata.nextLink" says that the server has more behind this page, and no page of the export is the last one',
      ],
    ],
    [
      'a cut timeline',
      matrix,
      { 'a.json': sync({ limited: true, prev_batch: 't1' }) },
      ['1: "limited" is true: the timeline of !r:example.com has more before it'],
    ],
    [
      'answers of a thread',
      matrix,
      { 'a.json': [event('$a', thread), event('$b', reply)] },
      ['1: "m.thread" counts 1 more answers in 1 thread'],
    ],
    [
      'more messages of a channel of Stream',
      stream,
      { 'a.json': harbour({ message_count: 5 }, []) },
      ['3: "message_count" is 5, and the channel has 2'],
    ],
    [
      'a pinned message of Stream',
      stream,
      { 'a.json': harbour({}, ['2', '7']) },
      ['1: "pinned_messages" has 1 that are not in "messages"'],
    ],
    [
      'replies that slackdump did not get',
      slack,
      slackThread(3),
      ['2: "reply_count" counts 2 more than "slackdump_thread_replies" has'],
    ],
  ])('is asked about: %s', async (_, adapter, files, reasons) => {
    expect(await partsMissing(adapter, files)).toEqual(reasons);
  });

  it.each<[string, SourceAdapter, Files]>([
    ['a channel', discord, { [name]: channel({}) }],
    [
      'a thread with its file',
      discord,
      { [name]: channel({}, [started]), 'x [1477000000000000555].json': channel({}) },
    ],
    ['all answers', matrix, { 'a.json': answer('t9', 't5', '$a'), 'b.json': answer('t5', undefined, '$b') }],
    [
      'a list of Teams whose last page is in another file',
      teams,
      { 'a.json': page('1', true), 'b.json': page('2', false) },
    ],
    ['a channel of Stream', stream, { 'a.json': harbour({ message_count: 2 }, ['1', '2']) }],
    ['a thread of slackdump', slack, slackThread(1)],
    ['a whole timeline', matrix, { 'a.json': sync({ limited: false }) }],
  ])('is not asked about if it is whole: %s', async (_, adapter, files) => {
    expect(await partsMissing(adapter, files)).toEqual([]);
  });
});
