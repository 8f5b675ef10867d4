import { describe, expect, it } from 'vitest';
import { csv } from '../../../src/sources/csv/index.ts';
import { type MemoryFiles, memoryInput } from '../../contracts/memory-input.ts';
import { messagesIn, readCsv } from './export-of.ts';

const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;
const users = lines('id,email,username', '1,ann@example.org,ann', '2,bo@example.org,bo', '3,cy@example.org,cy');
const at = (id: number) => `2024-03-01T09:${String(id).padStart(2, '0')}:00Z`;
const rows = (count: number, row: (id: number) => string) =>
  Array.from({ length: count }, (_, index) => row(index + 1));

const find = async (files: MemoryFiles, key: string, source: Record<string, unknown> = {}) =>
  (await csv.propose(memoryInput(files), source)).findings.find((finding) => finding.key === key);

describe('rows of an author who is nobody', () => {
  const header = 'id,room_id,user_id,body,created_at';
  const files = (nobody: string) => ({
    'users.csv': users,
    'rooms.csv': lines('id,title', '7,Quay', '8,Yard'),
    'messages.csv': lines(
      header,
      ...rows(11, (id) => `${id},${(id % 2) + 7},${(id % 3) + 1},ship ${id} waits here,${at(id)}`),
      `12,7,${nobody},The rota is accepted,${at(12)}`,
    ),
  });

  it('are asked about, and are lines of the platform or messages of guests', async () => {
    const asked = await find(files('-1'), 'messages.kind');
    expect(asked?.because).toContain('"user_id" is -1 in 1 row, the id of nobody');
    expect(asked?.alternatives.map(({ value }) => value)).toEqual([
      { from: 'user_id', values: { '-1': 'system' }, otherwise: 'message' },
      { constant: 'message' },
    ]);
  });

  it('are no question where the id is one that was deleted', async () => {
    expect(await find(files('4'), 'messages.kind')).toBeUndefined();
  });
});

it('rows that belong to other things than chats are asked about by the type of what they belong to', async () => {
  const files = {
    'users.csv': users,
    'chat_channel.csv': lines('id,title', '1,Quay', '2,Yard', '3,Pier'),
    'mail.csv': lines(
      'id,model,res_id,user_id,body,created_at',
      ...rows(9, (id) => `${id},chat.channel,${(id % 3) + 1},${(id % 3) + 1},ship ${id} waits here,${at(id)}`),
      `10,sale.order,1,2,here is the offer,${at(10)}`,
    ),
  };
  const asked = await find(files, 'messages.only.model', { messages: { conversation: 'res_id' } });
  expect(asked?.alternatives.map(({ value }) => value)).toEqual([['chat.channel'], ['sale.order'], { any: true }]);
});

describe('texts that programs write to each other', () => {
  const messages = (...texts: readonly string[]) => ({
    'messages.csv': lines(
      'id,room_id,user_id,body,created_at',
      ...rows(9, (id) => `${id},7,${(id % 2) + 1},ship ${id} waits here,${at(id)}`),
      ...texts.map((text, index) => `${index + 20},7,1,"${text.replaceAll('"', '""')}",${at(index + 20)}`),
    ),
  });
  const bound = { id: 'id', conversation: 'room_id', author: 'user_id', time: 'created_at', text: 'body' };

  it('are asked about, and left out by how they begin', async () => {
    const texts = ['CC^CONTROL_{"type":"plugins"}', 'USER_JOINED', '{"type":"call","state":"ended"}'];
    const files = messages(...texts);
    const asked = await find(files, 'messages.skipWhen.body');
    expect(asked?.because).toContain('3 of 12 texts begin as no sentence does');
    const [leaveOut, sendAll] = asked!.alternatives.map(({ value }) => value);
    const sent = async (value: unknown) =>
      (await readCsv(files, { messages: { ...bound, skipWhen: { body: value } } }).then(messagesIn)).length;
    expect(await sent(leaveOut)).toBe(9);
    expect(await sent(sendAll)).toBe(12);
  });

  it.each(['MAX_LENGTH is too small', 'LOL', 'COVID-19 again', '#FRIDAY', '{ "a": 1 } is valid', 'OK: see you'])(
    'are none in what a person writes: %s',
    async (text) => {
      expect(await find(messages(text), 'messages.skipWhen.body')).toBeUndefined();
    },
  );
});

describe('copies of a message', () => {
  const copies = lines(
    'pmid,owner,fromid,toid,folder,message,sent_at',
    ...rows(
      4,
      (id) =>
        `${id},${2 - (id % 2)},1,2,${(id % 2) + 1},the tide is ${Math.ceil(id / 2)} feet,${at(Math.ceil(id / 2))}`,
    ),
  );
  const files = { 'users.csv': users, 'pm.csv': copies };
  const messages = {
    author: 'fromid',
    conversation: { between: ['fromid', 'toid'] },
    time: 'sent_at',
    text: 'message',
  };

  it('in each mailbox are asked about, and sent once', async () => {
    const asked = await find(files, 'messages.id', { tables: { messages: { file: 'pm.csv' } }, messages });
    expect(asked?.because).toMatch(/^4 of 4 rows are copies of 2 messages/);
    const [once, each] = asked!.alternatives;
    expect(each?.value).toEqual({ template: '{pmid}' });
    const found = await readCsv(files, {
      tables: { messages: { file: 'pm.csv' } },
      messages: { ...messages, id: once?.value },
    });
    expect(new Set(messagesIn(found).map(({ origin }) => origin.id)).size).toBe(2);
  });
});
