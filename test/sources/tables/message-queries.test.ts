import { describe, expect, it } from 'vitest';
import { csv } from '../../../src/sources/csv/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesIn, readCsv } from './export-of.ts';

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;
const users = lines('id,email,username', '1,ann@example.org,ann', '2,bo@example.org,bo', '3,cy@example.org,cy');

/** The first reading of the table of messages, and what is proposed with it. */
async function proposed(files: MemoryFiles, source: Record<string, unknown> = {}) {
  const { findings } = await csv.propose(memoryInput(files), source);
  const first = findings.find(({ key }) => key === 'tables.messages')?.alternatives[0];
  const said = { ...source, tables: { messages: first?.value } };
  return { first, ...(await csv.propose(memoryInput(files), said)) };
}

const read = async (files: MemoryFiles, tables: object, messages: object) =>
  messagesIn(await readCsv(files, { tables, messages }));

describe('messages of several tables', () => {
  const direct = lines(
    'id,sender_id,receiver_id,body,sent_at,reply_to_id',
    ...[1, 2, 3, 4].map(
      (id) =>
        `${id},${(id % 2) + 1},${2 - (id % 2)},ship ${id} waits here,2024-03-01T09:0${id}:00Z,${id === 4 ? 3 : 0}`,
    ),
  );
  const group = lines(
    'id,group_id,user_id,message,sent_at,is_draft',
    ...[1, 2, 3, 4].map(
      (id) =>
        `${id},${(id % 2) + 7},${(id % 3) + 1},the tide is ${id} feet,2024-03-02T09:0${id}:00Z,${id === 4 ? 1 : 0}`,
    ),
  );
  const chat = {
    ...{ 'users.csv': users, 'groups.csv': lines('id,title', '7,Quay', '8,Yard') },
    ...{ 'private_messages.csv': direct, 'group_messages.csv': group },
  };

  it('are read by one query whose ids name their table', async () => {
    const { first, options } = await proposed(chat);
    expect(first?.because).toBe('all messages of "group_messages" and "private_messages"');
    expect(options.messages).toMatchObject({ id: 'id', author: 'user_id', text: { from: 'message' } });
    const found = await read(
      chat,
      { messages: first?.value },
      {
        ...{
          id: 'id',
          author: 'user_id',
          time: 'sent_at',
          text: 'message',
          reply: 'reply_to_id',
          only: { is_draft: ['0', ''] },
        },
        conversation: { first: [{ template: 'group:{group_id}' }, { between: ['user_id', 'receiver_id'] }] },
      },
    );
    expect(found.map(({ origin, threadRoot }) => [origin.id, threadRoot].filter(Boolean).join(' in '))).toEqual([
      ...['group:1', 'group:2', 'group:3'],
      ...['private:1', 'private:2', 'private:3', 'private:4 in private:3'],
    ]);
  });

  it('keep marks that one of the tables has alone', async () => {
    const { findings } = await proposed(chat);
    expect(findings.find(({ key }) => key === 'messages.only')).toMatchObject({
      value: { is_draft: ['0', ''] },
    });
  });

  it('keep ids that are different everywhere', async () => {
    const uuid = (table: string, id: number) => `0b7e0c0${id}-1f2a-4c3b-8d4e-00000000${table}`;
    const own = (text: string, table: string) => text.replaceAll(/^\d+(?=,)/gm, (id) => uuid(table, Number(id)));
    const files = { ...chat, 'private_messages.csv': own(direct, 'aaaa'), 'group_messages.csv': own(group, 'bbbb') };
    const { first } = await proposed(files);
    expect(JSON.stringify(first?.value)).not.toContain('||');
  });
});

describe('messages that several tables may hold', () => {
  const numbered = (count: number, row: (id: number) => string) =>
    Array.from({ length: count }, (_, index) => row(index + 1));
  const at = (id: number) => `2024-03-01T09:${String(id).padStart(2, '0')}:00Z`;
  const rooms = lines('id,title', '7,Quay', '8,Yard');

  it('are asked about where one table has two people, a text and a time, however its columns are called', async () => {
    const files = {
      'members.csv': lines('id,name', '1,Ann', '2,Bo', '3,Cy'),
      'rooms.csv': rooms,
      'room_messages.csv': lines(
        'id,userid,roomid,message,sent',
        ...numbered(4, (id) => `${id},${(id % 3) + 1},${(id % 2) + 7},the tide is ${id} feet,${at(id)}`),
      ),
      'chat.csv': lines(
        'id,from,to,message,sent,read',
        ...numbered(4, (id) => `${id},${(id % 3) + 1},${((id + 1) % 3) + 1},ship ${id} waits here,${at(id)},1`),
      ),
    };
    const { first, options } = await proposed(files);
    expect(first?.because).toBe('all messages of "room_messages" and "chat"');
    const found = await read(
      files,
      { messages: first?.value },
      { ...(options.messages as object), conversation: 'roomid' },
    );
    expect(found).toHaveLength(4);
  });

  it('begin with the description of their ticket', async () => {
    const files = {
      'users.csv': users,
      'tickets.csv': lines(
        'id,customer_id,assigned_to,description,created_at',
        '7,1,3,The crane does not lift,2024-03-01T08:00:00Z',
        '8,2,3,The quay is wet today,2024-03-01T08:01:00Z',
      ),
      'ticket_messages.csv': lines(
        'id,ticket_id,sender_id,message,created_at',
        ...numbered(4, (id) => `${id},${(id % 2) + 7},${(id % 3) + 1},ship ${id} waits here,${at(id)}`),
      ),
    };
    const { first } = await proposed(files);
    const columns = { author: 'sender_id', conversation: 'ticket_id', time: 'created_at', text: 'message', id: 'id' };
    const found = await read(files, { messages: first?.value }, columns);
    expect(found.map(({ origin, author, text }) => [origin.conversation, author, text])).toContainEqual([
      ...['7', '1', 'The crane does not lift'],
    ]);
  });
});

describe('several messages in one row', () => {
  const at = (minute: number) => `2024-03-01T09:0${minute}:00Z`;
  const rooms = lines('id,title', '7,Quay', '8,Yard');

  it('are what a person asked and what a model answered', async () => {
    const files = {
      ...{ 'users.csv': users, 'rooms.csv': rooms },
      'prompts.csv': lines(
        'id,room_id,user_id,question,answer,created_at',
        ...[1, 2, 3].map((id) => `${id},${(id % 2) + 7},${id},how deep is ${id},it is ${id} feet,${at(id)}`),
      ),
    };
    const { first, options } = await proposed(files);
    expect(first?.because).toBe('two messages of each row: "question" of the person, and "answer" of the model');
    const found = await read(files, { messages: first?.value }, options.messages as object);
    expect(found.map(({ origin, author, text }) => [origin.id, author, text]).slice(0, 3)).toEqual([
      ...[['question:1', '1', 'how deep is 1'] as const, ['answer:1', 'assistant', 'it is 1 feet'] as const],
      ['question:2', '2', 'how deep is 2'],
    ]);
  });

  it('are in a list inside of JSON', async () => {
    const say = (id: number) =>
      JSON.stringify({ log: [1, 2].map((part) => ({ from: part, text: `the tide is ${id} ${part}`, ts: at(part) })) });
    const files = {
      'users.csv': users,
      'talks.csv': lines('id,title,log', ...[7, 8].map((id) => `${id},Talk ${id},"${say(id).replaceAll('"', '""')}"`)),
    };
    const { first, options } = await proposed(files);
    expect(first?.because).toBe('the messages inside of "log"; without those that have no "text"');
    const found = await read(
      files,
      { messages: first?.value },
      { ...(options.messages as object), conversation: 'talk_id' },
    );
    expect(found.map(({ origin, text }) => [origin.conversation, text])).toEqual([
      ...[['7', 'the tide is 7 1'] as const, ['7', 'the tide is 7 2'] as const],
      ...[['8', 'the tide is 8 1'] as const, ['8', 'the tide is 8 2'] as const],
    ]);
    const withBroken = { ...files, 'talks.csv': `${files['talks.csv']}9,Talk 9,{cut off\n` };
    const rules = { ...(options.messages as object), conversation: 'talk_id' };
    const entries = await readCsv(withBroken, { tables: { messages: first?.value }, messages: rules });
    expect(entries.filter(({ type }) => type === 'invalid')).toHaveLength(1);
  });

  it('are the rows of a log of events that have a text', async () => {
    const event = (payload: object) => `"${JSON.stringify(payload).replaceAll('"', '""')}"`;
    const files = {
      ...{ 'users.csv': users, 'rooms.csv': rooms },
      'events.csv': lines(
        'seq,type,payload,created',
        ...[1, 2, 3].map((id) => `${id},sent,${event({ room: '7', from: `${id}`, text: `tide ${id}` })},${at(id)}`),
        `4,typing,${event({ room: '7', member: '1' })},${at(4)}`,
      ),
    };
    const { first, options } = await proposed(files);
    const found = await read(
      files,
      { messages: first?.value },
      { ...(options.messages as object), author: 'from', conversation: 'room' },
    );
    expect(found.map(({ author, text }) => [author, text])).toEqual([1, 2, 3].map((id) => [`${id}`, `tide ${id}`]));
  });
});

describe('texts in a table of their own', () => {
  const messages = lines(
    'id,room_id,sender_id,created_at',
    ...[1, 2, 3].map((id) => `${id},${(id % 2) + 7},${id},2024-03-01T09:0${id}:00Z`),
  );
  const chat = { 'users.csv': users, 'rooms.csv': lines('id,title', '7,Quay', '8,Yard'), 'messages.csv': messages };
  const columns = { id: 'id', author: 'sender_id', conversation: 'room_id', time: 'created_at' };

  it('are those of the newest version', async () => {
    const versions = lines(
      'id,message_id,version_no,content,created_at',
      ...['1,1,9,the tide is low,2024-03-01T09:01:00Z', '2,1,10,the tide is high,2024-03-01T09:01:01Z'],
      ...['3,2,1,a ship waits,2024-03-01T09:02:00Z', '4,3,1,and another one,2024-03-01T09:03:00Z'],
    );
    const files = { ...chat, 'message_versions.csv': versions };
    const { first } = await proposed(files);
    expect(first?.because).toContain('the newest, by CAST(version_no AS INTEGER)');
    const found = await read(files, { messages: first?.value }, { ...columns, text: 'content' });
    expect(found.map(({ text }) => text)).toEqual(['the tide is high', 'a ship waits', 'and another one']);
  });

  it('are all of their blocks in order', async () => {
    const blocks = lines(
      'id,message_id,position,content',
      ...['1,1,2,and high', '2,1,1,the tide is low', '3,2,1,a ship waits', '4,3,1,and another one'],
    );
    const files = { ...chat, 'message_blocks.csv': blocks };
    const { first } = await proposed(files);
    const found = await read(files, { messages: first?.value }, { ...columns, text: 'text' });
    expect(found.map(({ text }) => text)).toEqual(['the tide is low\nand high', 'a ship waits', 'and another one']);
  });

  it('are in the table that a type names', async () => {
    const entries = lines(
      'id,room_id,sender_id,created_at,entryable_type,entryable_id',
      ...['1,7,1,2024-03-01T09:01:00Z,Note,5', '2,8,2,2024-03-01T09:02:00Z,Comment,5'],
      ...['3,7,3,2024-03-01T09:03:00Z,Note,6', '4,8,1,2024-03-01T09:04:00Z,Comment,6'],
    );
    const [notes, comments] = ['tide', 'ship'].map((word) =>
      lines('id,body', `5,a ${word} comes`, `6,the ${word} goes`),
    );
    const { 'messages.csv': _, ...others } = chat;
    const files = { ...others, 'entries.csv': entries, 'notes.csv': notes!, 'comments.csv': comments! };
    const { first } = await proposed(files);
    const found = await read(files, { messages: first?.value }, { ...columns, text: 'text' });
    expect(found.map(({ text }) => text)).toEqual(['a tide comes', 'a ship comes', 'the tide goes', 'the ship goes']);
  });
});

it('messages are in the conversations that the rows of their recipients name', async () => {
  const files = {
    'users.csv': users,
    'groups.csv': lines('id,title', '7,Quay', '8,Yard'),
    'messages.csv': lines(
      'id,sender_id,body,created_at',
      ...[1, 2, 3].map((id) => `${id},${id},ship ${id} waits here,2024-03-01T09:0${id}:00Z`),
    ),
    'message_recipients.csv': lines('id,message_id,group_id,recipient_id', '1,1,7,2', '2,1,7,3', '3,2,8,1'),
  };
  const { first } = await proposed(files);
  expect(first?.because).toBe(
    '"message_recipients" says in which conversation each is; 1 of 3 are in none, and left out',
  );
  const columns = { id: 'id', author: 'sender_id', conversation: 'group_id', time: 'created_at', text: 'body' };
  const found = await read(files, { messages: first?.value }, columns);
  expect(found.map(({ origin }) => `${origin.id} in ${origin.conversation}`)).toEqual(['1 in 7', '2 in 8']);
});

describe('authors behind a table of those who take part', () => {
  const messages = lines(
    'id,conversation_id,participation_id,body,created_at',
    ...[1, 2, 3, 4, 5, 6].map(
      (id) => `${id},${(id % 2) + 1},${id % 3 ? id % 3 : ''},ship ${id} waits here,2024-03-01T09:0${id}:00Z`,
    ),
  );
  const chat = {
    'users.csv': users,
    'conversations.csv': lines('id,title', '1,Quay', '2,Yard'),
    'messages.csv': messages,
  };

  it('are joined to the messages by a person', async () => {
    const files = { ...chat, 'participants.csv': lines('id,conversation_id,user_id', '1,1,3', '2,2,3') };
    const withNames = { ...files, 'messages.csv': messages.replace('participation_id', 'participant_id') };
    const { first, findings } = await proposed(withNames);
    expect(first?.because).toBe('"participants" says who "participant_id" is');
    expect(findings.find(({ key }) => key === 'messages.author')?.alternatives[0]?.value).toBe('author_id');
  });

  it('are joined by a type and an id, and so are the members', async () => {
    const participation = lines(
      'id,conversation_id,messageable_type,messageable_id',
      ...['1,1,App\\Models\\User,1', '2,2,App\\Models\\Bot,1', '3,1,App\\Models\\Bot,1'],
    );
    const files = { ...chat, 'participation.csv': participation, 'bots.csv': lines('id,title', '1,Helper') };
    const author = { template: '{author_type}:{author_id}' };
    const { first, options, findings } = await proposed(files, { messages: { author } });
    expect(options).toMatchObject({
      tables: { members: { file: 'participation.csv' } },
      members: { user: { template: '{messageable_type}:{messageable_id}' } },
    });
    const people = findings.find(({ key }) => key === 'tables.users')?.value;
    expect(JSON.stringify(people)).toContain('title AS name');
    const found = await read(
      files,
      { messages: first?.value },
      {
        ...{ id: 'id', conversation: 'conversation_id', author, time: 'created_at', text: 'body' },
      },
    );
    expect(found.map(({ author: who }) => who)).toEqual([
      ...['App\\Models\\User:1', 'App\\Models\\Bot:1', undefined],
      ...['App\\Models\\User:1', 'App\\Models\\Bot:1', undefined],
    ]);
  });
});

describe('tables beside messages', () => {
  const posts = (word: string) =>
    lines(
      'id,room_id,user_id,created_at,text',
      ...[1, 2, 3, 4, 5, 6].map(
        (id) => `${id},${(id % 3) + 1},${id % 2 ? 'u1' : 'u2'},2024-03-01T09:0${id}:00Z,${word} ${id} waits here`,
      ),
    );
  const people = lines('id,name', 'u1,Ann', 'u2,Bo');

  it('are another table than messages of the same columns if the user names one file', async () => {
    const files = { 'chat_messages.csv': posts('ship'), 'forum_posts.csv': posts('crane') };
    const { options, findings } = await csv.propose(memoryInput(files), {
      tables: { messages: { file: 'chat_messages.csv' } },
    });
    expect(options.messages).toMatchObject({ id: 'id' });
    expect(findings.find(({ key }) => key === 'messages.text.from')?.because).toContain('6 of 6 rows');
  });

  it('may each have a column for the conversation: a row belongs where one of them says', async () => {
    const rows = ['id,room_id,channel_id,user_id,created_at,body'];
    for (let i = 0; i < 12; i++)
      rows.push(
        `${i},${i % 2 ? `r${i % 3}` : ''},${i % 2 ? '' : `m${i % 3}`},u${i % 4},2024-03-01T09:0${i % 10}:00Z,Ship ${i} waits`,
      );
    const { findings } = await csv.propose(memoryInput({ 'chat.csv': lines(...rows) }), {});
    expect(findings.find(({ key }) => key === 'messages.conversation')?.alternatives[0]?.value).toEqual({
      first: [{ template: 'room:{room_id}' }, { template: 'channel:{channel_id}' }],
    });
  });

  it('that only look like people are asked about if they contain the authors, and may be none', async () => {
    const files = {
      'chat_messages.csv': posts('ship'),
      'accounts.csv': people,
      'profiles.csv': people.replace('Bo', 'Bea'),
    };
    const { findings } = await csv.propose(memoryInput(files), {});
    expect(findings.find(({ key }) => key === 'tables.users')).toMatchObject({
      because: expect.stringMatching(/^values of "user_id" are ids of "accounts" \(. of . ids\), and of "profiles" /),
      alternatives: [{ value: { file: 'accounts.csv' } }, { value: { file: 'profiles.csv' } }, { value: 'none' }],
    });
    const decided = { tables: { users: 'none' } };
    const { findings: left } = await csv.propose(memoryInput(files), decided);
    expect(left.map(({ key }) => key)).not.toContain('tables.users');
    expect(csv.options.parse(decided)).toMatchObject({ tables: { users: undefined } });
  });

  it.each([
    [
      'sender_type',
      ['user', 'user', 'system'],
      { from: 'sender_type', values: { system: 'system' }, otherwise: 'message' },
    ],
    [
      'type',
      ['Chat::Message', 'Chat::Notice'],
      { from: 'type', values: { 'Chat::Message': 'message', 'Chat::Notice': 'system' }, otherwise: 'message' },
    ],
  ])('is a column %s that says which lines people wrote', async (column, words, value) => {
    const [header, ...rows] = posts('ship').trim().split('\n');
    const cells = rows.map((row, index) => `${row},${words[index % words.length]}`);
    const { findings } = await csv.propose(memoryInput({ 'chat.csv': lines(`${header},${column}`, ...cells) }), {});
    const found = findings.find(({ key }) => key === 'messages.kind');
    expect(found?.value ?? found?.alternatives[0]?.value).toEqual(value);
  });

  it('say by "is_active" who was deactivated, and by "following" who has left', async () => {
    const users = lines('id,email,username,is_active', 'u1,a@example.org,ann,t', 'u2,b@example.org,bo,f');
    const members = lines('id,room_id,user_id,following', '1,1,u1,t', '2,1,u2,f', '3,2,u1,t', '4,3,u2,t');
    const files = {
      'chat_messages.csv': posts('ship'),
      'users.csv': users,
      'room_members.csv': members,
      'rooms.csv': lines('id,title', '1,a', '2,b', '3,c'),
    };
    const { options, findings } = await csv.propose(memoryInput(files), {});
    expect(options.users).toMatchObject({ isDeleted: { from: 'is_active', values: { t: false, f: true } } });
    expect(findings.find(({ key }) => key === 'members.only.following')?.alternatives[0]?.value).toEqual(['t']);
  });

  it('hold one file of a message as JSON', async () => {
    const [header, ...rows] = posts('ship').trim().split('\n');
    const cells = rows.map(
      (row, index) => `${row},${index === 2 ? '"{""new_name"":""0c.jpg"",""old_name"":""boat.jpg""}"' : ''}`,
    );
    const { options } = await csv.propose(memoryInput({ 'chat.csv': lines(`${header},attachment`, ...cells) }), {});
    expect(options.messages).toMatchObject({ attachments: [{ name: 'attachment.old_name' }] });
  });
});
