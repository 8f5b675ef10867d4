import { describe, expect, it } from 'vitest';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import type { TableSample } from '../../../src/sources/tables/row.ts';
import { rowOf } from './rows.ts';

const table = (path: string, ...rows: Record<string, unknown>[]): TableSample => ({
  path,
  table: {},
  rows: rows.map((row) => rowOf(row)),
});

const chat = { msg_id: '1', room_id: 'r', uid: 'u1', created_at: '1709294400', body: 'hello' };

/** Four rows of three rooms and two people: what shows that these are rooms and people. */
const chats = [
  chat,
  { ...chat, msg_id: '2', uid: 'u2' },
  { ...chat, msg_id: '3', room_id: 'r2' },
  { ...chat, msg_id: '4', room_id: 'r3', uid: 'u2' },
];

async function propose(samples: readonly TableSample[], options = {}) {
  const { options: bound, findings } = await proposeBindings(samples, options);
  const finding = (key: string) => findings.find((found) => found.key === key);
  return {
    bound,
    findings,
    finding,
    alternatives: (key: string) => finding(key)?.alternatives.map(({ value }) => value),
  };
}

describe('proposeBindings()', () => {
  it('binds a plain table by its names and values', async () => {
    const { bound, findings, finding } = await propose([table('chat.csv', ...chats)]);
    expect(bound).toEqual({
      messages: {
        id: 'msg_id',
        conversation: 'room_id',
        author: 'uid',
        time: { from: 'created_at', format: 'unix-s' },
        text: { from: 'body' },
      },
    });
    expect(findings.every(({ alternatives }) => alternatives.length === 0)).toBe(true);
    expect(finding('messages.time.format')?.because).toBe('4 of 4 values are 10 digits, 2024-03-01 to 2024-03-01');
  });

  it('asks whether messages that were never delivered are left out', async () => {
    const rows = ['delivered', 'failed', 'undelivered'].map((status, index) => ({
      ...{ ...chat, msg_id: String(index), status },
    }));
    const { finding, alternatives } = await propose([table('sms.csv', ...rows)]);
    expect(finding('messages.only')).toMatchObject({
      value: { status: ['delivered', ''] },
      because:
        '"status" is "failed" or "undelivered" in 2 rows: these rows were not for everybody, or were not delivered',
    });
    expect(alternatives('messages.only')).toEqual([{}]);
    expect((await propose([table('sms.csv', { ...chat, status: 'open' })])).finding('messages.only')).toBeUndefined();
  });

  it('asks whether character references mean characters, if texts have no tags', async () => {
    const { finding, alternatives } = await propose([table('chat.csv', { ...chat, body: 'Tom &amp; Jerry' }, chat)]);
    expect(finding('messages.text.markup')).toMatchObject({ value: 'html' });
    expect(alternatives('messages.text.markup')).toEqual(['plain']);
    expect(
      (await propose([table('chat.csv', { ...chat, body: 'R&D; x' })])).finding('messages.text.markup'),
    ).toBeUndefined();
  });

  it.each([
    ['1709294400', ['unix-s']],
    ['1709294400.5', ['unix-s']],
    ['1709294400000', ['unix-ms']],
    ['1709294400000000', ['unix-us']],
    ['17092944000000000', ['pubnub']],
    ['1709294400000000000', ['unix-ns']],
    ['45352.5', ['excel']],
    ['2024-03-01T12:00:00Z', ['iso']],
    ['/Date(1709294400000)/', ['dotnet']],
    ['31.01.2024 12:00', ['d.M.yyyy H:mm']],
    ['01/31/2024 9:05 PM', ['M/d/yyyy h:mm a']],
    ['31/01/2024, 21:05:00', ['d/M/yyyy, H:mm:ss']],
    ['1/2/2024', ['d/M/yyyy', 'M/d/yyyy']],
  ])('knows the format of %s', async (created_at, formats) => {
    const { finding, alternatives } = await propose([table('chat.csv', { ...chat, created_at })]);
    expect([finding('messages.time.format')?.value, ...alternatives('messages.time.format')!]).toEqual(formats);
  });

  it('decides nothing where two readings fit', async () => {
    const { bound } = await propose([table('chat.csv', { ...chat, created_at: '1/2/2024', html: '<p>x</p>' })]);
    expect(bound).not.toHaveProperty('messages.time.format');
    expect(bound).not.toHaveProperty('messages.text');
  });

  it('distinguishes day from month by one row', async () => {
    const rows = ['1/2/2024', '13/2/2024'].map((created_at) => ({ ...chat, created_at }));
    expect((await propose([table('chat.csv', ...rows)])).bound).toHaveProperty('messages.time.format', 'd/M/yyyy');
  });

  it('keeps decisions of the user, and asks no more about them', async () => {
    const decided = { messages: { text: 'html', time: { from: 'created_at', format: 'M/d/yyyy' } } };
    const { bound, findings } = await propose(
      [table('chat.csv', { ...chat, created_at: '1/2/2024', html: '<p>x</p>' })],
      decided,
    );
    expect(bound).toMatchObject(decided);
    expect(findings.map(({ key }) => key).filter((key) => /text|time/.test(key))).toEqual([]);
  });

  it('joins day and time of day', async () => {
    const { bound, finding } = await propose([
      table('chat.csv', { ...chat, created_at: undefined, date: '31.01.2024', time: '12:30' }),
    ]);
    expect(bound).toMatchObject({
      messages: { time: { date: 'date', time: 'time', format: 'd.M.yyyy H:mm' } },
    });
    expect(bound).not.toHaveProperty('zone');
    expect(finding('zone')).toMatchObject({ alternatives: [{ value: 'UTC' }] });
  });

  it('assumes two people if there is a recipient and no conversation', async () => {
    const { room_id, uid, ...rest } = chat;
    const rows = [
      { ...rest, from: '1', to: '2' },
      { ...rest, from: '2', to: '1' },
    ];
    expect((await propose([table('chat.csv', ...rows)])).bound).toHaveProperty('messages.conversation', {
      between: ['from', 'to'],
    });
    expect((await propose([table('chat.csv', rows[0]!)])).alternatives('messages.conversation')).toEqual([
      { between: ['from', 'to'] },
      'to',
      { constant: 'general' },
    ]);
  });

  it('asks where messages name no conversation', async () => {
    const { room_id, ...rest } = chat;
    const { finding } = await propose([table('chat.csv', rest)]);
    expect(finding('messages.conversation')).toMatchObject({
      isRequired: true,
      alternatives: [{ value: { constant: 'general' } }],
    });
    expect(finding('messages.conversation')).not.toHaveProperty('value');
  });

  it.each(['Bearbeiter', 'column 3', 'Agent/Customer', 'speaker', 'nickname'])(
    'asks for the author, and offers "%s" first',
    async (name) => {
      const { uid, ...rest } = chat;
      const rows = ['Jo', 'Ann', 'Jo'].map((who, index) => ({
        ...rest,
        msg_id: `${index}`,
        [name]: who,
        status: 'new',
      }));
      const { bound, finding, alternatives } = await propose([table('chat.csv', ...rows)]);
      expect(bound).not.toHaveProperty('messages.author');
      expect(bound).not.toHaveProperty('messages.authorName');
      expect(alternatives('messages.author')).toEqual([name, { constant: 'unknown' }]);
      expect(finding('messages.author')).toMatchObject({
        isRequired: true,
        alternatives: [{ because: `"${name}": 3 of 3 rows have it, 2 different: Jo; Ann` }, { isLastResort: true }],
      });
    },
  );

  it.each(['room_slug', 'conv', 'Vorgangsnr', 'dialogueID'])(
    'offers "%s" before sender and recipient where these do not place every row',
    async (name) => {
      const { room_id, uid, ...rest } = chat;
      const rows = [1, 2, 3, 4].map((id) => ({
        ...rest,
        msg_id: `${id}`,
        from: 'a',
        to: id > 1 ? 'b' : '',
        [name]: ['x', 'y', 'z', 'x'][id - 1],
      }));
      const { finding, alternatives } = await propose([table('chat.csv', ...rows)]);
      expect(alternatives('messages.conversation')).toEqual([
        name,
        { between: ['from', 'to'] },
        'to',
        { constant: 'general' },
      ]);
      expect(finding('messages.conversation')?.alternatives[1]?.because).toContain('only 3 of 4 rows name both');
    },
  );

  it('distinguishes author from conversation by who takes turns, if names do not help', async () => {
    const rows = Array.from({ length: 12 }, (_, id) => ({
      ...{ 'column 1': `2024-03-01T10:00:0${id % 10}Z`, 'column 2': ['quay', 'lobby', 'mast'][Math.floor(id / 4)] },
      ...{ 'column 3': ['ann', 'bob', 'cem'][id % 3], 'column 4': 'What was said, at some length' },
    }));
    const { alternatives } = await propose([table('chat.tsv', ...rows)]);
    expect(alternatives('messages.author')?.[0]).toBe('column 3');
    expect(alternatives('messages.conversation')?.[0]).toBe('column 2');
  });

  it('does not take a column for the author that most rows lack, or that every row has another value in', async () => {
    const rows = Array.from({ length: 30 }, (_, id) => ({ ...chat, msg_id: `${id}`, uid: id < 20 ? 'u' : '' }));
    expect((await propose([table('chat.csv', ...rows)])).finding('messages.author')).toMatchObject({
      isRequired: true,
    });
    const others = rows.map((row, id) => ({ ...row, uid: `u${id}` }));
    expect((await propose([table('chat.csv', ...others)])).finding('messages.author')).toMatchObject({
      isRequired: true,
    });
  });

  it.each([
    ['in', 'out', 'direction'],
    ['customer', 'agent', 'sender_type'],
    ['eingehend', 'ausgehend', 'Richtung'],
  ])('offers the two people of the conversation if a column has "%s" or "%s"', async (theirs, ours, direction) => {
    const { uid, room_id, ...rest } = chat;
    const rows = [theirs, ours, theirs].map((word, index) => ({
      ...rest,
      ...{ msg_id: `${index}`, [direction]: word, client: 'c1', agent: 'lea' },
    }));
    const author = { direction, ours: [ours], theirs: [theirs], us: 'agent', them: 'client' };
    expect((await propose([table('chat.csv', ...rows)])).alternatives('messages.author')?.[0]).toEqual(author);
    const { alternatives } = await propose([table('chat.csv', ...rows)], { messages: { author } });
    expect(alternatives('messages.conversation')?.[0]).toEqual({ between: ['agent', 'client'] });
  });

  it('asks what rows of one id are, the likeliest first', async () => {
    const asked = async (...changes: object[]) => {
      const rows = changes.map((change) => ({ ...chat, ...change }));
      const decided = { messages: { conversation: 'room_id', author: 'uid' } };
      const { bound, alternatives, finding } = await propose([table('chat.csv', ...rows)], decided);
      expect(bound).toHaveProperty('messages.id', 'msg_id');
      return [finding('messages.repeated')?.because, ...(alternatives('messages.repeated') ?? [])];
    };
    expect(await asked({}, { body: 'Hello!' })).toEqual([
      '"msg_id": 1 of 1 ids occur in several rows, which differ in body',
      ...['last', 'joined', 'all'],
    ]);
    expect((await asked({ like: 'a' }, { like: 'b' })).slice(1)).toEqual(['joined', 'last', 'all']);
    expect((await asked({}, { body: 'Hello!', uid: 'u2' })).slice(1)).toEqual(['all', 'last', 'joined']);
    // Ids have to be unique in their conversation only.
    expect(await asked({}, { room_id: 'r2' })).toEqual([undefined]);
  });

  it('takes repeated ids of messages, and asks, if the rows have a number of their own', async () => {
    const rows = ['m1', 'm1', 'm2'].map((msg_id, index) => ({
      ...chat,
      msg_id,
      id: `${index}`,
      body: `Hello ${index}`,
    }));
    const { alternatives, bound } = await propose([table('chat.csv', ...rows)]);
    expect(bound).toHaveProperty('messages.id', 'msg_id');
    expect(alternatives('messages.repeated')?.[0]).toBe('last');
    // If nearly all rows have the same value, it is the message that they belong to or answer.
    const answers = Array.from({ length: 10 }, (_, index) => ({ ...chat, id: `${index}`, body: `Hello ${index}` }));
    expect((await propose([table('chat.csv', ...answers)])).bound).toHaveProperty('messages.id', 'id');
  });

  it('asks whether files number their own messages, if an id is in two files', async () => {
    const rowsOf = (path: string): TableSample => ({
      ...table(path),
      rows: ['1', '2'].map((msg_id) => ({ ...rowOf({ ...chat, msg_id }), location: { path, line: 1 } })),
    });
    const { alternatives, bound } = await propose([rowsOf('messages-a.csv'), rowsOf('messages-b.csv')]);
    expect(alternatives('messages.id')).toEqual([{ template: '{:file} {msg_id}' }, 'msg_id']);
    expect(alternatives('messages.repeated')).toBeUndefined();
    expect(bound).not.toHaveProperty('messages.id');
  });

  it('sees one reaction in each row', async () => {
    const rows = ['👍', '🎉'].map((reaction) => ({ ...chat, reaction, reacted_by: 'bob' }));
    expect((await propose([table('chat.csv', ...rows)])).bound).toMatchObject({
      messages: { reactions: { emoji: 'reaction', users: 'reacted_by' } },
    });
  });

  it('asks about rows that are marked private', async () => {
    const { finding } = await propose([
      table('chat.csv', { ...chat, is_private: 'true' }, { ...chat, is_private: 'false' }),
    ]);
    expect(finding('messages.only')).toMatchObject({
      value: { is_private: ['false', ''] },
      alternatives: [{ value: {} }],
    });
  });

  it('says that a spreadsheet has shortened ids', async () => {
    const { finding } = await propose([table('chat.csv', { ...chat, msg_id: '1.23457E+17' })]);
    expect(finding('messages.id')?.because).toContain('shortened by a spreadsheet (1.23457E+17)');
  });

  it('distinguishes tables, and joins files of the same kind', async () => {
    const user = { first_name: 'Ann', last_name: 'Lee', email: 'a@example.org', created: '2024-01-01' };
    const users = table('users.csv', { id: 'u1', ...user }, { id: 'u2', ...user });
    const room = { id: 'r', name: 'Lobby', type: 'dm', members: 'u1,u2' };
    const rooms = table('rooms.csv', room, { ...room, id: 'r2' }, { ...room, id: 'r3' });
    const { bound } = await propose([
      rooms,
      table('messages-1.csv', ...chats),
      table('messages-2.csv', ...chats),
      users,
    ]);
    expect(bound).toMatchObject({
      tables: {
        messages: { file: 'messages-*.csv' },
        users: { file: 'users.csv' },
        conversations: { file: 'rooms.csv' },
      },
      users: { id: 'id', name: { template: '{first_name} {last_name}' }, email: 'email', createdAt: 'created' },
      conversations: { id: 'id', name: 'name', type: { from: 'type', values: { dm: 'direct' } }, members: 'members' },
    });
  });

  it('takes a list around the messages for that of the conversations', async () => {
    const rooms = {
      ...table('chat.json', { roomId: 'r', title: 'Harbour', kind: 'group', participants: ['u1'] }),
      table: { list: '/rooms' },
    };
    const messages = { ...table('chat.json', chat), table: { list: '/rooms/*/messages' } };
    expect((await propose([rooms, messages])).bound).toMatchObject({
      tables: { conversations: { file: 'chat.json', list: '/rooms' } },
      conversations: { id: 'roomId', name: 'title', members: 'participants', type: { from: 'kind' } },
    });
  });

  it('finds nothing in nothing', async () => {
    const { findings } = await propose([]);
    expect(findings.filter(({ isRequired }) => isRequired).map(({ key }) => key)).toContain('tables.messages');
  });

  it.each([`${'1'.repeat(50_000)}x`, `a@${'a.'.repeat(50_000)} `, 'a'.repeat(100_000), '<'.repeat(100_000)])(
    'is not held up by cells that patterns would try in every way',
    async (cell) => {
      const rows = chats.map((row) => ({ ...row, reactions: cell, remark: cell, note: cell }));
      await expect(propose([table('chat.csv', ...rows)])).resolves.toBeDefined();
    },
  );

  it('is not led astray by names that objects have', async () => {
    await expect(
      propose([table('a.csv', { ['__proto__']: 'x', constructor: 'y', toString: 'z' })]),
    ).resolves.toBeDefined();
  });
});
