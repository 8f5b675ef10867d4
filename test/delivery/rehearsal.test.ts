import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/open.ts';
import { profiles } from '../../src/service/profiles.ts';
import { openTarget, profileOf, type TargetOptions } from '../../src/delivery/target.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';
import { VirtualClock } from '../scenes/virtual-clock.ts';

const home = temporaryFolder();
const today = Date.parse('2026-11-21T12:00:00Z');
const never = new AbortController().signal;
const nothing = { overrides: {} };
const publicApp = 'https://1234567890abcdef.api-us.cometchat.io';

describe('profileOf()', () => {
  it.each([
    [{ to: publicApp }, 'hosted'],
    [{ to: `${publicApp}/v3` }, 'hosted'],
    [{ to: publicApp, profile: 'spec' as const }, 'spec'],
    [{ to: 'https://chat.example.com' }, 'spec'],
    [{ to: 'https://cometchat.io.example.com' }, 'spec'],
    [{ to: 'https://notcometchat.io' }, 'spec'],
    [{ to: 'sandbox:0123' }, 'spec'],
    [{ to: 'sandbox' }, 'sandbox'],
    [{ to: 'sandbox', appId: '1' }, 'hosted'],
  ])('%j is %s', (options, name) => {
    expect(profileOf({ ...options, ...nothing }).name).toBe(name);
  });

  it.each(['hosted', '1234567890abcdef', publicApp])(
    'a rehearsal for %s is planned as the import there is',
    (meant) => {
      const rehearsal = { to: 'sandbox', rehearseFor: meant, overrides: { batchItemsMax: 20, retentionDays: 90 } };
      expect(profileOf(rehearsal)).toEqual(profileOf({ to: publicApp, overrides: rehearsal.overrides }));
    },
  );

  it.each([
    [{ to: 'https://chat.example.com', rehearseFor: 'hosted' }],
    [{ to: 'sandbox', appId: '1', rehearseFor: 'hosted' }],
    [{ to: 'sandbox', rehearseFor: 'http://chat.example.com' }],
    [{ to: 'sandbox', rehearseFor: 'https://user:secret-7@chat.example.com' }],
  ])('%j is an error, without a word of a password', (options) => {
    expect(() => profileOf({ ...options, ...nothing })).toThrow(/^Cannot (?!.*secret)/);
  });
});

/** The embedded sandbox as an import opens it, and how it answers to messages sent so many days ago. */
async function rehearse(
  options: Partial<TargetOptions>,
  prepare: (store: ReturnType<typeof openStore>) => void = () => {},
) {
  const store = openStore(join(home.make(), 'chatferry.db'), { command: 'import', nowMs: today });
  prepare(store);
  const clock = new VirtualClock(today);
  const target = await openTarget(store, {
    to: 'sandbox',
    apiKey: undefined,
    concurrency: 1,
    clock,
    ...nothing,
    ...options,
  });
  const send = async (ages: readonly number[]) => {
    const messages = Object.fromEntries(ages.map((days, place) => [`m${place}`, itemOf(`m${place}`, days)]));
    const outcome = await target.client.importBatch(JSON.stringify({ messages }), Object.keys(messages), never);
    if (outcome.kind !== 'answered') return outcome.kind;
    return [...outcome.answers.values()].map((answer) => (answer.result === 'refused' ? answer.detail : answer.result));
  };
  return {
    target,
    send,
    async close() {
      await target.close();
      store.close();
    },
  };
}

const itemOf = (muid: string, days: number) => ({
  muid,
  sender: 'ann',
  senderUserDetails: { uid: 'ann', name: 'Ann' },
  receiver: 'general',
  receiverType: 'group',
  receiverUserDetails: { guid: 'general', name: 'General', type: 'public' },
  category: 'message',
  type: 'text',
  data: { text: muid },
  sentAt: String(Math.floor(today / 1000) - days * 86_400),
});

describe('the embedded sandbox in a rehearsal', () => {
  it('rejects messages for their age like the destination, and answers immediately', async () => {
    const { target, send, close } = await rehearse({ rehearseFor: 'hosted' });
    expect(await send([184, 183, 1])).toEqual(['The message is older than 183 days', 'imported', 'imported']);
    // More requests than the hosted service takes in a minute.
    for (let request = 0; request < 70; request++)
      expect(await send([200])).toEqual(['The message is older than 183 days']);
    expect(target.profile).toMatchObject({ name: 'hosted', limits: profiles.hosted.limits, graceLongMs: 0 });
    expect(target.profile.importsPerMinute).toBeUndefined();
    await close();
  });

  it('accepts exactly as many messages per request as the destination', async () => {
    const { send, close } = await rehearse({
      rehearseFor: 'https://chat.example.com',
      overrides: { batchItemsMax: 60 },
    });
    expect(await send(Array(60).fill(1))).toHaveLength(60);
    expect(await send(Array(61).fill(1))).toBe('not-applied');
    await close();
  });

  it('handles an existing muid as the destination was observed to', async () => {
    const address = 'https://chat.example.com';
    const seen = { duplicates: 'stored' as const, seenAtMs: today };
    const { target, send, close } = await rehearse({ rehearseFor: `${address}/` }, (store) =>
      store.destinations.learnDuplicates({ address, name: address, profile: 'spec' }, seen),
    );
    expect([await send([1]), await send([1]), target.profile.duplicates]).toEqual([
      ['imported'],
      ['imported'],
      'unknown',
    ]);
    await close();
  });
});
