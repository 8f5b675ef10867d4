import { describe, expect, it } from 'vitest';
import { intercom } from '../../../src/sources/intercom/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';
import { messagesOf } from '../../contracts/source/check.ts';

const part = { id: '601', part_type: 'comment', body: '<p>Where?</p>', created_at: 1772442960 };
const source = { id: '501', type: 'email', subject: '<p>Leak</p>', body: '<p>My boat leaks</p>' };
const conversation = {
  ...{ type: 'conversation', id: '123', title: 'Never pays', created_at: 1772442900, contacts: { contacts: [] } },
  ...{ source, conversation_parts: { conversation_parts: [part], total_count: 1 } },
};

const read = (change: object, options?: object) =>
  readAll(intercom, memoryInput({ '123.json': { ...conversation, ...change } }), {}, options);
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

describe('the first message', () => {
  it('is named as missing if "source" is null', async () => {
    const entries = await read({ source: null });
    expect(textsOf(entries)).toEqual(['Where?']);
    expect(reasonsOf(entries)).toContain(
      'problem export-is-partial: the first message of the conversation is missing: "source" is null',
    );
  });

  it.each(['My boat leaks', [source], 7, true])('is invalid if "source" is another value: %j', async (value) => {
    const entries = await read({ source: value });
    expect(textsOf(entries)).toEqual(['Where?']);
    expect(reasonsOf(entries).join()).toContain('invalid not-an-object: Expected the first message, found a');
  });
});

describe('parts', () => {
  it.each([{ blocks: [] }, ['Where?'], 7, false])('whose body is no text are invalid: %j', async (body) => {
    const entries = await read({ conversation_parts: { conversation_parts: [{ ...part, body }], total_count: 1 } });
    expect(textsOf(entries)).toEqual(['My boat leaks']);
    expect(reasonsOf(entries).join()).toContain('invalid text-not-understood: Expected "body" to be a text, found a');
  });

  it.each([{ conversation_parts: { 601: part } }, [part], 'parts'])('in no list are invalid: %j', async (value) => {
    const entries = await read({ conversation_parts: value });
    expect(reasonsOf(entries).join()).toContain(
      'invalid not-an-object: Expected the parts of the conversation, found a',
    );
  });
});

const withPart = (change: object) =>
  read({ conversation_parts: { conversation_parts: [{ ...part, ...change }], total_count: 1 } });

describe('the type of a part', () => {
  it.each(['note', 'note_and_reopen', 'note_and_unsnooze', 'note_and_close', 'note_of_a_later_version'])(
    'is that of a note: %s',
    async (part_type) => {
      const [, note] = messagesOf(await withPart({ part_type }));
      expect(note).toMatchObject({ internal: 'note', text: 'Where?' });
    },
  );

  it('that begins like a note says nothing of who saw it', async () => {
    expect(reasonsOf(await withPart({ part_type: 'notebook' })).join()).toContain('invalid intercom-unclear-part');
  });

  it('is that of a remark about a rating', async () => {
    const [, remark] = messagesOf(await withPart({ part_type: 'conversation_rating_remark_added' }));
    expect(remark).toMatchObject({
      systemEvent: 'conversation_rating_remark_added',
      text: 'Conversation rating remark added: Where?',
    });
  });

  it.each([null, '', '<p></p>'])('is that of a change of state if a comment has no body: %j', async (body) => {
    const [, state] = messagesOf(await withPart({ body }));
    expect(state).toMatchObject({ systemEvent: 'comment', text: 'Comment' });
  });

  it('is that of a reply if it was deleted, or holds what is not read', async () => {
    const [, deleted] = messagesOf(await withPart({ body: null, redacted: true }));
    expect(deleted).toMatchObject({ isDeleted: true, text: '' });
    const [, card] = messagesOf(await withPart({ body: null, card: { title: 'Berth 6' } }));
    expect(card).toMatchObject({ unread: ['card'], text: '' });
  });
});

describe('a conversation of the first versions of the API', () => {
  const { source: _, contacts: __, ...later } = conversation;
  const early = {
    ...{ ...later, customers: [{ type: 'user', id: '5310', external_id: '70' }] },
    conversation_message: { ...source, author: { type: 'user', id: '5310' } },
  };

  it('begins with conversation_message', async () => {
    const input = memoryInput({ '123.json': early });
    expect(await intercom.probe(input)).toMatchObject({ match: 'certain' });
    const entries = await readAll(intercom, input);
    expect(textsOf(entries)).toEqual(['My boat leaks', 'Where?']);
    expect(messagesOf(entries)[0]).toMatchObject({ author: '70', origin: { id: 'source-501' } });
    expect(reasonsOf(entries).join()).not.toContain('export-is-partial');
  });
});

describe('the name of a conversation', () => {
  it('is the subject of its first mail: a title is for agents, and counted', async () => {
    const entries = await read({});
    expect(namesOf(entries)).toEqual(['Leak']);
    expect(JSON.stringify(entries)).not.toContain('Never pays');
    expect(reasonsOf(entries)).toContain('problem intercom-not-migrated: 1 × titles');
    expect(namesOf(await read({ source: { ...source, subject: '' } }))).toEqual(['123']);
  });

  it('is the title if the mapping says that it is visible', async () => {
    const entries = await read({}, { titles: 'visible' });
    expect(namesOf(entries)).toEqual(['Never pays']);
    expect(reasonsOf(entries)).toEqual([]);
  });
});
