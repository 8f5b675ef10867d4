import { describe, expect, it } from 'vitest';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import type { DeclaredReference, TableSample } from '../../../src/sources/tables/row.ts';
import { rowOf } from './rows.ts';

type Values = Readonly<Record<string, unknown>>;

function table(name: string, rows: readonly Values[], references: readonly DeclaredReference[] = []): TableSample {
  const declared = { primaryKey: ['id'], words: new Map(), references };
  return { path: name, name, nameInQuery: name, table: {}, rows: rows.map((row) => rowOf(row)), declared };
}

const refersTo = (path: string, ...columns: string[]): readonly DeclaredReference[] =>
  columns.map((column) => ({ column, path, key: 'id' }));

const people = table(
  'users',
  [1, 2, 3, 4].map((id) => ({ id: `${id}`, name: `Person ${id}`, email: `p${id}@example.org` })),
);

const said = (index: number): Values => ({
  id: `${100 + index}`,
  body: `Something at some length, number ${index}`,
  created_at: `2026-03-02T08:00:${10 + index}Z`,
});

/** Twelve messages, each with more columns. */
const messages = (more: (index: number) => Values, references: readonly DeclaredReference[] = []): TableSample =>
  table(
    'messages',
    Array.from({ length: 12 }, (_, index) => ({ ...said(index), ...more(index) })),
    references,
  );

async function propose(samples: readonly TableSample[], decided: Values = {}) {
  const { options, findings } = await proposeBindings(samples, decided);
  const finding = (key: string) => findings.find((found) => found.key === key);
  const readings = (key: string) => finding(key)?.alternatives.map(({ value }) => value) ?? [];
  const why = (key: string, value: unknown) =>
    finding(key)?.alternatives.find((reading) => JSON.stringify(reading.value) === JSON.stringify(value))?.because;
  const at = (section: string, key: string) => (options as Record<string, Values>)[section]?.[key];
  return { at, finding, readings, why };
}

const conversation = 'messages.conversation';
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length]!;

describe('the conversation of a message', () => {
  it('is of author and recipient, whatever their columns are called, if both are declared to be people', async () => {
    const rows = messages(
      (i) => ({ sender_id: pick(['1', '2'], i), gegenueber: pick(['2', '1'], i) }),
      refersTo('users', 'sender_id', 'gegenueber'),
    );
    const { at } = await propose([people, rows]);
    expect(at('messages', 'conversation')).toEqual({ between: ['sender_id', 'gegenueber'] });
  });

  it('is of two people of whom one wrote, in sorted columns as well', async () => {
    const rows = messages(
      (i) => ({ user_low: '1', user_high: pick(['2', '3'], i), sender_id: pick(['1', pick(['2', '3'], i)], i >> 1) }),
      refersTo('users', 'user_low', 'user_high', 'sender_id'),
    );
    const { at } = await propose([people, rows]);
    expect(at('messages', 'conversation')).toEqual({ between: ['user_low', 'user_high'] });
  });

  it.each([
    ['of text', (i: number) => pick(['2,3', '3', '2,4'], i)],
    ['of JSON', (i: number) => pick(['[2,3]', '[3]', '["2","4"]'], i)],
    ['of PostgreSQL', (i: number) => pick(['{2,3}', '{3}', '{2,4}'], i)],
  ])('may be of everybody in a list %s', async (_, list) => {
    const rows = messages((i) => ({ sender_id: '1', zu: list(i) }), refersTo('users', 'sender_id'));
    const { readings, why } = await propose([people, rows]);
    const value = { between: ['sender_id', { list: 'zu' }] };
    expect(readings(conversation)).toContainEqual(value);
    expect(why(conversation, value)).toContain('3 conversations of 2 to 3 people');
  });

  it('is a person in some rows and a room in others, where a second column says which', async () => {
    const rows = messages(
      (i) => ({
        sender_id: pick(['1', '2'], i),
        kind: pick([1, 2], i >> 1),
        target: i & 2 ? '70' : pick(['2', '1'], i),
      }),
      refersTo('users', 'sender_id'),
    );
    const rooms = table('circles', [{ id: '70', title: 'Yard' }]);
    const value = {
      first: [
        { when: { kind: ['1'] }, take: { between: ['sender_id', 'target'] } },
        { when: { kind: ['2'] }, take: { template: 'circle:{target}' } },
      ],
    };
    const { readings } = await propose([people, rows, rooms]);
    expect(readings(conversation)[0]).toEqual(value);
    const { at } = await propose([people, rows, rooms], { messages: { conversation: value } });
    expect(at('tables', 'conversations')).toEqual({ file: 'circles' });
    expect(at('conversations', 'id')).toEqual({ template: 'circle:{id}' });
  });

  it('is the thread of the message that rows name, if they name the first of it', async () => {
    const rows = messages(
      (i) => ({ sender_id: pick(['1', '2'], i), thread_root: i < 3 ? null : `${100 + (i % 3)}` }),
      refersTo('users', 'sender_id'),
    );
    const { readings, why } = await propose([people, rows]);
    const value = { first: ['thread_root', 'id'] };
    expect(readings(conversation)).toContainEqual(value);
    expect(why(conversation, value)).toContain('3 conversations of 2 people');
  });

  it('is on offer in eight ways at most, and never as a text, a time or the id of the message', async () => {
    const columns = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`ref_${index}`, index]));
    const rows = messages((i) => ({
      ...Object.fromEntries(Object.keys(columns).map((name, at) => [name, pick(['a', 'b', 'c', 'd'], i + at)])),
      sender_id: pick(['1', '2'], i),
      seen_at: said(i).created_at,
    }));
    const { readings } = await propose([people, rows]);
    expect(readings(conversation).length).toBeLessThanOrEqual(8);
    for (const name of ['body', 'created_at', 'seen_at', 'id']) expect(readings(conversation)).not.toContain(name);
  });
});

describe('the message that another answers', () => {
  it.each([
    ['reply_id', 12, true],
    ['bezug', 40, true],
    ['bezug', 12, false],
  ] as const)('is found by its values in "%s" of %i rows: %s', async (name, count, isFound) => {
    const rows = Array.from({ length: count }, (_, i) => ({
      ...said(i),
      created_at: `2026-03-02T08:${String(i).padStart(2, '0')}:00Z`,
      sender_id: pick(['1', '2'], i),
      room_id: pick(['50', '51', '52', '53'], i),
      [name]: i > 7 ? `${100 + i - 4}` : null,
    }));
    const { finding } = await propose([people, table('messages', rows, refersTo('users', 'sender_id'))]);
    const found = finding('messages.quote') ?? finding('messages.reply');
    expect(found?.value ?? found?.alternatives[0]?.value).toBe(isFound ? name : undefined);
  });

  it('is none of another conversation', async () => {
    const rows = messages(
      (i) => ({
        sender_id: pick(['1', '2'], i),
        room_id: pick(['50', '51', '52'], i),
        reply_id: i > 5 ? `${99 + i}` : null,
      }),
      refersTo('users', 'sender_id'),
    );
    const { finding } = await propose([people, rows]);
    expect([finding('messages.quote'), finding('messages.reply')]).toEqual([undefined, undefined]);
  });
});

describe('the members of a conversation', () => {
  const inRooms = (more: (index: number) => Values = () => ({})) =>
    messages(
      (i) => ({ sender_id: pick(['1', '2'], i), order_id: pick(['50', '51'], i >> 1), ...more(i) }),
      [...refersTo('users', 'sender_id'), ...refersTo('orders', 'order_id')],
    );
  const members = 'conversations.members';

  it('are the two people of an order, if nearly all authors are one of them', async () => {
    const orders = table(
      'orders',
      ['50', '51'].map((id) => ({ id, kaeufer: '1', haendler: '2', title: `Order ${id}` })),
      refersTo('users', 'kaeufer', 'haendler'),
    );
    const { at } = await propose([people, orders, inRooms()]);
    expect(at('conversations', 'members')).toEqual({ from: { template: '{kaeufer},{haendler}' } });
    expect(at('conversations', 'type')).toEqual({ constant: 'direct' });
  });

  it('are asked about if one was only assigned', async () => {
    const orders = table(
      'orders',
      ['50', '51'].map((id) => ({ id, customer_id: '1', assigned_to: '3', title: `Order ${id}` })),
      refersTo('users', 'customer_id', 'assigned_to'),
    );
    const { readings, at } = await propose([people, orders, inRooms()]);
    expect(at('conversations', 'members')).toBeUndefined();
    expect(readings(members)).toEqual([
      { from: { template: '{customer_id},{assigned_to}' } },
      { from: { template: '{customer_id}' } },
      { from: { constant: '' } },
    ]);
  });

  it('are listed in a cell, whatever its column is called', async () => {
    const orders = table(
      'orders',
      ['50', '51'].map((id) => ({ id, beteiligte: '["1","2","4"]', title: `Order ${id}` })),
    );
    const { at } = await propose([people, orders, inRooms()]);
    expect(at('conversations', 'members')).toBe('beteiligte');
  });

  it('are the rows of a table of members, also if conversations have no table of their own', async () => {
    const rows = messages(
      (i) => ({ sender_id: pick(['1', '2'], i), room_id: pick(['50', '51', '52'], i) }),
      refersTo('users', 'sender_id'),
    );
    const memberships = table(
      'room_members',
      ['50', '51', '52'].flatMap((room_id) =>
        ['1', '2', '4'].map((user_id) => ({ id: `${room_id}${user_id}`, room_id, user_id, nickname: 'Old sea dog' })),
      ),
      refersTo('users', 'user_id'),
    );
    const { at } = await propose([people, rows, memberships]);
    expect(at('tables', 'members')).toEqual({ file: 'room_members' });
    expect([at('members', 'conversation'), at('members', 'user')]).toEqual(['room_id', 'user_id']);
  });
});
