import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firedAlarms } from '../../src/decisions/alarms.ts';
import { silent } from '../../src/lib/flow/progress.ts';
import { loadMapping } from '../../src/mapping/load.ts';
import { plan } from '../../src/plan/plan.ts';
import { profiles } from '../../src/service/profiles.ts';
import { openStore } from '../../src/store/open.ts';
import { never } from '../scenes/bench.ts';
import { writeFiles } from '../scenes/make-export.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';

const home = temporaryFolder();

type Row = Readonly<Record<string, string | number>>;

const csv = (rows: readonly Row[]): string => {
  const names = Object.keys(rows[0]!);
  return `${[names, ...rows.map((row) => names.map((name) => row[name] ?? ''))].map((cells) => cells.join(',')).join('\n')}\n`;
};
const list = <Item>(count: number, make: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => make(index));

const firstNames = ['Ann', 'Bob', 'Cem', 'Dot', 'Eva', 'Fay'];
const people = list(6, (index) => ({
  id: index + 1,
  full_name: `${firstNames[index]} Berg`,
  email: `mail${index}@example.com`,
}));
const words = 'we meet at the harbour when the boat is back and bring some bread'.split(' ');
const minute = 60_000;
const at = (index: number) => new Date(Date.UTC(2024, 2, 1) + index * minute).toISOString();

/** 120 messages in ten rides of two people. */
const messages: readonly Row[] = list(120, (index) => {
  const ride = Math.floor(index / 12);
  return {
    id: index + 1,
    ride_id: 500 + ride,
    sender_id: ((ride + (index % 2)) % 6) + 1,
    body: `${list(6, (word) => words[(index * 5 + word * 3 + ride) % words.length]).join(' ')} ${index}`,
    created_at: at(index),
    opened_at: at(7_000 - index),
  };
});

const mapping = {
  zone: 'UTC',
  tables: { messages: { file: 'messages.csv' }, users: { file: 'customers.csv' } },
  messages: {
    id: 'id',
    conversation: 'ride_id',
    author: 'sender_id',
    time: { from: 'created_at', format: 'iso' },
    text: 'body',
  },
  users: { id: 'id', name: 'full_name', email: 'email' },
};

interface Seeded {
  readonly rows?: readonly Row[];
  readonly files?: Readonly<Record<string, readonly Row[]>>;
  readonly bound?: Partial<Record<keyof typeof mapping.messages, unknown>>;
  readonly users?: object;
  readonly tables?: object;
}

async function alarmsOf({ rows = messages, files = {}, bound = {}, users = mapping.users, tables = {} }: Seeded) {
  const folder = home.make();
  const all = { 'messages.csv': rows, 'customers.csv': people, ...files };
  writeFiles(join(folder, 'export'), Object.fromEntries(Object.entries(all).map(([name, some]) => [name, csv(some)])));
  const source = {
    ...mapping,
    tables: { ...mapping.tables, ...tables },
    users,
    messages: { ...mapping.messages, ...bound },
  };
  writeFileSync(join(folder, 'mapping.yaml'), JSON.stringify({ source }));
  const clock = new VirtualClock();
  const store = openStore(join(folder, 'chatferry.db'), { command: 'plan', nowMs: clock.now() });
  const options = {
    mapping: await loadMapping(join(folder, 'mapping.yaml')),
    allowMappingChange: false,
    profile: profiles.spec,
  };
  await plan(store, { exports: [join(folder, 'export')], ...options, clock, progress: silent, signal: never });
  const [result, beside] = [store.facts.reading()!, store.facts.beside()];
  store.close();
  return firedAlarms(result, beside?.found, { isTable: true, seen: {} }).map(({ id }) => id.replace('alarm-', ''));
}

const with_ = (change: (row: Row, index: number) => Row) =>
  messages.map((row, index) => ({ ...row, ...change(row, index) }));
const hash = (text: string) => createHash('sha256').update(text).digest('base64');

const logins = people.map(({ id, email }) => ({ id, login: email.split('@')[0]!, email }));

/** A reading that is wrong, by what trips. */
const seeded: readonly (readonly [what: string, trips: readonly string[], given: Seeded])[] = [
  ['the right reading', [], {}],
  [
    'authors of another table',
    ['nobody', 'numbers-for-names'],
    { rows: with_(({ sender_id }) => ({ sender_id: Number(sender_id) + 40 })) },
  ],
  [
    'visitors with number 0',
    ['nobody'],
    { rows: with_((row, index) => ({ sender_id: index % 12 === 3 ? 0 : row.sender_id! })) },
  ],
  ['the owner of the shop as the author', ['monologues', 'one-voice'], { rows: with_(() => ({ sender_id: 1 })) }],
  [
    'one who writes most',
    ['one-voice'],
    { rows: with_((row, index) => ({ sender_id: index % 4 === 3 ? row.sender_id! : 1 })) },
  ],
  [
    'the customer of the ride as the author',
    ['monologues'],
    { rows: with_((_, index) => ({ sender_id: (Math.floor(index / 12) % 6) + 1 })) },
  ],
  ['a column of its own for each row as the conversation', ['crumbs', 'split'], { bound: { conversation: 'id' } }],
  ['one conversation for all', ['one-room'], { bound: { conversation: { constant: 'all' } } }],
  [
    'ids of two tables of people',
    ['two-in-one'],
    { files: { 'agents.csv': people.map((row) => ({ ...row, full_name: `Agent ${row.email}` })) } },
  ],
  [
    'people with two rows of one id',
    ['two-in-one'],
    { files: { 'customers.csv': [...people, { ...people[0]!, full_name: 'Zoe Lind', email: 'zoe@example.com' }] } },
  ],
  ['ids for names', ['numbers-for-names'], { users: { id: 'id', name: 'id' } }],
  ['mail addresses for names', ['numbers-for-names'], { users: { id: 'id', email: 'email' } }],
  [
    'logins that are parts of mail addresses',
    [],
    { files: { 'customers.csv': logins }, users: { id: 'id', name: 'login', email: 'email' } },
  ],
  [
    'logins where names are in another column',
    ['numbers-for-names'],
    {
      files: { 'customers.csv': logins.map((row, index) => ({ ...row, full_name: people[index]!.full_name })) },
      users: { id: 'id', name: 'login', email: 'email' },
    },
  ],
  ['no table of people', ['nobody', 'numbers-for-names'], { tables: { users: 'none' } }],
  [
    'buyers and sellers who are told apart by another column',
    ['two-in-one'],
    {
      rows: with_((_, index) => ({ sender_party: index % 2 === 0 ? 'customer' : 'shop' })),
      files: { 'shops.csv': people.map(({ id }) => ({ id, shop_name: `Shop ${id}` })) },
    },
  ],
  [
    'one row for each folder',
    ['copies'],
    { rows: messages.flatMap((row, index) => (index < 12 ? [row, { ...row, id: 900 + index }] : [row])) },
  ],
  [
    'one conversation where another table has the rooms',
    ['one-room'],
    {
      rows: messages.map(({ ride_id: _, ...row }) => row),
      files: {
        'rides.csv': list(10, (index) => ({ id: 500 + index, title: `Ride ${index}` })),
        'deliveries.csv': messages.map((row, index) => ({ id: index + 1, message_id: row.id!, ride_id: row.ride_id! })),
      },
      bound: { conversation: { constant: 'all' } },
    },
  ],
  ['texts that are encrypted', ['cipher'], { rows: with_(({ body }) => ({ body: hash(String(body)) })) }],
  [
    'a row for each who got it',
    ['copies'],
    { rows: [...messages, ...messages.slice(0, 12).map((row, index) => ({ ...row, id: 900 + index, ride_id: 509 }))] },
  ],
  [
    'a second table of messages',
    ['rival'],
    {
      files: {
        'promos.csv': messages.slice(0, 30).map(({ id, sender_id, body, created_at }) => ({
          id: id!,
          sender_id: sender_id!,
          recipient_id: 3,
          note: body!,
          sent_at: created_at!,
        })),
      },
    },
  ],
  ['shops in one table', ['split'], { rows: with_((_, index) => ({ shop_id: 1 + (Math.floor(index / 12) % 3) })) }],
  ['the time of opening as the time', ['clock'], { bound: { time: { from: 'opened_at', format: 'iso' } } }],
  ['one time for all', ['clock'], { rows: with_(() => ({ created_at: at(1) })) }],
];

describe('a seeded reading', () => {
  it.each(seeded)('%s trips %j', async (_, trips, given) => {
    expect(await alarmsOf(given)).toEqual(trips);
  });

  it('each alarm is tripped by one', () => expect(new Set(seeded.flatMap(([, trips]) => trips)).size).toBe(12));
});
