import { describe, expect, it } from 'vitest';
import { csv } from '../../../src/sources/csv/index.ts';
import { keyPath, type Settings, withValue } from '../../../src/lib/settings.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const lines = (header: string, rows: readonly string[]): string => `${[header, ...rows].join('\n')}\n`;

/** Rows of messages in rooms 101 and 102, with some columns more. */
const chat = (columns: string, more: (i: number) => string, place = 'room_id') =>
  lines(
    `id,${place},${columns},created_at,body`,
    range(12).map((i) => `${i + 500},${101 + (i % 2)},${more(i)},2024-03-01T09:${10 + i}:00Z,Ship ${i} waits`),
  );
const rooms = lines('id,title', ['101,Quay', '102,Tide']);
const named = (word: string, count: number, more = '') => range(count).map((i) => `${i + 1},${word} ${i + 1}${more}`);

/** Takes the first reading of whatever is asked, and reads by it. */
async function readByFirst(files: MemoryFiles) {
  let options: Settings = {};
  const asked: string[] = [];
  for (;;) {
    const proposal = await csv.propose(memoryInput(files), options);
    const open = proposal.findings.find(({ alternatives, isRequired }) => isRequired && alternatives.length > 0);
    if (!open) return { asked, ...(await whoWrote(files, proposal.options)) };
    asked.push(open.key);
    if (asked.length > 8) throw new Error(`Asked without end: ${asked.join()}`);
    options = withValue(options, keyPath(open.key), open.value ?? open.alternatives[0]!.value);
  }
}

/** The names of those who wrote, one for each message, and the names of all people. */
async function whoWrote(files: MemoryFiles, source: Settings) {
  const entries = await readAll(csv, memoryInput(files), {}, source);
  const records = entries.flatMap((entry) => (entry.type === 'record' ? [entry.record] : []));
  const people = new Map(records.flatMap((one) => (one.kind === 'user' ? [[one.id, one.name] as const] : [])));
  const messages = records.flatMap((one) => (one.kind === 'message' ? [one] : []));
  const nameOf = ({ author = '', authorDetails }: (typeof messages)[number]) =>
    people.get(author) ?? authorDetails?.name ?? `nobody called "${author}"`;
  return { wrote: messages.map(nameOf), source };
}

it('people and conversations are found by a unique id next to the primary key', async () => {
  const files = {
    'members.csv': lines(
      'id,provider_user_id,display_name',
      range(3).map((i) => `m${i},pu${i},Pia ${i}`),
    ),
    'groups.csv': lines(
      'id,provider_group_id,title',
      range(2).map((i) => `g${i},pg${i},Group ${i}`),
    ),
    'messages.csv': chat('sender_provider_user_id,provider_group_id', (i) => `pu${i % 3},pg${i % 2}`, 'batch_no'),
  };
  const { asked, wrote, source } = await readByFirst(files);
  expect(wrote).toEqual(range(12).map((i) => `Pia ${i % 3}`));
  expect(source).toMatchObject({ conversations: { id: 'provider_group_id' } });
  expect(asked).toEqual([]);
});

describe('people of two tables', () => {
  const agents = lines('id,full_name,email', named('Agent', 3, ',a@example.com'));
  const guests = lines('id,full_name,email', named('Guest', 3, ',g@example.com'));
  const number = (i: number) => (i % 3) + 1;
  const isAgent = (i: number) => i % 2 === 0;
  const expected = range(12).map((i) => `${isAgent(i) ? 'Agent' : 'Guest'} ${number(i)}`);

  it.each(['author_party,author_no', 'side,sender_id', 'kind,user_no'])(
    'are found without a question by the word for a table and a number there under the names "%s"',
    async (columns) => {
      const files = { 'agents.csv': agents, 'guests.csv': guests, 'rooms.csv': rooms };
      const messages = chat(columns, (i) => `${isAgent(i) ? 'agent' : 'guest'},${number(i)}`);
      const { asked, wrote } = await readByFirst({ ...files, 'messages.csv': messages });
      expect(wrote).toEqual(expected);
      expect(asked).toEqual([]);
    },
  );

  it('are found by names of classes', async () => {
    const messages = chat('actor_type,actor_id', (i) => `App\\Models\\${isAgent(i) ? 'Agent' : 'Guest'},${number(i)}`);
    const files = { 'agents.csv': agents, 'guests.csv': guests, 'rooms.csv': rooms, 'messages.csv': messages };
    expect((await readByFirst(files)).wrote).toEqual(expected);
  });

  it('are on offer either way round where the type is a number', async () => {
    const messages = chat('sender_type,sender_id', (i) => `${isAgent(i) ? 1 : 2},${number(i)}`);
    const files = { 'agents.csv': agents, 'guests.csv': guests, 'rooms.csv': rooms, 'messages.csv': messages };
    const said = { messages: { author: { template: '{sender_type}:{sender_id}' } } };
    const { findings } = await csv.propose(memoryInput(files), said);
    const { alternatives } = findings.find(({ key }) => key === 'tables.users')!;
    expect(alternatives.map(({ because }) => because)).toEqual([
      '1: "agents", 2: "guests"',
      '1: "guests", 2: "agents"',
    ]);
  });

  it('are found by two columns of which each row has one', async () => {
    const messages = chat('agent_id,guest_id', (i) => (isAgent(i) ? `${number(i)},` : `,${number(i)}`));
    const files = { 'agents.csv': agents, 'guests.csv': guests, 'rooms.csv': rooms, 'messages.csv': messages };
    const { asked, wrote } = await readByFirst(files);
    expect(wrote).toEqual(expected);
    expect(asked).toEqual(['messages.author']);
  });

  it('are found by negative numbers for guests, without a question', async () => {
    const messages = chat('user_id', (i) => `${isAgent(i) ? '' : '-'}${number(i)}`);
    const users = lines('id,full_name,email', named('Agent', 3, ',a@example.com'));
    const files = { 'users.csv': users, 'guests.csv': guests, 'rooms.csv': rooms, 'messages.csv': messages };
    const { asked, wrote } = await readByFirst(files);
    expect(wrote).toEqual(expected);
    expect(asked).toEqual([]);
  });
});

describe('rows that name nobody', () => {
  const users = lines('id,full_name,email', named('Agent', 3, ',a@example.com'));
  const chats = lines('id,nick', ['101,Otto', '102,Rita']);
  const author = (i: number) => (i === 4 ? '-1' : i % 3 === 0 ? '0' : `${(i % 2) + 1}`);
  const messages = chat('user_id', author, 'chat_id');

  it('are those of the visitor whom their conversation names, and of the platform, once their owner says so', async () => {
    const { asked, wrote } = await readByFirst({ 'users.csv': users, 'chats.csv': chats, 'messages.csv': messages });
    expect(asked).toEqual(['messages.author', 'messages.kind']);
    const visitor = (i: number) => (i % 2 === 0 ? 'Otto' : 'Rita');
    const others = range(12).filter((i) => i !== 4);
    expect(wrote.filter((_, i) => i !== 4)).toEqual(
      others.map((i) => (i % 3 === 0 ? visitor(i) : `Agent ${(i % 2) + 1}`)),
    );
  });

  it('are not offered to a visitor whom no table names', async () => {
    const files = { 'users.csv': users, 'rooms.csv': rooms, 'messages.csv': chat('user_id', author) };
    expect((await readByFirst(files)).asked).toEqual(['messages.kind']);
  });
});

describe('a table of people under a name that says nothing', () => {
  const equipage = lines('id,rufname', ['1,Anouk', '2,Cyril', '3,Odile', '4,Pia']);
  const files = {
    'equipage.csv': equipage,
    'rooms.csv': rooms,
    'messages.csv': chat('expediteur_id', (i) => `${((i * 5) % 3) + 1}`),
  };

  it('is asked for, and then its ids decide who wrote', async () => {
    const { asked, wrote } = await readByFirst(files);
    expect(asked).toEqual(['tables.users']);
    expect(new Set(wrote)).toEqual(new Set(['Anouk', 'Cyril', 'Odile']));
  });

  it('is not asked for where the only other table is that of the conversations', async () => {
    const { 'equipage.csv': _, ...others } = files;
    const { findings } = await csv.propose(memoryInput(others), {});
    expect(findings.map(({ key }) => key)).not.toContain('tables.users');
  });
});

it('profiles give the names of accounts, and accounts those of whoever has no profile', async () => {
  const ids = range(4).map((i) => `0000000${i}-aaaa-4bbb-8ccc-00000000000${i}`);
  const users = lines(
    'id,email,meta',
    ids.map((id, i) => `${id},mail${i}@example.com,"{""full_name"": ""Account ${i}""}"`),
  );
  const profiles = lines(
    'id,username',
    ids.slice(0, 3).map((id, i) => `${id},pia${i}`),
  );
  const messages = chat('user_id', (i) => ids[(i * 3) % 4]!);
  const files = { 'users.csv': users, 'profiles.csv': profiles, 'rooms.csv': rooms, 'messages.csv': messages };
  const { asked, wrote } = await readByFirst(files);
  expect(asked).toEqual([]);
  expect(new Set(wrote)).toEqual(new Set(['pia0', 'pia1', 'pia2', 'Account 3']));
});

/** People of two tables with the same numbers; the columns of messages that say who wrote. */
const bothKinds = (columns: string, more: (i: number) => string) => ({
  'rooms.csv': rooms,
  'members.csv': lines(
    'id,full_name,email',
    range(6).map((i) => `${i + 1},Mia ${i + 1},mia${i}@example.org`),
  ),
  'customers.csv': lines(
    'id,name,phone',
    range(6).map((i) => `${i + 1},Cal ${i + 1},+49 170 555 ${100 + i}`),
  ),
  'messages.csv': chat(columns, more),
});

it.each(['sender', 'written_by', 'kind_of_person'])(
  'people of two tables with the same numbers stay apart by the words in "%s", whatever that column is called',
  async (column) => {
    const files = bothKinds(`sender_id,${column}`, (i) => `${(i % 6) + 1},${i % 2 ? 'member' : 'customer'}`);
    const { wrote } = await readByFirst(files);
    expect(wrote).toEqual(range(12).map((i) => `${i % 2 ? 'Mia' : 'Cal'} ${(i % 6) + 1}`));
  },
);

it('a table is asked for if two tables of people have the authors, and nothing says which', async () => {
  const { asked } = await readByFirst(bothKinds('sender_id', (i) => `${(i % 6) + 1}`));
  expect(asked).toContain('tables.users');
});
