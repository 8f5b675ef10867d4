import { describe, expect, it } from 'vitest';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import { rowOf } from './rows.ts';

/**
 * Decisions and questions of `init`, by the shape of a table: one line each.
 *
 * A change in how evidence is weighed shows here which chats are read differently. A line lists the columns that differ
 * from a plain chat, the decisions, and every question; a missing question is a guess, and an extra one is noise.
 */

type Cells = Readonly<Record<string, unknown>>;
type Shape = readonly [
  what: string,
  tables: Readonly<Record<string, readonly Cells[]>>,
  decided: object,
  asked: string[],
];

const pick = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
const who = (i: number) => pick(['u1', 'u2', 'u3', 'u4'], i * 7 + Math.floor(i / 3));
const where = (i: number) => pick(['r1', 'r2', 'r3', 'r4'], Math.floor(i / 5));
const at = (i: number, day = '2024-03-01') => `${day}T09:${String(i).padStart(2, '0')}:00Z`;
const text = (i: number) => `Ship ${i} waits for the tide at the quay`;

const rowsOf = (row: (i: number) => Cells, count = 24) => Array.from({ length: count }, (_, i) => row(i));

/** A plain chat, with some columns more or others. A column that is `undefined` is not there. */
const chat = (more: (i: number) => Cells = () => ({})) =>
  rowsOf((i) => {
    const row = { id: `${i + 1}`, room_id: where(i), user_id: who(i), created_at: at(i), body: text(i), ...more(i) };
    return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
  });

/** One row in six. */
const some = (i: number) => i % 6 === 0;
const none = { user_id: undefined };
const messages = (decided: object) => ({ messages: decided });
const plain = messages({
  id: 'id',
  conversation: 'room_id',
  author: 'user_id',
  time: { from: 'created_at' },
  text: { from: 'body' },
});

const people = rowsOf((i) => ({ id: `u${i + 1}`, name: `Pia ${i + 1}`, email: `u${i + 1}@example.com` }), 6);
const rooms = rowsOf((i) => ({ id: `r${i + 1}`, name: `Room ${i + 1}` }), 5);
const lone = (row?: (i: number) => Cells) => ({ 'messages.csv': chat(row) });

const author = 'messages.author';
const conversation = 'messages.conversation';
const only = 'messages.only';

const shapes: readonly Shape[] = [
  ['a plain chat', lone(), plain, []],
  [
    'names in capitals',
    { 'M.csv': rowsOf((i) => ({ ID: `${i}`, ROOM_ID: where(i), USER_ID: who(i), CREATED_AT: at(i), BODY: text(i) })) },
    messages({ author: 'USER_ID', conversation: 'ROOM_ID' }),
    [],
  ],
  [
    'ids with leading zeros',
    lone((i) => ({ user_id: pick(['007', '7', '0012', '12'], i * 7 + Math.floor(i / 3)) })),
    plain,
    [],
  ],
  ['ids of twenty digits', lone((i) => ({ user_id: `9876543210987654321${i % 4}` })), plain, []],
  ['newest first', { 'messages.csv': [...chat()].reverse() }, plain, []],

  // Who wrote.
  [
    'an assignee and a closer beside the author',
    lone((i) => ({ ...none, author_id: who(i), assignee_id: pick(['u1', 'u2'], Math.floor(i / 5)), closed_by: 'u4' })),
    messages({ author: 'author_id' }),
    [],
  ],
  [
    'an editor beside the sender',
    lone((i) => ({ ...none, sender_id: who(i), last_edited_by: pick(['u3', 'u4'], i) })),
    messages({ author: 'sender_id' }),
    [],
  ],
  [
    'two columns of people who both take turns',
    lone((i) => ({ ...none, author: who(i), created_by: pick(['u2', 'u9', 'u1'], i) })),
    {},
    [author],
  ],
  ['a sender that some rows lack', lone((i) => ({ user_id: some(i) ? '' : who(i) })), {}, [author]],
  [
    'a bot in another column',
    lone((i) => ({ user_id: some(i) ? '' : who(i), bot_id: some(i) ? 'b1' : '' })),
    {},
    [author],
  ],
  ['one sender for all rows', lone(() => ({ user_id: 'u1' })), {}, [author]],
  ['a sender of another value in each row', lone((i) => ({ user_id: `s${i}` })), {}, [author]],
  ['a sender without a usual name', lone((i) => ({ ...none, handler: who(i) })), {}, [author]],
  [
    'a phone number that sends',
    lone((i) => ({ ...none, from_number: `+4915112345${i % 4}` })),
    messages({ author: 'from_number' }),
    [],
  ],
  [
    'a flag of who wrote, and the other person',
    lone((i) => ({
      ...none,
      room_id: undefined,
      handle: pick(['+1', '+2', '+3'], Math.floor(i / 5)),
      is_from_me: i % 2,
    })),
    {},
    [author, conversation],
  ],
  [
    'agents and customers of one id',
    lone((i) => ({ ...none, sender_id: pick(['1', '2', '3'], i), sender_type: pick(['agent', 'customer'], i) })),
    {},
    [author],
  ],
  [
    'people in a table',
    { ...lone(), 'users.csv': people },
    { ...plain, users: { id: 'id', name: 'name', email: 'email' } },
    [],
  ],
  [
    'people in a table, and an operator who is in it as well',
    { ...lone((i) => ({ ...none, sender_id: who(i), operator_id: 'u1' })), 'users.csv': people },
    messages({ author: 'sender_id' }),
    [],
  ],
  ['a guest beside an account', lone((i) => ({ guest_name: some(i) ? `g${i % 4}` : '' })), {}, [author]],
  ['a flag of who wrote', lone((i) => ({ is_agent: i % 2 })), {}, [author]],
  ['the role of an assistant', lone((i) => ({ ...none, role: pick(['user', 'assistant'], i) })), {}, [author]],

  // Where.
  ['one room alone', lone(() => ({ room_id: 'r1' })), {}, [conversation]],
  ['two rooms', lone((i) => ({ room_id: pick(['support', 'sales'], i) })), {}, [conversation]],
  ['no room', lone(() => ({ room_id: undefined })), {}, [conversation]],
  ['rooms in a table', { ...lone(), 'rooms.csv': rooms }, { ...plain, conversations: { id: 'id', name: 'name' } }, []],
  [
    'two rooms that a table describes',
    { ...lone((i) => ({ room_id: pick(['r1', 'r2'], Math.floor(i / 5)) })), 'rooms.csv': rooms },
    plain,
    [],
  ],
  [
    'a thread inside of a channel',
    lone((i) => ({ room_id: undefined, channel_id: where(i), thread_id: `${Math.floor(i / 3)}` })),
    {},
    [conversation],
  ],
  [
    'a room of two values beside a thread',
    lone((i) => ({
      room_id: undefined,
      room: pick(['support', 'sales'], Math.floor(i / 3)),
      thread_id: `t${Math.floor(i / 4)}`,
    })),
    {},
    [conversation],
  ],
  ['rooms that some rows lack', lone((i) => ({ room_id: some(i) ? '' : where(i) })), {}, [conversation]],
  [
    'sender and recipient',
    lone((i) => ({ ...none, room_id: undefined, from: who(i), to: who(i + 1) })),
    messages({ author: 'from', conversation: { between: ['from', 'to'] } }),
    [],
  ],
  [
    'a room, or a recipient',
    lone((i) => ({ ...none, sender_id: who(i), room_id: some(i) ? '' : where(i), to_id: some(i) ? who(i + 1) : '' })),
    {},
    [conversation],
  ],
  [
    'a type and an id of what a comment is about',
    {
      'comments.csv': chat((i) => ({
        room_id: undefined,
        commentable_type: pick(['Post', 'Ticket'], i),
        commentable_id: pick(['1', '2', '3'], Math.floor(i / 5)),
      })),
    },
    {},
    [conversation],
  ],
  ['rooms of two tenants', lone((i) => ({ tenant_id: pick(['north', 'south'], i) })), {}, ['messages.only.tenant_id']],
  ['one tenant', lone(() => ({ tenant_id: 'north' })), plain, []],

  // When.
  [
    'seconds that may be since 1970 or since 2001',
    lone((i) => ({ created_at: `${794135700 + i}` })),
    {},
    ['messages.time.format'],
  ],
  [
    'thirteen digits',
    lone((i) => ({ created_at: `${1709294400000 + i}` })),
    messages({ time: { from: 'created_at', format: 'unix-ms' } }),
    [],
  ],
  [
    'days and months below 13',
    lone((i) => ({ created_at: `0${(i % 9) + 1}/0${(i % 8) + 1}/2024 09:00` })),
    {},
    ['messages.time.format', 'zone'],
  ],
  [
    'a day above 12',
    lone((i) => ({ created_at: `${13 + (i % 9)}/02/2024 09:00` })),
    messages({ time: { from: 'created_at', format: 'd/M/yyyy H:mm' } }),
    ['zone'],
  ],
  ['times without a zone', lone((i) => ({ created_at: at(i).replace('T', ' ').replace('Z', '') })), {}, ['zone']],
  ['two times with usual names', lone((i) => ({ sent_at: at(i, '2024-02-01') })), {}, ['messages.time.from']],
  [
    'times whose names say nothing',
    lone((i) => ({ created_at: undefined, posted: at(i), updated: at(i, '2024-03-02') })),
    {},
    ['messages.time.from'],
  ],
  ['text that is no time', lone(() => ({ created_at: 'just now' })), {}, ['messages.time.format']],

  // Who may see it.
  ...[
    ['is_private', '1', '0'],
    ['internal', 'true', 'false'],
    ['draft', 'yes', 'no'],
    ['approved', 'false', 'true'],
    ['moderation', 'rejected', 'approved'],
    ['visible_to', 'agents', 'all'],
    ['role', 'note', 'customer'],
    ['part_type', 'note', 'comment'],
    ['state', 'failed', 'sent'],
    ['status', 'scheduled', 'sent'],
    ['hidden_at', '2024-03-02T00:00:00Z', ''],
    ['is_public', '0', '1'],
    ['is_visible', 'no', 'yes'],
    ['whisper', 'true', 'false'],
    ['spam', '1', '0'],
    ['visibility', 'internal', 'public'],
    ['sichtbarkeit', 'intern', 'öffentlich'],
    ['agent_only', '1', '0'],
    ['ephemeral', 'true', 'false'],
    ['removed_by', 'u9', ''],
    ['comment_type', 'private note', 'reply'],
    ['delivery_status', 'undelivered', 'delivered'],
    ['entwurf', 'ja', 'nein'],
  ].map(
    ([name, hidden, shown]): Shape => [
      `"${name}" is "${hidden}" in some rows`,
      lone((i) => ({ [name!]: some(i) ? hidden : shown })),
      {},
      [only],
    ],
  ),
  ...[
    ['entry', 'memo', 'reply'],
    ['event', 'assign', 'comment'],
    ['state', 'D', 'A'],
    ['record_status', 'inactive', 'active'],
    ['record_status', 'inactive', ''],
    ['active', '0', '1'],
    ['is_sent', '0', '1'],
    ['tombstone', '1', '0'],
    ['customer_facing', '0', '1'],
    ['is_latest', '0', '1'],
  ].map(
    ([name, rare, usual]): Shape => [
      `"${name}" is "${rare}" in some rows, and nobody knows what that means`,
      lone((i) => ({ [name!]: some(i) ? rare : usual })),
      {},
      [`${only}.${name}`],
    ],
  ),
  ...[
    ['language', 'fr', 'en'],
    ['priority', 'high', 'normal'],
    ['sentiment', 'angry', 'calm'],
    ['subject', 'Ropes', 'Sails'],
  ].map(
    ([name, rare, usual]): Shape => [
      `"${name}" is "${rare}" in some rows, which everybody may know`,
      lone((i) => ({ [name!]: some(i) ? rare : usual })),
      plain,
      [],
    ],
  ),
  ['a status of the conversation', lone((i) => ({ ticket_status: where(i) === 'r2' ? 'open' : 'closed' })), plain, []],
  ['status by numbers', lone((i) => ({ status: some(i) ? '9' : '1' })), {}, ['messages.only.status']],
  ['type by numbers', lone((i) => ({ type: some(i) ? '2' : '1' })), {}, ['messages.only.type']],
  ['hidden by one of two people', lone((i) => ({ deleted_by_sender: some(i) ? '1' : '0' })), {}, [only]],
  ['nothing private', lone(() => ({ is_private: '0' })), messages({ only: { is_private: ['0', ''] } }), []],
  ['deleted by time', lone((i) => ({ deleted_at: some(i) ? at(i) : '' })), messages({ deleted: 'deleted_at' }), []],

  // Which words.
  [
    'a subject beside the body',
    lone((i) => ({ subject: `Re: ${where(i)}` })),
    messages({ text: { from: 'body' } }),
    [],
  ],
  [
    'a text and the same as HTML',
    lone((i) => ({ body: undefined, body_plain: text(i), body_html: `<p>${text(i)}</p>` })),
    messages({ text: { from: 'body_html', markup: 'html' } }),
    [],
  ],
  [
    'a translation and a note beside the text',
    lone((i) => ({
      body: undefined,
      text: text(i),
      text_translated: `fr ${text(i)}`,
      note: some(i) ? `he lies ${i}` : '',
    })),
    messages({ text: { from: 'text' } }),
    [],
  ],
  [
    'ids in "message", the text elsewhere',
    lone((i) => ({ body: undefined, message: `abc-${i}`, said: text(i) })),
    {},
    ['messages.text.from'],
  ],
  [
    'a title of its own in each row, longer than the body',
    lone((i) => ({ title: `${text(i)} and so on until the evening comes`, body: `ok ${i}` })),
    {},
    ['messages.text.from'],
  ],
  [
    'a question and an answer in each row',
    lone((i) => ({ body: undefined, user_message: text(i), bot_response: `Answer ${i} to that` })),
    {},
    ['messages.text.from'],
  ],
  [
    'JSON in the text',
    lone((i) => ({ body: JSON.stringify({ text: text(i), private: some(i) }) })),
    {},
    ['messages.only', 'messages.text.from'],
  ],
  [
    'a mark deep in the JSON of a cell',
    lone((i) => ({ attributes: JSON.stringify({ ui: { flags: { staffOnly: some(i) ? 't' : 'f' } } }) })),
    {},
    ['messages.only'],
  ],
  [
    'a mark in JSON that is text in the JSON of a cell',
    lone((i) => ({ meta: JSON.stringify({ app: JSON.stringify({ visibility: some(i) ? 'agents' : 'all' }) }) })),
    {},
    ['messages.only'],
  ],
  [
    'an older text beside the text',
    lone((i) => ({ original_body: some(i) ? `ugly ${text(i)}` : '' })),
    messages({ text: { from: 'body' } }),
    [],
  ],
  [
    'tags in a few texts',
    lone((i) => ({ body: some(i) ? `<b>${text(i)}</b> &amp; more` : text(i) })),
    {},
    ['messages.text.markup'],
  ],
  [
    'headers in Russian',
    { 'm.csv': rowsOf((i) => ({ номер: i, комната: where(i), автор: who(i), дата: at(i), текст: text(i) })) },
    {},
    [author, conversation],
  ],

  // Which tables.
  [
    'two tables of texts and times',
    { 'entries.csv': chat(), 'steps.csv': chat((i) => ({ body: undefined, message: `logged ${text(i)}`, step: i })) },
    {},
    ['tables.messages'],
  ],
  [
    'older versions of messages',
    {
      'messages.csv': chat(),
      'message_audit.csv': rowsOf(
        (i) => ({ id: `${i}`, message_id: `${i + 1}`, user_id: who(i), changed_at: at(i), old_text: `old ${text(i)}` }),
        5,
      ),
    },
    {},
    ['tables.ignored'],
  ],
  [
    'who may see which message, in a table',
    {
      'messages.csv': chat(),
      'message_visibility.csv': rowsOf((i) => ({ message_id: `${i + 1}`, user_id: who(i) }), 5),
    },
    {},
    ['tables.ignored'],
  ],
  [
    'members who have left',
    {
      'messages.csv': chat(),
      'users.csv': people,
      'rooms.csv': rooms,
      'room_members.csv': rowsOf(
        (i) => ({ room_id: where(i * 5), user_id: who(i), left_at: some(i) ? at(i) : '' }),
        12,
      ),
    },
    {},
    ['members.only.left_at'],
  ],
  ...[
    ['left_at', (i: number) => (i % 3 ? '' : at(i % 60, `2024-03-${10 + Math.floor(i / 60)}`))],
    ['kicked_by', (i: number) => (i % 3 ? '' : `u${i}`)],
    ['status', (i: number) => (i % 3 ? `step${i % 30}` : '')],
    ['left_at', (i: number) => (i % 3 ? '0' : `17092944${10 + i}`)],
  ].map(
    ([name, value], index): Shape => [
      `members of whom more than twenty values of "${name as string}" say who has left (${index})`,
      {
        'messages.csv': chat(),
        'users.csv': people,
        'rooms.csv': rooms,
        'room_members.csv': rowsOf(
          (i) => ({ room_id: where(i * 5), user_id: who(i), [name as string]: (value as (i: number) => string)(i) }),
          90,
        ),
      },
      {},
      [`members.only.${name as string}`],
    ],
  ),
  [
    'members and when they were there last',
    {
      'messages.csv': chat(),
      'users.csv': people,
      'rooms.csv': rooms,
      'room_members.csv': rowsOf(
        (i) => ({ room_id: where(i * 5), user_id: who(i), last_active_at: i % 3 ? at(i) : '' }),
        60,
      ),
    },
    {},
    [],
  ],
  ...[
    ['their id', (i: number) => ({ id: `u${i + 1}` })],
    // Each row of it is that of one account: it gives the names, and the accounts the others.
    ['a column beside their own id', (i: number) => ({ id: `${9 - i}`, user_id: `u${i + 1}` }), []],
  ].map(
    ([what, ids, asked = ['tables.users']]): Shape => [
      `accounts with mail addresses, and profiles with names for five of six by ${what as string}`,
      {
        'messages.csv': chat((i) => ({ user_id: `u${(i % 6) + 1}` })),
        'users.csv': people.map(({ id, email }) => ({ id, email })),
        'profiles.csv': rowsOf((i) => ({ ...(ids as (i: number) => Cells)(i), display_name: `Pia ${i + 1}` }), 5),
      },
      {},
      asked as string[],
    ],
  ),
  ...[3, 25].map(
    (tenants): Shape => [
      `rooms of ${tenants} tenants`,
      {
        'messages.csv': rowsOf(
          (i) => ({ id: `${i + 1}`, room_id: `r${i % 50}`, user_id: who(i), created_at: at(i % 60), body: text(i) }),
          150,
        ),
        'users.csv': people,
        'rooms.csv': rowsOf((i) => ({ id: `r${i}`, name: `Room ${i}`, account_id: `${(i % tenants) + 900}` }), 50),
      },
      {},
      ['conversations.only.account_id'],
    ],
  ),
  [
    'rooms of which each is of another tenant',
    {
      'messages.csv': chat(),
      'users.csv': people,
      'rooms.csv': rooms.map((room, i) => ({ ...room, tenant_id: `t${i}` })),
    },
    {},
    ['conversations.only.tenant_id'],
  ],
  [
    'people of tenants who write to their own people only',
    {
      'messages.csv': chat((i) => ({ user_id: `u${(Math.floor(i / 5) % 2) * 3 + (i % 3) + 1}` })),
      'users.csv': people.map((person, i) => ({ ...person, tenant_id: i < 3 ? '7' : '8' })),
    },
    {},
    ['users.only.tenant_id'],
  ],
  [
    'people of companies who write to each other',
    { 'messages.csv': chat(), 'users.csv': people.map((person, i) => ({ ...person, company_id: i < 3 ? '7' : '8' })) },
    {},
    [],
  ],
  [
    'more than twenty accounts, codes and kinds of rows',
    {
      'messages.csv': rowsOf(
        (i) => ({
          ...{ id: `${i + 1}`, room_id: `r${i % 25}`, user_id: who(i), created_at: at(i % 60), body: text(i) },
          ...{ account_id: `${(i % 25) + 100}`, state: `${i % 25}`, type: `sort_${i % 25}` },
        }),
        100,
      ),
    },
    {},
    ['messages.kind', 'messages.only.account_id', 'messages.only.state'],
  ],
  ...[
    ['deleted_at', '2024-03-01T00:00:00Z', ''],
    ['status', 'deleted', 'normal'],
    ['is_deleted', '1', '0'],
    ['active', 'false', 'true'],
  ].map(
    ([name, hidden, shown]): Shape => [
      `"${name}" of a room is "${hidden}"`,
      {
        'messages.csv': chat(),
        'rooms.csv': rooms.map((room, i) => ({ ...room, [name!]: i === 1 ? hidden : shown })),
      },
      {},
      [`conversations.only.${name}`],
    ],
  ),
  [
    'rooms that are open or closed',
    { 'messages.csv': chat(), 'rooms.csv': rooms.map((room, i) => ({ ...room, status: pick(['open', 'closed'], i) })) },
    plain,
    [],
  ],
  ...[
    ['removed_at', '2024-03-01T00:00:00Z', ''],
    ['active', '0', '1'],
  ].map(
    ([name, hidden, shown]): Shape => [
      `"${name}" of a reaction is "${hidden}"`,
      {
        'messages.csv': chat(),
        'users.csv': people,
        'reactions.csv': rowsOf(
          (i) => ({ message_id: `${i + 1}`, user_id: who(i), emoji: '👍', [name!]: some(i) ? hidden : shown }),
          12,
        ),
      },
      {},
      [`reactions.only.${name}`],
    ],
  ),
  [
    'files that were deleted',
    {
      'messages.csv': chat(),
      'attachments.csv': rowsOf(
        (i) => ({
          id: `${i}`,
          message_id: `${i + 1}`,
          url: `https://example.com/${i}.png`,
          deleted_at: some(i) ? at(i) : '',
        }),
        12,
      ),
    },
    {},
    ['attachments.only.deleted_at'],
  ],
  [
    'rooms that are open, closed or secret',
    {
      'messages.csv': chat(),
      'rooms.csv': rooms.map((room, i) => ({ ...room, visibility: pick(['open', 'closed', 'secret'], i) })),
    },
    {},
    ['conversations.type'],
  ],
  [
    'rooms of a type of their own each',
    {
      'messages.csv': chat((i) => ({ room_id: `r${i % 12}` })),
      'rooms.csv': rowsOf((i) => ({ id: `r${i}`, name: `Room ${i}`, type: `kind ${i}` }), 12),
    },
    {},
    ['conversations.type'],
  ],
  [
    'rooms with known types',
    {
      'messages.csv': chat(),
      'rooms.csv': rooms.map((room, i) => ({ ...room, type: pick(['public', 'private'], i) })),
    },
    plain,
    [],
  ],

  [
    'an excerpt of the messages in another file',
    { 'all.csv': chat(), 'best.csv': chat((i) => ({ id: `9${i}` })).filter((_, i) => some(i)) },
    {},
    ['messages.id'],
  ],
  [
    'a row for each reader',
    lone((i) => ({
      reader: pick(['u1', 'u2'], i),
      created_at: at(Math.floor(i / 2)),
      body: text(Math.floor(i / 2)),
      user_id: who(Math.floor(i / 2)),
    })),
    {},
    ['messages.id'],
  ],

  [
    'an agent in charge beside posted_by',
    lone((i) => ({ user_id: pick(['v1', 'v2', 'v3'], Math.floor(i / 5)), posted_by: who(i) })),
    {},
    [author],
  ],
  [
    'an owner of the ticket beside the actor',
    lone((i) => ({ user_id: pick(['v1', 'v2', 'v3', 'v4'], Math.floor(i / 5)), actor: who(i) })),
    {},
    [author],
  ],
  ['a device beside a nick', lone((i) => ({ ...none, uid: `dev${i % 3}`, nick: who(i) })), {}, [author]],
  ['Me and Them', lone((i) => ({ ...none, from: pick(['Me', 'Them'], i) })), {}, [author]],
  [
    'agents and customers of one id, in a column of another name',
    lone((i) => ({ ...none, sender_id: pick(['1', '2', '3'], i), sender_kind: pick(['agent', 'customer'], i) })),
    {},
    [author],
  ],
  [
    'customers in one table, staff in another',
    {
      'messages.csv': chat((i) => ({ user_id: `c${Math.floor(i / 5) + 1}`, employee_no: `e${(i % 3) + 1}` })),
      'users.csv': rowsOf((i) => ({ id: `c${i + 1}`, email: `c${i}@example.com` }), 8),
      'employees.csv': rowsOf((i) => ({ employee_no: `e${i + 1}`, full_name: `Emp ${i}`, phone: `+49${i}` }), 5),
    },
    {},
    [author, conversation],
  ],
  [
    'people whose name is in no column that is named so',
    {
      'messages.csv': chat(),
      'users.csv': rowsOf(
        (i) => ({ id: `u${i + 1}`, email: `u${i + 1}@example.com`, rufzeichen: `Pia${'abcdef'[i]}` }),
        6,
      ),
    },
    {},
    ['users.name'],
  ],
  [
    'people in a table that is named like nothing',
    { 'messages.csv': chat(), 'crew.csv': rowsOf((i) => ({ id: `u${i + 1}`, name: `Pia ${'abcdef'[i]}` }), 6) },
    {},
    ['tables.users'],
  ],
  [
    'a channel that is a medium',
    lone((i) => ({ room_id: undefined, channel: pick(['email', 'chat', 'phone'], i), case_no: where(i) })),
    {},
    [conversation],
  ],
  [
    'a group that is a team',
    lone((i) => ({ room_id: undefined, group_id: pick(['1', '2', '3'], Math.floor(i / 3)), case_ref: where(i) })),
    {},
    [conversation],
  ],
  [
    'sender and recipient, who may be a group',
    lone((i) => ({ ...none, room_id: undefined, from: who(i), to: some(i) ? 'crew' : who(i + 1) })),
    {},
    [conversation],
  ],
  [
    'sender and several recipients',
    lone((i) => ({
      ...none,
      room_id: undefined,
      from: who(i),
      to: some(i) ? `${who(i + 1)}; ${who(i + 2)}` : who(i + 1),
    })),
    {},
    [conversation],
  ],
  [
    'an object and an id that stand apart',
    lone((i) => ({ object: pick(['Post', 'Ticket'], i), room_id: pick(['1', '2', '3'], Math.floor(i / 5)) })),
    {},
    ['messages.only.object'],
  ],
  [
    'rooms of two servers with the same ids',
    lone((i) => ({ server: pick(['north', 'south'], i), room_id: pick(['1', '2', '3'], Math.floor(i / 5)) })),
    {},
    ['messages.only.server'],
  ],
  [
    'rooms of two shops with the same ids',
    lone((i) => ({ shop: pick(['north', 'south'], i), room_id: pick(['1', '2', '3'], Math.floor(i / 5)) })),
    {},
    ['messages.only.shop'],
  ],
  [
    'ten phases of a row',
    lone((i) => ({
      phase: pick(
        ['new', 'won', 'lost', 'open', 'memo', 'held', 'back', 'next', 'gone', 'done'],
        i * 3 + Math.floor(i / 10),
      ),
    })),
    {},
    ['messages.only.phase'],
  ],
  [
    'a time of import beside that of sending',
    lone((i) => ({ created_at: at(Math.floor(i / 12), '2025-01-01'), original_date: at(i) })),
    {},
    ['messages.time.from'],
  ],
  [
    'the time of the ticket beside that of the reply',
    lone((i) => ({ created_at: at(Math.floor(i / 5), '2024-02-01'), reply_date: at(i) })),
    {},
    ['messages.time.from'],
  ],
  ['times to come', lone((i) => ({ created_at: some(i) ? '2087-01-01T00:00:00Z' : at(i) })), {}, []],
  [
    'versions of a message',
    lone((i) => ({
      id: undefined,
      message_id: `${i - (i % 2)}`,
      version: i % 2,
      user_id: who(i - (i % 2)),
      room_id: where(i - (i % 2)),
    })),
    {},
    ['messages.repeated'],
  ],
  [
    'a row for each reaction',
    lone((i) => ({
      id: `${i - (i % 2)}`,
      user_id: who(i - (i % 2)),
      created_at: at(i - (i % 2)),
      body: text(i - (i % 2)),
      reaction: pick(['👍', '🎉'], i),
      reacted_by: who(i),
    })),
    {},
    ['messages.repeated'],
  ],
  ...['whisper_to', 'to_user_id', 'only_for', 'recipient'].map(
    (name): Shape => [
      `"${name}" is filled in some rows of rooms`,
      lone((i) => ({ [name]: some(i) ? who(i + 1) : '' })),
      {},
      [`${only}.${name}`],
    ],
  ),

  // Other data in a row.
  ['answers to first messages', lone((i) => ({ parent_id: i % 5 === 3 ? `${i - 2}` : '' })), {}, ['messages.reply']],
  [
    'rows of the system, which have no author',
    {
      'messages.csv': chat((i) => ({ user_id: some(i) ? '' : who(i), sender_type: some(i) ? 'system' : 'user' })),
      'users.csv': rowsOf((i) => ({ id: `u${i + 1}`, username: `pia${i}`, email: `u${i}@example.com` }), 6),
    },
    messages({ author: 'user_id', kind: { from: 'sender_type', values: { system: 'system' }, otherwise: 'message' } }),
    [],
  ],
  [
    'a room or a recipient in each row',
    {
      'messages.csv': chat((i) => ({ room_id: i % 2 ? where(i) : '', to_user_id: i % 2 ? '' : who(i + 1) })),
      'users.csv': rowsOf((i) => ({ id: `u${i + 1}`, username: `pia${i}`, email: `u${i}@example.com` }), 6),
      'rooms.csv': rowsOf((i) => ({ id: `r${i + 1}`, title: `Room ${i}` }), 9),
    },
    messages({ conversation: { first: [{ template: 'room:{room_id}' }, { between: ['user_id', 'to_user_id'] }] } }),
    [],
  ],
  ['answers to answers', lone((i) => ({ parent_id: i % 5 > 2 ? `${i}` : '' })), messages({ quote: 'parent_id' }), []],
  [
    'a time of the last change, later in some rows',
    lone((i) => ({ updated_at: some(i) ? at(i, '2024-03-09') : at(i) })),
    {},
    [],
  ],
  ['a time of the last change that is always that of sending', lone((i) => ({ updated_at: at(i) })), plain, []],
  [
    'a time of editing',
    lone((i) => ({ edited_at: some(i) ? at(i, '2024-03-09') : '' })),
    messages({ edited: 'edited_at' }),
    [],
  ],
  ['pinned messages', lone((i) => ({ pinned: some(i) ? 'true' : 'false' })), messages({ pinned: 'pinned' }), []],
  [
    'a file in some rows',
    lone((i) => ({ file_url: some(i) ? `https://example.com/${i}.png` : '' })),
    messages({ attachments: [{ url: 'file_url' }] }),
    [],
  ],
  [
    'who has come and gone',
    lone((i) => ({ type: some(i) ? 'join' : 'message' })),
    messages({ kind: { from: 'type', values: { join: 'system' } } }),
    [],
  ],
  [
    'names of the rooms',
    lone((i) => ({ room_name: `Room ${where(i)}` })),
    messages({ conversationName: 'room_name' }),
    [],
  ],
  [
    'names of the senders',
    lone((i) => ({ user_name: `Pia ${who(i)}` })),
    messages({ author: 'user_id', authorName: 'user_name' }),
    [],
  ],
  ['texts that were read as Latin-1', lone((i) => ({ body: `schÃ¶n fÃ¼r ${i}` })), {}, ['messages.text.from']],
  [
    'headers in German',
    { 'chat.csv': rowsOf((i) => ({ Nr: `${i}`, Raum: where(i), Absender: who(i), Datum: at(i), Nachricht: text(i) })) },
    messages({
      conversation: 'Raum',
      author: 'Absender',
      time: { from: 'Datum', format: 'iso' },
      text: { from: 'Nachricht' },
    }),
    [],
  ],
  [
    'headers in Spanish',
    { 'chat.csv': rowsOf((i) => ({ sala: where(i), autor: who(i), fecha: at(i), mensaje: text(i) })) },
    {},
    [conversation],
  ],
  ['likes that are counted', lone((i) => ({ likes: i % 3 })), plain, []],
  ['a column of notes about the customer', lone((i) => ({ agent_note: some(i) ? `vip ${i}` : '' })), plain, []],
  [
    'nothing but a text',
    { 'a.csv': rowsOf((i) => ({ body: text(i) })) },
    {},
    [author, conversation, 'messages.time.from'],
  ],
  ['no rows', { 'a.csv': [] }, {}, [author, conversation, 'messages.text.from', 'messages.time.from']],
];

async function proposed(tables: Shape[1]) {
  const samples = Object.entries(tables).map(([path, rows]) => ({
    path,
    table: {},
    rows: rows.map((cells, index) => ({ ...rowOf(cells, index + 2), location: { path, line: index + 2 } })),
  }));
  const { options, findings } = await proposeBindings(samples, {});
  const asked = findings.filter(
    ({ alternatives, isRequired, value }) => alternatives.length > 0 || (isRequired && value === undefined),
  );
  return { options, asked: asked.map(({ key }) => key).sort() };
}

describe('a table whose shape is', () => {
  it.each(shapes)('%s', async (_what, tables, decided, asked) => {
    const { options, asked: found } = await proposed(tables);
    expect(found).toEqual([...asked].sort());
    expect(options).toMatchObject(decided);
  });
});
