import { databaseOf } from '../../src/store/open.ts';
import { describe, expect, it } from 'vitest';
import { addCast, addDestination, nowMs, openTestStore } from './fixture.ts';

/** A request that left when the machine had run for 1,000 s, and was never answered. */
async function storeInDoubt() {
  const store = openTestStore();
  const { conversations } = addCast(databaseOf(store));
  const { id, journal } = addDestination(store);
  const lane = { conversation: conversations.C1!, receiverType: 'group' };
  const batch = { rows: [{ seq: 1, isLate: false, lane }], body: Buffer.from('{}'), id: undefined, attemptCount: 1 };
  await journal.beginAttempt(batch, nowMs, 1_000_000);
  return {
    since: (wallMs: number, uptimeMs: number) =>
      store.batches.sinceDoubtfulMs(id, { nowMs: nowMs + wallMs, uptimeMs: 1_000_000 + uptimeMs }),
  };
}

describe('sinceDoubtfulAttemptMs()', () => {
  it('is the time since the last request without an answer left', async () => {
    const { since } = await storeInDoubt();
    expect(since(5_000, 5_000)).toBe(5_000);
  });

  it('believes no clock that was set forward', async () => {
    const { since } = await storeInDoubt();
    expect(since(3_600_000, 5_000)).toBe(5_000);
  });

  it('is nothing after a clock that was set back', async () => {
    const { since } = await storeInDoubt();
    expect(since(-3_600_000, 5_000)).toBe(0);
  });

  it('counts from the start of a machine that was started again', async () => {
    const { since } = await storeInDoubt();
    expect(since(3_600_000, -999_000)).toBe(1_000);
  });

  it('is undefined where nothing is unconfirmed', () => {
    const store = openTestStore();
    const { id } = addDestination(store);
    expect(store.batches.sinceDoubtfulMs(id, { nowMs, uptimeMs: 0 })).toBeUndefined();
  });
});
