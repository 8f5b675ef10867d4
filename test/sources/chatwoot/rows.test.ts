import { describe, expect, it } from 'vitest';
import { chatwoot } from '../../../src/sources/chatwoot/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';

const message = {
  ...{ id: 201, content: 'Ahoy', message_type: 'incoming', private: false, content_type: 'text' },
  ...{ content_attributes: {}, created_at: '2026-03-02T09:00:00.000Z', conversation: { id: 9 }, account: { id: 1 } },
  sender: { id: 1, name: 'Ines Bruun', type: 'contact' },
};
const conversation = {
  ...{ id: 9, inbox_id: 1, status: 'open', labels: ['vip'], created_at: 1772442000 },
  meta: { sender: { id: 1, name: 'Ines Bruun', type: 'contact' }, assignee: { id: 1, name: 'Bo Dahl', type: 'user' } },
  messages: [{ id: 201, content: 'Ahoy', message_type: 0, private: false, conversation_id: 9, created_at: 1772442000 }],
};

const linesOf = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const readLines = (...rows: readonly object[]) => readAll(chatwoot, memoryInput({ 'events.ndjson': linesOf(...rows) }));
type Read = Awaited<ReturnType<typeof readLines>>;
const textsOf = (entries: Read) => messagesOf(entries).map(({ text }) => text);
const reasonsOf = (entries: Read) =>
  entries.flatMap((entry) =>
    entry.type !== 'invalid' && entry.type !== 'problem' ? [] : [`${entry.type} ${entry.code}: ${entry.reason}`],
  );

describe('events of webhooks', () => {
  it('are each what they say themselves, whatever the first one is', async () => {
    const entries = await readLines(
      { event: 'conversation_created', ...conversation },
      { event: 'message_created', ...message },
      { event: 'conversation_typing_on', conversation },
      { event: 'contact_updated', id: 2, name: 'Ada Hviid', phone_number: null, identifier: 'ada' },
      { event: 'conversation_status_changed', ...conversation, status: 'resolved' },
      { event: 'message_created', ...message, id: 202, content: 'Hello?' },
    );
    expect(textsOf(entries)).toEqual(['Ahoy', 'Hello?']);
    expect(reasonsOf(entries)).toEqual([
      'problem chatwoot-not-migrated: 2 × labels',
      'problem chatwoot-not-migrated: 1 × events without a message',
    ]);
    const names = entries.flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'conversation'
        ? [`${entry.record.name}: ${entry.record.metadata?.status}`]
        : [],
    );
    expect(names).toEqual(['Ines Bruun: open', 'Ines Bruun: resolved']);
  });

  it('about a conversation say that its messages are missing, if no event has one', async () => {
    const entries = await readLines(
      { event: 'message_created', ...message },
      { event: 'conversation_created', ...conversation, id: 10 },
    );
    expect(reasonsOf(entries)).toContain(
      'problem export-is-partial: Lists and events have conversations of which no file has messages: "10"',
    );
  });
});

it('a message far behind in a list of conversations is invalid, and no conversation', async () => {
  const many = Array.from({ length: 300 }, (_, n) => ({ ...conversation, id: n + 1 }));
  const entries = await readLines(...many, { ...message, inbox_id: 1 });
  expect(reasonsOf(entries)).toContain('invalid not-an-object: Expected a conversation, found a message');
});

describe('a message', () => {
  it.each([
    { is_hidden: true },
    { additional_attributes: { private: true } },
    { content_attributes: { internal: 'yes' } },
  ])('that looks like a note is restricted, although it says that it is none: %j', async (mark) => {
    const entries = await readLines({ ...message, ...mark });
    expect(messagesOf(entries).map(({ internal }) => internal)).toEqual(['restricted']);
  });

  it('keeps a mark that is off', async () => {
    const marks = { is_hidden: false, additional_attributes: { private: 'false' } };
    expect(textsOf(await readLines({ ...message, ...marks }))).toEqual(['Ahoy']);
  });

  it.each([[{ text: 'Ahoy' }], [['Ahoy']], [42], [true]])(
    'whose text is no text is invalid, and not empty: %j',
    async (content) => {
      const entries = await readLines({ ...message, content });
      expect(messagesOf(entries)).toEqual([]);
      expect(reasonsOf(entries).join()).toContain('text-not-understood: Expected "content" to be a text, found a');
    },
  );
});

describe('authors of messages', () => {
  const describedBy = async (changes: object) =>
    (await readLines({ event: 'message_created', ...message, ...changes })).flatMap((entry) =>
      entry.type === 'record' && entry.record.kind === 'user' ? [entry.record] : [],
    );

  it('are the assistant that Chatwoot has built in, a bot', async () => {
    const sender = { id: 2, name: 'Pier helper', type: 'captain_assistant' };
    const [assistant] = await describedBy({ sender, sender_type: 'Captain::Assistant', sender_id: 2 });
    expect(assistant).toMatchObject({ id: 'Captain::Assistant:2', name: 'Pier helper', isBot: true });
  });

  it('are people of types that are not known too', async () => {
    const [person] = await describedBy({ sender: { id: 2, name: 'Ada', type: 'partner' } });
    expect(person).toMatchObject({ id: 'partner:2', name: 'Ada' });
  });
});
