import { describe, expect, it } from 'vitest';
import { zendesk } from '../../../src/sources/zendesk/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';

const comment = {
  ...{ id: 1, type: 'Comment', author_id: 11, audit_id: 2, html_body: '<p>My boat leaks</p>', public: true },
  created_at: '2026-03-02T09:15:00Z',
};
const ticket = {
  ...{ id: 501, subject: 'Boat', status: 'open', requester_id: 11, created_at: '2026-03-02T09:15:00Z' },
  comments: [comment],
};
const chat = {
  ...{ id: '1410.1', type: 'chat', visitor: { id: '1.12345', name: 'Ines' }, session: {} },
  ...{ timestamp: '2026-03-02T09:15:00Z', message: undefined as unknown, history: [] as unknown[] },
};

const read = (files: Readonly<Record<string, unknown>>) => readAll(zendesk, memoryInput(files));
type Read = Awaited<ReturnType<typeof read>>;
const textsOf = (entries: Read) => messagesOf(entries).map(({ text }) => text);
const reasonsOf = (entries: Read) =>
  entries.flatMap((entry) =>
    entry.type === 'invalid' || entry.type === 'problem' ? [`${entry.type} ${entry.code}: ${entry.reason}`] : [],
  );
const namesOf = (entries: Read) =>
  entries.flatMap((entry) =>
    entry.type === 'record' && entry.record.kind === 'conversation' ? [entry.record.name] : [],
  );

const noTexts = [{ html: 'x' }, ['x'], 7, true];

describe('a comment', () => {
  it.each(noTexts)('whose text is no text is invalid: %j', async (html_body) => {
    const entries = await read({ 'tickets.json': { tickets: [{ ...ticket, comments: [{ ...comment, html_body }] }] } });
    expect(textsOf(entries)).toEqual([]);
    expect(reasonsOf(entries).join()).toContain('text-not-understood: Expected "html_body" to be a text, found a');
  });

  it('is read out of an answer of one line, whatever key is first', async () => {
    const answer = JSON.stringify({ next_page: null, comments: [comment], count: 1 });
    expect(textsOf(await read({ 'tickets/501/comments.json': answer }))).toEqual(['My boat leaks']);
    expect(textsOf(await read({ 'tickets/501/comments.json': `${answer}\n` }))).toEqual(['My boat leaks']);
  });
});

describe('the subject of a ticket', () => {
  it('is the name of the conversation if a customer has read it', async () => {
    expect(namesOf(await read({ 'tickets.json': { tickets: [ticket] } }))).toEqual(['Boat']);
  });

  it.each([{ is_public: false }, { comments: [{ ...comment, public: false }] }])(
    'stays with the agents if no comment is public, and is counted: %j',
    async (change) => {
      const entries = await read({ 'tickets.json': { tickets: [{ ...ticket, ...change }] } });
      expect(namesOf(entries)).toEqual(['Ticket 501']);
      expect(JSON.stringify(entries)).not.toContain('Boat');
      expect(reasonsOf(entries)).toContain('problem zendesk-not-migrated: 1 × subjects that customers did not see');
    },
  );
});

describe('a chat', () => {
  it.each(noTexts)('has an invalid row for a text that is no text: %j', async (msg) => {
    const event = { type: 'chat.msg', timestamp: chat.timestamp, nick: 'visitor', msg, msg_id: '1' };
    const inHistory = await read({ 'chats.json': { chats: [{ ...chat, history: [event] }] } });
    const leftOffline = await read({ 'chats.json': { chats: [{ ...chat, type: 'offline_msg', message: msg }] } });
    const withoutHistory = await read({ 'chats.json': { chats: [{ ...chat, message: msg }] } });
    for (const entries of [inHistory, leftOffline, withoutHistory]) {
      expect(textsOf(entries)).toEqual([]);
      expect(reasonsOf(entries).join()).toContain('text-not-understood: Expected "msg" to be a text, found a');
    }
  });

  it('has an invalid row for each answer to a message that was left offline', async () => {
    const left = { ...chat, type: 'offline_msg', message: 'Anyone?' };
    const entries = await read({
      'chats.json': {
        chats: [
          { ...left, response: [{ text: 'Yes' }, 'Tomorrow'] },
          { ...left, id: '2', response: [] },
        ],
      },
    });
    expect(textsOf(entries)).toEqual(['Anyone?', 'Anyone?']);
    expect(entries.flatMap((entry) => (entry.type === 'invalid' ? [entry.code, entry.location.pointer] : []))).toEqual([
      ...['zendesk-offline-answer', '/chats/0/response/0'],
      ...['zendesk-offline-answer', '/chats/0/response/1'],
    ]);
  });
});
