import { describe, expect, it } from 'vitest';
import { isOfChat } from '../../../../src/sources/kit/rows/chat-rows.ts';
import { readJsonEntries } from '../../../../src/sources/kit/rows/json-entries.ts';
import { memoryInput } from '../../../contracts/memory-input.ts';

const message = { text: 'Hi', date: 1, sender: 'ann' };

/** Pointers of what is invalid in a file of which the list `messages` is read. */
async function unreadIn(content: unknown): Promise<readonly (string | undefined)[]> {
  const file = { add: () => undefined, end: () => [] };
  const lists = readJsonEntries(
    memoryInput({ 'a.json': content }),
    'a.json',
    { layout: 'list', pattern: ['messages'] },
    file,
  );
  const entries = (await Array.fromAsync(lists)).flat();
  return entries.map((entry) => (entry.type === 'invalid' ? entry.location.pointer : entry.type));
}

describe('messages beside the list that is read', () => {
  it.each([
    ['in another list', { messages: [], more_messages: [message, message] }, ['/more_messages']],
    ['before it, and deep in other objects', { old: { pages: [{ rows: [message] }] }, messages: [] }, ['/old']],
    ['in objects of a list', { messages: [], rooms: [{ id: 1, messages: [message] }] }, ['/rooms']],
    ['in a list of lists', { messages: [], more: [[message]] }, ['/more']],
  ])('are an invalid row where they are %s', async (_, content, pointers) => {
    expect(await unreadIn(content)).toEqual(pointers);
  });

  it.each([
    ['the last message of a chat', { last_message: message, messages: [] }],
    ['people and settings', { users: [{ id: 1, name: 'Ann', created_at: 1 }], theme: { text: 'dark' }, messages: [] }],
    ['posts without an author', { posts: [{ text: 'Hi', date: 1 }], messages: [message] }],
  ])('are not seen in %s', async (_, content) => {
    expect(await unreadIn(content)).toEqual([]);
  });
});

describe('isOfChat()', () => {
  it.each(['date_sent', 'createdDateTime', 'origin_server_ts', 'timetoken', 'sentAtMs', 'ts', 'Timestamp'])(
    'takes %s for a time',
    (time) => expect(isOfChat(['body', 'from', time])).toBe(true),
  );

  it.each(['updates', 'stats', 'format', 'At'])('does not take %s for a time', (name) =>
    expect(isOfChat(['body', 'from', name])).toBe(false),
  );
});
