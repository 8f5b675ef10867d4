import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import type { Batch, Destination } from '../../src/delivery/destination.ts';
import { withAttemptLog } from '../../src/delivery/pace/with-attempt-log.ts';
import { addCast, addDestination, openTestStore } from '../store/fixture.ts';
import { answered, emptyBatch, laneOf, notApplied, rowsOf } from './fixture.ts';
import { manualClock } from './manual-clock.ts';

const forever = new AbortController().signal;

function opened() {
  const store = openTestStore();
  const { conversations } = addCast(databaseOf(store));
  const destination = addDestination(store);
  const rows = rowsOf(laneOf(conversations.C1!), ['a', 'b'], 1);
  const batch: Batch = { ...emptyBatch(), rows };
  const attempts = () =>
    databaseOf(store)
      .prepare('SELECT number, started_at, ended_at, outcome, code FROM attempt ORDER BY number')
      .raw()
      .all();
  const states = () => databaseOf(store).prepare('SELECT message, state FROM delivery ORDER BY message').raw().all();
  return { store, batch, attempts, states, ...destination };
}

describe('withAttemptLog()', () => {
  it('has the intent on disk before the request leaves', async () => {
    const { batch, journal, attempts, states, store } = opened();
    const clock = manualClock(1000);
    let before: unknown;
    const inner: Destination = {
      async send() {
        before = [attempts(), states(), databaseOf(store).inTransaction];
        await clock.advance(50);
        return answered;
      },
    };
    await withAttemptLog(inner, journal, clock).send(batch, forever);
    expect(before).toEqual([
      [[1, 1000, null, null, null]],
      [
        [1, 'sent'],
        [2, 'sent'],
      ],
      false,
    ]);
    await journal.record(batch.id, [], { closes: false });
    expect(attempts()).toEqual([[1, 1000, 1050, 'answered', null]]);
  });

  it('counts the attempts of a batch, which stays the same batch', async () => {
    const { batch, journal, attempts, store } = opened();
    const outcomes = [notApplied('unreachable'), answered];
    const logged = withAttemptLog({ send: async () => outcomes.shift()! }, journal, manualClock(1000));
    await logged.send(batch, forever);
    await logged.send(batch, forever);
    await journal.record(batch.id, [], { closes: false });
    expect(batch.attemptCount).toBe(2);
    expect(attempts()).toEqual([
      [1, 1000, 1000, 'not-applied', 'unreachable'],
      [2, 1000, 1000, 'answered', null],
    ]);
    expect(databaseOf(store).prepare('SELECT count(*) FROM batch').pluck().get()).toBe(1);
  });

  it('sends nothing if the store cannot write', async () => {
    const { batch, journal, store } = opened();
    databaseOf(store).exec('DROP TABLE attempt');
    let isSent = false;
    const inner: Destination = {
      async send() {
        isSent = true;
        return answered;
      },
    };
    await expect(withAttemptLog(inner, journal, manualClock()).send(batch, forever)).rejects.toThrow('no such table');
    expect(isSent).toBe(false);
  });
});
