import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { createMessageIndexes } from '../../src/store/base/message-indexes.ts';
import { RowAppender } from '../../src/store/messages/append.ts';
import { addCast, addDestination, addFiles, deliver, openTestStore, rowOf } from './fixture.ts';

function scene() {
  const store = openTestStore();
  const { people, conversations } = addCast(databaseOf(store));
  const [file] = addFiles(databaseOf(store), '/export', 'general.json');
  const rows = new RowAppender(databaseOf(store));
  for (const id of [1, 2])
    rows.save(rowOf(id), { file: file!, path: 'a.json', conversation: conversations.C1!, sender: people.U1! });
  rows.flush();
  createMessageIndexes(databaseOf(store));
  const lane = { conversation: conversations.C1!, receiverType: 'group' };
  const explain = (id: string) => store.totals.explain(id);
  return { store, lane, explain };
}

describe('explainMessage()', () => {
  it('returns every batch that contained the message at each destination, oldest first, with each answer', async () => {
    const { store, lane, explain } = scene();
    const first = addDestination(store);
    const second = addDestination(store, 'https://other.example.com');
    await deliver(first, lane, [1, 2], 'pending');
    await deliver(first, lane, [1], 'failed');
    await deliver(second, lane, [1], 'imported');
    await deliver(first, lane, [1], 'imported');
    const [story] = explain('m11');
    const told = story!.deliveries.map(({ destination, state, batches }) => ({
      destination,
      state,
      batches: batches.map(({ size, answers }) => [size, ...answers.map((answer) => answer.state)]),
    }));
    expect(told).toEqual([
      {
        destination: 'https://chat.example.com',
        state: 'imported',
        batches: [
          [2, 'pending'],
          [1, 'failed'],
          [1, 'imported'],
        ],
      },
      { destination: 'https://other.example.com', state: 'imported', batches: [[1, 'imported']] },
    ]);
    expect(story!.deliveries[0]!.batches.map(({ attempts }) => attempts.length)).toEqual([1, 1, 1]);
  });

  it('knows a message by the muids of all its generations, and each has its own state', async () => {
    const { store, lane, explain } = scene();
    const there = addDestination(store);
    await deliver(there, lane, [1], 'imported');
    const undo = databaseOf(store).prepare(
      `UPDATE delivery SET state = 'pending', generation = generation + 1, muid = ? WHERE message = 1`,
    );
    undo.run('m1second');
    await deliver(there, lane, [1], 'imported');
    undo.run('m1third');
    for (const muid of ['m11', 'm1second', 'm1third']) {
      const [story, ...others] = explain(muid);
      expect(others).toEqual([]);
      expect(story!.deliveries).toMatchObject([{ state: 'pending', muid: 'm1third', generation: 3 }]);
      const answers = story!.deliveries[0]!.batches.flatMap((batch) => batch.answers);
      expect(answers.map(({ state, generation }) => `${state} ${generation}`)).toEqual([
        'imported 1',
        ...['pending 2', 'imported 2'],
        'pending 3',
      ]);
    }
  });

  it('finds messages by their source id if no muid matches', () => {
    const { explain } = scene();
    expect(explain('2')).toMatchObject([{ muid: 'm12', deliveries: [] }]);
    expect(explain('nothing')).toEqual([]);
  });
});
