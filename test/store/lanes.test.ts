import { databaseOf } from '../../src/store/open.ts';
import { expect, it } from 'vitest';
import { createMessageIndexes } from '../../src/store/base/message-indexes.ts';
import { RowAppender } from '../../src/store/messages/append.ts';
import { addCast, addDestination, addFiles, conversationOf, deliver, openTestStore, rowOf } from './fixture.ts';

it('pending() gives conversations by priority, then the longest first, over several pages, and those unconfirmed apart', async () => {
  const store = openTestStore();
  const db = databaseOf(store);
  const { people } = addCast(db);
  const [file] = addFiles(db, '/a', 'day.json') as [number];
  const writer = new RowAppender(db);
  const size = (index: number) => 1 + ((index * 7) % 3);
  const conversations = Array.from({ length: 450 }, (_, index) =>
    store.conversations.save(conversationOf(`L${index}`), null),
  );
  let id = 0;
  for (const [index, conversation] of conversations.entries())
    for (let count = 0; count < size(index); count++)
      writer.save(rowOf(++id), { file, path: 'a.json', conversation, sender: people.U1! });
  writer.flush();
  createMessageIndexes(db);
  store.conversations.prioritize({ first: ['L300', 'L3'], byTime: false });
  const destination = addDestination(store);
  // The first message is the only one of the first conversation.
  await deliver(destination, { conversation: conversations[0]!, receiverType: 'group' }, [1], 'sent');
  const pending = store.lanes.pending(destination.id);
  const places = new Map(conversations.map((conversation, index) => [conversation, index]));
  const clear = [...pending.clear()].map(({ conversation }) => places.get(conversation)!);
  const rest = Array.from({ length: 449 }, (_, index) => 449 - index).filter((index) => index !== 300 && index !== 3);
  expect(clear).toEqual([300, 3, ...rest.toSorted((a, b) => size(b) - size(a))]);
  expect(pending).toMatchObject({ clearCount: 449, clearPending: id - 1, pendingCount: id });
  expect(pending.doubtful()).toMatchObject([{ conversation: conversations[0]!, pending: 0, doubtful: 1 }]);
});
