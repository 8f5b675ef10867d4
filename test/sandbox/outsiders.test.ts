import { expect, it } from 'vitest';
import { openSandboxStore } from '../../src/sandbox/store.ts';
import { FaultySandbox } from '../../src/sandbox/faults.ts';
import { clockAt } from './fixture.ts';

const apiKey = 'local-key';

function hosted() {
  const store = openSandboxStore(':memory:');
  const sandbox = new FaultySandbox({
    apiKey,
    profile: 'hosted',
    keepsPace: false,
    clock: clockAt(1_790_000_000_000),
    store,
  });
  const send = async (kind: string, items: object) => {
    const body = JSON.stringify({ [kind]: items });
    const request = { method: 'POST', path: `/v3/data_import/${kind}`, headers: { apikey: apiKey }, body } as const;
    const delivery = await sandbox.deliver(request);
    if (delivery.kind !== 'answered') throw new Error('no answer');
    return JSON.parse(delivery.answer.body).data;
  };
  return { sandbox, send };
}

async function withGroup({ send }: ReturnType<typeof hosted>): Promise<void> {
  await send('users', { ann: { uid: 'ann', name: 'Ann' }, bob: { uid: 'bob', name: 'Bob' } });
  await send('groups', { team: { guid: 'team', name: 'Team', type: 'private', createdAt: 1_780_000_000 } });
  const member = { memberId: 'team_member_ann', guid: 'team', uid: 'ann', joinedAt: 1_780_000_001 };
  await send('members', { team_member_ann: member });
}

const message = (muid: string, sender: string) => ({
  [muid]: { muid, sender, receiverType: 'group', receiver: 'team', sentAt: 1_789_000_000, data: { text: 'Hello' } },
});

it('stores a message of a user who is no member, and the user stays none, if members are imported', async () => {
  const service = hosted();
  await withGroup(service);
  expect(await service.send('messages', message('m-1', 'bob'))).toMatchObject({ 'm-1': { success: true } });
  const again = { memberId: 'team_member_bob', guid: 'team', uid: 'bob', joinedAt: 1_780_000_001 };
  expect(await service.send('members', { team_member_bob: again })).toMatchObject({
    team_member_bob: { success: true },
  });
});

it('refuses messages of users who are no members if the plan says so', async () => {
  const service = hosted();
  await withGroup(service);
  service.sandbox.plan = { outsiders: 'refused' };
  expect(await service.send('messages', message('m-1', 'bob'))).toMatchObject({
    'm-1': { success: false, error: { code: 'ERR_GROUP_NOT_JOINED' } },
  });
  expect(await service.send('messages', message('m-2', 'ann'))).toMatchObject({ 'm-2': { success: true } });
});
