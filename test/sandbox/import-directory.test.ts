import { describe, expect, it, onTestFinished } from 'vitest';
import type { FaultPlanInput } from '../../src/sandbox/fault-plan.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { apiKey, call, clockAt, now, nowSeconds, refused, sandboxOf } from './fixture.ts';

const user = (uid: string, fields: object = {}) => ({ [uid]: { uid, name: uid, ...fields } });

/** A sandbox of the hosted service that plays a fault plan. */
function hosted(plan: FaultPlanInput = {}) {
  const store = openSandboxStore(':memory:');
  const sandbox = new FaultySandbox({ apiKey, profile: 'hosted', keepsPace: false, clock: clockAt(now), store });
  onTestFinished(() => sandbox.close());
  sandbox.plan = plan;
  return async (kind: string, items: object) => {
    const body = JSON.stringify({ [kind]: items });
    const request = { method: 'POST', path: `/v3/data_import/${kind}`, headers: { apikey: apiKey }, body } as const;
    const delivery = await sandbox.deliver(request);
    if (delivery.kind !== 'answered') throw new Error('no answer');
    return JSON.parse(delivery.answer.body).data;
  };
}

describe('a sandbox of the specification', () => {
  it.each(['users', 'groups', 'members'])('has no import of %s', (kind) => {
    const answer = call(sandboxOf(), `POST /v3/data_import/${kind}`, { body: { [kind]: {} } });
    expect(answer).toMatchObject(refused('ERR_API_NOT_FOUND'));
  });
});

describe('a user who is imported as deactivated', () => {
  const gone = user('gone', { deactivatedAt: nowSeconds - 100 });
  const message = {
    m1: {
      muid: 'm1',
      sender: 'gone',
      receiverType: 'user',
      receiver: 'ann',
      category: 'message',
      type: 'text',
      data: { text: 'I left' },
      sentAt: nowSeconds - 1000,
    },
  };

  it.each([
    ['may not be named by messages', undefined, { success: false, error: { code: 'ERR_UID_NOT_FOUND' } }],
    ['may be named by messages at a service that ignores it', 'ignored', { success: true }],
  ] as const)('%s', async (_, deactivated, expected) => {
    const send = hosted(deactivated && { deactivated });
    expect((await send('users', { ...gone, ...user('ann') })).gone).toMatchObject({ success: true });
    expect((await send('messages', message)).m1).toMatchObject(expected);
  });
});

describe('a member who is imported as banned', () => {
  it('is no member, and is not imported twice', async () => {
    const send = hosted();
    await send('users', user('ann'));
    await send('groups', { g: { guid: 'g', name: 'G', type: 'public', createdAt: nowSeconds - 1000 } });
    const members = {
      g_member_ann: { memberId: 'g_member_ann', guid: 'g', uid: 'ann', joinedAt: nowSeconds - 10, isBanned: true },
    };
    expect((await send('members', members)).g_member_ann).toMatchObject({ success: true });
    expect((await send('members', members)).g_member_ann).toMatchObject({
      success: false,
      error: { code: 'ERR_ALREADY_JOINED' },
    });
  });
});
