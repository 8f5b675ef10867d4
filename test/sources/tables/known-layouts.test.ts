import { describe, expect, it } from 'vitest';
import { csv } from '../../../src/sources/csv/index.ts';
import { json } from '../../../src/sources/json/index.ts';
import { readAll } from '../../contracts/source.ts';
import { memoryInput } from '../../contracts/memory-input.ts';

const twilio = {
  sid: 'IM1',
  account_sid: 'AC0',
  chat_service_sid: 'IS0',
  conversation_sid: 'CH1',
  author: 'ines',
  body: 'Who is there?',
  date_created: '2026-03-02T09:15:00Z',
  date_updated: '2026-03-02T09:20:00Z',
};
const mattermost =
  'Post Creation Time,Team Id,Channel Id,Channel Display Name,Sender User Id,Sender Email,Sender Username,Post Id,Replied to Post Id,Post Message,Post Type\n' +
  '1772442900000,t1,c1,General,u1,ines@example.com,ines,p1,,hello,message\n' +
  '1772442901000,t1,c1,General,u2,bo@example.com,bo,p2,p1,reply,message\n';

describe('a layout that is known', () => {
  const messages = { messages: [twilio, { ...twilio, sid: 'IM2', body: null }] };
  const propose = (options = {}) => json.propose(memoryInput({ 'messages.json': messages }), options);

  it('says what columns mean, and leaves the rest to their names', async () => {
    const { options, findings } = await propose();
    expect(options).toEqual({
      tables: { messages: { file: 'messages.json', list: '/messages' } },
      messages: {
        ...{ id: 'sid', conversation: 'conversation_sid', author: 'author', text: 'body' },
        time: { from: 'date_created', format: 'iso' },
      },
    });
    expect(findings.find(({ key }) => key === 'messages.conversation')).toMatchObject({
      because: 'the layout is that of Twilio Conversations',
      alternatives: [],
    });
  });

  it('yields to decisions of the user', async () => {
    const { options, findings } = await propose({
      messages: { conversation: 'chat_service_sid', edited: 'date_updated' },
    });
    expect(options).toMatchObject({
      messages: { id: 'sid', conversation: 'chat_service_sid', edited: 'date_updated' },
    });
    expect(findings.some(({ key }) => key === 'messages.conversation')).toBe(false);
  });

  it('does not apply to a table with only some of the columns', async () => {
    const { chat_service_sid: _service, ...others } = twilio;
    const { findings } = await json.propose(memoryInput({ 'a.json': [others] }), {});
    expect(findings.some(({ because }) => because.includes('Twilio'))).toBe(false);
  });

  it('is that of the compliance export of Mattermost as well', async () => {
    const { options } = await csv.propose(memoryInput({ 'posts.csv': mattermost }), {});
    expect(options).toMatchObject({
      messages: {
        id: 'Post Id',
        conversation: 'Channel Id',
        author: 'Sender Username',
        time: { from: 'Post Creation Time', format: 'unix-ms' },
        text: 'Post Message',
        reply: 'Replied to Post Id',
      },
    });
  });

  it.each([
    {
      service: 'HubSpot',
      row: {
        ...{ conversationsThreadId: '7', createdBy: 'V-1', createdAt: '2026-03-02T09:15:00Z' },
        ...{ text: 'hi', type: 'MESSAGE' },
      },
      notes: [{ type: 'COMMENT' }],
      unclear: [{ type: 'SUMMARY' }, { type: null }],
    },
    {
      service: 'Crisp',
      row: {
        ...{ session_id: 's', website_id: 'w', fingerprint: 1, content: 'hi', type: 'text', timestamp: 1772442900000 },
        ...{ 'user.nickname': 'Ines', user: { nickname: 'Ines', user_id: 'u' }, stealth: false },
      },
      notes: [{ type: 'note' }],
      unclear: [{ type: 'memo' }],
    },
    {
      service: 'Freshchat',
      row: {
        ...{ conversation_id: 'c', actor_type: 'user', actor_id: 'u', message_type: 'normal' },
        ...{ message_parts: [{ text: { content: 'hi' } }], created_time: '2026-03-02T09:15:00Z' },
      },
      notes: [{ message_type: 'private' }],
      unclear: [{ message_type: 'whisper' }],
    },
  ])(
    'of $service makes late notes internal and late types invalid, which none of the first rows has',
    async ({ service, row, notes, unclear }) => {
      const id = service === 'Crisp' ? 'fingerprint' : 'id';
      const ordinary = Array.from({ length: 1200 }, (_, index) => ({ ...row, [id]: index + 1 }));
      const late = [...notes, ...unclear].map((fields, index) => ({ ...row, ...fields, [id]: 2000 + index }));
      const input = memoryInput({ 'm.json': [...ordinary, ...late] });
      const { options, findings } = await json.propose(input, {});
      expect(findings.find(({ key }) => key === 'messages.internal')?.because).toBe(`the layout is that of ${service}`);
      expect(JSON.stringify(options)).not.toContain('otherwise');
      const entries = await readAll(json, input, {}, options);
      const visible = entries.flatMap((entry) =>
        entry.type === 'record' && entry.record.kind === 'message' && entry.record.internal === undefined
          ? [entry]
          : [],
      );
      expect(visible).toHaveLength(ordinary.length);
      const invalid = entries.filter(({ type }) => type === 'invalid');
      expect(invalid.map((entry) => 'code' in entry && entry.code)).toEqual(unclear.map(() => 'unclear-visibility'));
    },
  );
});
