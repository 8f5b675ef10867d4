import { describe, expect, it } from 'vitest';
import { proposeBindings } from '../../../src/sources/tables/propose/propose.ts';
import { bindAll, messagesIn, rowOf } from './rows.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];

async function propose(tables: Readonly<Record<string, Rows>>, options = {}) {
  const samples = Object.entries(tables).map(([name, rows]) => ({
    ...{ path: `${name}.csv`, table: {}, nameInQuery: name },
    rows: rows.map((row, index) => rowOf(row, index + 1)),
  }));
  const { findings, options: bound } = await proposeBindings(samples, options);
  return { bound, finding: (key: string) => findings.find((found) => found.key === key) };
}

const users = ['ada', 'bo', 'cy'].map((name, index) => ({ id: `u-${index}`, name, email: `${name}@example.org` }));
const sessions = users.map(({ id }, index) => ({ id: `s-${index}`, user_id: id, title: `Talk ${index}` }));
const texts = ['How do I tie a bowline?', 'Make a loop first', 'And then?', 'Pass the end through it'];
const chat = (words: readonly string[], more: (session: number, word: string) => object = () => ({})) =>
  sessions.flatMap(({ id }, session) =>
    texts.map((text, at) => {
      const role = words[at % words.length]!;
      const created_at = `2026-03-0${session + 1}T10:0${at}:00Z`;
      return { id: `m-${session}-${at}`, session_id: id, role, content: text, created_at, ...more(session, role) };
    }),
  );

describe('chats with a model', () => {
  it.each([
    [
      ['user', 'assistant'],
      ['user', 'assistant'],
    ],
    [
      ['human', 'ai', 'tool', 'system'],
      ['human', 'ai'],
    ],
    [
      ['USER', 'TOOL_CALL', 'ASSISTANT'],
      ['USER', 'ASSISTANT'],
    ],
    [
      ['HumanMessage', 'AIMessage', 'ToolMessage'],
      ['HumanMessage', 'AIMessage'],
    ],
  ])('are between the person of the conversation and the model, if roles are %s', async (words, only) => {
    const { bound } = await propose({ users, sessions, messages: chat(words) });
    expect(bound.tables).toMatchObject({
      messages: { query: 'SELECT m.*, p.user_id FROM messages m LEFT JOIN sessions p ON p.id = m.session_id' },
    });
    expect(bound.messages).toMatchObject({
      only: { role: only },
      author: { direction: 'role', theirs: [only[0]], us: 'role', them: 'user_id' },
    });
  });

  it('have rows of neither where events without a text are among them, and ask nothing about these', async () => {
    const rows = chat(['user', 'bot']).flatMap(({ id, session_id, role, content, created_at }) => [
      { id: `${id}-0`, sender_id: session_id, type: 'action', step: 'listen', data: '{"text":null}', created_at },
      { id, sender_id: session_id, type: role, step: '', data: JSON.stringify({ text: content }), created_at },
    ]);
    const { bound, finding } = await propose({ events: rows }, { messages: { text: 'data.text' } });
    expect(bound.messages).toMatchObject({
      only: { type: ['user', 'bot'] },
      author: { direction: 'type', theirs: ['user'], us: 'type', them: 'sender_id' },
    });
    expect(finding('messages.conversation')?.alternatives[0]?.value).toBe('sender_id');
    expect(finding('messages.only.step')).toBeUndefined();
  });

  it('name the person in the row itself', async () => {
    const rows = chat(['user', 'assistant', 'function'], (session) => ({ user_id: `u-${session}` }));
    const { bound, finding } = await propose({ users, messages: rows });
    expect(finding('tables.messages')).toMatchObject({ value: { file: 'messages.csv' } });
    const { author, authorName, only } = bound.messages as Record<string, object>;
    const bindings = { author, authorName, only, text: 'content', conversation: 'session_id', time: 'created_at' };
    const said = messagesIn(bindAll(bindings, rows)).map((message) => `${message.author}: ${message.text}`);
    expect(said.slice(0, 3)).toEqual([
      'u-0: How do I tie a bowline?',
      'assistant: Make a loop first',
      'u-0: Pass the end through it',
    ]);
  });

  it('are those of people, if the column names both, or a role is of an agent', async () => {
    const both = chat(['user', 'bot'], (session, word) => ({ user_id: word === 'bot' ? 'u-2' : `u-${session % 2}` }));
    const { bound } = await propose({ users, messages: both });
    expect(bound.messages).not.toMatchObject({ author: { direction: 'role' } });
    const desk = await propose({ users, sessions, messages: chat(['user', 'bot', 'agent']) });
    expect(desk.bound.messages).not.toHaveProperty('author');
  });

  it('leave it to their owner to send prompts and calls of tools as well', async () => {
    const messages = chat(['user', 'assistant', 'system']);
    const { bound } = await propose({ users, sessions, messages }, { messages: { only: { role: { any: true } } } });
    expect(bound.messages).toMatchObject({
      only: { role: { any: true } },
      author: { ours: ['assistant', 'system'], them: 'user_id' },
    });
  });
});
