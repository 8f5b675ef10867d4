import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { createMergeIndexes } from '../../src/store/base/message-indexes.ts';
import type { LeftIntent } from '../../src/store/batches.ts';
import { stampAges } from '../../src/store/batches/attempt-ages.ts';
import { RowAppender } from '../../src/store/messages/append.ts';
import { addCast, addDestination, addFiles, deliver, nowMs, openTestStore, rowOf } from './fixture.ts';

const left = (muids: readonly string[], changes: Partial<LeftIntent> = {}): LeftIntent => ({
  muids,
  actions: [],
  arrivals: [],
  agoMs: 5000,
  arrived: undefined,
  ...changes,
});

/** Five messages of one conversation, m11 to m15, and one action. */
function opened() {
  const store = openTestStore();
  const db = databaseOf(store);
  const { people, conversations } = addCast(db);
  const [file] = addFiles(db, '/a', 'a.json') as [number];
  const writer = new RowAppender(db);
  for (const id of [1, 2, 3, 4, 5])
    writer.save(rowOf(id), { file, path: 'a.json', conversation: conversations.C1!, sender: people.U1! });
  writer.flush();
  createMergeIndexes(db);
  db.exec(`INSERT INTO action (id, kind, message, person, other, reaction) VALUES (7, 'blocks', 0, 1, 2, '')`);
  const destination = addDestination(store);
  const { id } = destination;
  return {
    store,
    lane: { conversation: conversations.C1!, receiverType: 'group' },
    ...destination,
    replay: (intents: readonly LeftIntent[], isLateAllowed = false) =>
      store.batches.replay(id, intents, nowMs, { isLateAllowed, uptimeMs: 8000 }),
    states: () => db.prepare('SELECT message, state, server_id, is_late FROM delivery ORDER BY message').raw().all(),
    batches: () =>
      db
        .prepare(
          `SELECT b.state, b.size, a.number, a.started_at - ${nowMs}, a.started_uptime, a.outcome
           FROM batch b JOIN attempt a ON a.batch = b.id ORDER BY b.id`,
        )
        .raw()
        .all(),
    actions: () => db.prepare('SELECT action, state, attempts, sent_at FROM action_delivery').raw().all(),
  };
}

describe('replayIntents()', () => {
  it('puts what left unconfirmed, in an open batch of its time, and fixes the receiver', () => {
    const { replay, states, batches, store } = opened();
    expect(replay([left(['m11', 'm12'])])).toEqual({ messages: 2, actions: 0, arrivals: 0, unknown: 0 });
    expect(states()).toEqual([
      [1, 'sent', null, 0],
      [2, 'sent', null, 0],
    ]);
    expect(batches()).toEqual([['open', 2, 1, -5000, 3000, null]]);
    const fixed = databaseOf(store).prepare('SELECT receiver_type, was_empty FROM conversation_delivery').raw().all();
    expect(fixed).toEqual([['group', null]]);
  });

  it('imports messages that are known to have arrived, and closes the batch with the last one', () => {
    const { replay, states, batches } = opened();
    replay([
      left(['m11', 'm12'], { arrived: { m11: '101', m12: '' } }),
      left(['m13', 'm14'], { arrived: { m13: '3' } }),
    ]);
    expect(states()).toEqual([
      [1, 'imported', '101', 0],
      [2, 'imported', null, 0],
      [3, 'imported', '3', 0],
      [4, 'sent', null, 0],
    ]);
    expect(batches().map((batch) => (batch as unknown[])[0])).toEqual(['closed', 'open']);
  });

  it('does not change messages that have an answer in the store', async () => {
    const { replay, states, batches, lane, journal } = opened();
    await deliver({ journal }, lane, [1], 'imported');
    await deliver({ journal }, lane, [2], 'failed');
    const before = states();
    expect(replay([left(['m11', 'm12'], { arrived: { m11: '9' } })]).messages).toBe(0);
    expect([states(), batches().length]).toEqual([before, 2]);
  });

  it('moves pending and unconfirmed messages to the last request that left', async () => {
    const { replay, states, batches, lane, journal } = opened();
    await deliver({ journal }, lane, [1], 'pending');
    await deliver({ journal }, lane, [2], 'sent');
    replay([left(['m11']), left(['m11', 'm12'], { agoMs: 1000 })]);
    expect(states()).toEqual([
      [1, 'sent', null, 0],
      [2, 'sent', null, 0],
    ]);
    expect(batches().map((batch) => (batch as unknown[]).slice(0, 2))).toEqual([
      ['closed', 1],
      ['closed', 1],
      ['closed', 1],
      ['open', 2],
    ]);
  });

  it.each([
    [false, 1],
    [true, 2],
  ])('marks messages that left after younger ones as late (allowed: %s)', (isAllowed, mark) => {
    const { replay, states } = opened();
    replay([left(['m13'], { arrived: { m13: '3' } }), left(['m12']), left(['m14'])], isAllowed);
    expect(states()).toEqual([
      [2, 'sent', null, mark],
      [3, 'imported', '3', 0],
      [4, 'sent', null, 0],
    ]);
  });

  it('marks a message that left again without those sent with it as late, unless they left again as well', () => {
    const { replay, states } = opened();
    const lateIn = () => states().flatMap((row) => ((row as number[])[3] === 0 ? [] : (row as number[])[0]));
    replay([left(['m11', 'm12']), left(['m13', 'm14']), left(['m11']), left(['m13']), left(['m14'])]);
    expect(lateIn()).toEqual([1]);
    replay([left(['m12'])]);
    expect(lateIn()).toEqual([1, 2]);
  });

  it('puts actions unconfirmed, but not those that were done', () => {
    const { replay, actions, store, id } = opened();
    replay([left([], { actions: [7] }), left([], { actions: [7], agoMs: 1000 })]);
    expect(actions()).toEqual([[7, 'sent', 2, nowMs - 1000]]);
    databaseOf(store).prepare(`UPDATE action_delivery SET state = 'done' WHERE destination = ?`).run(id);
    expect(replay([left([], { actions: [7] })]).actions).toBe(0);
    expect(actions()).toEqual([[7, 'done', 2, nowMs - 1000]]);
  });

  it('puts people, groups and members unconfirmed, but not those that have arrived', () => {
    const { replay, store, id } = opened();
    const db = databaseOf(store);
    db.exec(`INSERT INTO arrival (id, kind, conversation, person, payload, is_assumed) VALUES
      (3, 'people', 0, 1, '{"uid":"ann"}', 0), (4, 'people', 0, 2, '{"uid":"bo"}', 0)`);
    expect(replay([left([], { arrivals: [3, 4] })])).toEqual({ messages: 0, actions: 0, arrivals: 2, unknown: 0 });
    expect(store.arrivals.page(id, 'people', 0, 10)).toMatchObject([{ isDoubtful: 1 }, { isDoubtful: 1 }]);
    db.prepare(`UPDATE arrival_delivery SET state = 'existing' WHERE arrival = 4`).run();
    expect(replay([left([], { arrivals: [3, 4] })]).arrivals).toBe(1);
    expect(store.arrivals.page(id, 'people', 0, 10).map((row) => row.id)).toEqual([3]);
  });

  it('counts messages, actions and people that the store does not know', () => {
    const { replay, states } = opened();
    expect(replay([left(['m19'], { actions: [8], arrivals: [9] })])).toMatchObject({ messages: 0, unknown: 3 });
    expect(states()).toEqual([]);
  });

  it('belongs to the run in which the copy was made, or to one that never ended', () => {
    const { replay, store, run } = opened();
    const runs = () => databaseOf(store).prepare('SELECT DISTINCT run FROM batch').pluck().all();
    replay([left(['m11'])]);
    expect(runs()).toEqual([run]);
    databaseOf(store).prepare('UPDATE run SET ended_at = 1').run();
    replay([left(['m12'])]);
    expect(runs()).toEqual([run, run + 1]);
  });

  it('forgets sums that hold no longer', () => {
    const { replay, store } = opened();
    store.totals.keep('sum', '1');
    replay([left(['m11'])]);
    expect(store.totals.kept('sum')).toBeUndefined();
  });
});

describe('ageOpenAttempts()', () => {
  it('makes unconfirmed attempts as old as the copy, regardless of the clocks of its machine', async () => {
    const { store, id, lane, journal, replay } = opened();
    const since = () => store.batches.sinceDoubtfulMs(id, { nowMs, uptimeMs: 8000 });
    await deliver({ journal }, lane, [1], 'sent');
    expect(since()).toBe(0);
    replay([left([], { actions: [7], agoMs: 0 })]);
    store.batches.ageOpen(60_000.7, nowMs, 8000);
    expect(since()).toBe(60_000);
    expect(databaseOf(store).prepare('SELECT sent_at FROM action_delivery').pluck().get()).toBe(nowMs - 60_000);
    replay([left(['m12'], { agoMs: 2000.3 })]);
    expect(since()).toBe(2000);
  });

  it('continues from the age in a copy, from one machine to the next', async () => {
    const { store, id, lane, journal, replay } = opened();
    const since = (uptimeMs: number) => store.batches.sinceDoubtfulMs(id, { nowMs, uptimeMs });
    const actionAskedAt = () => databaseOf(store).prepare('SELECT sent_at FROM action_delivery').pluck().get();
    await deliver({ journal }, lane, [1], 'sent');
    replay([left([], { actions: [7], agoMs: 0 })]);
    stampAges(databaseOf(store), { uptimeMs: 5000, nowMs: nowMs + 5000 });
    store.batches.ageOpen(60_000, nowMs, 900);
    expect(since(900)).toBe(65_000);
    expect(actionAskedAt()).toBe(nowMs - 65_000);
    stampAges(databaseOf(store), { uptimeMs: 1900, nowMs: nowMs + 1000 });
    store.batches.ageOpen(10_000, nowMs, 1_000_000);
    expect(since(1_000_000)).toBe(76_000);
    expect(actionAskedAt()).toBe(nowMs - 76_000);
  });

  it('does not change answered attempts', async () => {
    const { store, lane, journal, batches } = opened();
    await deliver({ journal }, lane, [1], 'imported');
    store.batches.ageOpen(60_000, nowMs);
    expect((batches()[0] as unknown[])[3]).toBe(0);
  });
});
